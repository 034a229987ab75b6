/** The conditions before any payment or reward. Each check throws the refusal for the caller. */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { type ProofRow, readStatus } from '../../proofs/proof.ts'
import { explainUnknownProof } from '../../proofs/read.ts'
import { type Account, writeAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { findNamed } from '../guests/pass-store.ts'
import { judgeSchedule, readSchedule } from '../schedule.ts'
import { type MetGate, requireRequirements } from './requirements.ts'
import { findHeld } from './reservation-store.ts'
import { countGranted } from './store.ts'

/** Errors: GATE_NOT_STARTED, GATE_ENDED. */
export function requireOpen({ definition }: Gate, now: number): void {
  const state = judgeSchedule(definition, now)
  if (state === 'open') return
  const { startsAt, endsAt } = definition.schedule ?? {}
  if (state === 'ended') throw new AppError('GATE_ENDED', `this gate closed at ${endsAt}`, { endsAt })
  const opensAt = readSchedule(definition.schedule).startsAt ?? now
  throw new AppError('GATE_NOT_STARTED', `this gate opens at ${startsAt}`, { startsAt }, makeRetryHeader(opensAt, now))
}

/** The proof, or the pass that stands for one. Errors: PROOF_NOT_FOUND. */
export async function requireProof({ db }: Parts, qHash: string): Promise<ProofRow> {
  const proof = await findNamed(db, qHash)
  if (!proof) throw new AppError('PROOF_NOT_FOUND', explainUnknownProof(qHash))
  return proof
}

/** Errors: PROOF_NOT_VERIFIED. */
export function requireVerified(proof: ProofRow, now: number): void {
  const status = readStatus(proof, now)
  if (status === 'revoked' || status === 'expired')
    throw new AppError('PROOF_NOT_VERIFIED', `this proof is ${status} and passes no gate: make a new one`, { status })
}

/**
 * Delivered rewards and held places must leave a place. The place held for this proof does not count. Errors:
 * GATE_SOLD_OUT, GATE_LIMIT_REACHED; with `retry-after` when a place may become free.
 */
export async function requireRoom(
  { db, now }: Pick<Parts, 'db' | 'now'>,
  { id, definition, fulfilledCount }: Gate,
  buyer: Account,
  qHash?: string,
): Promise<void> {
  const { supply, perWallet } = definition
  if (supply === undefined && perWallet === undefined) return
  if (supply !== undefined && fulfilledCount >= supply)
    throw new AppError(
      'GATE_SOLD_OUT',
      `all ${supply} places of this gate are taken: ask its owner whether there will be more`,
      { supply },
    )
  const at = now()
  const { held, ownHeld, freeAt, ownFreeAt } = await findHeld(db, { gate: id, buyer: writeAccount(buyer), qHash }, at)
  if (supply !== undefined && fulfilledCount + held >= supply)
    throw new AppError(
      'GATE_SOLD_OUT',
      `this gate is sold out for now: ${fulfilledCount} of ${supply} places are taken, and ${held} ${held === 1 ? 'place is' : 'places are'} held for ${describeHolders(held, ownHeld)}. The first of them is free again at ${formatTime(freeAt ?? at)}, unless it is paid: try again then`,
      { supply, held, ...(ownHeld > 0 ? { ownHeld } : {}), freeAt },
      makeRetryHeader(freeAt ?? at, at),
    )
  if (perWallet === undefined) return
  const granted = await countGranted(db, buyer, id)
  if (granted >= perWallet)
    throw new AppError(
      'GATE_LIMIT_REACHED',
      `this wallet has passed this gate ${perWallet === 1 ? 'once' : `${perWallet} times`}, which is the limit for each wallet`,
      { perWallet },
    )
  if (granted + ownHeld >= perWallet)
    throw new AppError(
      'GATE_LIMIT_REACHED',
      `this wallet may pass this gate ${perWallet === 1 ? 'once' : `${perWallet} times`}, and is paying for the last time with another proof: finish that payment, or try again at ${formatTime(ownFreeAt ?? at)}, when its place is free again`,
      { perWallet, held: ownHeld, freeAt: ownFreeAt },
      makeRetryHeader(ownFreeAt ?? at, at),
    )
}

const describeHolders = (held: number, ownHeld: number): string => {
  if (ownHeld === 0) return 'buyers who are paying'
  const own = 'this wallet, with another of its proofs'
  return held === ownHeld ? own : `buyers who are paying, ${ownHeld} of them for ${own}`
}

export const formatTime = (at: number): string => new Date(at).toISOString()

/** The header by which a client knows when to come back. */
export const makeRetryHeader = (freeAt: number, now: number): Readonly<Record<string, string>> => ({
  'retry-after': String(Math.max(1, Math.ceil((freeAt - now) / 1000))),
})

/**
 * All conditions of a fulfillment except its payment. The caller owns the proof, and may see the gate. Errors:
 * GATE_NOT_STARTED, GATE_ENDED, PROOF_NOT_VERIFIED, GATE_REQUIREMENTS_NOT_MET, GATE_CHECK_INCOMPLETE, GATE_SOLD_OUT,
 * GATE_LIMIT_REACHED.
 */
export async function requireEligible(parts: Parts, gate: Gate, proof: ProofRow, caller: Caller): Promise<MetGate> {
  const now = parts.now()
  requireOpen(gate, now)
  requireVerified(proof, now)
  const met = await requireRequirements(parts, gate, proof, caller)
  await requireRoom(parts, gate, caller, proof.qHash)
  return met
}
