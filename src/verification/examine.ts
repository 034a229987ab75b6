/**
 * Finds the refusals that a claim is sure to get, for any signer at any time. Phases 1 and 2 call the same function, so
 * that no wallet signs in vain.
 */
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { Fails, Stated, Verdict, Verifier } from '../verifiers/verifier.ts'
import type { AskedClaim } from './claims.ts'

export interface ExaminedClaim extends AskedClaim {
  /** The claim is untrue, independent of anything else. */
  readonly failed: Fails | undefined
}

type Said = Pick<Stated<never>, 'signer' | 'subject' | 'context'>

/** Errors: VERIFICATION_FAILED, when every claim is untrue, and the refusals of the verifiers. */
export function examineClaims(claims: readonly AskedClaim[], by: Said, parts: Parts): ExaminedClaim[] {
  const { outside, verifierSettings: settings } = parts
  const { signer, subject, context } = by
  const now = parts.now()
  const examined = claims.map(({ verifier, data }) => ({
    verifier,
    data,
    failed: verifier.examine?.({ signer, subject, context, data }, { now, outside, settings }),
  }))
  requireOne(
    examined.flatMap(({ verifier, failed }) => (failed ? [{ verifier, verdict: failed }] : [])),
    claims.length,
  )
  return examined
}

interface Reached {
  readonly verifier: Verifier
  readonly verdict: Verdict
}

/** A proof needs one claim that holds, or that may hold. Errors: VERIFICATION_FAILED. */
export function requireOne(reached: readonly Reached[], asked = reached.length): void {
  const refusals = reached.flatMap(({ verifier, verdict }) =>
    verdict.holds
      ? []
      : [{ ...verdict.details, verifierId: verifier.id, reason: verdict.reason, message: verdict.message }],
  )
  if (refusals.length < asked) return
  throw new AppError(
    'VERIFICATION_FAILED',
    refusals.map(({ verifierId, message }) => `${verifierId}: ${message}`).join('; '),
    { reason: refusals[0]?.reason, verifiers: refusals },
  )
}
