/** The gates on public display. */
import { preferReplica } from '../../db/prefer-replica.ts'
import { flatMapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { type GateSnapshot, makeSnapshot } from '../snapshot.ts'
import { findSummary, listDiscoverable } from './outline-store.ts'

export const mostDiscovered = 120
export const usuallyDiscovered = 60

export type ListedSnapshot = GateSnapshot & { readonly truncated?: true }

/**
 * The newest first; reads `limit` short rows at most, and no long definition. It omits the payment address. Long rows
 * are cut and flagged: GET /api/v1/profile/gates/{gateId} returns all of one gate.
 */
export const listDiscoverableGates = async (parts: Parts, limit: number): Promise<ListedSnapshot[]> =>
  flatMapInOrder(
    await listDiscoverable(preferReplica(parts, 'public lists'), limit),
    async (outline): Promise<ListedSnapshot[]> => {
      const summary = await findSummary(parts, outline)
      if (!summary) return []
      const { definition, isTruncated } = summary
      const snapshot = await makeSnapshot({ ...outline, definition }, parts)
      const { charge } = snapshot.monetization
      const flag = isTruncated ? ({ truncated: true } as const) : {}
      if (!charge) return [{ ...snapshot, ...flag }]
      const { recipient: _, ...shown } = charge
      return [{ ...snapshot, monetization: { charge: shown }, ...flag }]
    },
  )
