import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { UnavailableError, UsageError } from '../../src/commands/command.ts'
import { sign } from '../../src/commands/sign.ts'
import { listen } from '../http/socket.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

setDefaultTimeout(60_000)

const server = await listen()
afterAll(() => server.stop())

const key = '0123456789abcdef'.repeat(4)
const { address } = privateKeyToAccount(`0x${key}`)

/** A folder with a key file in it. */
function placeWith(text = `${key}\n`, mode = 0o600): { cwd: string; file: string } {
  const cwd = newFolder()
  const file = join(cwd, 'my.key')
  writeFileSync(file, text, { mode })
  chmodSync(file, mode)
  return { cwd, file }
}

/** A server that answers every POST with this as its sign-in message. */
function asking(message: (host: string) => unknown) {
  const evil: ReturnType<typeof Bun.serve> = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ success: true, data: { message: message(`127.0.0.1:${evil.port}`), expiresAt: 1 } }),
  })
  return { url: `http://127.0.0.1:${evil.port}`, stop: () => evil.stop(true) }
}

test('the printed token signs in at the server, once', async () => {
  const { cwd, file } = placeWith()
  const printed = await run(sign, ['--url', server.url, '--key', file], { cwd })
  expect(printed.code).toBe(0)
  expect(printed.out).toMatch(/^pgs_[A-Za-z0-9_-]+\n$/)
  expect(printed.err).toBe(`Paste this at ${server.url}/login within ten minutes. It signs in ${address}, once.\n`)
  const paste = () =>
    fetch(`${server.url}/api/v1/auth/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: printed.out.trim() }),
    })
  const answer = await paste()
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ data: { authenticated: true, address: address.toLowerCase() } })
  expect((await paste()).status).toBe(409)
})

test('a server on this machine may be called by its other name, on the same port only', async () => {
  const { cwd } = placeWith()
  const { port } = new URL(server.url)
  const printed = await run(sign, ['--url', `http://localhost:${port}`, '--key', 'my.key', '--json'], { cwd })
  expect(printed.code).toBe(0)
  expect(printed.json).toEqual({
    token: expect.stringMatching(/^pgs_/),
    address,
    url: `http://localhost:${port}`,
    expiresAt: expect.any(Number),
  })
  const other = asking(() => messageAt(`127.0.0.1:${port}`))
  const refused = await run(sign, ['--url', other.url, '--key', 'my.key'], { cwd })
  expect(refused).toMatchObject({ code: 1, out: '' })
  await other.stop()
})

test('the key is made on first use, for its owner only, and is the same in every folder', async () => {
  const home = newFolder()
  const env = { HOME: home }
  const first = await run(sign, ['--address'], { env })
  const file = join(home, '.config', 'proofgate', 'wallet.key')
  expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  expect(first.err).toBe(`Made a new key for ${first.out.trim()} in ${file}\n`)
  const second = await run(sign, ['--address', '--json'], { env })
  expect(second).toMatchObject({ code: 0, err: '' })
  expect(second.json).toEqual({ address: first.out.trim() })

  const config = newFolder()
  await run(sign, ['--address'], { env: { HOME: home, XDG_CONFIG_HOME: config } })
  expect(existsSync(join(config, 'proofgate', 'wallet.key'))).toBe(true)
  await expect(run(sign, ['--address'])).rejects.toThrow(/HOME is not set.*--key FILE/)
})

test('a text is signed as it stands in the file, without the line feed at its end', async () => {
  const { cwd, file } = placeWith(`0x${key.toUpperCase()}`)
  const text = 'First line\n\nÜmlaut and 🦊'
  for (const ending of ['', '\n', '\r\n']) {
    const printed = await run(sign, ['--text', '-', '--key', file], { cwd, stdin: text + ending })
    expect(printed.err).toBe('')
    const signature = printed.out.trim() as `0x${string}`
    expect(await verifyMessage({ address, message: text, signature })).toBe(true)
  }
  writeFileSync(join(cwd, 'text.txt'), `${text}\n\n`)
  const { json } = await run(sign, ['--text', 'text.txt', '--key', 'my.key', '--json'], { cwd })
  expect(json.address).toBe(address)
  expect(await verifyMessage({ address, message: `${text}\n`, signature: json.signature })).toBe(true)
})

test.each([
  ['no wish', [], /say one of/],
  ['two wishes', ['--address', '--url', 'http://x'], /say one of/],
  ['an address that is none', ['--url', 'ftp://x'], /is an http\(s\) address/],
  ['no such text', ['--text', 'nothing.txt', '--key', 'my.key'], /there is no file/],
  ['a folder as text', ['--text', '.', '--key', 'my.key'], /there is no file/],
  ['an empty text', ['--text', '-', '--key', 'my.key'], /is empty/],
  ['an option that is none', ['--adress'], /did you mean --address/],
])('%s is a wrong call', async (_, args, reason) => {
  const { cwd } = placeWith()
  const failing = run(sign, args, { cwd })
  await expect(failing).rejects.toBeInstanceOf(UsageError)
  await expect(failing).rejects.toThrow(reason)
})

test('bytes that are no UTF-8 are not signed', async () => {
  const { cwd } = placeWith()
  const failing = run(sign, ['--text', '-', '--key', 'my.key'], { cwd, stdin: new Uint8Array([0x61, 0xff]) })
  await expect(failing).rejects.toThrow(/not UTF-8/)
})

test.each([
  ['a file that others may read', placeWith(undefined, 0o644), /chmod 600/],
  ['a short key', placeWith('abc'), /64 hexadecimal digits/],
  ['two keys', placeWith(`${key}\n${key}\n`), /64 hexadecimal digits/],
  ['zero', placeWith('0'.repeat(64)), /not hold a usable key/],
  ['the order of the curve and more', placeWith('f'.repeat(64)), /not hold a usable key/],
])('%s is refused and left as it is', async (_, { cwd, file }, reason) => {
  const before = readFileSync(file, 'utf8')
  await expect(run(sign, ['--address', '--key', file], { cwd })).rejects.toThrow(reason)
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('a key file is made where nothing is, and not through a link that leads nowhere', async () => {
  const cwd = newFolder()
  expect((await run(sign, ['--address', '--key', 'deep/er/new.key'], { cwd })).code).toBe(0)
  expect(statSync(join(cwd, 'deep/er/new.key')).mode & 0o777).toBe(0o600)
  symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'link.key'))
  await expect(run(sign, ['--address', '--key', 'link.key'], { cwd })).rejects.toBeInstanceOf(UnavailableError)
  await expect(run(sign, ['--address', '--key', 'deep'], { cwd })).rejects.toThrow(/is no file/)
})

const messageAt = (domain: string, uri = `http://${domain}`, more = '', who: string = address) =>
  `${domain} wants you to sign in with your Ethereum account:\n${who}\n\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: abcdefgh12345678\nIssued At: 2026-01-01T00:00:00Z${more}`

test.each([
  ['a sign-in at another server', () => messageAt('bank.example'), /asks to sign in at bank\.example/],
  ['a URI elsewhere', (host: string) => messageAt(host, 'http://bank.example'), /more than a sign-in/],
  ['resources', (host: string) => messageAt(host, undefined, '\nResources:\n- urn:recap:e30'), /more than a sign-in/],
  ['another address', (host: string) => messageAt(host, undefined, '', `0x${'11'.repeat(20)}`), /more than a sign-in/],
  ['some other text', () => 'Portable Proof Verification Request\nWallet: 0x', /no sign-in message, so nothing/],
  ['no text', () => 7, /no sign-in message/],
])('a server that asks for %s gets no signature', async (_, message, reason) => {
  const { cwd } = placeWith()
  const evil = asking(message)
  const printed = await run(sign, ['--url', evil.url, '--key', 'my.key'], { cwd })
  expect(printed).toMatchObject({ code: 1, out: '' })
  expect(printed.err).toMatch(reason)
  await evil.stop()
})

test('a server that does not answer, or is none, is unavailable', async () => {
  const { cwd } = placeWith()
  const dead = asking(() => '')
  await dead.stop()
  const failing = run(sign, ['--url', dead.url, '--key', 'my.key'], { cwd })
  await expect(failing).rejects.toBeInstanceOf(UnavailableError)
  await expect(failing).rejects.toThrow(/nothing answers at .* give another address with --url$/)
})
