/** Doctor tries the bucket of the backups, and compares the clock with that of its service. */
import { describe, expect, test } from 'bun:test'
import { doctor } from '../../src/commands/doctor.ts'
import { run } from '../commands/terminal.ts'
import { s3Region, startS3Server } from '../parts/s3-server.ts'

async function compare(endpoint: string, aheadMs: number) {
  const { json } = await run(doctor, ['--json'], {
    now: () => Date.now() + aheadMs,
    env: {
      PROOFGATE_MODERATION_TEXT: 'none',
      PROOFGATE_BACKUP_TO: 's3://bucket/prefix',
      PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true',
      PROOFGATE_BACKUP_BUCKET_ENDPOINT: endpoint,
      PROOFGATE_BACKUP_BUCKET_KEY_ID: 'id',
      PROOFGATE_BACKUP_BUCKET_SECRET_KEY: 'the secret of it',
    },
  })
  return json.findings.find(({ setting }: { setting: string }) => setting === 'backup.bucket_endpoint')
}

test('a clock that differs from that of the bucket by more than a minute is told', async () => {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      asked.push(request.method)
      return new Response(null, { status: 403, headers: { date: new Date().toUTCString() } })
    },
  })
  const endpoint = `http://127.0.0.1:${server.port}`
  try {
    expect(await compare(endpoint, 0)).toMatchObject({ level: 'ok' })
    expect(await compare(endpoint, 300_000)).toMatchObject({
      level: 'warn',
      says: expect.stringMatching(/5 min.* ahead of/),
    })
    expect(await compare(endpoint, -300_000)).toMatchObject({ level: 'warn', says: expect.stringContaining('behind') })
    expect(asked.filter((method) => method === 'HEAD')).toHaveLength(3)
  } finally {
    await server.stop(true)
  }
  expect(await compare(endpoint, 0)).toMatchObject({ level: 'fail', mend: expect.stringContaining('bucket_endpoint') })
})

describe('the bucket is tried with its access key', () => {
  test.each([
    ['and can be read', {}, { level: 'ok', says: 'the bucket can be read: it holds 0 backups' }],
    [
      'that is unknown',
      { PROOFGATE_BACKUP_BUCKET_KEY_ID: 'OTHER' },
      { level: 'fail', mend: 'correct backup.bucket_key_id' },
    ],
    [
      'whose secret is wrong',
      { PROOFGATE_BACKUP_BUCKET_SECRET_KEY: 'wrong' },
      { level: 'fail', mend: 'correct backup.bucket_secret_key' },
    ],
    [
      'and is not there',
      { PROOFGATE_BACKUP_TO: 's3://missing/prefix' },
      { level: 'fail', mend: 'make the bucket, or correct backup.to' },
    ],
  ])('%s', async (_, more, expected) => {
    const server = startS3Server()
    try {
      const { json } = await run(doctor, ['--json'], {
        env: {
          PROOFGATE_MODERATION_TEXT: 'none',
          PROOFGATE_BACKUP_TO: `s3://${server.bucket}/prefix`,
          PROOFGATE_BACKUP_WITHOUT_SECRETS: 'true',
          PROOFGATE_BACKUP_BUCKET_ENDPOINT: server.url,
          PROOFGATE_BACKUP_BUCKET_REGION: s3Region,
          PROOFGATE_BACKUP_BUCKET_KEY_ID: server.keyId,
          PROOFGATE_BACKUP_BUCKET_SECRET_KEY: server.secret,
          ...more,
        },
      })
      expect(json.findings.find(({ setting }: { setting: string }) => setting === 'backup.to')).toMatchObject(expected)
    } finally {
      await server.stop()
    }
  })
})
