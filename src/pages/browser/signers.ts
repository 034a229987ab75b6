/** Which wallet signs a step: of an agent's set-up the agent and its person each sign theirs, of all else whoever came. */
import type { VerifyModel } from '../verify-model.ts'
import type { Step } from './claim-step.ts'
import type { Journey } from './journey.ts'
import { isOnChain, type Person, sameAddress } from './person.ts'
import type { Wanted } from './wallet-desk.ts'

export class Signers {
  /** Whether steps are signed by different wallets. */
  readonly areSeveral: boolean

  constructor(
    private readonly steps: readonly Step[],
    private readonly plan: VerifyModel['request']['agent'],
    private readonly journey: Journey,
  ) {
    this.areSeveral = steps.some(({ verifierId }) => verifierId.startsWith('agent-'))
  }

  of({ verifierId }: Step): Pick<Wanted, 'heading' | 'address' | 'other'> {
    const { plan } = this
    if (verifierId === 'agent-identity') return { heading: 'The wallet of the agent', address: plan?.agentWallet }
    if (verifierId === 'agent-delegation')
      return {
        heading: 'Your wallet, which lets the agent act',
        address: plan?.controllerWallet,
        other: this.agent(),
      }
    return { heading: 'Choose a wallet', address: this.areSeveral ? plan?.controllerWallet : undefined }
  }

  /** Of a wallet that the link names with its chain. */
  private chainAsked({ verifierId }: Step): string | undefined {
    if (verifierId === 'agent-identity') return this.plan?.agentChain
    return verifierId === 'agent-delegation' || this.areSeveral ? this.plan?.controllerChain : undefined
  }

  private agent(): Wanted['other'] {
    const identity = this.steps
      .map(({ key }) => this.journey.doneAt(key))
      .find((done) => done?.verifierId === 'agent-identity')
    const address = this.plan?.agentWallet ?? identity?.wallet
    if (address === undefined) return undefined
    return { address, why: 'This is the wallet of the agent itself. Choose the wallet that lets it act.' }
  }

  /** The one who can, of `main` and the others that were here. */
  among(step: Step, main: Person | undefined, others: readonly Person[]): Person | undefined {
    if (!this.areSeveral) return main && this.canBe(step, main) ? main : undefined
    return [...(main ? [main] : []), ...others].find((one) => this.canBe(step, one))
  }

  canBe(step: Step, person: Person): boolean {
    const { address: own, wallet } = person
    // Both wallets of a link sign: who is signed in and has none here cannot go on.
    if (step.verifierId === 'wallet-link' && !wallet) return false
    const { address, other } = this.of(step)
    if (!isOnChain(person, this.chainAsked(step))) return false
    return (address === undefined || sameAddress(own, address)) && !(other && sameAddress(other.address, own))
  }
}
