/** Finds the signer of a request: the step that submit and diagnose share. */
import { CanonicalJsonError, writeCanonicalJson } from '../envelope/canonical-json.ts'
import { type SignedClaim, writeSignerString } from '../envelope/signer-string.ts'
import { AppError } from '../errors.ts'
import type { BodyLimits } from '../http/body.ts'
import { nameMember } from '../member-name.ts'
import { stripVersion } from '../verifiers/id.ts'
import { type ChainContext, writeChain } from '../wallet/account.ts'
import type { SignatureVerdict, VerifySignature } from '../wallet/signature.ts'
import type { SignedRequest } from './request.ts'

/**
 * Canonical JSON of the submitted data. Numbers such as 1e20 and some characters grow in this form. It is hashed,
 * stored and returned, so it is bounded like the body. Errors: INVALID_VERIFIER_DATA.
 */
export function writeCanonicalData(data: object, { jsonDepth, bodyBytes }: BodyLimits): string {
  try {
    const text = writeCanonicalJson(data, jsonDepth)
    const bytes = Buffer.byteLength(text)
    if (bytes <= bodyBytes) return text
    throw new AppError(
      'INVALID_VERIFIER_DATA',
      `data has ${bytes} bytes in its signed form (NFC, numbers written out), and ${bodyBytes} are possible: shorten it, or send a contentHash in place of the content`,
      { reason: 'TOO_LONG', path: '/', limitBytes: bodyBytes },
    )
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error
    throw new AppError(
      'INVALID_VERIFIER_DATA',
      `data cannot be signed: ${nameMember(error.path, 'data')} ${error.fault}`,
      {
        reason: error.reason,
        path: error.path || '/',
      },
    )
  }
}

export const makeSignedClaim = (
  request: SignedRequest & { readonly signedTimestamp: number },
  context: ChainContext,
  canonicalData: string,
): SignedClaim => ({
  walletAddress: request.walletAddress,
  verifierIds: request.verifierIds,
  canonicalData,
  signedTimestamp: request.signedTimestamp,
  context,
})

export interface SigningTools {
  readonly verifySignature: VerifySignature
  readonly titles: readonly string[]
}

export interface CheckedSignature {
  readonly verdict: SignatureVerdict
  /** The claim as it was signed: ids with or without their version suffix. */
  readonly claim: SignedClaim
  /** The exact signed text, or the likeliest one without a match. */
  readonly text: string
  /** Its first line. */
  readonly title: string
}

/** Tries every accepted spelling. Errors: OutsideError, when the chain of a contract wallet does not answer. */
export async function checkSignature(
  claim: SignedClaim,
  { signature, signatureMethod }: { readonly signature: string; readonly signatureMethod?: string | undefined },
  { verifySignature, titles }: SigningTools,
): Promise<CheckedSignature> {
  const bareIds = claim.verifierIds.map(stripVersion)
  const hasVersions = bareIds.some((id, position) => id !== claim.verifierIds[position])
  const spellings = hasVersions ? [claim, { ...claim, verifierIds: bareIds }] : [claim]

  const candidates = titles.flatMap((title) =>
    spellings.map((spelling) => ({ spelling, title, text: writeSignerString(spelling, title) })),
  )
  const verdict = await verifySignature(
    { address: claim.walletAddress, chain: writeChain(claim.context), signature, method: signatureMethod },
    candidates.map(({ text }) => text),
  )
  const { spelling, text, title } = candidates[verdict.signed ? verdict.position : 0]!
  return { verdict, claim: spelling, text, title }
}
