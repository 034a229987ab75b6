/** The gates of an owner as one answer of bounded size. If they are many and long, rows are shortened and marked. */
import { flatMapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { countJsonBytes, type Summary } from '../definition/summary.ts'
import type { KeptDefinition } from '../gate.ts'
import { findDefinition } from '../store.ts'
import { findSummary, type GateOutline } from './outline-store.ts'

/** Bytes of definitions that are sent in full. Most owners have less. */
const mostWhole = 1_000_000
/** Bytes of short definitions, so that the whole answer stays below 2 MB. */
const mostShort = 1_200_000

export interface OwnRow extends Summary {
  readonly outline: GateOutline
}

export function listOwnRows(parts: Pick<Parts, 'db'>, outlines: readonly GateOutline[]): Promise<OwnRow[]> {
  const isWhole = outlines.reduce((sum, { definitionBytes }) => sum + definitionBytes, 0) <= mostWhole
  let room = mostShort
  return flatMapInOrder(outlines, async (outline): Promise<OwnRow[]> => {
    if (isWhole) {
      const definition = await findDefinition(parts, outline.id, outline.version)
      return definition ? [{ outline, definition, isTruncated: false }] : []
    }
    const summary = await findSummary(parts, outline)
    if (!summary) return []
    const bytes = countJsonBytes(summary.definition)
    if (bytes > room) return [{ outline, definition: reduceDefinition(summary.definition), isTruncated: true }]
    room -= bytes
    return [{ outline, ...summary }]
  })
}

/** Enough to know which gate it is. */
function reduceDefinition({ gateId, name, requirements }: KeptDefinition): KeptDefinition {
  return {
    gateId,
    name,
    requirements: requirements
      .slice(0, 1)
      .map(({ id, verifierId }) => ({ ...(id === undefined ? {} : { id }), verifierId })),
  }
}
