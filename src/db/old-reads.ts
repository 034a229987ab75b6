/**
 * Reads whose answer may be some seconds old. Only these may go to a replica (database.replicas), and only while its lag
 * is within database.replica_lag_seconds. A person who is signed in, gate checks, keys, revocations and everything else
 * that grants something read the server that takes writes.
 */

/** Why each may be old. */
export const oldReads = {
  'proof pages': 'a stranger looks at a page; the status for programs (GET /proofs/{qHash}) is always new',
  'public lists': 'a list has changed by the time it is shown; what it names is read anew when somebody asks for it',
  statistics: 'sums of hours and days, of which the present one goes on growing',
  'audit log': 'the operator looks back',
} as const

export type OldRead = keyof typeof oldReads
