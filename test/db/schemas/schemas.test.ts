/** Databases of every schema, with rows in every table, become what a server of today reads. */
import { Database } from 'bun:sqlite'
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { locateDatabaseFile } from '../../../src/db/db.ts'
import { isMigrated, migrate } from '../../../src/db/migrate.ts'
import { migrations } from '../../../src/db/migrations.ts'
import { startOnFiles } from '../../journeys/server.ts'
import { temporaryFolders } from '../../parts/folders.ts'
import { alice } from '../../wallets.ts'
import { countRows, listBlank, listBoundaries, listTables } from './history.ts'
import { essay, masterKey } from './story.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const boundaries = listBoundaries()
const open = (image: Uint8Array): Database => Database.deserialize(image, { strict: true })
const mend = 'run "bun test/db/schemas/make.ts", and keep the file that it writes'

test('every migration has its database', () => {
  expect(boundaries.map(({ migration }) => migration)).toEqual(migrations.map(({ name }) => name))
})

test.each(boundaries.map(({ migration, image }) => [migration, image] as const))(
  '%s: every table has rows',
  (_, image) => {
    const db = open(image)
    const empty = listTables(db).filter((table) => countRows(db, table) === 0)
    expect(empty.map((table) => `${table} is empty: ${mend}`)).toEqual([])
  },
)

test('every column of today has a value in some row', () => {
  const db = open(boundaries.at(-1)!.image)
  const blank = listTables(db).flatMap((table) =>
    listBlank(db, table).map((name) => `${table}.${name} has no value: ${mend}`),
  )
  expect(blank).toEqual([])
})

const countAll = (db: Database): Map<string, number> =>
  new Map(listTables(db).map((table) => [table, countRows(db, table)]))

describe.each(boundaries.map(({ migration, image }) => [migration, image] as const))(
  'a database of %s',
  (migration, image) => {
    test('is migrated without a fault, and keeps its rows', () => {
      const db = open(image)
      db.run('PRAGMA foreign_keys = ON')
      const before = countAll(db)
      migrate(db)

      expect(isMigrated(db)).toBe(true)
      expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
      const after = countAll(db)
      // A migration that adds or removes rows on purpose is named here, with the rows.
      // 0041: one fact more for each proof.
      const added = new Map([['proof_facts', migration < '0041' ? (before.get('proofs') ?? 0) : 0]])
      // 0044: what was one row for all deletions is one for each that still has traces.
      before.delete('erasure_traces')
      const changed = [...before].flatMap(([table, count]) =>
        after.get(table) === count + (added.get(table) ?? 0) ? [] : [`${table} ${count} → ${after.get(table)}`],
      )
      expect(changed).toEqual([])
    })
  },
)

/** The public proof of the story, the first of the first schema. */
const readProof = (image: Uint8Array): string => {
  const { hash } = open(image).query<{ hash: string }, []>('SELECT hex(q_hash) AS hash FROM proofs WHERE id = 1').get()!
  return `0x${hash.toLowerCase()}`
}

const startsAt = ['0001_init', '0010_sources', '0021_heartbeat', migrations.at(-1)!.name]

test.each(
  boundaries.filter(({ migration }) => startsAt.includes(migration)).map((one) => [one.migration, one.image] as const),
)('a server starts on a database of %s, and answers with its rows', async (migration, image) => {
  const folder = newFolder()
  writeFileSync(locateDatabaseFile(folder), image)
  const server = await startOnFiles(folder, { PROOFGATE_MASTER_KEY: masterKey, PROOFGATE_LOG_LEVEL: 'error' })
  try {
    const qHash = readProof(image)
    expect((await server.get(`/api/v1/proofs/${qHash}`)).body).toMatchObject({
      success: true,
      data: {
        qHash,
        status: 'verified',
        publicContent: { content: essay },
        walletAddress: alice.address.toLowerCase(),
      },
    })
    const listed = await server.get(`/api/v1/proofs/by-wallet/${alice.address}`)
    expect(listed.body.data.proofs.map((proof: { qHash: string }) => proof.qHash)).toEqual([qHash])
    if (migration >= '0003') {
      const gate = await server.get('/api/v1/gates/gate_holders')
      expect(gate.body).toMatchObject({ success: true, data: { gate: { gateId: 'gate_holders', name: 'Holders' } } })
    }
    if (migration >= '0004') {
      const { keys } = (await server.get('/.well-known/jwks.json')).body
      expect(keys).toContainEqual(expect.objectContaining({ alg: 'ES256' }))
    }
    expect((await server.get('/api/v1/health')).body).toMatchObject({ data: { status: 'ok' } })
  } finally {
    await server.stop()
  }
})
