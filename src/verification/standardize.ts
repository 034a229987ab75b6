/** Phase 1: the exact text to sign for a body. Stores nothing, and does not judge the timestamp's age. */
import { Type } from '@sinclair/typebox'
import { qHashOf } from '../envelope/q-hash.ts'
import { signerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
import { audienceIn, isOwnerAction } from '../http/owner-action.ts'
import type { Parts } from '../parts.ts'
import { withoutVersion } from '../verifiers/id.ts'
import { didOf, normalizeAddress } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import type { StandardizeRequest } from './request.ts'
import { canonicalDataOf, signedClaimOf } from './signing.ts'

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
 * `data` is free-form here: the text for owner actions (`{action: "revoke_proof", …}`) is made by the same call, and gets
 * the audience of this server. Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, VERIFIER_NOT_FOUND,
 * INVALID_VERIFIER_DATA.
 */
export function standardize(parts: Parts, request: StandardizeRequest) {
  const { config, catalog } = parts
  for (const id of request.verifierIds) {
    const bare = withoutVersion(id)
    if (!catalog.enabled.has(bare))
      throw new AppError('VERIFIER_NOT_FOUND', catalog.absence(bare), { verifierId: bare })
  }
  requireMilliseconds(request.signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const context = requireContext(request, config.signing.hubChainId)
  const data = isActionRequest(request) ? withAudience(request.data, audienceIn(parts.addresses())) : request.data
  const claim = signedClaimOf(request, context, canonicalDataOf(data, config.limits))
  return {
    signerString: signerString(claim),
    bodyPreview: {
      walletAddress: normalizeAddress(request.walletAddress),
      verifierIds: request.verifierIds,
      data,
      signedTimestamp: request.signedTimestamp,
      ...context,
      ...(request.signatureMethod === undefined ? {} : { signatureMethod: request.signatureMethod }),
      did: didOf(context, request.walletAddress),
      qHash: qHashOf(claim),
    },
  }
}

/** A claim of ownership-basic names its owner, and may have any member beside it: it is signed as it is. */
const isActionRequest = ({ verifierIds, data }: StandardizeRequest): boolean =>
  verifierIds.length === 1 &&
  verifierIds[0] === 'ownership-basic' &&
  'action' in data &&
  isOwnerAction(data.action) &&
  !('owner' in data) &&
  !('ownership-basic' in data)

/** Errors: VALIDATION_ERROR, when the data names another server. */
function withAudience(data: object, audience: string): object {
  if ('audience' in data && data.audience !== audience)
    throw new AppError(
      'VALIDATION_ERROR',
      `data.audience names another server than this one: leave it out, or write "${audience}"`,
      { path: '/data/audience', audience },
    )
  return { ...data, audience }
}
