import { createHash } from 'node:crypto'

// The peers share the service's own formats, which no package has: canonical JSON, the proof id, the table and the
// answer. Packages do the rest.

export const schema = `
  CREATE TABLE IF NOT EXISTS proofs (
    id TEXT PRIMARY KEY, wallet TEXT NOT NULL, created INTEGER NOT NULL, status TEXT NOT NULL, record TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS proofs_by_wallet ON proofs (wallet, created);`

export const insertSql = 'INSERT INTO proofs (id, wallet, created, status, record) VALUES (?, ?, ?, ?, ?)'
export const findSql = 'SELECT record FROM proofs WHERE id = ?'

export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}

export const didOf = (wallet, chainId) => `did:pkh:eip155:${chainId}:${wallet.toLowerCase()}`

export function proofId({ wallet, chainId, data, signedTimestamp, verifierIds }) {
  const subset = canonicalJson({ chainId, data, did: didOf(wallet, chainId), signedTimestamp, verifierIds })
  return `0x${createHash('shake256', { outputLength: 32 }).update(subset.normalize('NFC')).digest('hex')}`
}

/** `contentHash` is Keccak-256, which each stack has in its own wallet library. */
export function newRecord(id, { wallet, chainId, data, signedTimestamp, verifierIds }, contentHash) {
  const now = Date.now()
  const { content: _, ...shown } = data
  return {
    qHash: id,
    status: 'verified',
    walletAddress: wallet.toLowerCase(),
    did: didOf(wallet, chainId),
    verifierIds,
    verifiedVerifiers: [
      {
        verifierId: verifierIds[0],
        verified: true,
        status: 'origin-authenticated',
        data: { ...shown, contentHash, timestamp: now, chainId },
      },
    ],
    options: {
      privacyLevel: 'private',
      publicDisplay: false,
      publishToHub: false,
      enableIpfs: false,
      storeOriginalContent: false,
      targetChains: [],
    },
    privacyLevel: 'private',
    publicDisplay: false,
    tags: [],
    chainId,
    signedTimestamp,
    createdAt: now,
    completedAt: now,
    lastUpdated: now,
    revokedAt: null,
    expiresAt: null,
    targetChains: [],
    proofUrl: `http://127.0.0.1/api/v1/proofs/${id}`,
    receipt: { format: 'caip-380-envelope', portable: true },
  }
}

export const success = (record, envelope) => ({
  success: true,
  status: record.status,
  message: 'The claim holds and the proof is stored.',
  data: { ...record, portableProof: envelope },
})
