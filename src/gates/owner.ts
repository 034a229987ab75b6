/** Who a gate belongs to, and what its owner signs. */
import { makeAction } from '../auth/owner-action.ts'
import {
  type Account,
  looksLikeAddress,
  normalizeAddress,
  showAccount,
  writeAccount,
  writeAccountId,
} from '../wallet/account.ts'

/** How an owner is stored. */
export const nameGateOwner = (account: Account): string => writeAccount(account)

/** Who bought, as answers say it. */
export const showBuyer = showAccount

/** Everything an owner reads of its own gates is read with this one signature. */
export const listGatesAction = (walletAddress: string) => [makeAction('list_gates', { walletAddress })]

/** `digest` is 0x and the SHA-256 of the canonical JSON of the definition: the content is signed, not only its name. */
export const applyGateAction = (gateId: string, digest: string) => () => [makeAction('apply_gate', { gateId, digest })]

export const makeRollbackAction = (gateId: string, version: number) => () => [
  makeAction('rollback_gate', { gateId, version }),
]

export const makeStatusAction = (gateId: string, status: string) => () => [
  makeAction('set_gate_status', { gateId, status }),
]

/** `transactionHash` as it was sent: that of the transfer that gave the money back, where it is named. */
export const returnPaymentAction = (identity: string, transactionHash: string | undefined) => () => [
  makeAction('return_payment', { identity, transactionHash }),
]

export const deleteGateAction = (gateId: string) => () => [makeAction('delete_gate', { gateId })]

/**
 * An owner as an operator writes it: an address, or CAIP-10 for a contract wallet. Undefined: neither. Of a did:pkh only
 * somebody who knows the accounts can say whose it is.
 */
export function parseOwner(text: string): string | undefined {
  const [, chain, account] = /^(eip155:[1-9][0-9]{0,14}):(0x[a-fA-F0-9]{40})$/.exec(text) ?? []
  if (chain !== undefined && account !== undefined) return writeAccountId(chain, account)
  return looksLikeAddress(text) ? normalizeAddress(text) : undefined
}
