/** Encrypted connections to the database: whose certificate is believed, and by which name. */
import { beforeAll, expect, test } from 'bun:test'
import { chmodSync, chownSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolders } from '../../parts/folders.ts'
import { type PostgresServer, startPostgres } from '../../parts/postgres.ts'
import { ask, open } from './counters.ts'

const newFolder = temporaryFolders()
let server: PostgresServer
let folder: string
let url: string

function makeCertificates(): string {
  const made = newFolder()
  const lines = [
    'openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Test root" -keyout root.key -out root.crt',
    'openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=Another root" -keyout other.key -out other.crt',
    'openssl req -newkey rsa:2048 -nodes -subj "/CN=localhost" -keyout server.key -out server.csr',
    'printf "subjectAltName=DNS:localhost" > names',
    'openssl x509 -req -in server.csr -CA root.crt -CAkey root.key -CAcreateserial -days 2 -extfile names -out server.crt',
  ]
  const { exitCode, stderr } = Bun.spawnSync(['sh', '-ec', lines.join('\n')], { cwd: made, stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(stderr.toString())
  const uid = Number(/^postgres:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1])
  chmodSync(made, 0o755)
  chmodSync(join(made, 'server.key'), 0o600)
  if (process.getuid?.() === 0) chownSync(join(made, 'server.key'), uid, uid)
  return made
}

beforeAll(async () => {
  folder = makeCertificates()
  const files = ['cert', 'key'].map(
    (kind) => `ssl_${kind}_file=${join(folder, kind === 'cert' ? 'server.crt' : 'server.key')}`,
  )
  server = await startPostgres({ version: 15, settings: ['ssl=on', ...files] })
  url = await server.createDatabase()
})

const write = (host: string, mode: string, root?: string) =>
  `${url.replace('127.0.0.1', host)}?sslmode=${mode}${root ? `&sslrootcert=${encodeURIComponent(join(folder, root))}` : ''}`

const isEncrypted = async (text: string): Promise<number> => {
  const db = await open(text)
  try {
    const [row] = await ask<{ ssl: number }>(db, 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    return row!.ssl
  } finally {
    await db.close()
  }
}

test('sslmode=verify-full takes a certificate of the root with the name of the host', async () => {
  expect(await isEncrypted(write('localhost', 'verify-full', 'root.crt'))).toBe(1)
})

test('sslmode=verify-full refuses a certificate with another name', async () => {
  await expect(isEncrypted(write('127.0.0.1', 'verify-full', 'root.crt'))).rejects.toThrow('no server of the database')
})

test('sslmode=verify-full refuses a certificate of another root, and of none that the system knows', async () => {
  await expect(isEncrypted(write('localhost', 'verify-full', 'other.crt'))).rejects.toThrow('no server of the database')
  await expect(isEncrypted(write('localhost', 'verify-full'))).rejects.toThrow('no server of the database')
})

test('sslmode=verify-ca takes any name of a certificate of the root, and no other root', async () => {
  expect(await isEncrypted(write('127.0.0.1', 'verify-ca', 'root.crt'))).toBe(1)
  await expect(isEncrypted(write('127.0.0.1', 'verify-ca', 'other.crt'))).rejects.toThrow('no server of the database')
})

test('sslmode=require encrypts and believes any certificate', async () => {
  expect(await isEncrypted(write('127.0.0.1', 'require'))).toBe(1)
})

test('sslmode=disable encrypts nothing', async () => {
  expect(await isEncrypted(write('127.0.0.1', 'disable'))).toBe(0)
})

test('a file of roots that cannot be read is named', async () => {
  await expect(open(write('localhost', 'verify-full', 'missing.crt'))).rejects.toThrow('missing.crt')
})
