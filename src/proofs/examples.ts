/** The proof of the examples: read, listed, revoked and erased. */
import { type ExampleSource, story } from '../http/example.ts'

const { address, chainId, did, qHash, time, timestamp, wallet } = story
export const exampleReference = { type: 'url', id: 'https://example.com/novel' }
export const exampleMeta = { title: 'My novel', tags: ['writing'] }

const erasureId = '5f0c2d4e8a1b4c6d9e7f3a2b1c0d5e6f'
/** An erasure of one proof is done at once when the database has no other reader. */
const erased = {
  erasure: {
    id: erasureId,
    state: 'done',
    total: 1,
    left: 0,
    begunAt: timestamp,
    deletedAt: timestamp,
    status: `/api/v1/proofs/erasures/${erasureId}`,
  },
  traces: { pending: false },
}

/** The proof of the story, as its owner is shown it. */
export const makeProofExample = (baseUrl: string) => ({
  qHash,
  status: 'verified',
  privacyLevel: 'public',
  createdAt: time,
  lastUpdated: time,
  walletAddress: address,
  did,
  verifierIds: ['ownership-basic'],
  verifiedVerifiers: [
    {
      verifierId: 'ownership-basic',
      verified: true,
      status: 'origin-authenticated',
      data: {
        owner: address,
        contentHash: '0x0fe248e8505439e3d4c31e58a6c619a22e71a9438025e776bede0b7b8857a94d',
        reference: exampleReference,
        timestamp: time,
        chainId,
      },
      zkInfo: { zkStatus: 'zk_not_required' },
    },
  ],
  options: {
    privacyLevel: 'public',
    publicDisplay: true,
    storeOriginalContent: false,
    enableIpfs: false,
    publishToHub: false,
    targetChains: [],
  },
  meta: { ...exampleMeta, privacyLevel: 'public', publiclyAccessible: true },
  publicDisplay: true,
  tags: exampleMeta.tags,
  title: exampleMeta.title,
  chainId,
  signedTimestamp: time,
  completedAt: time,
  revokedAt: null,
  expiresAt: null,
  contentResolutionStatus: 'hash_only_not_recoverable',
  proofUrl: `${baseUrl}/api/v1/proofs/${qHash}`,
})

/** By operationId. */
export const proofExamples = {
  getProof: (baseUrl) => ({
    params: { qHash },
    response: { success: true, data: makeProofExample(baseUrl), status: 'verified', qHash, cached: false },
  }),
  listProofs: (baseUrl) => ({
    params: { address: wallet },
    response: {
      success: true,
      data: {
        proofs: [makeProofExample(baseUrl)],
        totalCount: 1,
        hasMore: false,
        resolved: { identifier: wallet, walletAddress: address, did, idType: 'wallet' },
        pagination: { limit: 50, offset: 0, totalCount: 1, hasMore: false, nextOffset: null },
        nextOffset: null,
        nextCursor: null,
        pageInfo: { limit: 50, hasNextPage: false, nextCursor: null },
      },
      timestamp,
    },
  }),
  revokeProof: {
    params: { qHash },
    request: {
      walletAddress: wallet,
      signature:
        '0xb1a8a91c9295e3cd1adde3e7d7a04c51dff45f66d3ac3ead3d65f92cac55fa271446aec15b2fd48a3257b9a6a5865f1eb643a340efdfa5469044dacc20f43d761c',
      signedTimestamp: time,
    },
    response: { success: true, alreadyRevoked: false, timestamp },
  },
  eraseAll: {
    request: {
      walletAddress: wallet,
      signature:
        '0x942aa1f93f845775eafc5111d7df24d065478c894552c9edc4897937b163f06855174f1bd5c7cdfc388ab666a95b417c1490cd5206c39fedc70b62edc8aea5ba1c',
      signedTimestamp: time,
    },
    response: { success: true, erasedCount: 1, alreadyRevoked: false, ...erased, timestamp },
  },
  getErasure: { params: { erasureId }, response: { success: true, ...erased } },
} as const satisfies Readonly<Record<string, ExampleSource>>
