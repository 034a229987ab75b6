/** The context of one look at one chain: the chain's state at that moment, read no more often than needed. */
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EvmChain, Hex } from '../outside/chains/chain.ts'
import type { Parts } from '../parts.ts'
import { type Lease, LeaseLostError } from '../processes/processes.ts'
import type { EasContract } from './eas.ts'
import type { Publication } from './publication.ts'
import { move, type StatusWriter, type Step } from './store.ts'

/** Why something has to wait: nothing is wrong with it, and it is tried again. */
export class Obstacle extends Error {
  override readonly name = 'Obstacle'

  constructor(
    /** The obstacle. */
    message: string,
    /** The remedy for the operator. */
    readonly mend: string,
  ) {
    super(message)
  }
}

export interface Run {
  readonly chain: EvmChain
  readonly eas: EasContract
  readonly signer: PrivateKeyAccount
  /** Address of the signer, in lower case. */
  readonly account: Hex
  readonly settings: Parts['config']['publishing']
  readonly db: Parts['db']
  /** Unix milliseconds. */
  readonly now: number
  readonly head: { readonly number: number; readonly timestampMs: number }
  /** The lowest nonce that no mined transaction of the account has. */
  minedNonce(account: Hex): Promise<number>
  /** The lowest nonce that no transaction of the account has which the node knows. */
  knownNonce(account: Hex): Promise<number>
  move(from: Publication, step: Step): Promise<Publication | undefined>
  /** Before a transaction leaves, which no write can refuse. Errors: LeaseLostError. */
  requireLease(): void
}

export async function openRun(
  chain: EvmChain,
  eas: EasContract,
  signer: PrivateKeyAccount,
  {
    config,
    db,
    lease,
    now,
    updateProofStatus,
  }: Pick<Parts, 'config' | 'db' | 'now'> & StatusWriter & { readonly lease: Pick<Lease, 'isHeld'> },
): Promise<Run> {
  const { number, timestampMs } = await chain.transactions.newestBlock()
  return {
    chain,
    eas,
    signer,
    account: signer.address.toLowerCase() as Hex,
    settings: config.publishing,
    db,
    now: now(),
    head: { number, timestampMs },
    minedNonce: makeNonceReader((account) => chain.transactions.nextNonce(account, 'latest')),
    knownNonce: makeNonceReader((account) => chain.transactions.nextNonce(account, 'pending')),
    move: (from, step) => move({ db, updateProofStatus }, from, step, now()),
    requireLease() {
      if (!lease.isHeld()) throw new LeaseLostError('publishing')
    },
  }
}

function makeNonceReader(ask: (account: Hex) => Promise<number>): (account: Hex) => Promise<number> {
  const answers = new Map<Hex, Promise<number>>()
  return (account) => {
    const answer = answers.get(account) ?? ask(account)
    answers.set(account, answer)
    return answer
  }
}
