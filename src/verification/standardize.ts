/** Phase 1: the exact text to sign for a body. Stores nothing, and does not judge the timestamp's age. */
import { Type } from '@sinclair/typebox'
import { qHashOf } from '../envelope/q-hash.ts'
import { signerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
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
      data: Type.Object({}),
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
 * `data` is free-form here: the text for owner actions (`{action: "revoke_proof", …}`) is made by the same call.
 * Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, VERIFIER_NOT_FOUND, INVALID_VERIFIER_DATA.
 */
export function standardize({ config, catalog }: Parts, request: StandardizeRequest) {
  for (const id of request.verifierIds) {
    const bare = withoutVersion(id)
    if (!catalog.enabled.has(bare))
      throw new AppError('VERIFIER_NOT_FOUND', catalog.absence(bare), { verifierId: bare })
  }
  requireMilliseconds(request.signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const context = requireContext(request, config.signing.hubChainId)
  const claim = signedClaimOf(request, context, canonicalDataOf(request.data, config.limits.jsonDepth))
  return {
    signerString: signerString(claim),
    bodyPreview: {
      walletAddress: normalizeAddress(request.walletAddress),
      verifierIds: request.verifierIds,
      data: request.data,
      signedTimestamp: request.signedTimestamp,
      ...context,
      ...(request.signatureMethod === undefined ? {} : { signatureMethod: request.signatureMethod }),
      did: didOf(context, request.walletAddress),
      qHash: qHashOf(claim),
    },
  }
}
