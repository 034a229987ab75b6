/**
 * Runs the verifiers of a request, and keeps "untrue", "refused" and "could not be looked up" three different answers.
 */

import { AppError } from '../errors.ts'
import { makeUnavailableError } from '../http/unavailable.ts'
import { limitWait } from '../limit-wait.ts'
import { OutsideError, UnanswerableError } from '../outside/failure.ts'
import type { Parts } from '../parts.ts'
import type { RowVerdict } from '../proofs/proof.ts'
import { makeVerifierTools } from '../proofs/verifier-tools.ts'
import { findScope } from '../request-scope.ts'
import { rewriteUnsafeText } from '../stream-safe.ts'
import { findSpan, spanKinds } from '../tracing/span.ts'
import type { Claim, Verdict } from '../verifiers/verifier.ts'
import type { AskedClaim } from './claims.ts'
import { examineClaims, requireOne } from './examine.ts'
import type { VerificationRequest } from './request.ts'
import type { VerdictOutcome } from './verdict-figures.ts'

export type SignedBy = Omit<Claim<never>, 'data' | 'extras'> & { readonly options: VerificationRequest['options'] }

/**
 * A proof needs at least one claim that holds; the others are stored as failed rows. A failed look-up stops the
 * request. Errors: VERIFICATION_FAILED, VERIFIER_UNAVAILABLE, and the refusals of the verifiers.
 */
export async function judge(claims: readonly AskedClaim[], by: SignedBy, parts: Parts): Promise<RowVerdict[]> {
  const rows = await Promise.all(
    examineClaims(claims, by, parts).map(async (claim) => ({
      verifier: claim.verifier,
      verdict: claim.failed ? noteFailed(claim, claim.failed, parts) : await reachVerdict(claim, by, parts),
    })),
  )
  requireOne(rows)
  return rows
}

/** Known before anything was looked up. */
function noteFailed({ verifier }: AskedClaim, verdict: Verdict, { verdicts }: Parts): Verdict {
  verdicts.note(verifier.id, 'fails', 0)
  return verdict
}

async function reachVerdict({ verifier, data }: AskedClaim, by: SignedBy, parts: Parts): Promise<Verdict> {
  const { options, ...signed } = by
  const claim = { ...signed, data, extras: selectExtras(verifier.id, options?.verifierOptions ?? {}) }
  const startedAt = performance.now()
  const span = findSpan()?.startChild(`verify ${verifier.id}`, spanKinds.internal, {
    'proofgate.verifier': verifier.id,
  })
  const note = (outcome: VerdictOutcome): void => {
    parts.verdicts.note(verifier.id, outcome, performance.now() - startedAt)
    span?.end({
      attributes: { 'proofgate.outcome': outcome },
      failure: outcome === 'undecided' ? 'undecided' : undefined,
    })
  }
  try {
    const tools = makeVerifierTools(parts)
    const verdict = span ? span.run(() => verifier.verify(claim, tools)) : verifier.verify(claim, tools)
    const reached = verifier.flow !== 'instant' ? await limitWait(verdict, budgetMs, makeTimeout) : await verdict
    note(reached.holds ? 'holds' : 'fails')
    // Evidence holds names that providers sent. It is normalized later, in snapshots.
    return reached.holds ? { ...reached, evidence: rewriteUnsafeText(reached.evidence) } : reached
  } catch (error) {
    note(isRefusal(error) ? 'refused' : 'undecided')
    throw makeRefusal(error, verifier.id, parts)
  }
}

/** Flat, or under the id of the verifier; the latter wins. */
function selectExtras(id: string, all: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = all[id]
  return typeof own === 'object' && own !== null && !Array.isArray(own) ? { ...all, ...own } : all
}

/** Clients give up after 30 seconds and should get an answer before that (src/guides/wire.md, "Time limits"). */
const budgetMs = 25_000

const makeTimeout = (): OutsideError =>
  new OutsideError(
    'timeout',
    'outside',
    `the sources took longer than ${budgetMs / 1000} s together`,
    'lower outside.timeout_seconds, or remove sources that hang',
  )

/** The request cannot be judged as it stands, whatever the sources say. */
const isRefusal = (error: unknown): boolean => error instanceof UnanswerableError || error instanceof AppError

function makeRefusal(error: unknown, verifierId: string, { log }: Parts): unknown {
  if (error instanceof UnanswerableError)
    return new AppError('INVALID_VERIFIER_DATA', `${verifierId}: ${error.message}`, {
      verifierId,
      reason: error.reason,
    })
  if (!(error instanceof OutsideError)) return error
  const { source, fault, happened, mend } = error
  log.count({
    level: 'warn',
    event: 'claim-undecided',
    message: 'a claim could not be looked up',
    kind: `${verifierId} ${source} ${fault}`,
    fields: { verifierId, source, fault, happened, mend },
    requestId: findScope()?.requestId,
  })
  return makeUnavailableError(verifierId, error, { verifierId })
}
