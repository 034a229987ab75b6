/** The proof of the examples: its status, and who may read it. */
import { type ExampleSource, story } from '../http/example.ts'

const { qHash, time, timestamp, wallet } = story
const spelledViewer = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

/** By operationId. */
export const accessExamples = {
  statusBatch: {
    request: { qHashes: [qHash] },
    response: {
      success: true,
      ok: true,
      results: {
        [qHash]: {
          qHash,
          status: 'verified',
          createdAt: timestamp,
          completedAt: timestamp,
          lastUpdated: time,
          privacyLevel: 'public',
          cached: false,
          cachedAt: null,
        },
      },
    },
  },
  grantAccess: {
    request: {
      qHash,
      ownerWallet: wallet,
      viewerWallet: spelledViewer,
      expiresInSeconds: 3600,
      signature:
        '0xcaa460e46425997af0c2125fe9456ce235e9bc62ef102ce631acbca32921421c7846c012ebdf23c779554c6a7c3d8b8b0e4f07a45eab1f6033f31749b1ecf8cd1b',
      signedTimestamp: time,
    },
    response: {
      success: true,
      data: { qHash, viewerWallet: spelledViewer.toLowerCase(), expiresAt: time + 3_600_000 },
      timestamp,
    },
  },
  listAccess: {
    params: { qHash },
    response: {
      success: true,
      data: {
        qHash,
        grants: [
          {
            viewerWallet: spelledViewer.toLowerCase(),
            createdAt: time,
            expiresAt: time + 3_600_000,
            source: 'signature',
          },
        ],
        hasMore: false,
      },
      timestamp,
    },
  },
  withdrawAccess: {
    request: {
      qHash,
      ownerWallet: wallet,
      viewerWallet: spelledViewer,
      signature:
        '0x803b058e22d6b9c794cd5089ec982f7eba1300d1ccd214de5474b6b742f1746f6c48f47090b1ab719670b2fca12f49bcf5a777529a7092da92c92dd7ecfa23101c',
      signedTimestamp: time,
    },
    response: {
      success: true,
      data: { qHash, viewerWallet: spelledViewer.toLowerCase(), wasShared: true },
      timestamp,
    },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
