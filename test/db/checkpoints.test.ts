/** When the log is copied into the database, so that the next write begins it anew. */
import { Database } from 'bun:sqlite'
import { beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Checkpoints, openCheckpoints } from '../../src/db/checkpoints.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const pageBytes = 4096
const limitPages = 1_024

let own: Database
let reader: Database
let checkpoints: Checkpoints

beforeEach(() => {
  const file = join(newFolder(), 'a.sqlite')
  own = new Database(file)
  own.run('PRAGMA journal_mode = WAL')
  own.run('PRAGMA wal_autocheckpoint = 0')
  own.run('CREATE TABLE pieces (bytes BLOB)')
  reader = new Database(file)
  checkpoints = openCheckpoints(own, { walLimitBytes: limitPages * pageBytes })
})

const store = (pages: number): void => void own.run('INSERT INTO pieces VALUES (zeroblob(?))', [pages * pageBytes])
const countFrames = (): number => own.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()!.log
const readMeanwhile = (work: () => void): void => {
  reader.run('BEGIN')
  reader.query('SELECT count(*) FROM pieces').get()
  work()
  reader.run('COMMIT')
}

test('a log past its limit is begun anew by the next write, and not before', () => {
  store(limitPages / 2)
  checkpoints.checkpoint(false)
  store(limitPages / 2 + 1)
  expect(countFrames()).toBeGreaterThan(limitPages)
  checkpoints.checkpoint(false)
  store(1)
  expect(countFrames()).toBeLessThan(10)
})

test('where a reader prevented that, it is tried again after an eighth of the limit, and not after all of it', () => {
  store(limitPages + 1)
  readMeanwhile(() => {
    checkpoints.checkpoint(false)
    store(limitPages / 16)
  })
  checkpoints.checkpoint(false)
  store(limitPages / 8)
  expect(countFrames()).toBeGreaterThan(limitPages)
  checkpoints.checkpoint(false)
  store(1)
  expect(countFrames()).toBeLessThan(10)
})

test('a reader that stays is waited for, and the log goes on', () => {
  store(10)
  readMeanwhile(() => {
    for (let round = 0; round < 12; round++) {
      store(limitPages / 4)
      checkpoints.checkpoint(false)
    }
    expect(countFrames()).toBeGreaterThan(3 * limitPages)
  })
  store(limitPages / 4)
  checkpoints.checkpoint(false)
  store(1)
  expect(countFrames()).toBeLessThan(10)
})
