/** Processes and leases in the database: SQL and nothing else. */
import type { Db, Statement } from '../db/db.ts'
import { pick, query, type RowOf } from '../db/query.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import type { LiveProcess } from './processes.ts'

const columns = pick('live_processes', 'id', 'startedAt', 'version', 'host', 'beats', 'settings')
const selectProcesses = query<[]>()`SELECT ${columns} FROM live_processes ORDER BY id`
const selectProcess = query<[string]>()`SELECT ${columns} FROM live_processes WHERE id = ?1`

export type ProcessRow = RowOf<typeof selectProcesses>

export const listProcesses = (db: Db): Promise<readonly ProcessRow[]> => db.read(selectProcesses).all()
export const findProcess = (db: Db, id: string): Promise<ProcessRow | null> => db.read(selectProcess).get(id)

/** Enters a process, or shows that it still lives. One that was taken for dead enters again. */
export const beatProcess = ({ id, startedAt, version, host, settings }: LiveProcess, beats: number): Statement => ({
  sql: `INSERT INTO live_processes (id, started_at, version, host, beats, settings) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (id) DO UPDATE SET beats = excluded.beats`,
  params: [id, startedAt, version, host, beats, settings],
})

export const removeProcess = (id: string): Statement => ({
  sql: 'DELETE FROM live_processes WHERE id = ?1',
  params: [id],
})

/** False when it has beaten since, or another process was faster. */
export async function removeDeadProcess(db: Db, { id, beats }: Pick<ProcessRow, 'id' | 'beats'>): Promise<boolean> {
  const sql = 'DELETE FROM live_processes WHERE id = ?1 AND beats = ?2'
  return countRowsChanged(await db.write([{ sql, params: [id, beats] }], 'free')) > 0
}

const leaseColumns = pick('leases', 'name', 'holder', 'fence', 'beats')
const selectLeases = query<[]>()`SELECT ${leaseColumns} FROM leases`
const selectLease = query<[string]>()`SELECT ${leaseColumns} FROM leases WHERE name = ?1`

export type LeaseRow = RowOf<typeof selectLeases>

export const listLeases = (db: Db): Promise<readonly LeaseRow[]> => db.read(selectLeases).all()
export const findLease = (db: Db, name: string): Promise<LeaseRow | null> => db.read(selectLease).get(name)

/** A lease as its holder has it. */
export interface HeldLease {
  readonly name: string
  readonly holder: string
  readonly fence: number
}

export const insertLease = ({ name, holder, fence }: HeldLease): Statement => ({
  sql: `INSERT INTO leases (name, holder, fence, beats) VALUES (?1, ?2, ?3, 0) ON CONFLICT DO NOTHING`,
  params: [name, holder, fence],
})

/** Changes no row when anything happened to the lease since it was read: above all a beat of its holder. */
export const takeLease = ({ name, fence, beats }: LeaseRow, holder: string): Statement => ({
  sql: `UPDATE leases SET holder = ?4, fence = fence + 1, beats = beats + 1
        WHERE name = ?1 AND fence = ?2 AND beats = ?3`,
  params: [name, fence, beats, holder],
})

/**
 * Changes the row, so that it stays locked until the end of the transaction: nobody takes the lease before our commit. It
 * also counts as a beat.
 */
export const beatLease = ({ name, holder, fence }: HeldLease): Statement => ({
  sql: 'UPDATE leases SET beats = beats + 1 WHERE name = ?1 AND holder = ?2 AND fence = ?3',
  params: [name, holder, fence],
})

export const giveBackLease = ({ name, holder, fence }: HeldLease): Statement => ({
  sql: 'UPDATE leases SET holder = NULL, beats = beats + 1 WHERE name = ?1 AND holder = ?2 AND fence = ?3',
  params: [name, holder, fence],
})
