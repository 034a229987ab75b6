/** The `data` of the six lines that an owner signs to act on proofs. The id is signed in the caller's spelling. */
import { makeAction } from '../auth/owner-action.ts'
import type { VisibilityName } from './visibility.ts'

const listSpellings = (qHash: string): readonly string[] => [...new Set([qHash, qHash.toLowerCase()])]

export const readAction = (qHash: string) => () =>
  listSpellings(qHash).map((spelled) => makeAction('access_private_proof', { qHash: spelled }))

export const listAction = (walletAddress: string) => [makeAction('access_private_proofs_by_wallet', { walletAddress })]

export const revokeAction = (qHash: string) => () =>
  listSpellings(qHash).map((spelled) => makeAction('revoke_proof', { qHash: spelled }))

export const visibilityAction = (qHash: string, visibility: VisibilityName) => () =>
  listSpellings(qHash).map((spelled) => makeAction('set_proof_visibility', { qHash: spelled, visibility }))

export const eraseAction = (walletAddress: string) => [makeAction('erase_all_proofs', { walletAddress })]

/** `expiresInSeconds` is signed when it is sent; `null` means without an end. */
export const grantAction = (qHash: string, viewerWallet: string, expiresInSeconds: number | null | undefined) => () =>
  listSpellings(qHash).map((spelled) =>
    makeAction('grant_proof_access', { qHash: spelled, viewerWallet, expiresInSeconds }),
  )

export const listAccessAction = (qHash: string) => () =>
  listSpellings(qHash).map((spelled) => makeAction('list_proof_access', { qHash: spelled }))

export const withdrawAccessAction = (qHash: string, viewerWallet: string) => () =>
  listSpellings(qHash).map((spelled) => makeAction('withdraw_proof_access', { qHash: spelled, viewerWallet }))
