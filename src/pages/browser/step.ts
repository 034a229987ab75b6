/** One step of a journey: what it works with, what it proves, and what it shows. */
import type { VerifyModel } from '../verify-model.ts'
import type { Attempts } from './attempt.ts'
import type { Done, Journey, Proof } from './journey.ts'
import type { Person } from './person.ts'
import type { VerifyApi } from './verify-api.ts'
import type { WalletDesk } from './wallet-desk.ts'

export interface Desk {
  readonly model: VerifyModel
  readonly api: VerifyApi
  readonly journey: Journey
  readonly attempts: Attempts
  readonly wallets: WalletDesk
  readonly work: HTMLElement
  /** Of the session, which may begin while the page is open. */
  csrf(): string | undefined
  /** The proofs made in this page, with what is to be taken away. */
  readonly proofs: Map<string, Proof>
  /** Those who were asked for in this page and are still the account of their wallet. */
  readonly people: Person[]
}

export interface Step {
  readonly key: string
  readonly verifierId: string
  /** What a gate demands, by members of `data`. */
  readonly fixed: Readonly<Record<string, string>>
}

export interface StepView {
  readonly heading: string
  readonly step: Step
  readonly person: Person
  finished(done: Done): void
  /** Another wallet is wanted for it. */
  another?: () => void
}
