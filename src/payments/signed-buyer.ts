/** Identifies the buyer who requests a Stripe session or a quote by a proof. */
import { type Caller, type Credentials, requireCaller } from '../auth/caller.ts'
import { makeAction } from '../auth/owner-action.ts'
import type { Parts } from '../parts.ts'
import { type Account, mayMean, readNamedAccount } from '../wallet/account.ts'

export interface PairRequest {
  readonly gateId: string
  /** As the request spells it. */
  readonly qHash: string
  /** The one of the person's wallets that made the proof. */
  readonly walletAddress?: string | undefined
  readonly credentials: Credentials
}

/** The text that is signed names the pair, with the id of the proof in either case. Errors: those of requireCaller. */
export function requireSigner(
  parts: Parts,
  action: 'open_checkout' | 'open_quote',
  request: PairRequest,
): Promise<Caller> {
  const { gateId, qHash: spelled, walletAddress, credentials } = request
  const actions = [...new Set([spelled, spelled.toLowerCase()])].map((qHash) => makeAction(action, { gateId, qHash }))
  const named =
    walletAddress === undefined ? undefined : readNamedAccount(walletAddress, parts.config.signing.hubChainId)
  const isRelevant = (account: Account): boolean => named !== undefined && mayMean(named, account)
  return requireCaller(credentials, () => actions, parts, { about: isRelevant })
}
