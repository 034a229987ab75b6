/** The gates on public display. */
import type { Parts } from '../parts.ts'
import { type GateSnapshot, snapshotOf } from './snapshot.ts'
import { listDiscoverable } from './store.ts'

export const mostDiscovered = 120
export const usuallyDiscovered = 60

/** The newest first; reads exactly `limit` rows at most. Without the address that payments go to. */
export const discoverable = (parts: Parts, limit: number): GateSnapshot[] =>
  listDiscoverable(parts, limit).map((gate) => {
    const snapshot = snapshotOf(gate, parts)
    const { charge } = snapshot.monetization
    if (!charge) return snapshot
    const { recipient: _, ...shown } = charge
    return { ...snapshot, monetization: { charge: shown } }
  })
