/** Decides which viewers may see that a gate exists. */
import { AppError } from '../errors.ts'
import type { Gate } from './gate.ts'

/**
 * Everybody sees active and paused gates that are public or unlisted. Only their owner sees drafts and private ones.
 * Deleted ones are hidden from all. `viewer` is a wallet as stored, proved by its signature.
 */
export function findVisibleGate(gate: Gate | undefined, viewer?: string): Gate | undefined {
  if (gate === undefined || gate.status === 'deleted') return undefined
  if (viewer !== undefined && viewer === gate.owner) return gate
  return gate.status !== 'draft' && gate.definition.policy?.visibility !== 'private' ? gate : undefined
}

/** The answer for a gate that is not active. Strangers hear that it is paused only where they may see the gate. */
export const makeClosedGateError = (gate: Gate | undefined): AppError =>
  findVisibleGate(gate)?.status === 'paused'
    ? new AppError('GATE_PAUSED', 'the owner of this gate has paused it: nobody gets in until it is active again')
    : makeGateNotFound()

/** The answer for a gate that does not exist, and for one that the caller may not know of. */
export const makeGateNotFound = (gateId?: string): AppError =>
  gateId === undefined
    ? new AppError('GATE_NOT_FOUND', 'this gate does not exist or is not published: check the gateId')
    : new AppError(
        'GATE_NOT_FOUND',
        `the gate ${gateId} does not exist or is not published: check its id, and ask its owner`,
        { gateId },
      )
