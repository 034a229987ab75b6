/** A used data folder with rows in every table, and databases to move it into. */
import { cpSync, writeFileSync } from 'node:fs'
import { SQL } from 'bun'
import { moveTo } from '../../src/commands/move-to.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { listBoundaries, listTables } from '../db/schemas/history.ts'
import { masterKey } from '../db/schemas/story.ts'
import { inspect } from '../db/store.ts'
import { startOnFiles } from '../journeys/server.ts'
import { run } from './terminal.ts'

export const key = { PROOFGATE_MASTER_KEY: masterKey, PROOFGATE_LOG_LEVEL: 'error' }

/** As a server of today has used and left it. Returns what makes copies of it. */
export async function makeModel(newFolder: () => string): Promise<() => string> {
  const model = newFolder()
  writeFileSync(locateDatabaseFile(model), listBoundaries().at(-1)!.image)
  await (await startOnFiles(model, key)).stop()
  return () => {
    const folder = newFolder()
    cpSync(model, folder, { recursive: true })
    return folder
  }
}

export const move = (folder: string, to: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  run(moveTo, [to, ...args], { cwd: folder, env: { ...key, PROOFGATE_DATA: folder, ...env } })

export async function ask<T>(url: string, sql: string): Promise<T[]> {
  const client = new SQL({ url, max: 1, bigint: true })
  try {
    await client.unsafe('SET search_path = proofgate, pg_catalog').simple()
    return [...(await client.unsafe(sql).simple())] as T[]
  } finally {
    await client.close()
  }
}

/** As JSON, in one form for both engines. */
export async function readServerRows(url: string, table: string): Promise<string[]> {
  const rows = await ask<{ row: string }>(url, `SELECT row_to_json(t)::text AS row FROM "${table}" t`)
  return rows.map(({ row }) => JSON.stringify(Object.values(JSON.parse(row)))).sort()
}

export const readFolderRows = (folder: string, table: string): string[] =>
  inspect(folder, (db) => db.query<Record<string, unknown>, []>(`SELECT * FROM "${table}"`).all())
    .map((row) =>
      JSON.stringify(
        Object.values(row).map((value) =>
          value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value,
        ),
      ),
    )
    .sort()

export const listMoved = (folder: string): readonly string[] =>
  inspect(folder, listTables).filter((table) => !['live_processes', 'leases'].includes(table))
