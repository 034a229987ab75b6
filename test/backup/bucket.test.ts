/** Backups in a bucket: whole or not at all, found again, restored, deleted by age, and refused in words. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openS3Target, type S3Access } from '../../src/backup/targets/s3.ts'
import type { Target } from '../../src/backup/targets/target.ts'
import { backup } from '../../src/commands/backup.ts'
import { drill } from '../../src/commands/drill.ts'
import { restore } from '../../src/commands/restore.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { makeDataFolder } from '../commands/data-folder.ts'
import { run } from '../commands/terminal.ts'
import { temporaryFolders } from '../db/store.ts'
import { type S3Server, s3Region, startS3Server } from '../parts/s3-server.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const hourMs = 3_600_000
const startOfTime = 1_767_225_600_000

let server: S3Server
beforeEach(() => {
  server = startS3Server()
})
afterEach(() => server.stop())

function makeServed(more: Record<string, string> = {}, bucket = server.bucket) {
  const home = newFolder()
  const data = join(home, 'data')
  makeDataFolder(data)
  const env = {
    PROOFGATE_DATA: data,
    PROOFGATE_BACKUP_TO: `s3://${bucket}/proofs/here`,
    PROOFGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    PROOFGATE_BACKUP_BUCKET_ENDPOINT: server.url,
    PROOFGATE_BACKUP_BUCKET_REGION: s3Region,
    PROOFGATE_BACKUP_BUCKET_KEY_ID: server.keyId,
    PROOFGATE_BACKUP_BUCKET_SECRET_KEY: server.secret,
    ...more,
  }
  return { home, data, given: (at = startOfTime) => ({ cwd: home, env, now: () => at }) }
}

/** So that it does not fit into one part. */
function fill(data: string, mebibytes: number): void {
  const db = new Database(locateDatabaseFile(data))
  for (let one = 0; one < mebibytes; one++)
    db.run("INSERT INTO audit_events (at, event, details) VALUES (1, 'filler', ?)", [
      randomBytes(524_288).toString('hex'),
    ])
  db.close()
}

test('a small backup is made, found as the newest, tried and restored', async () => {
  const at = makeServed()
  expect((await run(backup, ['--json'], at.given())).json.at).toBe('s3://backups/proofs/here/')
  expect([...server.objects.keys()].map((key) => key.replace(/[0-9a-f]{8}-[0-9a-f]{4}\.backup$/, ''))).toEqual([
    'proofs/here/proofgate-20260101T000000Z-',
  ])
  expect((await run(drill, [], at.given())).code).toBe(0)
  rmSync(at.data, { recursive: true })
  expect((await run(restore, ['--json'], at.given(startOfTime + hourMs))).json).toMatchObject({ sound: true })
})

test('a large one travels in parts, and comes back whole', async () => {
  const at = makeServed()
  fill(at.data, 40)
  await run(backup, [], at.given())
  expect(server.requests().some((one) => one.includes('partNumber=2'))).toBe(true)
  expect(server.openUploads()).toBe(0)
  expect((await run(restore, ['--json'], at.given(startOfTime + hourMs))).json).toMatchObject({
    sound: true,
    counts: { audit_events: 40 },
  })
})

test.each([
  ['small', 1_000],
  ['large', 20_000_000],
])('a %s one that is given up in the middle leaves no object', async (_, bytes) => {
  const target = openS3Target({
    bucket: server.bucket,
    prefix: '',
    endpoint: server.url,
    region: s3Region,
    accessKeyId: server.keyId,
    secretAccessKey: server.secret,
  })
  const sink = await target.create('one.backup')
  await sink.write(randomBytes(bytes))
  await sink.abandon()
  Bun.gc(true)
  await target.list('')
  expect([...server.objects.keys()]).toEqual([])
})

test('one under a name that is taken replaces none', async () => {
  const at = makeServed()
  await run(backup, ['s3://backups/mine/one.backup'], at.given())
  const [content] = [...server.objects.values()]
  await expect(run(backup, ['s3://backups/mine/one.backup'], at.given(startOfTime + hourMs))).rejects.toThrow(
    /there is one\.backup at s3:\/\/backups\/mine\/ already: name another file/,
  )
  expect([...server.objects]).toEqual([['mine/one.backup', content!]])
})

test('older ones are deleted by age, over more pages of a list than one', async () => {
  const at = makeServed({
    PROOFGATE_BACKUP_KEEP_HOURLY: '2',
    PROOFGATE_BACKUP_KEEP_DAILY: '0',
    PROOFGATE_BACKUP_KEEP_WEEKLY: '0',
  })
  await run(backup, [], at.given(startOfTime - 2_000 * hourMs))
  const [content] = [...server.objects.values()]
  for (let old = 0; old < 1_004; old++) {
    const name = new Date(startOfTime - (old + 2) * hourMs).toISOString().replace(/[-:]|\.\d+/g, '')
    server.objects.set(`proofs/here/proofgate-${name}-00000000-aaaa.backup`, content!)
  }
  server.objects.set('proofs/here/notes.txt', new Uint8Array(1))
  expect((await run(backup, ['--json'], at.given())).json.removed).toHaveLength(1_004)
  expect([...server.objects.keys()].sort().map((key) => key.slice(0, 43))).toEqual([
    'proofs/here/notes.txt',
    'proofs/here/proofgate-20251231T220000Z-0000',
    expect.stringMatching(/^proofs\/here\/proofgate-20260101T000000Z-/),
  ])
})

describe('a refusal is told with its mend, and leaves no object', () => {
  test.each([
    ['the bucket is not there', {}, 'missing', /NoSuchBucket.*make the bucket, or correct backup\.to/s],
    [
      'the key is unknown',
      { PROOFGATE_BACKUP_BUCKET_KEY_ID: 'AKIAOTHER' },
      undefined,
      /InvalidAccessKeyId.*correct backup\.bucket_key_id/s,
    ],
    [
      'the secret is wrong',
      { PROOFGATE_BACKUP_BUCKET_SECRET_KEY: 'wrong' },
      undefined,
      /SignatureDoesNotMatch.*correct backup\.bucket_secret_key/s,
    ],
    [
      'nothing listens there',
      { PROOFGATE_BACKUP_BUCKET_ENDPOINT: 'http://127.0.0.1:9' },
      undefined,
      /see whether backup\.bucket_endpoint is right and can be reached/,
    ],
  ])('%s', async (_, more, bucket, says) => {
    const at = makeServed(more, bucket)
    await expect(run(backup, [], at.given())).rejects.toThrow(says)
    expect(server.objects.size).toBe(0)
  })

  test('the service fails for a while', async () => {
    const at = makeServed()
    server.refuse({ status: 503, code: 'SlowDown' })
    await expect(run(backup, [], at.given())).rejects.toThrow(/refused or did not answer/)
    server.refuse(undefined)
    expect((await run(backup, [], at.given())).code).toBe(0)
  })

  test.each([
    ['small', 0],
    ['large', 20],
  ])('the bucket is full, for a %s backup', async (_, mebibytes) => {
    const at = makeServed()
    fill(at.data, mebibytes)
    server.refuse({ status: 403, code: 'QuotaExceeded', onlyWrites: true })
    await expect(run(backup, [], at.given())).rejects.toThrow(
      /QuotaExceeded.*make room in the bucket, or raise its quota/,
    )
    expect([server.objects.size, server.openUploads()]).toEqual([0, 0])
  })

  test('the service goes away in the middle', async () => {
    const at = makeServed()
    fill(at.data, 40)
    server.breakBody(1)
    await expect(run(backup, [], at.given())).rejects.toThrow(/refused or did not answer/)
    expect(server.objects.size).toBe(0)
  })
})

describe('a bucket that fails while it is read', () => {
  const open = (more: Partial<S3Access> = {}) =>
    openS3Target({
      bucket: server.bucket,
      prefix: '',
      endpoint: server.url,
      region: s3Region,
      accessKeyId: server.keyId,
      secretAccessKey: server.secret,
      ...more,
    })
  const readAll = async (target: Target): Promise<void> => {
    for await (const _ of target.read('one.backup'));
  }

  test.each([
    ['has no such file', {}, /NoSuchKey.*name a file that is there/],
    ['refuses the secret', { secretAccessKey: 'wrong' }, /SignatureDoesNotMatch.*correct backup\.bucket_secret_key/],
    ['is in another region', { region: 'us-east-1' }, /AuthorizationHeaderMalformed.*correct backup\.bucket_region/],
    ['is not there any more', { endpoint: 'http://127.0.0.1:9' }, /refused or did not answer \(ConnectionRefused/],
  ])('and %s', async (_, more, says) => {
    await expect(readAll(open(more))).rejects.toThrow(says)
  })

  test.each([
    ['breaks off', 'end', /refused or did not answer \(ConnectionClosed/],
    ['goes silent', 'wait', /did not answer within 0\.2 s/],
  ])('and %s in the middle', async (_, then, says) => {
    const half = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(1_000)}`)
          socket.flush()
          if (then === 'end') socket.end()
        },
      },
    })
    await expect(readAll(open({ endpoint: `http://127.0.0.1:${half.port}`, waitMs: 200 }))).rejects.toThrow(says)
    half.stop(true)
  })

  test('and never answers a list or the beginning of an upload', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const target = open({ endpoint: `http://127.0.0.1:${silent.port}`, waitMs: 200 })
    await expect(target.list('')).rejects.toThrow(/did not answer within 0\.2 s/)
    await expect(target.create('one.backup')).rejects.toThrow(/did not answer within 0\.2 s/)
    silent.stop(true)
  })
})

test('no access key for a bucket that is named by hand is told before anything is called', async () => {
  const at = makeServed({
    PROOFGATE_BACKUP_TO: '',
    PROOFGATE_BACKUP_BUCKET_KEY_ID: '',
    PROOFGATE_BACKUP_BUCKET_SECRET_KEY: '',
  })
  await expect(run(backup, ['s3://backups/x'], at.given())).rejects.toThrow(
    /no access key for the bucket is configured/,
  )
  expect(server.requests()).toEqual([])
})
