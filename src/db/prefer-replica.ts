/** The mark of a read that may be old (old-reads.ts). */
import type { Db } from './db.ts'
import type { OldRead } from './old-reads.ts'

/** The same parts, whose reads may come from a replica: for one request. Its writes are the usual ones. */
export function preferReplica<P extends { readonly db: Db }>(parts: P, what: OldRead): P {
  const reader = parts.db.chooseReplica?.(what)
  return reader ? { ...parts, db: { ...parts.db, read: reader.read } } : parts
}
