/** /api/v1/verification: the handshake, and the older paths that read and share proofs. */
import { type Static, Type } from '@sinclair/typebox'
import { requireOffered } from '../auth/caller.ts'
import { type NeededAction, showAction } from '../auth/owner-action.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { writeRate } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { grantAccess, listAccess, withdrawAccess } from '../proofs/grant.ts'
import { readStatuses } from '../proofs/read.ts'
import { sourceWords } from '../proofs/source-view.ts'
import { OwnerBody, OwnerHeaders, QHashParams } from '../proofs/wire.ts'
import { defineChoice, open } from '../shape.ts'
import { describeGrantHeaders } from '../sponsor/headers.ts'
import { answerCreated, Created } from './answer.ts'
import { readOffer } from './authority.ts'
import { buildCatalogAnswer, CatalogMeta, VerifierMetadata } from './catalog.ts'
import { Diagnosis, diagnose } from './diagnose.ts'
import { verificationExamples } from './examples.ts'
import { HumanProviderView, HumanQuery, listHumanProviders } from './human.ts'
import { Warnings, warnAboutOptions } from './options.ts'
import { DiagnoseBody, StandardizeBody, VerificationBody } from './request.ts'
import { Prepared, standardize } from './standardize.ts'
import { submit } from './submit.ts'

const tag = 'verification'
/** Error codes of claims, whether they are signed yet or not. */
const claimCodes = [
  'INVALID_WALLET_ADDRESS',
  'VERIFIER_NOT_FOUND',
  'INVALID_VERIFIER_DATA',
  'INVALID_VERIFIER_COMBINATION',
  'INVALID_VERIFIER_FLOW_COMBINATION',
] as const

const QHash = Type.String({ pattern: qHashPattern })

/** Clients are known to try each of these names (src/guides/wire.md, "Status of many proofs"). */
const BatchBody = open({
  qHashes: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
  qhashes: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
  ids: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
  proofIds: Type.Optional(Type.Array(QHash, { minItems: 1, maxItems: 100 })),
})

const { signature, signedTimestamp, chain, signatureMethod } = OwnerBody.properties
const GrantBody = open({
  qHash: QHash,
  ownerWallet: Type.String({ minLength: 1, maxLength: 160 }),
  viewerWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description:
      'Wallet address, did:pkh or CAIP-10 account. The latter two name the contract wallet on their chain, where one has proofs here or has signed in, or else the key; a bare address is the key, or else the contract on the hub chain.',
  }),
  expiresInSeconds: Type.Optional(
    Type.Union([Type.Integer({ minimum: 60, maximum: 31_536_000 }), Type.Null()], {
      description: 'Default 900; null: until the proof is revoked.',
    }),
  ),
  signature,
  signedTimestamp,
  chain,
  signatureMethod,
})

const WithdrawBody = open({
  qHash: QHash,
  ownerWallet: Type.String({ minLength: 1, maxLength: 160 }),
  viewerWallet: Type.String({
    minLength: 1,
    maxLength: 160,
    description: 'As it was granted, or as the list of grants spells it.',
  }),
  signature,
  signedTimestamp,
  chain,
  signatureMethod,
})

const Viewer = Type.String({
  description: 'The one account that may read: the address of a key, or the CAIP-10 account of a contract wallet.',
})
const GrantView = Type.Object({
  viewerWallet: Viewer,
  createdAt: Type.Integer({ description: 'When it was shared. Unix milliseconds.' }),
  expiresAt: Type.Union([Type.Integer(), Type.Null()], { description: 'null: until the proof is revoked.' }),
  source: defineChoice(
    sourceWords,
    'Who shared it: signature or session is the wallet itself. What a key, a grant or a linked wallet shared ends with it; unknown is from before this was recorded.',
  ),
})

const nullableString = Type.Union([Type.String(), Type.Null()])
const StatusLine = Type.Object({
  qHash: Type.String(),
  status: Type.String(),
  createdAt: nullableString,
  completedAt: nullableString,
  lastUpdated: Type.Union([Type.Integer(), Type.Null()]),
  privacyLevel: defineChoice(
    ['private', 'public', 'unknown'],
    'unknown: there is no proof with this id here. One that is private is told to be so.',
  ),
  cached: Type.Boolean(),
  cachedAt: Type.Union([Type.Integer(), Type.Null()]),
})

export const verificationRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'GET',
      path: '/api/v1/verification/verifiers',
      callers: ['anyone'],
      surface: 'proofs',
      rate: 'reads',
      operation: {
        tag,
        operationId: 'listVerifiers',
        summary: 'The verifiers this server offers',
        answer: describeAnswer({
          data: Type.Array(Type.String()),
          metadata: Type.Record(Type.String(), VerifierMetadata),
          meta: CatalogMeta,
        }),
        refusals: [400],
        example: verificationExamples.listVerifiers,
      },
    },
    () => buildCatalogAnswer(parts),
  ),
  route(
    {
      method: 'GET',
      path: '/api/v1/verification/human/providers',
      callers: ['anyone'],
      surface: 'proofs',
      query: HumanQuery,
      rate: 'reads',
      operation: {
        tag,
        operationId: 'listHumanProviders',
        summary: 'Who finds persons for proof-of-human, and what a proof must be made for',
        answer: describeAnswer({ data: Type.Array(HumanProviderView) }),
        refusals: [400],
        example: verificationExamples.listHumanProviders,
      },
    },
    async ({ query }) => ({ success: true, data: await listHumanProviders(parts, query) }),
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/standardize',
      callers: ['anyone'],
      surface: 'prepare',
      body: StandardizeBody,
      rate: 'prepare',
      operation: {
        tag,
        operationId: 'standardize',
        takesVerifierData: true,
        summary: 'Phase 1: the exact text to sign for a body',
        description:
          'Send the body you are going to submit, without signature. Sign signerString as it is, and submit the same body with the signature. What verification is sure to refuse, whatever is signed, is refused here with the same code and message; the age of signedTimestamp is not judged. The texts of owner actions are made by the same call: their data gets the audience, which is the host of this server, and bodyPreview.data shows it.',
        answer: describeAnswer({ data: Prepared, warnings: Warnings }),
        refusals: [400, 403, 413, 415],
        codes: [...claimCodes, 'VERIFICATION_FAILED'],
        example: verificationExamples.standardize,
      },
    },
    ({ body }) => {
      const warnings = warnAboutOptions(body)
      return { success: true, data: standardize(parts, body), ...(warnings ? { warnings } : {}) }
    },
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification',
      callers: ['signature', 'session', 'access-key'],
      surface: 'create',
      rate: 'create',
      rateTakenIn: 'handler',
      body: VerificationBody,
      headers: Type.Object(describeGrantHeaders(parts.config.brand)),
      operation: {
        tag,
        operationId: 'verify',
        takesVerifierData: true,
        summary: 'Phase 2: a signed claim becomes a proof',
        description:
          'The same signed request again answers with the proof it made, until that proof is revoked. Who is signed in, or sends an access key, may leave out signature and signedTimestamp for a wallet that is theirs: such a proof has no portable form, and neither has one that was signed under an older first line: its receipt says portable: false. For a key, agent-delegation and agent-identity need the scope profile, and a delegation without expiresAt needs secrets; both end when the key is revoked.',
        answer: Created,
        others: {
          202: {
            description:
              'The proof is stored, and is being recorded on the chains that options asked for: poll proofUrl until status is verified_crosschain_propagated or verified_propagation_failed.',
            answer: Created,
          },
        },
        refusals: [400, 401, 403, 409, 413, 415, 503],
        codes: [...claimCodes, 'VERIFICATION_FAILED'],
        example: verificationExamples.verify,
      },
    },
    async ({ body, request, set }) => {
      const submitted = await submit(parts, body, readOffer(parts, body, request))
      writeRate(set.headers, submitted.allowance)
      const { answer, isComplete } = await answerCreated(parts, submitted, body)
      if (!isComplete) set.status = 202
      return answer
    },
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/diagnose',
      callers: ['anyone'],
      surface: 'prepare',
      body: DiagnoseBody,
      rate: 'prepare',
      operation: {
        tag,
        operationId: 'diagnose',
        takesVerifierData: true,
        summary: 'Why a signature is not accepted',
        description:
          'Stores nothing. Send signedMessage, the text your wallet signed, to see where it differs. diagnosis.refusal is what verification refuses the claim for with any signature.',
        answer: describeAnswer({
          data: Type.Object({
            serverSignerString: Type.String(),
            reason: Type.String({
              description: 'signature_valid, data_mismatch, timestamp_stale, wallet_mismatch or bad_signature.',
            }),
            diagnosis: Diagnosis,
          }),
        }),
        refusals: [400, 413, 415],
        codes: claimCodes,
        example: verificationExamples.diagnose,
      },
    },
    async ({ body }) => ({ success: true, data: await diagnose(parts, body) }),
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/status-batch',
      callers: ['anyone'],
      surface: 'proofs',
      body: BatchBody,
      rate: 'reads',
      operation: {
        tag,
        operationId: 'statusBatch',
        summary: 'The status of up to 100 proofs',
        answer: describeAnswer({ ok: Type.Boolean(), results: Type.Record(Type.String(), StatusLine) }),
        refusals: [400, 413, 415],
        example: verificationExamples.statusBatch,
      },
    },
    ({ body }) => ({ success: true, ok: true, results: readStatuses(parts, listIds(body)) }),
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/access/grant',
      callers: ['signature', 'session', 'access-key'],
      surface: 'proofs',
      body: GrantBody,
      rate: 'owner',
      operation: {
        tag,
        operationId: 'grantAccess',
        summary: 'Let another wallet read a private proof',
        description: `Signed by the owner over ${showAction('grant_proof_access')}, the last only when it is sent. A key or token needs the scope profile, and secrets for a grant without an end; what it grants ends when it is revoked.`,
        answer: describeAnswer({
          data: Type.Object({
            qHash: Type.String(),
            viewerWallet: Viewer,
            expiresAt: Type.Union([Type.Integer(), Type.Null()]),
          }),
          timestamp: IsoTimestamp,
        }),
        refusals: [400, 401, 403, 404, 409, 413, 415, 503],
        example: verificationExamples.grantAccess,
      },
    },
    async ({ body, request }) => {
      const { ownerWallet: walletAddress, signature, signedTimestamp, chain, signatureMethod, ...grant } = body
      const data = await grantAccess(
        parts,
        { ...grant, expiresInSeconds: grant.expiresInSeconds },
        requireOffered({ walletAddress, signature, signedTimestamp, chain, signatureMethod }, parts, request, {
          action: 'grant_proof_access',
          qHash: grant.qHash,
          viewerWallet: grant.viewerWallet,
          expiresInSeconds: grant.expiresInSeconds,
        }),
      )
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
  route(
    {
      method: 'GET',
      path: '/api/v1/verification/access/:qHash',
      callers: ['signature', 'session', 'access-key'],
      surface: 'proofs',
      params: QHashParams,
      headers: OwnerHeaders,
      rate: 'reads',
      operation: {
        tag,
        operationId: 'listAccess',
        summary: 'Which wallets may read a private proof',
        description: `For its owner, signed over ${showAction('list_proof_access')}. The newest first.`,
        answer: describeAnswer({
          data: Type.Object({ qHash: Type.String(), grants: Type.Array(GrantView), hasMore: Type.Boolean() }),
          timestamp: IsoTimestamp,
        }),
        refusals: [400, 401, 403, 404],
        example: verificationExamples.listAccess,
      },
    },
    async ({ params, request }) => {
      const credentials = requireOffered({}, parts, request, { action: 'list_proof_access', ...params })
      const data = await listAccess(parts, params.qHash, credentials)
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
  route(
    {
      method: 'POST',
      path: '/api/v1/verification/access/withdraw',
      callers: ['signature', 'session', 'access-key'],
      surface: 'proofs',
      body: WithdrawBody,
      rate: 'owner',
      operation: {
        tag,
        operationId: 'withdrawAccess',
        summary: 'Take back what another wallet may read',
        description: `Signed by the owner over ${showAction('withdraw_proof_access')}. Again is not an error; one signature does not end a grant that was made after it.`,
        answer: describeAnswer({
          data: Type.Object({ qHash: Type.String(), viewerWallet: Viewer, wasShared: Type.Boolean() }),
          timestamp: IsoTimestamp,
        }),
        refusals: [400, 401, 403, 404, 409, 413, 415, 503],
        example: verificationExamples.withdrawAccess,
      },
    },
    async ({ body, request }) => {
      const { qHash, ownerWallet: walletAddress, viewerWallet, ...signed } = body
      const needed: NeededAction = { action: 'withdraw_proof_access', qHash, viewerWallet }
      const offered = requireOffered({ ...signed, walletAddress }, parts, request, needed)
      const data = await withdrawAccess(parts, qHash, viewerWallet, offered)
      return { success: true, data, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
]

function listIds({ qHashes, qhashes, ids, proofIds }: Static<typeof BatchBody>): readonly string[] {
  const found = qHashes ?? qhashes ?? ids ?? proofIds
  if (!found)
    throw new AppError('VALIDATION_ERROR', 'the body needs qHashes: an array of 1 to 100 proof ids', {
      path: '/qHashes',
    })
  return found
}
