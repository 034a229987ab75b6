/** What an owner signs to act on proofs: the `data` of the six lines. The id is signed as the caller spelled it. */
const spellings = (qHash: string): readonly string[] => [...new Set([qHash, qHash.toLowerCase()])]

export const readAction = (qHash: string) => () =>
  spellings(qHash).map((spelled) => ({ action: 'access_private_proof', qHash: spelled }))

export const listAction = (wallet: string) => [{ action: 'access_private_proofs_by_wallet', walletAddress: wallet }]

export const revokeAction = (qHash: string) => () =>
  spellings(qHash).map((spelled) => ({ action: 'revoke_proof', qHash: spelled }))

export const eraseAction = (wallet: string) => [{ action: 'erase_all_proofs', walletAddress: wallet }]

/** `expiresInSeconds` is signed when it is sent; `null` means without an end. */
export const grantAction = (qHash: string, viewerWallet: string, expiresInSeconds: number | null | undefined) => () =>
  spellings(qHash).map((spelled) => ({
    action: 'grant_proof_access',
    qHash: spelled,
    viewerWallet,
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
  }))

export const listAccessAction = (qHash: string) => () =>
  spellings(qHash).map((spelled) => ({ action: 'list_proof_access', qHash: spelled }))

export const withdrawAccessAction = (qHash: string, viewerWallet: string) => () =>
  spellings(qHash).map((spelled) => ({ action: 'withdraw_proof_access', qHash: spelled, viewerWallet }))
