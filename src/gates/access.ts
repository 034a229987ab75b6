/** Decides which viewers may see that a gate exists. */
import { AppError } from '../errors.ts'
import type { Gate } from './gate.ts'

/**
 * Everybody sees active gates that are public or unlisted. Only their owner sees drafts, paused and private ones.
 * Deleted ones are hidden from all. `viewer` is a wallet as stored, proved by its signature.
 */
export function findVisibleGate(gate: Gate | undefined, viewer?: string): Gate | undefined {
  if (gate === undefined || gate.status === 'deleted') return undefined
  if (viewer !== undefined && viewer === gate.owner) return gate
  return gate.status === 'active' && gate.definition.policy?.visibility !== 'private' ? gate : undefined
}

/** The answer for a gate that does not exist, and for one that the caller may not know of. */
export const makeGateNotFound = (gateId?: string): AppError =>
  gateId === undefined
    ? new AppError('GATE_NOT_FOUND', 'this gate does not exist or is not published: check the gateId')
    : new AppError(
        'GATE_NOT_FOUND',
        `the gate ${gateId} does not exist or is not published: check its id, and ask its owner`,
        { gateId },
      )
