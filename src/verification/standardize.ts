/** Phase 1: the exact text to sign for a body. Stores nothing, and does not judge the timestamp's age. */

import { Type } from '@sinclair/typebox'
import { isOwnerAction, readAudience } from '../auth/owner-action.ts'
import { computeQHash } from '../envelope/q-hash.ts'
import { writeSignerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { stripVersion } from '../verifiers/id.ts'
import type { Catalog } from '../verifiers/index.ts'
import { makeVerifierNotFound } from '../verifiers/not-found.ts'
import { normalizeAddress, writeDid } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import { requireActionMembers } from './action-data.ts'
import { examineClaims } from './examine.ts'
import type { SignedRequest, StandardizeRequest, VerificationRequest } from './request.ts'
import { makeSignedClaim, writeCanonicalData } from './signing.ts'
import { isActionRequest, requireWellFormed, type WellFormed } from './well-formed.ts'

export const Prepared = Type.Object({
  signerString: Type.String({ description: 'Six lines, to be signed as they are.' }),
  bodyPreview: Type.Object(
    {
      walletAddress: Type.String(),
      verifierIds: Type.Array(Type.String()),
      data: Type.Object({}, { description: 'What is signed: of an owner action with its audience.' }),
      signedTimestamp: Type.Integer(),
      chainId: Type.Optional(Type.Integer()),
      chain: Type.Optional(Type.String()),
      signatureMethod: Type.Optional(Type.String()),
      did: Type.String(),
      qHash: Type.String({ description: 'The id the proof will have.' }),
    },
    { description: 'What was understood.' },
  ),
})

/**
 * Refuses everything that submit is sure to refuse (well-formed.ts, examine.ts), regardless of the timestamp's age. Two
 * texts made here are no claims. An owner action (`{action: "revoke_proof", …}`) gets the audience of this server. The
 * other is the text of a link's second wallet. Errors: those of requireWellFormed and examineClaims.
 */
export function standardize(parts: Parts, request: StandardizeRequest) {
  const data = isActionRequest(request) ? addAudience(request.data, readAudience(parts.addresses())) : request.data
  const { context, canonicalData } = isNoClaim(request, parts)
    ? requireText(parts, { ...request, data })
    : requireHopeful(parts, request)
  const claim = makeSignedClaim(request, context, canonicalData)
  return {
    signerString: writeSignerString(claim),
    bodyPreview: {
      walletAddress: normalizeAddress(request.walletAddress),
      verifierIds: request.verifierIds,
      data,
      signedTimestamp: request.signedTimestamp,
      ...context,
      ...(request.signatureMethod === undefined ? {} : { signatureMethod: request.signatureMethod }),
      did: writeDid(context, request.walletAddress),
      qHash: computeQHash(claim),
    },
  }
}

/** Texts besides claims: an owner action, and the agreement of a link's second wallet. */
const isNoClaim = (request: SignedRequest, { catalog }: Pick<Parts, 'catalog'>): boolean =>
  isActionRequest(request) || isAgreement(request, catalog)

/**
 * The error of a claim that is sure to be refused, as verification answers it. Undefined for a text that is no claim.
 */
export function findSureRefusal(parts: Parts, request: VerificationRequest): AppError | undefined {
  if (isNoClaim(request, parts)) return undefined
  try {
    requireHopeful(parts, request)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** Errors: those of requireWellFormed and examineClaims. */
function requireHopeful(parts: Parts, request: VerificationRequest): WellFormed {
  // A caller with a session or a key may request the text without sending them.
  const wellFormed = requireWellFormed(parts, request, { hasIdentity: true })
  const { claims, subject, context } = wellFormed
  examineClaims(claims, { signer: normalizeAddress(request.walletAddress), subject, context }, parts)
  return wellFormed
}

/**
 * For a text that is no claim. Errors: those of requireActionMembers, VALIDATION_ERROR, INVALID_WALLET_ADDRESS,
 * VERIFIER_NOT_FOUND, INVALID_VERIFIER_DATA.
 */
function requireText({ config, catalog }: Parts, request: StandardizeRequest) {
  for (const id of request.verifierIds.map(stripVersion))
    if (!catalog.enabled.has(id)) throw makeVerifierNotFound([id], catalog)
  requireMilliseconds(request.signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const context = requireContext(request, config.signing.hubChainId)
  const { data, walletAddress } = request
  if (isActionRequest(request) && 'action' in data && isOwnerAction(data.action))
    requireActionMembers(data.action, data, walletAddress)
  return { context, canonicalData: writeCanonicalData(request.data, config.limits) }
}

/** The text of a second wallet has the members of the agreement, and no others. */
function isAgreement({ verifierIds: [id, ...others], data }: SignedRequest, { known }: Catalog): boolean {
  const agreement = id === undefined || others.length > 0 ? undefined : known.get(id)?.agreement
  return agreement !== undefined && Object.keys(data).sort().join() === agreement.toSorted().join()
}

/** Errors: VALIDATION_ERROR, when the data names another server. */
function addAudience(data: object, audience: string): object {
  if ('audience' in data && data.audience !== audience)
    throw new AppError(
      'VALIDATION_ERROR',
      `data.audience names another server than this one: leave it out, or write "${audience}"`,
      { path: '/data/audience', audience },
    )
  return { ...data, audience }
}
