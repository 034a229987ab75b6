/** Who may see that a gate exists. */
import type { Gate } from './gate.ts'

/**
 * Active gates that are public or unlisted are seen by everybody; drafts, paused and private ones by their owner alone;
 * deleted ones by nobody. `viewer` is a wallet as stored, proved by its signature.
 */
export function visibleGate(gate: Gate | undefined, viewer?: string): Gate | undefined {
  if (gate === undefined || gate.status === 'deleted') return undefined
  if (viewer !== undefined && viewer === gate.owner) return gate
  return gate.status === 'active' && gate.definition.policy?.visibility !== 'private' ? gate : undefined
}
