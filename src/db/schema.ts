/**
 * The data model: a file for each subject. migrations/ holds the SQL that makes it; a test compares the two.
 *
 * Times are Unix milliseconds. Hashes are BLOBs that go in through unhex(?) and out through hex(), because blob
 * parameters do not survive replication. Amounts and other integers past 2^53 are TEXT.
 */
export * from './schema/audit.ts'
export * from './schema/clock.ts'
export * from './schema/gates.ts'
export * from './schema/handover.ts'
export * from './schema/health.ts'
export * from './schema/numbers.ts'
export * from './schema/oauth.ts'
export * from './schema/operator.ts'
export * from './schema/pairing.ts'
export * from './schema/payments.ts'
export * from './schema/people.ts'
export * from './schema/processes.ts'
export * from './schema/proof-access.ts'
export * from './schema/proof-lookup.ts'
export * from './schema/proofs.ts'
export * from './schema/publishing.ts'
export * from './schema/purchases.ts'
export * from './schema/replay.ts'
export * from './schema/restoring.ts'
export * from './schema/secrets.ts'
