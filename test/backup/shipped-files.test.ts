/** Which files the shipper leaves at the place, of the log of a real database. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listLogFiles, openLogReader } from '../../src/backup/continuous/log-files.ts'
import { openShipper, type Shipper } from '../../src/backup/continuous/shipper.ts'
import { openFolderTarget } from '../../src/backup/targets/folder.ts'
import type { Target } from '../../src/backup/targets/target.ts'
import { readFrameBytes, readLogHeader } from '../../src/db/log-frames.ts'

const folder = mkdtempSync(join(tmpdir(), 'proofgate-shipper-'))
const keyMark = 0x12345678
const [small, long] = [1_000, 1_500_000]
let home = ''
let db: Database
let target: Target
let shipper: Shipper
/** Of the log: a chain begins behind the first transaction that is told. */
let chainBegin = 0
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const locate = (name: string): string => join(home, name)
const logFile = (): string => locate('a.sqlite-wal')

beforeEach(async () => {
  home = mkdtempSync(join(folder, 'home-'))
  db = new Database(locate('a.sqlite'))
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA wal_autocheckpoint = 0')
  db.run('CREATE TABLE pieces (id INTEGER PRIMARY KEY, bytes BLOB)')
  target = openFolderTarget(locate('place'))
  shipper = openShipper({
    databaseFile: locate('a.sqlite'),
    target,
    keyMark,
    passphrase: undefined,
    formerTimes: [],
    tell: () => {},
  })
  await store(small)
  chainBegin = statSync(logFile()).size
})

/** One transaction, which is told and shipped. */
async function store(bytes: number): Promise<void> {
  db.run('INSERT INTO pieces (bytes) VALUES (?)', [randomBytes(bytes)])
  const header = readLogHeader(logFile())!
  const frames = (statSync(logFile()).size - header.bytes) / readFrameBytes(header)
  shipper.take([{ kind: 'commits', salt: header.salt, frames, at: Date.UTC(2026, 10, 27) + frames }])
  await shipper.ship()
}

const listRanges = async (): Promise<string[]> =>
  (await target.list('log-')).map(({ name }) => name.split('-').slice(4, 6).map(Number).join(' to '))

async function expectWholeLog(): Promise<void> {
  const { read } = openLogReader(target, undefined)
  const pieces: Uint8Array[] = []
  for (const file of await listLogFiles(target, keyMark)) for await (const { bytes } of read(file)) pieces.push(bytes)
  expect(Buffer.concat(pieces).equals(readFileSync(logFile()).subarray(chainBegin))).toBe(true)
}

test('small files before a long one are put together in their order, and the long one is left as it is', async () => {
  for (const bytes of [small, small, small, long, long, small, small, long, small]) await store(bytes)
  expect(await listRanges()).toEqual(['0 to 2', '3 to 3', '4 to 4', '5 to 6', '7 to 7', '8 to 8'])
  await expectWholeLog()
})

test('small files are put together as soon as all of them are long enough', async () => {
  for (let count = 0; count < 13; count++) await store(700_000)
  expect(await listRanges()).toEqual(['0 to 11', '12 to 12'])
  await expectWholeLog()
})

test('what could not be put there is there later, once', async () => {
  await store(small)
  rmSync(locate('place'), { recursive: true })
  // A file in its place refuses every other file.
  await Bun.write(locate('place'), '')
  await expect(store(long)).rejects.toThrow('cannot be kept')
  rmSync(locate('place'))
  await store(small)
  expect(await listRanges()).toEqual(['1 to 1', '2 to 2'])
})
