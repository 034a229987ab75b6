/** What is shipped to a bucket that fails. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { listLogFiles, openLogReader } from '../../src/backup/continuous/log-files.ts'
import type { ShipNews } from '../../src/backup/continuous/packer.ts'
import { openShipper, type ShipReport } from '../../src/backup/continuous/shipper.ts'
import { openS3Target } from '../../src/backup/targets/s3.ts'
import { type S3Server, s3Region, startS3Server } from '../parts/s3-server.ts'

const keyMark = 0x12345678
const salt = '00000001aaaaaaaa'
const pageBytes = 512
const frameBytes = pageBytes + 24

let server: S3Server
beforeEach(() => {
  server = startS3Server()
})
afterEach(() => server.stop())

const openBucket = () =>
  openS3Target({
    bucket: server.bucket,
    prefix: 'here/',
    endpoint: server.url,
    region: s3Region,
    accessKeyId: server.keyId,
    secretAccessKey: server.secret,
  })

/** A transaction of three frames. */
const commitThree = (from: number): readonly ShipNews[] => [
  { kind: 'commits', salt, frames: from + 3, at: from },
  { kind: 'rest', salt, from, frames: from + 3, bytes: new Uint8Array(3 * frameBytes) },
]

test('a chain goes on where a bucket took a file and its answer was lost', async () => {
  const target = openBucket()
  const reports: ShipReport[] = []
  const shipper = openShipper({
    databaseFile: '/nowhere/proofgate.sqlite',
    target,
    keyMark,
    passphrase: undefined,
    formerTimes: [],
    tell: (report) => reports.push(report),
  })
  shipper.take([{ kind: 'commits', salt, frames: 3, at: 1 }, ...commitThree(3)])
  server.loseAnswers(true)
  await expect(shipper.ship()).rejects.toThrow(/InternalError/)
  await expect(shipper.ship()).rejects.toThrow(/InternalError/)
  expect(server.objects.size).toBe(1)
  server.loseAnswers(false)
  await shipper.ship()
  shipper.take(commitThree(6))
  await shipper.ship()
  expect(reports.filter(({ kind }) => kind === 'shipped')).toHaveLength(2)
  const { read } = openLogReader(target, undefined)
  const indexes: number[] = []
  for (const file of await listLogFiles(target, keyMark))
    for await (const { head } of read(file)) indexes.push(head.index)
  expect(indexes).toEqual([0, 1])
})
