/** The proof of the examples: read, listed and revoked. */
import { type ExampleSource, story } from '../http/example.ts'

const { address, chainId, did, qHash, time, timestamp, wallet } = story
export const exampleReference = { type: 'url', id: 'https://example.com/novel' }
export const exampleMeta = { title: 'My novel', tags: ['writing'] }

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
  signed: true,
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
  setProofVisibility: {
    params: { qHash },
    request: {
      visibility: 'private',
      walletAddress: wallet,
      signature:
        '0x0c42cc8e848b5be94696faa8299afe078534e133bf15651de77c254c099d8ffa3ebed38ccd6d578df0d84c840efd08300e3ef3f310fc08d1487c4726fb72648b1b',
      signedTimestamp: time,
    },
    response: { success: true, data: { qHash, visibility: 'private', was: 'listed', changed: true }, timestamp },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
