/** The claim of the examples: its text, its signature and its proof. */
import { type ExampleSource, story } from '../http/example.ts'
import { exampleMeta, exampleReference, makeProofExample } from '../proofs/examples.ts'

const { address, chainId, did, qHash, time, wallet } = story
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
} as const satisfies Readonly<Record<string, ExampleSource>>
