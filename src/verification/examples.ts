/** The claim of the examples: its text, its signature, its proof, and who may read that. */
import { type ExampleSource, story } from '../http/example.ts'
import { exampleMeta, exampleReference, makeProofExample } from '../proofs/examples.ts'

const { address, chainId, did, qHash, time, timestamp, wallet } = story
const spelledViewer = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const data = { owner: wallet, content: 'The first line of my novel.', reference: exampleReference }
const canonicalData = `{"content":"${data.content}","owner":"${wallet}","reference":{"id":"${exampleReference.id}","type":"url"}}`
const claim = { walletAddress: wallet, verifierIds: ['ownership-basic'], data, signedTimestamp: time }
const signature =
  '0xca24c3b078657a62f161e4297d0787e7090e1920c7d1281eb9baba31b4eed1820f8b253d2f3c8225f1b7bc37a80a1df1687e23bb4d71214e9f2ff31019cbc0691b'
const signerString = [
  'Portable Proof Verification Request',
  `Wallet: ${address}`,
  `Chain: ${chainId}`,
  'Verifiers: ownership-basic',
  `Data: ${canonicalData}`,
  `Timestamp: ${time}`,
].join('\n')

/** By operationId. */
export const verificationExamples = {
  listVerifiers: {
    response: {
      success: true,
      data: ['ownership-pseudonym'],
      metadata: {
        'ownership-pseudonym': {
          category: 'ownership',
          description: 'A wallet claims a handle within a namespace.',
          accessLevel: 'public',
          flowType: 'instant',
          expiryType: 'permanent',
          allowsDelegatedSubject: false,
          compatibleWith: [],
          conflictsWith: [],
          supportsDirectApi: true,
          supportsHostedVerify: true,
          dataSchema: {
            type: 'object',
            required: ['handle'],
            properties: { handle: { type: 'string' } },
          },
          requiredFields: ['handle'],
          optionalFields: [],
        },
      },
      meta: {
        hubChainId: 84532,
        totalCount: 1,
        accessLevel: 'public',
        supportedProtocolChainIds: [84532],
        supportedAssetChainIds: [],
      },
    },
  },
  listHumanProviders: { response: { success: true, data: [] } },
  standardize: {
    request: claim,
    response: {
      success: true,
      data: {
        signerString,
        bodyPreview: { ...claim, walletAddress: address, chainId, did, qHash },
      },
    },
  },
  verify: (baseUrl) => ({
    request: { ...claim, signature, options: { privacyLevel: 'public', publicDisplay: true, meta: exampleMeta } },
    response: {
      success: true,
      status: 'verified',
      message: 'Verification completed',
      data: {
        ...makeProofExample(baseUrl),
        receipt: { format: 'caip-380-envelope', portable: true },
        portableProof: { qHash, did, ...claim, chainId, signature, signatureMethod: 'eip191' },
      },
      creditInfo: { creditsUsed: 0, billing: 'off' },
    },
  }),
  diagnose: {
    request: { ...claim, signature },
    response: {
      success: true,
      data: {
        serverSignerString: signerString,
        reason: 'signature_valid',
        diagnosis: {
          message: 'the signature is accepted',
          normalizedWallet: address,
          canonicalData,
          ageMs: 0,
          fresh: true,
        },
      },
    },
  },
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
