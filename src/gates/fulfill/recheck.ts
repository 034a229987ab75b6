/**
 * Requirements with `recheck`: the claims that meet them are read from their chains again before any payment or reward.
 * A claim that no longer holds does not count. A failed look-up is neither a yes nor a no.
 */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import { makeUnavailableError } from '../../http/unavailable.ts'
import { OutsideError } from '../../outside/failure.ts'
import type { Parts } from '../../parts.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { readAgain } from '../../proofs/read-again.ts'
import type { VerifiedRow } from '../../proofs/record.ts'
import type { RequirementResult } from '../check/evaluate.ts'
import type { Match } from '../check/find-matches.ts'
import { mostRechecked } from '../definition/size.ts'
import type { Gate } from '../gate.ts'
import { evaluateRequirements, type MetGate, requireMet } from './requirements.ts'

/** The time limit of all readings of one fulfillment: clients give up after 30 seconds. */
const budgetMs = 25_000

interface Asked {
  readonly requirement: RequirementResult
  readonly match: Match
}

/** Why a proof does not count. */
type RecheckFailure = { readonly reason: string; readonly message: string } | OutsideError

/**
 * The gate must still be met, by the named proof too, without the proofs that do not hold any more. Stores nothing.
 * Errors: GATE_REQUIREMENTS_NOT_MET, GATE_CHECK_INCOMPLETE, and VERIFIER_UNAVAILABLE where it depends on what could not be
 * looked up.
 */
export async function requireStillHeld(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  caller: Caller,
  firstMet: MetGate,
): Promise<void> {
  if (!gate.definition.requirements.some(({ recheck }) => recheck)) return
  const endsAt = performance.now() + budgetMs
  const failures = new Map<string, RecheckFailure | undefined>()
  const without = new Map<string, Set<string>>()
  for (let met = firstMet; ; met = await evaluateAgain(parts, gate, proof, caller, without, failures)) {
    const open = listOpenRechecks(met, failures)
    if (open.length === 0) return
    if (failures.size + open.length > mostAsked) throw makeTooManyError(gate)
    await Promise.all(
      open.map(async ({ requirement, match }) => {
        const failure = await findFailure(parts, match, endsAt - performance.now())
        failures.set(makeKey(requirement, match), failure)
        if (!failure) return
        const excluded = without.get(requirement.id) ?? new Set()
        without.set(requirement.id, excluded.add(match.proof.qHash))
      }),
    )
  }
}

/** Some readings more than a gate may ask for: proofs that do not hold any more make room for others. */
const mostAsked = 2 * mostRechecked

const makeKey = ({ id }: RequirementResult, { proof }: Match): string => `${id} ${proof.qHash}`

/** Without the proofs that do not hold any more. Errors: what stands in the way, where the gate is not met any more. */
async function evaluateAgain(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  caller: Caller,
  without: ReadonlyMap<string, ReadonlySet<string>>,
  failures: ReadonlyMap<string, RecheckFailure | undefined>,
): Promise<MetGate> {
  try {
    return await requireMet(await evaluateRequirements(parts, gate, proof, caller, without), gate, proof)
  } catch (error) {
    throw explainRefusal(error, failures)
  }
}

/** The claims that must still be read for the gate to be met. */
function listOpenRechecks(
  { whole, named }: MetGate,
  failures: ReadonlyMap<string, RecheckFailure | undefined>,
): Asked[] {
  const asked = new Map<string, Asked>()
  // The named proof alone may be fewer than are needed, and must hold all the same.
  for (const requirement of [...whole.requirements.filter((one) => one.isSatisfied), ...named.requirements])
    if (requirement.isRechecked)
      for (const match of requirement.matches) {
        const key = makeKey(requirement, match)
        if (!failures.has(key)) asked.set(key, { requirement, match })
      }
  return [...asked.values()]
}

/** Undefined where every claim holds. */
async function findFailure(parts: Parts, { proof, rows }: Match, leftMs: number): Promise<RecheckFailure | undefined> {
  try {
    const verdicts = await Promise.all(rows.map((row) => readNow(parts, proof, row, leftMs)))
    return verdicts.find((verdict) => !verdict.holds) as RecheckFailure | undefined
  } catch (error) {
    if (error instanceof OutsideError) return error
    throw error
  }
}

const readNow = (parts: Parts, proof: ProofRow, row: VerifiedRow, leftMs: number) =>
  readAgain(parts, proof, row, { isAboutNow: true, budgetMs: Math.max(0, leftMs) })

/** Says what the readings came to: the gate was met before them. */
function explainRefusal(error: unknown, failures: ReadonlyMap<string, RecheckFailure | undefined>): unknown {
  if (!(error instanceof AppError) || failures.size === 0) return error
  const found = [...failures].flatMap(([key, failure]) => (failure ? [{ key, failure }] : []))
  const outage = found.map(({ failure }) => failure).find((failure) => failure instanceof OutsideError)
  if (outage) return makeUnavailableError('whether the proof still holds', outage)
  if (error.code !== 'GATE_REQUIREMENTS_NOT_MET') return error
  const rechecked = found.flatMap(({ key, failure }) => {
    const [id, qHash] = key.split(' ')
    return failure instanceof OutsideError ? [] : [{ id, qHash, reason: failure.reason, message: failure.message }]
  })
  return new AppError(
    'GATE_REQUIREMENTS_NOT_MET',
    `this gate reads the chain again before it gives the reward, and the claim no longer holds: ${rechecked.map(({ message }) => message).join('; ')}. No payment is used up`,
    { ...error.details, rechecked },
  )
}

const makeTooManyError = ({ gateId }: Gate): AppError =>
  new AppError(
    'GATE_CHECK_INCOMPLETE',
    `this server read ${mostAsked} claims again for the gate ${gateId} at most, and most did not hold any more, so it is not known whether the wallet passes. No payment was looked at, and none is used up: revoke the proofs of what is not held any more`,
    { gateId, complete: false },
  )
