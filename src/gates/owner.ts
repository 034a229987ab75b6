/** The owner of a gate, and the owner's signed actions. */
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

/** The buyer, as answers show it. */
export const showBuyer = showAccount

/** Everything an owner reads of its own gates is read with this one signature. */
export const listGatesAction = (walletAddress: string) => [makeAction('list_gates', { walletAddress })]

/**
 * `digest` is 0x and the SHA-256 of the definition's canonical JSON. So the signature covers the content, not only its
 * name.
 */
export const applyGateAction = (gateId: string, digest: string) => () => [makeAction('apply_gate', { gateId, digest })]

export const makeRollbackAction = (gateId: string, version: number) => () => [
  makeAction('rollback_gate', { gateId, version }),
]

export const makeStatusAction = (gateId: string, status: string) => () => [
  makeAction('set_gate_status', { gateId, status }),
]

export const archiveGateAction = (gateId: string, archived: boolean) => () => [
  makeAction('archive_gate', { gateId, archived }),
]

/** `transactionHash` as it was sent: that of the transfer that gave the money back, where it is named. */
export const returnPaymentAction = (identity: string, transactionHash: string | undefined) => () => [
  makeAction('return_payment', { identity, transactionHash }),
]

export const deleteGateAction = (gateId: string) => () => [makeAction('delete_gate', { gateId })]

/**
 * An owner as an operator writes it: an address, or CAIP-10 for a contract wallet. Undefined for other texts. The owner
 * of a did:pkh depends on the known accounts.
 */
export function parseOwner(text: string): string | undefined {
  const [, chain, account] = /^(eip155:[1-9][0-9]{0,14}):(0x[a-fA-F0-9]{40})$/.exec(text) ?? []
  if (chain !== undefined && account !== undefined) return writeAccountId(chain, account)
  return looksLikeAddress(text) ? normalizeAddress(text) : undefined
}
