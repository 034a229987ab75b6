import { expect, setDefaultTimeout, test } from 'bun:test'
import { openGuestDb } from '../../src/db/db.ts'
import { LockedError } from '../../src/db/lock.ts'
import { MigrationError } from '../../src/db/migrate.ts'
import { select } from '../parts/select.ts'
import { inspect, oneMiB, openStore, temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const openGuest = (folder: string) =>
  openGuestDb({ folder, cacheBytes: oneMiB, walLimitBytes: oneMiB, now: 1_767_225_600_000 })

const remember = (name: string, count = 1) =>
  Array.from({ length: count }, (_, at) => ({
    sql: 'INSERT INTO spent_signatures (digest, expires_at) VALUES (unhex(?1), ?2)',
    params: [new Bun.CryptoHasher('sha256').update(`${name} ${at}`).digest('hex'), at],
  }))

const counted = async (db: Awaited<ReturnType<typeof openStore>>): Promise<number | undefined> =>
  (await select<{ count: number }>(db, 'SELECT count(*) AS count FROM spent_signatures').get())?.count

const logOf = (folder: string) =>
  inspect(folder, (db) => db.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()) as {
    log: number
    checkpointed: number
  }

test('a guest writes beside the server, and each sees the writes of the other at once', async () => {
  const folder = newFolder()
  const server = await openStore(folder)
  const guest = await openGuest(folder)
  await guest.write(remember('a'))
  expect(await counted(server)).toBe(1)
  await server.write(remember('b'))
  expect(await counted(guest)).toBe(2)
  await guest.close()
  await server.write(remember('c'))
  expect(await counted(server)).toBe(3)
  await server.close()
})

test('a guest leaves the log to the server, however long it gets', async () => {
  const folder = newFolder()
  const server = await openStore(folder)
  const guest = await openGuest(folder)
  for (let round = 0; round < 20; round++) await guest.write(remember(`round ${round}`, 1_000))
  await guest.forgetDeleted()
  await guest.close()
  const { log, checkpointed } = logOf(folder)
  expect(log).toBeGreaterThan(1_000)
  expect(checkpointed).toBe(0)
  await server.close()
})

test('a folder without a database is made ready by the guest', async () => {
  const folder = newFolder()
  const guest = await openGuest(folder)
  await guest.write(remember('a'))
  await guest.close()
  const server = await openStore(folder)
  expect(await counted(server)).toBe(1)
  await server.close()
})

test('a database of an older build needs the lock, which a running server holds', async () => {
  const folder = newFolder()
  const server = await openStore(folder)
  inspect(folder, (db) => db.run('DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)'))
  await expect(openGuest(folder)).rejects.toBeInstanceOf(LockedError)
  await server.close()
})

test('a database of a newer build is left alone', async () => {
  const folder = newFolder()
  await (await openStore(folder)).close()
  inspect(folder, (db) => db.run("INSERT INTO migrations VALUES ('9999', 'x', 0)"))
  await expect(openGuest(folder)).rejects.toBeInstanceOf(MigrationError)
})
