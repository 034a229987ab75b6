/** Explains why a signature is not accepted: runs the steps of submit up to the signature, without refusing. */
import { Type } from '@sinclair/typebox'
import { writeSignerString } from '../envelope/signer-string.ts'
import type { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { stripVersion } from '../verifiers/id.ts'
import { normalizeAddress } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { findStaleness } from '../wallet/freshness.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import type { DiagnoseRequest } from './request.ts'
import { checkSignature, makeSignedClaim, writeCanonicalData } from './signing.ts'
import { findSureRefusal } from './standardize.ts'

export type DiagnoseReason =
  | 'signature_valid'
  | 'data_mismatch'
  | 'timestamp_stale'
  | 'wallet_mismatch'
  | 'bad_signature'

export const Diagnosis = Type.Object({
  message: Type.String(),
  normalizedWallet: Type.String(),
  canonicalData: Type.String({ description: 'data as it stands in the signed text, its first 20,000 characters.' }),
  ageMs: Type.Integer({ description: 'Negative for a timestamp ahead of this server.' }),
  fresh: Type.Boolean(),
  recoveredAddress: Type.Optional(
    Type.String({ description: 'Who signed the text of this server, by the signature.' }),
  ),
  firstDifferenceIndex: Type.Optional(Type.Integer({ description: 'Where signedMessage parts, in UTF-16 units.' })),
  unavailable: Type.Optional(
    Type.Array(Type.Object({ verifierId: Type.String(), message: Type.String() }), {
      description: 'Verifiers that are not offered here, for which no signature is enough.',
    }),
  ),
  refusal: Type.Optional(
    Type.Object(
      {
        status: Type.Integer(),
        code: Type.String(),
        message: Type.String(),
        details: Type.Object(
          {},
          { additionalProperties: true, description: 'As of the error of POST /api/v1/verification.' },
        ),
      },
      { description: 'What verification refuses the claim for, whatever is signed. Absent where nothing is sure.' },
    ),
  ),
  lines: Type.Optional(
    Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'From 1.' }),
        expected: Type.String(),
        signed: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  ),
})

/** Stores nothing. Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, INVALID_VERIFIER_DATA. */
export async function diagnose(parts: Parts, request: DiagnoseRequest) {
  const { config, now, freshness } = parts
  requireMilliseconds(request.signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const context = requireContext(request, config.signing.hubChainId)
  const canonicalData = writeCanonicalData(request.data, config.limits)
  const claim = makeSignedClaim(request, context, canonicalData)
  const serverSignerString = writeSignerString(claim)
  const { verdict } = await checkSignature(claim, request, parts)
  const staleness = findStaleness(request.signedTimestamp, now(), freshness)
  const difference =
    request.signedMessage === undefined ? undefined : findDifference(serverSignerString, request.signedMessage)
  const reason = chooseReason()
  const unavailable = request.verifierIds
    .map(stripVersion)
    .filter((id) => !parts.catalog.enabled.has(id))
    .map((id) => ({ verifierId: id, message: parts.catalog.absence(id) }))

  const refused = findSureRefusal(parts, request)
  const accepted = refused
    ? `the signature is accepted, and verification refuses the claim: ${refused.message}`
    : 'the signature is accepted'

  function chooseReason(): DiagnoseReason {
    if (verdict.signed) return staleness ? 'timestamp_stale' : 'signature_valid'
    if (difference && difference.index >= 0) return 'data_mismatch'
    return verdict.reason === 'OTHER_WALLET' ? 'wallet_mismatch' : 'bad_signature'
  }

  return {
    serverSignerString,
    reason,
    diagnosis: {
      message: verdict.signed ? (staleness ?? accepted) : verdict.message,
      normalizedWallet: normalizeAddress(request.walletAddress),
      canonicalData: shorten(canonicalData),
      ageMs: now() - request.signedTimestamp,
      fresh: staleness === undefined,
      ...(unavailable.length > 0 ? { unavailable } : {}),
      ...(refused ? { refusal: showRefusal(refused) } : {}),
      ...(verdict.signed || !verdict.recovered ? {} : { recoveredAddress: verdict.recovered }),
      ...(difference && difference.index >= 0
        ? { firstDifferenceIndex: difference.index, lines: difference.lines }
        : {}),
    },
  }
}

const showRefusal = ({ kind, code, message, details }: AppError) => ({ status: kind.status, code, message, details })

/** A shortened copy for reading; serverSignerString has the whole text. */
const longestShown = 20_000
const shorten = (text: string): string => (text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`)

/** The first difference of two texts (UTF-16 index, -1: none), and the differing lines. */
function findDifference(expected: string, signed: string) {
  const length = Math.max(expected.length, signed.length)
  let index = 0
  while (index < length && expected[index] === signed[index]) index++
  const signedLines = signed.split('\n')
  const lines = expected
    .split('\n')
    .map((line, position) => ({ line: position + 1, expected: line, signed: signedLines[position] ?? null }))
    .filter(({ expected: wanted, signed: got }) => wanted !== got)
    .map(({ line, expected: wanted, signed: got }) => ({
      line,
      expected: shorten(wanted),
      signed: got === null ? null : shorten(got),
    }))
  return { index: index === length ? -1 : index, lines }
}
