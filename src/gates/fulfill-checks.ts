/** What must hold before anything is paid or handed out. Each check throws the refusal that the caller hears. */
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Account } from '../http/identity.ts'
import type { Parts } from '../parts.ts'
import { type ProofRow, statusAt } from '../proofs/proof.ts'
import { findProof } from '../proofs/store.ts'
import { requireRequirements } from './fulfill-requirements.ts'
import { countGranted } from './fulfillment-store.ts'
import type { Gate } from './gate.ts'
import { momentMs } from './moment.ts'

export const gateNotFound = (): AppError =>
  new AppError('GATE_NOT_FOUND', 'there is no open gate of this id here: check the id, and whether it is published')

/** Errors: GATE_NOT_STARTED, GATE_ENDED. */
export function requireOpen({ definition: { schedule } }: Gate, now: number): void {
  const { startsAt, endsAt } = schedule ?? {}
  const startsMs = startsAt === undefined ? undefined : momentMs(startsAt)
  const endsMs = endsAt === undefined ? undefined : momentMs(endsAt)
  if (endsMs !== undefined && now >= endsMs)
    throw new AppError('GATE_ENDED', `this gate closed at ${endsAt}`, { endsAt })
  if (startsMs !== undefined && now < startsMs)
    throw new AppError(
      'GATE_NOT_STARTED',
      `this gate opens at ${startsAt}`,
      { startsAt },
      { 'retry-after': String(Math.ceil((startsMs - now) / 1000)) },
    )
}

/** Errors: PROOF_NOT_FOUND. */
export function requireProof({ db }: Parts, qHash: string): ProofRow {
  const proof = findProof(db, qHash)
  if (!proof)
    throw new AppError(
      'PROOF_NOT_FOUND',
      `there is no proof ${qHash.toLowerCase()} here: check the id, and that it was made on this server`,
    )
  return proof
}

/** Errors: PROOF_NOT_VERIFIED. */
export function requireVerified(proof: ProofRow, now: number): void {
  const status = statusAt(proof, now)
  if (status === 'revoked' || status === 'expired')
    throw new AppError('PROOF_NOT_VERIFIED', `this proof is ${status} and opens no gate: make a new one`, { status })
}

/** Errors: GATE_SOLD_OUT, GATE_LIMIT_REACHED. */
export function requireRoom({ db }: Parts, { id, definition, fulfilledCount }: Gate, buyer: Account): void {
  const { supply, perWallet } = definition
  if (supply !== undefined && fulfilledCount >= supply)
    throw new AppError(
      'GATE_SOLD_OUT',
      `all ${supply} of this gate are given out. No payment was claimed; ask its owner whether there will be more`,
      { supply },
    )
  if (perWallet !== undefined && countGranted(db, buyer, id) >= perWallet)
    throw new AppError(
      'GATE_LIMIT_REACHED',
      `this wallet has had its ${perWallet} of this gate. No payment was claimed`,
      { perWallet },
    )
}

/**
 * Everything that a fulfilment asks for besides its payment, of a proof that the caller owns, at a gate that the caller
 * may see. Errors: GATE_NOT_STARTED, GATE_ENDED, PROOF_NOT_VERIFIED, GATE_REQUIREMENTS_NOT_MET,
 * GATE_CHECK_INCOMPLETE, GATE_SOLD_OUT,
 * GATE_LIMIT_REACHED.
 */
export function requireEligible(parts: Parts, gate: Gate, proof: ProofRow, caller: Caller): void {
  const now = parts.now()
  requireOpen(gate, now)
  requireVerified(proof, now)
  requireRequirements(parts, gate, proof, caller)
  requireRoom(parts, gate, caller)
}
