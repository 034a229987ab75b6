/** /api/v1/verification: the verifiers, and the handshake that turns a signed claim into a proof. */
import { Type } from '@sinclair/typebox'
import { describeAnswer } from '../http/describe.ts'
import { writeRate } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { describeGrantHeaders } from '../sponsor/headers.ts'
import { answerCreated, Created } from './answer.ts'
import { readOffer } from './authority.ts'
import { buildCatalogAnswer, CatalogMeta, VerifierMetadata } from './catalog.ts'
import { Diagnosis, diagnose } from './diagnose.ts'
import { verificationExamples } from './examples.ts'
import { HumanProviderView, HumanQuery, listHumanProviders } from './human.ts'
import { Warnings, warnAboutMethod, warnAboutOptions } from './options.ts'
import { DiagnoseBody, StandardizeBody, VerificationBody } from './request.ts'
import { Prepared, standardize } from './standardize.ts'
import { submit } from './submit.ts'

const contentRemedy = 'send a contentHash in place of the content'

const tag = 'verification'
/** Error codes of claims, whether they are signed yet or not. */
const claimCodes = [
  'INVALID_WALLET_ADDRESS',
  'VERIFIER_NOT_FOUND',
  'INVALID_VERIFIER_DATA',
  'INVALID_VERIFIER_COMBINATION',
  'INVALID_VERIFIER_FLOW_COMBINATION',
] as const

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
      bodyRemedy: contentRemedy,
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
      const data = standardize(parts, body)
      const warnings = [...(warnAboutOptions(body) ?? []), ...warnAboutMethod(body, parts.config.signing.hubChainId)]
      return { success: true, data, ...(warnings.length > 0 ? { warnings } : {}) }
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
      bodyRemedy: contentRemedy,
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
      const submitted = await submit(parts, body, await readOffer(parts, body, request))
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
      bodyRemedy: contentRemedy,
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
]
