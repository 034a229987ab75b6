/** What is told of a log that another process writes to at a bad moment: between a look and the copy of the log. */
import { Database } from 'bun:sqlite'
import { beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openCheckpoints } from '../../src/db/checkpoints.ts'
import { type LogFeed, type LogNews, openLogFeed } from '../../src/db/log-feed.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const walLimitBytes = 1 << 22

let own: Database
let other: Database
let feed: LogFeed
let news: LogNews[]

const openOne = (file: string): Database => {
  const db = new Database(file)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA wal_autocheckpoint = 0')
  return db
}

beforeEach(() => {
  const file = join(newFolder(), 'a.sqlite')
  own = openOne(file)
  other = openOne(file)
  own.run('CREATE TABLE pieces (bytes BLOB)')
  news = []
  feed = openLogFeed(file, walLimitBytes, (one) => news.push(one))
})

const store = (db: Database, pages = 1): void => void db.run('INSERT INTO pieces VALUES (zeroblob(?))', [pages * 4096])
const countFrames = (): number => own.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()!.log
const kinds = (): string[] => news.map(({ kind }) => kind)

/** The feed, and a write of the other process at each hand-over. */
const raced = (): LogFeed => ({
  ...feed,
  handOverRest(frames, isUrgent) {
    const mayCopy = feed.handOverRest(frames, isUrgent)
    store(other)
    return mayCopy
  },
})

test('what another process wrote before the copy is handed over after it, and the log ends behind that', () => {
  store(own, 1_200)
  const before = countFrames()
  openCheckpoints(own, { walLimitBytes, feed: raced() }).checkpoint(true)
  expect(kinds()).toEqual(['commits', 'rest', 'commits', 'rest', 'end'])
  const [, first, , second, end] = news
  expect(first).toMatchObject({ from: 0, frames: before })
  expect(second).toMatchObject({ from: before, frames: countFrames() })
  expect(end).toMatchObject({ frames: countFrames() })
})

test('a copy cannot go on where another process wrote while the log was emptied', () => {
  store(own)
  openCheckpoints(own, { walLimitBytes, feed: raced() }).emptyLog()
  expect(kinds()).toEqual(['commits', 'rest', 'lost'])
})

test('a log that nobody else writes to ends when it is emptied', () => {
  store(own)
  expect(openCheckpoints(own, { walLimitBytes, feed }).emptyLog()).toBe(true)
  expect(kinds()).toEqual(['commits', 'rest', 'end'])
})
