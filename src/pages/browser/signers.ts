/**
 * Chooses the wallet that signs a step. In an agent's set-up, the agent and its controller each sign their own steps;
 * otherwise the person's wallet signs. If one wallet has both roles, the link says so, or the person chooses it for
 * each.
 */
import { agentDelegationId, agentIdentityId, agentVerifierIds, walletLinkId } from '../../verifiers/roles.ts'
import type { VerifyModel } from '../verify-model.ts'
import { verify as words } from '../words/en/verify.ts'
import type { Journey } from './journey.ts'
import { isOnChain, isSameAddress, type Person } from './person.ts'
import type { Step } from './step.ts'
import type { Wanted } from './wallet-desk.ts'

export class Signers {
  /** Whether different wallets sign the steps. */
  readonly areSeveral: boolean
  /** Addresses that the person chose for a step, by its key. */
  private readonly chosen = new Map<string, string>()

  constructor(
    steps: readonly Step[],
    private readonly plan: VerifyModel['request']['agent'],
    private readonly journey: Journey,
  ) {
    this.areSeveral = steps.some(({ verifierId }) => agentVerifierIds.includes(verifierId))
  }

  of({ verifierId }: Step): Pick<Wanted, 'heading' | 'address'> {
    const { plan } = this
    if (verifierId === agentIdentityId) return { heading: words.agentWallet, address: plan?.agentWallet }
    if (verifierId === agentDelegationId) return { heading: words.controllerWallet, address: plan?.controllerWallet }
    return { heading: words.chooseWallet, address: this.areSeveral ? plan?.controllerWallet : undefined }
  }

  /** The chain of a wallet that the link names. */
  private chainAsked({ verifierId }: Step): string | undefined {
    if (verifierId === agentIdentityId) return this.plan?.agentChain
    return verifierId === agentDelegationId || this.areSeveral ? this.plan?.controllerChain : undefined
  }

  choose({ key }: Step, { address }: Person): void {
    this.chosen.set(key, address)
  }

  /** The agent's wallet does not become the controller's merely because it is connected: the person must choose it. */
  private mustBeChosen({ key, verifierId }: Step, { address }: Person): boolean {
    if (verifierId !== agentDelegationId || this.plan?.controllerWallet !== undefined) return false
    const agent = this.plan?.agentWallet ?? this.journey.findAgent()?.agentWallet
    const chosen = this.chosen.get(key)
    const isChosen = chosen !== undefined && isSameAddress(chosen, address)
    return agent !== undefined && isSameAddress(agent, address) && !isChosen
  }

  /** The person who can sign the step, of `main` and the other connected ones. */
  among(step: Step, main: Person | undefined, others: readonly Person[]): Person | undefined {
    if (!this.areSeveral) return main && this.canBe(step, main) ? main : undefined
    return [...(main ? [main] : []), ...others].find((one) => this.canBe(step, one) && !this.mustBeChosen(step, one))
  }

  canBe(step: Step, person: Person): boolean {
    const { address: own, wallet } = person
    // Both wallets of a link sign, so a session without a wallet is not sufficient.
    if (step.verifierId === walletLinkId && !wallet) return false
    const { address } = this.of(step)
    if (!isOnChain(person, this.chainAsked(step))) return false
    return address === undefined || isSameAddress(own, address)
  }
}
