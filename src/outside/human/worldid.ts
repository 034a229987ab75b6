/**
 * World ID: the cloud verification of the developer portal. An app id selects the older API (v2, World ID 3), a
 * relying-party id the newer one (v4, World ID 4). A person has a unique id in each, so only one of them counts.
 *
 * The action is the scope, as it stands in the portal; the signal is the wallet.
 */
import { randomBytes } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Hex } from '../chains/chain.ts'
import { OutsideError } from '../failure.ts'
import { type Endpoint, parseJson } from '../http/endpoint.ts'
import {
  type AssuranceLevel,
  type HumanAnswer,
  type HumanProvider,
  type HumanQuestion,
  makeRefused,
  type Refused,
  writeBoundText,
} from './human.ts'
import { makeOneProofCheck } from './proof-shape.ts'
import { scalarOrder } from './scalar-order.ts'
import { computeShiftedKeccak } from './shifted-keccak.ts'
import { requestContext } from './worldid-request.ts'

export interface WorldIdSettings {
  readonly endpoint: Endpoint
  /** `app_…`: World ID 3. `rp_…`: World ID 4. */
  readonly id: string
  readonly credentials: readonly string[]
  /** Signs the World ID 4 requests of pages. Without it they cannot make any. */
  readonly signingKey: Hex | undefined
}

/** The assurance of each credential: an iris scan, a document, or only a device. */
const levels: Readonly<Record<string, AssuranceLevel>> = {
  orb: 'high',
  proof_of_human: 'high',
  secure_document: 'medium',
  passport: 'medium',
  mnc: 'medium',
  document: 'medium',
  selfie: 'low',
  device: 'low',
}

/** The holder was there in person. */
const live = new Set(['orb', 'proof_of_human', 'selfie'])

const Word = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' })
const LongHex = Type.String({ pattern: '^0x[0-9a-fA-F]+$', maxLength: 4096 })

const olderProof = makeOneProofCheck(
  Type.Object({
    nullifier_hash: Word,
    merkle_root: Word,
    proof: LongHex,
    verification_level: Type.String({ pattern: '^[a-z_]{1,32}$' }),
  }),
  'a result of IDKit 1 or 2',
)

const newerProof = makeOneProofCheck(
  Type.Object({
    protocol_version: Type.Literal('4.0'),
    nonce: Type.String({ minLength: 1, maxLength: 256 }),
    action: Type.String({ minLength: 1, maxLength: 256 }),
    environment: Type.String({ maxLength: 32 }),
    responses: Type.Array(
      Type.Object({
        identifier: Type.String({ pattern: '^[a-z_]{1,32}$' }),
        signal_hash: Word,
        proof: Type.Array(LongHex, { minItems: 5, maxItems: 5 }),
        nullifier: Word,
        issuer_schema_id: Type.Integer(),
        expires_at_min: Type.Integer(),
      }),
      { minItems: 1, maxItems: 1 },
    ),
    session_id: Type.Optional(Type.Undefined()),
  }),
  'a result of IDKit 4 with one credential',
)

export const openWorldId = (settings: WorldIdSettings): HumanProvider => {
  const { id, credentials, signingKey } = settings
  const isNewer = id.startsWith('rp_')
  return {
    name: 'worldid',
    label: 'World ID',
    find: (question) => (isNewer ? findNewer : findOlder)(settings, question),
    onPage: async ({ scope, wallet, now }) => ({
      ...(isNewer ? { rpId: id } : { appId: id }),
      action: scope,
      credentials,
      ...(wallet ? { signal: writeBoundText(wallet) } : {}),
      ...(isNewer && signingKey
        ? { rpContext: await requestContext({ id, signingKey }, scope, now, randomBytes(32)) }
        : {}),
    }),
  }
}

async function findOlder(settings: WorldIdSettings, question: HumanQuestion): Promise<HumanAnswer> {
  const { nullifier_hash, merkle_root, proof, verification_level } = olderProof(question.proofs)
  const wrong = refuseUnwanted(verification_level, nullifier_hash, settings)
  if (wrong) return wrong
  const answer = await ask(settings, `/api/v2/verify/${settings.id}`, {
    nullifier_hash,
    merkle_root,
    proof,
    verification_level,
    action: question.scope,
    // Computed here, whatever the request says: the portal then refuses a proof for another wallet.
    signal_hash: computeSignalHash(writeBoundText(question)),
  })
  if ('refused' in answer) return answer
  const { nullifier_hash: told, action } = answer
  if (
    (told !== undefined && !isSameNumber(told, nullifier_hash)) ||
    (action !== undefined && action !== question.scope)
  )
    throw makeMalformedError(settings, 'answered about another proof')
  return makeHumanAnswer(verification_level, nullifier_hash, settings)
}

async function findNewer(settings: WorldIdSettings, question: HumanQuestion): Promise<HumanAnswer> {
  const result = newerProof(question.proofs)
  const { identifier, nullifier, signal_hash } = result.responses[0]!
  if (result.action !== question.scope)
    return makeRefused(
      'WRONG_SCOPE',
      `the proof is made for the action "${result.action}", not for "${question.scope}"`,
    )
  if (!isSameNumber(signal_hash, computeSignalHash(writeBoundText(question))))
    return makeRefused('WRONG_WALLET', `the proof is not made for ${writeBoundText(question)}`)
  if (result.environment !== 'production')
    return makeRefused('TEST_PROOF', `the proof is of the environment "${result.environment}"`)
  const wrong = refuseUnwanted(identifier, nullifier, settings)
  if (wrong) return wrong
  const answer = await ask(settings, `/api/v4/verify/${settings.id}`, result)
  if ('refused' in answer) return answer
  if (answer.nullifier !== undefined && !isSameNumber(answer.nullifier, nullifier))
    throw makeMalformedError(settings, 'answered about another proof')
  return makeHumanAnswer(identifier, nullifier, settings)
}

function refuseUnwanted(credential: string, nullifier: string, { credentials }: WorldIdSettings) {
  if (BigInt(nullifier) === 0n || BigInt(nullifier) >= scalarOrder)
    return makeRefused('INVALID_PROOF', 'the nullifier is no element of the field')
  return credentials.includes(credential)
    ? undefined
    : makeRefused(
        'OTHER_CREDENTIAL',
        `the credential "${credential}" is not accepted here: use ${credentials.join(' or ')}`,
      )
}

const makeHumanAnswer = (credential: string, nullifier: string, { endpoint }: WorldIdSettings): HumanAnswer => ({
  person: {
    // One spelling of the number, or one person would count several times.
    uniqueId: BigInt(nullifier).toString(),
    assuranceLevel: levels[credential] ?? 'low',
    claims: { personhood_verified: true, ...(live.has(credential) ? { liveness_verified: true } : {}) },
    traits: { credential },
    sources: [endpoint.setting],
  },
})

const Verified = Type.Object({
  success: Type.Literal(true),
  nullifier_hash: Type.Optional(Word),
  nullifier: Type.Optional(Word),
  action: Type.Optional(Type.String()),
})
const Refusal = Type.Object({ code: Type.String({ maxLength: 64 }), detail: Type.Optional(Type.Unknown()) })

/** Refusals that concern the proof. Every other one concerns the operator's settings. */
const saysNo: Readonly<Record<string, string>> = {
  invalid_proof: 'the proof does not verify',
  verification_failed: 'the proof does not verify',
  all_verifications_failed: 'the proof does not verify',
  invalid_merkle_root: 'the proof is of a state of World ID that no longer counts: make a new one',
  root_too_old: 'the proof is of a state of World ID that no longer counts: make a new one',
  expired_root: 'the proof is of a state of World ID that no longer counts: make a new one',
  max_verifications_reached: 'this person has been verified for this action as often as the action allows',
  exceeded_max_verifications: 'this person has been verified for this action as often as the action allows',
  already_verified: 'this person has been verified for this action as often as the action allows',
}

/** Errors: OutsideError. */
async function ask(
  settings: WorldIdSettings,
  path: string,
  question: object,
): Promise<Static<typeof Verified> | Refused> {
  const { endpoint } = settings
  const answer = await endpoint.send({
    method: 'POST',
    path,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  const body = parseJson(endpoint.setting, answer)
  if (answer.status === 200 && Value.Check(Verified, body)) return body
  if (answer.status === 400 && Value.Check(Refusal, body)) {
    const reason = Object.hasOwn(saysNo, body.code) ? saysNo[body.code] : undefined
    if (reason !== undefined) return makeRefused(body.code.toUpperCase(), `World ID: ${reason}`)
    throw makeMalformedError(settings, `does not understand the question (${nameCode(body.code)})`)
  }
  throw makeMalformedError(settings, `answered ${answer.status} with another JSON than it publishes`)
}

const nameCode = (code: string): string => (/^[a-z_]{1,64}$/.test(code) ? code : 'another code')

const makeMalformedError = ({ endpoint: { setting }, id }: WorldIdSettings, happened: string): OutsideError =>
  new OutsideError(
    'malformed',
    setting,
    happened,
    `see whether human.worldid.${id.startsWith('rp_') ? 'rp_id' : 'app_id'} is right, and whether the portal has an action named like the scope (human.scopes)`,
  )

/** Keccak-256 without its last byte. Hexadecimal text stands for its bytes, as in IDKit. */
function computeSignalHash(signal: string): string {
  const bytes = /^0x([0-9a-fA-F]{2})+$/.test(signal) ? Buffer.from(signal.slice(2), 'hex') : signal
  return computeShiftedKeccak(bytes)
}

const isSameNumber = (one: string, other: string): boolean => BigInt(one) === BigInt(other)

/** Sends a proof of zeros, for doctor: resolves when the portal refuses it. Errors: OutsideError. */
export async function probeWorldId(settings: WorldIdSettings, scope: string): Promise<void> {
  const signal_hash = computeSignalHash('')
  const older = {
    nullifier_hash: '0x1',
    merkle_root: '0x1',
    proof: `0x${'00'.repeat(256)}`,
    verification_level: 'orb',
    action: scope,
    signal_hash,
  }
  const response = {
    identifier: 'proof_of_human',
    signal_hash,
    proof: ['0x1', '0x1', '0x1', '0x1', '0x1'],
    nullifier: '0x1',
    issuer_schema_id: 1,
    expires_at_min: 1,
  }
  const newer = {
    protocol_version: '4.0',
    nonce: '0x1',
    action: scope,
    environment: 'production',
    responses: [response],
  }
  const answer = settings.id.startsWith('rp_')
    ? await ask(settings, `/api/v4/verify/${settings.id}`, newer)
    : await ask(settings, `/api/v2/verify/${settings.id}`, older)
  if (!('refused' in answer)) throw makeMalformedError(settings, 'takes a proof of zeros')
}
