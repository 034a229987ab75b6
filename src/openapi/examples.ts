/**
 * One claim from its text to its erasure, in order: what is sent, and what this server answers to it. A test sends each
 * request at the time of the signatures and compares the answers, so that the examples stay true.
 */
import { AppError, type ErrorCode } from '../errors.ts'
import { makeErrorBody, readStatus } from '../http/answer.ts'
import { gateExamplesAt, gateParameterExamples } from './gate-examples.ts'
import { serviceExamplesAt } from './service-examples.ts'
import { sessionExamplesAt, sessionParameterExamples } from './session-examples.ts'
import { socialExamplesAt, socialParameterExamples } from './social-examples.ts'

export interface Example {
  readonly request?: object
  /** Parameters of the query, by name. */
  readonly query?: Readonly<Record<string, string>>
  readonly response: object
}

/** 2026-01-01T00:00:00.000Z. Whoever sends a signed example today is told that its signature has expired. */
export const exampleTime = 1_767_225_600_000
const timestamp = new Date(exampleTime).toISOString()

const spelledWallet = '0x2682F1afA9e879dCeA444D8d93895c4bCbf55076'
const wallet = spelledWallet.toLowerCase()
const spelledViewer = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'
const chainId = 84532
const did = `did:pkh:eip155:${chainId}:${wallet}`
const qHash = '0xc99b80e3508fb6cf5f8712d4de8ec2dc3594328653830ce4946453833922e956'
const reference = { type: 'url', id: 'https://example.com/novel' }
const data = { owner: spelledWallet, content: 'The first line of my novel.', reference }
const canonicalData = `{"content":"${data.content}","owner":"${spelledWallet}","reference":{"id":"${reference.id}","type":"url"}}`
const claim = { walletAddress: spelledWallet, verifierIds: ['ownership-basic'], data, signedTimestamp: exampleTime }
const signature =
  '0xca24c3b078657a62f161e4297d0787e7090e1920c7d1281eb9baba31b4eed1820f8b253d2f3c8225f1b7bc37a80a1df1687e23bb4d71214e9f2ff31019cbc0691b'
const meta = { title: 'My novel', tags: ['writing'] }
const signerString = [
  'Portable Proof Verification Request',
  `Wallet: ${wallet}`,
  `Chain: ${chainId}`,
  'Verifiers: ownership-basic',
  `Data: ${canonicalData}`,
  `Timestamp: ${exampleTime}`,
].join('\n')

const erasureId = '5f0c2d4e8a1b4c6d9e7f3a2b1c0d5e6f'
/** Of one proof, which is deleted at once, by nobody else reading the database. */
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

const proofAt = (baseUrl: string) => ({
  qHash,
  status: 'verified',
  privacyLevel: 'public',
  createdAt: exampleTime,
  lastUpdated: exampleTime,
  walletAddress: wallet,
  did,
  verifierIds: ['ownership-basic'],
  verifiedVerifiers: [
    {
      verifierId: 'ownership-basic',
      verified: true,
      status: 'origin-authenticated',
      data: {
        owner: wallet,
        contentHash: '0x0fe248e8505439e3d4c31e58a6c619a22e71a9438025e776bede0b7b8857a94d',
        reference,
        timestamp: exampleTime,
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
  meta: { ...meta, privacyLevel: 'public', publiclyAccessible: true },
  publicDisplay: true,
  tags: meta.tags,
  title: meta.title,
  chainId,
  signedTimestamp: exampleTime,
  completedAt: exampleTime,
  revokedAt: null,
  expiresAt: null,
  contentResolutionStatus: 'hash_only_not_recoverable',
  proofUrl: `${baseUrl}/api/v1/proofs/${qHash}`,
})

/** By operationId, in the order in which they follow from each other. */
export function examplesAt(baseUrl: string): Readonly<Record<string, Example>> {
  const proof = proofAt(baseUrl)
  return {
    standardize: {
      request: claim,
      response: {
        success: true,
        data: {
          signerString,
          bodyPreview: { ...claim, walletAddress: wallet, chainId, did, qHash },
        },
      },
    },
    createSponsorGrant: {
      request: { orgWallet: wallet, scope: 'sponsored-verification', expiresInSeconds: 900 },
      response: {
        success: true,
        data: {
          sponsorGrant:
            'sg1.eyJhcHBJZCI6InNob3AiLCJvcmdXYWxsZXQiOiIweDI2ODIifQ.dqJ1mSAkHkLmOyEnUU1Ynu2P8bMcZ3pPDgtt3gq2Zps',
          exp: exampleTime / 1000 + 900,
          orgWallet: wallet,
          appId: 'shop',
          origin: 'https://shop.example',
        },
      },
    },
    diagnose: {
      request: { ...claim, signature },
      response: {
        success: true,
        data: {
          serverSignerString: signerString,
          reason: 'signature_valid',
          diagnosis: {
            message: 'the signature is accepted',
            normalizedWallet: wallet,
            canonicalData,
            ageMs: 0,
            fresh: true,
          },
        },
      },
    },
    verify: {
      request: { ...claim, signature, options: { privacyLevel: 'public', publicDisplay: true, meta } },
      response: {
        success: true,
        status: 'verified',
        message: 'Verification completed',
        data: {
          ...proof,
          receipt: { format: 'caip-380-envelope', portable: true },
          portableProof: { qHash, did, ...claim, chainId, signature, signatureMethod: 'eip191' },
        },
        creditInfo: { creditsUsed: 0, billing: 'off' },
      },
    },
    getAgentCard: {
      response: {
        success: true,
        data: {
          agentId: 'writer-1',
          wallet: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
          label: 'Writer',
          description: 'Writes about walks in the park.',
          capabilities: ['publishing'],
          skills: [],
          services: [],
          identityQHash: qHash,
          controllerWallet: null,
          scope: null,
          delegations: [],
          moreDelegations: false,
          pageUrl: `${baseUrl}/agent/writer-1?agentWallet=0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a`,
        },
      },
    },
    getProof: { response: { success: true, data: proof, status: 'verified', qHash, cached: false } },
    listProofs: {
      response: {
        success: true,
        data: {
          proofs: [proof],
          totalCount: 1,
          hasMore: false,
          resolved: { identifier: spelledWallet, walletAddress: wallet, did, idType: 'wallet' },
          pagination: { limit: 50, offset: 0, totalCount: 1, hasMore: false, nextOffset: null },
          nextOffset: null,
          nextCursor: null,
          pageInfo: { limit: 50, hasNextPage: false, nextCursor: null },
        },
        timestamp,
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
            lastUpdated: exampleTime,
            privacyLevel: 'public',
            cached: false,
            cachedAt: null,
          },
        },
      },
    },
    ...serviceExamplesAt({ baseUrl, time: exampleTime }),
    ...gateExamplesAt({ baseUrl, qHash, wallet: spelledWallet, time: exampleTime }),
    ...sessionExamplesAt({ baseUrl, wallet: spelledWallet, time: exampleTime }),
    ...socialExamplesAt({ baseUrl, wallet: spelledWallet, time: exampleTime }),
    resolveDid: {
      request: { walletAddress: spelledWallet },
      response: { success: true, data: { did, walletAddress: wallet, chainId } },
    },
    grantAccess: {
      request: {
        qHash,
        ownerWallet: spelledWallet,
        viewerWallet: spelledViewer,
        expiresInSeconds: 3600,
        signature:
          '0xcaa460e46425997af0c2125fe9456ce235e9bc62ef102ce631acbca32921421c7846c012ebdf23c779554c6a7c3d8b8b0e4f07a45eab1f6033f31749b1ecf8cd1b',
        signedTimestamp: exampleTime,
      },
      response: {
        success: true,
        data: { qHash, viewerWallet: spelledViewer.toLowerCase(), expiresAt: exampleTime + 3_600_000 },
        timestamp,
      },
    },
    listAccess: {
      response: {
        success: true,
        data: {
          qHash,
          grants: [
            {
              viewerWallet: spelledViewer.toLowerCase(),
              createdAt: exampleTime,
              expiresAt: exampleTime + 3_600_000,
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
        ownerWallet: spelledWallet,
        viewerWallet: spelledViewer,
        signature:
          '0x803b058e22d6b9c794cd5089ec982f7eba1300d1ccd214de5474b6b742f1746f6c48f47090b1ab719670b2fca12f49bcf5a777529a7092da92c92dd7ecfa23101c',
        signedTimestamp: exampleTime,
      },
      response: {
        success: true,
        data: { qHash, viewerWallet: spelledViewer.toLowerCase(), wasShared: true },
        timestamp,
      },
    },
    revokeProof: {
      request: {
        walletAddress: spelledWallet,
        signature:
          '0xb1a8a91c9295e3cd1adde3e7d7a04c51dff45f66d3ac3ead3d65f92cac55fa271446aec15b2fd48a3257b9a6a5865f1eb643a340efdfa5469044dacc20f43d761c',
        signedTimestamp: exampleTime,
      },
      response: { success: true, alreadyRevoked: false, timestamp },
    },
    eraseAll: {
      request: {
        walletAddress: spelledWallet,
        signature:
          '0x942aa1f93f845775eafc5111d7df24d065478c894552c9edc4897937b163f06855174f1bd5c7cdfc388ab666a95b417c1490cd5206c39fedc70b62edc8aea5ba1c',
        signedTimestamp: exampleTime,
      },
      response: { success: true, erasedCount: 1, alreadyRevoked: false, ...erased, timestamp },
    },
    getErasure: { response: { success: true, ...erased } },
  }
}

/** Of parameters in a path, by name. */
export const parameterExamples: Readonly<Record<string, string>> = {
  qHash,
  address: spelledWallet,
  erasureId,
  agentId: 'writer-1',
  agentWallet: spelledWallet,
  ...gateParameterExamples,
  ...sessionParameterExamples,
  ...socialParameterExamples,
}

const refused = (code: ErrorCode, message: string, details: object = {}): AppError =>
  new AppError(code, message, details as Readonly<Record<string, unknown>>)

/** A typical refusal for each status. */
export const refusalExamples: Readonly<Record<number, object>> = Object.fromEntries(
  [
    refused('VALIDATION_ERROR', 'the body is not JSON: it is empty'),
    refused('EXPIRED_SIGNATURE', 'the signature is 412 s old and may be at most 300 s: sign again'),
    refused('PAYMENT_REQUIRED', 'this gate asks for 4.99 US dollars: pay in one of the ways of details.accepts', {
      reason: 'NO_PAYMENT',
    }),
    refused('FORBIDDEN', 'only the wallet that signed this proof can revoke it'),
    refused('NOT_FOUND', `there is no proof ${qHash} here`, { qHash }),
    refused('CONFLICT', 'the proof is revoked and can no longer be shared'),
    refused('PAYLOAD_TOO_LARGE', 'the body is larger than 524288 bytes', { limitBytes: 524_288 }),
    refused('UNSUPPORTED_MEDIA_TYPE', 'the body must be JSON: send the header "Content-Type: application/json"'),
    refused('RATE_LIMIT_EXCEEDED', 'too many requests. Try again in 3 s', { retryAfterSeconds: 3 }),
    refused('HEADERS_TOO_LARGE', 'the headers of the request are too large: send fewer or shorter ones'),
    refused('INTERNAL_ERROR', 'something went wrong here. Try again; if it stays, give the requestId to the operator'),
    refused('SERVICE_UNAVAILABLE', 'the change could not be stored and did not happen: try again'),
  ].map((refusal) => [readStatus(refusal), makeErrorBody(refusal, 'req_4d1f0a2b3c1', exampleTime)]),
)
