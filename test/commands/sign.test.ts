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

test('a text is signed as it is in the file, without the line feed at its end', async () => {
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
  ['no wish', [], /give one of/],
  ['two wishes', ['--address', '--url', 'http://x'], /give one of/],
  ['an address that is none', ['--url', 'ftp://x'], /must be an http\(s\) address/],
  ['no such text', ['--text', 'nothing.txt', '--key', 'my.key'], /there is no file/],
  ['a folder as text', ['--text', '.', '--key', 'my.key'], /there is no file/],
  ['an empty text', ['--text', '-', '--key', 'my.key'], /is empty/],
  ['an option that is none', ['--adress'], /did you mean --address/],
])('%s is a usage error', async (_, args, reason) => {
  const { cwd } = placeWith()
  const failing = run(sign, args, { cwd })
  await expect(failing).rejects.toBeInstanceOf(UsageError)
  await expect(failing).rejects.toThrow(reason)
})

/** The published vectors of the interface: an EVM key, an Ed25519 seed, and what they sign. */
const published = {
  evm: {
    key: '59c6995e998f97a5a0044976f7d3f0f35f0bfa65c1f9f650f72b87c9b0f4f6e8',
    wallet: '0x2682f1afa9e879dcea444d8d93895c4bcbf55076',
  },
  ed25519: {
    key: Buffer.from(Array.from({ length: 32 }, (_, at) => at + 1)).toString('hex'),
    wallet: '9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj',
  },
}
const qHash = '0x49d2b224750608f4f5844f6846edb1ac859524e57f674a78b168113699d6d293'
const linesOf = (wallet: string, chain: string, data: string): string =>
  `Portable Proof Verification Request\nWallet: ${wallet}\nChain: ${chain}\nVerifiers: ownership-basic\nData: ${data}\nTimestamp: 1784582400000`

test.each([
  [
    'a claim',
    '{"content":"CAIP-380 interoperability fixture","nonce":"example-1"}',
    '0xc448d5edda53b46f673d26ebf2476d4955945364af25641d18bbef0428870d533d56a5a2524a046190bf44ad97058050a26a9c0a60d78cdad3a858c5974c0c9d1b',
  ],
  [
    'a reading',
    `{"action":"access_private_proof","qHash":"${qHash}"}`,
    '0xe78a05ce8ff94d375f9dd9973c59ec742c5d6b71493858227568f390b7d8c4594e8b787f3cc51d9eae5a9652b731d15d629d3c7ff670ce61929453ce2fdf24431b',
  ],
  [
    'a revocation',
    `{"action":"revoke_proof","qHash":"${qHash}"}`,
    '0x4afbb76a618cebb9e8030e3f2f9a6d2f8dde714425f148e3b692dfba3862b3b10ad7a65867997122011d1c54b3d48338ecc450c946e058cf5463c89c5ddbf7e41b',
  ],
])('signs the published text of %s with the published signature', async (_, data, signature) => {
  const { cwd } = placeWith(published.evm.key)
  const text = linesOf(published.evm.wallet, '84532', data)
  const printed = await run(sign, ['--text', '-', '--key', 'my.key'], { cwd, stdin: text })
  expect(printed.out).toBe(`${signature}\n`)
  // The same out of the answer of standardize, as it comes over the wire.
  const answer = JSON.stringify({ success: true, data: { signerString: text } })
  const taken = await run(sign, ['--text-of', '-', '--key', 'my.key'], { cwd, stdin: answer })
  expect(taken).toMatchObject({ code: 0, out: `${signature}\n`, err: expect.stringContaining(data) })
})

test('signs with Ed25519 as the published vector, and prints the address in base58', async () => {
  const { cwd } = placeWith(published.ed25519.key)
  const { wallet } = published.ed25519
  const by = ['--ed25519', '--key', 'my.key']
  expect((await run(sign, ['--address', ...by], { cwd })).out).toBe(`${wallet}\n`)
  const text = linesOf(wallet, 'solana:mainnet', '{"content":"universal portable proof"}')
  const signature = 'sBSrBXozvdKggN2wwk9GZLMJZcTxjoQuJRrzne1i4eLLxZmc7RzqZQR6AZhnCNRFAekAGN3V8pNDtUDEK11HbN5'
  for (const [option, stdin] of [
    ['--text', text],
    ['--text-of', JSON.stringify({ data: { signerString: text } })],
  ] as const) {
    const { json } = await run(sign, [option, '-', '--json', ...by], { cwd, stdin })
    expect(json).toEqual({ address: wallet, signature })
  }
})

test('an Ed25519 key is separate from the other key', async () => {
  const home = newFolder()
  const env = { HOME: home }
  const printed = await run(sign, ['--address', '--ed25519'], { env })
  expect(printed.out).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}\n$/)
  const file = join(home, '.config', 'proofgate', 'wallet-ed25519.key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(existsSync(join(home, '.config', 'proofgate', 'wallet.key'))).toBe(false)
  await expect(run(sign, ['--url', server.url, '--ed25519'], { env })).rejects.toThrow(/signs in with an EVM key/)
})

test('every byte is signed on request, the line feed at the end too', async () => {
  const { cwd } = placeWith()
  for (const text of ['one line\n', 'two\r\n\r\n', '\n', 'no end']) {
    const printed = await run(sign, ['--text', '-', '--exact', '--key', 'my.key'], { cwd, stdin: text })
    expect(await verifyMessage({ address, message: text, signature: printed.out.trim() as `0x${string}` })).toBe(true)
  }
  for (const args of [
    ['--address', '--exact'],
    ['--text-of', '-', '--exact'],
  ])
    await expect(run(sign, [...args, '--key', 'my.key'], { cwd })).rejects.toThrow(/--exact works only with --text/)
})

test.each([
  ['no JSON', 'hello', /not an answer of standardize/],
  ['no text', '{"data":{}}', /not an answer of standardize/],
  ['another answer', '{"data":{"signerString":7}}', /not an answer of standardize/],
  ['nothing', '', /not an answer of standardize/],
  [
    'a refusal',
    '{"success":false,"error":{"code":"VALIDATION_ERROR","message":"data is missing"}}',
    /VALIDATION_ERROR: data is missing/,
  ],
  [
    'a text for another wallet',
    JSON.stringify({ data: { signerString: linesOf(`0x${'12'.repeat(20)}`, '1', '{}') } }),
    /is for the wallet 0x12/,
  ],
  ['a text that is no claim', '{"data":{"signerString":"send all my money"}}', /is not the text of a claim/],
  [
    'a text with another line',
    JSON.stringify({ data: { signerString: `${linesOf(published.evm.wallet, '1', '{}')}\nmore` } }),
    /is not the text of a claim/,
  ],
])('%s in place of the answer of standardize is not signed', async (_, stdin, reason) => {
  const { cwd } = placeWith()
  const printed = await run(sign, ['--text-of', '-', '--key', 'my.key'], { cwd, stdin })
  expect(printed).toMatchObject({ code: 1, out: '' })
  expect(printed.err).toMatch(reason)
})

test('bytes that are not UTF-8 are not signed', async () => {
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
  await expect(run(sign, ['--address', '--key', 'deep'], { cwd })).rejects.toThrow(/is not a file/)
})

const messageAt = (domain: string, uri = `http://${domain}`, more = '', who: string = address) =>
  `${domain} wants you to sign in with your Ethereum account:\n${who}\n\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: abcdefgh12345678\nIssued At: 2026-01-01T00:00:00Z${more}`

test.each([
  ['a sign-in at another server', () => messageAt('bank.example'), /asks to sign in at bank\.example/],
  ['a URI elsewhere', (host: string) => messageAt(host, 'http://bank.example'), /more than a sign-in/],
  ['resources', (host: string) => messageAt(host, undefined, '\nResources:\n- urn:recap:e30'), /more than a sign-in/],
  ['another address', (host: string) => messageAt(host, undefined, '', `0x${'11'.repeat(20)}`), /more than a sign-in/],
  ['some other text', () => 'Portable Proof Verification Request\nWallet: 0x', /not a sign-in message, so nothing/],
  ['no text', () => 7, /not a sign-in message/],
])('a server that asks for %s gets no signature', async (_, message, reason) => {
  const { cwd } = placeWith()
  const evil = asking(message)
  const printed = await run(sign, ['--url', evil.url, '--key', 'my.key'], { cwd })
  expect(printed).toMatchObject({ code: 1, out: '' })
  expect(printed.err).toMatch(reason)
  await evil.stop()
})

test('a server that does not answer, or is not Proofgate, is reported as unavailable', async () => {
  const { cwd } = placeWith()
  const dead = asking(() => '')
  await dead.stop()
  const failing = run(sign, ['--url', dead.url, '--key', 'my.key'], { cwd })
  await expect(failing).rejects.toBeInstanceOf(UnavailableError)
  await expect(failing).rejects.toThrow(/no server answers at .* give another address with --url$/)
})
