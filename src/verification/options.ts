/** The options of a request with their defaults filled in, and the refusal of those this version cannot honour. */
import { AppError } from '../errors.ts'
import type { ProofOptions } from '../proofs/proof.ts'
import type { VerificationRequest } from './request.ts'

const metaMaxBytes = 8192

/** Errors: VALIDATION_ERROR. */
export function settledOptions({ options = {}, meta = {} }: VerificationRequest): ProofOptions {
  refuseUnavailable('publishToHub', options.publishToHub === true, 'publishing on a chain')
  refuseUnavailable('targetChains', (options.targetChains ?? []).length > 0, 'publishing on a chain')
  refuseUnavailable('enableIpfs', options.enableIpfs === true, 'IPFS')

  const storeOriginalContent = options.storeOriginalContent ?? false
  return {
    privacyLevel: options.privacyLevel ?? 'private',
    publicDisplay: options.publicDisplay ?? false,
    storeOriginalContent,
    meta: settledMeta({ ...options.meta, ...meta }),
  }
}

function refuseUnavailable(name: string, asked: boolean, what: string): void {
  if (asked)
    throw new AppError(
      'VALIDATION_ERROR',
      `options.${name}: ${what} is not available in this version of Proofgate; leave the option out`,
      {
        path: `/options/${name}`,
      },
    )
}

function settledMeta(meta: Record<string, unknown>): ProofOptions['meta'] {
  // contentText is the content by another name: it is stored by storeOriginalContent or not at all.
  const { contentText: _, ...kept } = meta
  if (Buffer.byteLength(JSON.stringify(kept)) > metaMaxBytes)
    throw new AppError('VALIDATION_ERROR', `meta is larger than ${metaMaxBytes} bytes as JSON`, { path: '/meta' })
  return kept
}
