/**
 * The short form of a large record. A record may be as large as a request body, and lists read many. So the size for
 * lists is bounded when the proof is stored. Reading one proof by its id reads all of it.
 */
import type { Evidence } from '../verifiers/verifier.ts'
import type { ProofRecord, VerifiedRow } from './record.ts'

/** Records above this many bytes are read by lists in their short form. The migration 0012 knows the number as well. */
export const largestListedBytes = 16_384
const largestDataBytes = 1_024
const largestTextBytes = 256

/** JSON of the short form; undefined where the record is small enough to be listed whole. */
export function summarizeRecord(record: ProofRecord, recordText: string): string | undefined {
  if (Buffer.byteLength(recordText) <= largestListedBytes) return undefined
  const { title, description, tags } = record.meta
  const short: ProofRecord = {
    ...record,
    rows: record.rows.map(shortenRow),
    meta: JSON.parse(JSON.stringify({ title, description, tags })),
    isShortened: true,
  }
  return JSON.stringify(short)
}

/** `hidden` is asked about by gate checks alone, which read the whole record. */
const shortenRow = ({ verifierId, verified, status, data }: VerifiedRow): VerifiedRow => ({
  verifierId,
  verified,
  status,
  data: shortenData(data),
})

/** Keeps the small members, in order, as long as there is room. */
export function shortenData(data: Evidence): Evidence {
  const kept: Record<string, unknown> = {}
  let room = largestDataBytes
  for (const [name, value] of Object.entries(data)) {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? '') + Buffer.byteLength(name) + 4
    if (bytes > largestTextBytes || bytes > room) continue
    kept[name] = value
    room -= bytes
  }
  return kept
}
