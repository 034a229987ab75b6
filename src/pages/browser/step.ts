/** One step of a journey: its tools, its claim, and its view. */
import type { VerifyModel } from '../verify-model.ts'
import type { Attempts } from './attempt.ts'
import type { Done, Journey, Proof } from './journey.ts'
import type { Kept } from './kept-form.ts'
import type { Person } from './person.ts'
import type { VerifyApi } from './verify-api.ts'
import type { WalletDesk } from './wallet-desk.ts'

export interface Desk {
  readonly model: VerifyModel
  readonly api: VerifyApi
  readonly journey: Journey
  /** The form before a switch of the language, until it is shown again. */
  kept: Kept | undefined
  readonly attempts: Attempts
  readonly wallets: WalletDesk
  readonly work: HTMLElement
  /** The token of the session, which may begin while the page is open. */
  csrf(): string | undefined
  /** Says that the session of this account ended, and goes on when it is back. */
  readonly renderSessionOver: (wallet: string) => HTMLElement
  /** The proofs made in this page, with their portable form. */
  readonly proofs: Map<string, Proof>
  /** People who connected in this page, and are still the current account of their wallet. */
  readonly people: Person[]
}

export interface Step {
  readonly key: string
  readonly verifierId: string
  /** The values that a gate requires, by members of `data`. */
  readonly fixed: Readonly<Record<string, string>>
}

export interface StepView {
  readonly heading: string
  readonly step: Step
  readonly person: Person
  finished(done: Done): void
  /** Called to use another wallet for the step. */
  another?: () => void
}
