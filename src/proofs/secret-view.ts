/** Secrets as entries of a vault: that they are there, and what they are called. What they hold is never shown. */
import type { SecretRow } from '../secrets/store.ts'
import { parseAccount } from '../wallet/account.ts'
import type { ProofView } from './view.ts'

const verifierId = 'secret'

export const secretView = ({ qHash, account, alias, type, createdAt }: SecretRow): ProofView => ({
  qHash,
  status: 'verified',
  privacyLevel: 'private',
  createdAt,
  lastUpdated: createdAt,
  walletAddress: parseAccount(account).wallet,
  verifierIds: [verifierId],
  verifiedVerifiers: [{ verifierId, verified: true, status: 'secret_sealed', data: { alias, secretType: type } }],
  publicDisplay: false,
  title: alias,
  tags: [verifierId],
  revokedAt: null,
  expiresAt: null,
})
