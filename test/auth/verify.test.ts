/** Failures between the sign-in message and the session. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, startApp, startOfTime, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { startIn } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { select } from '../parts/select.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

const newFolder = temporaryFolders()

setDefaultTimeout(60_000)

const auth = '/api/v1/auth'
const minute = 60_000

const messageFor = async (app: TestApp, wallet: TestWallet = alice): Promise<string> =>
  (await app.post(`${auth}/nonce`, { walletAddress: wallet.address })).body.data.message

const verify = (app: TestApp, message: string, signature: string, more: object = {}, headers = {}): Promise<Answer> =>
  app.post(`${auth}/verify`, { message, signature, ...more }, headers)

const signedAs = async (app: TestApp, change: (message: string) => string, wallet: TestWallet = alice) => {
  const message = change(await messageFor(app, wallet))
  return verify(app, message, await wallet.sign(message))
}

const line =
  (label: string, value: string | undefined) =>
  (message: string): string =>
    message
      .split('\n')
      .flatMap((one) => (one.startsWith(label) ? (value === undefined ? [] : [`${label}${value}`]) : [one]))
      .join('\n')

const after = (label: string, added: string) => (message: string) =>
  message.replace(new RegExp(`^${label}.*$`, 'm'), (found) => `${found}\n${added}`)

describe('a message that the wallet signed is refused when', () => {
  test.each<[string, (message: string) => string, 'VALIDATION_ERROR' | 'EXPIRED_SIGNATURE', RegExp]>([
    [
      'it is for another domain',
      (text) => text.replace('localhost:8787 wants', 'evil.example wants'),
      'VALIDATION_ERROR',
      /is for evil\.example, and this is localhost:8787/,
    ],
    [
      'it is for another port',
      (text) => text.replace('localhost:8787 wants', 'localhost wants'),
      'VALIDATION_ERROR',
      /is for localhost,/,
    ],
    [
      'it is for a subdomain',
      (text) => text.replace('localhost:8787 wants', 'a.localhost:8787 wants'),
      'VALIDATION_ERROR',
      /is for a\.localhost/,
    ],
    ['its scheme is another one', (text) => `https://${text}`, 'VALIDATION_ERROR', /is for localhost:8787/],
    ['its URI is elsewhere', line('URI: ', 'http://localhost:8788'), 'VALIDATION_ERROR', /on another origin/],
    ['its URI is of another scheme', line('URI: ', 'https://localhost:8787'), 'VALIDATION_ERROR', /on another origin/],
    ['its URI only holds ours', line('URI: ', 'blob:http://localhost:8787/x'), 'VALIDATION_ERROR', /on another origin/],
    [
      'its URI has a name and a password',
      line('URI: ', 'http://a:b@localhost:8787'),
      'VALIDATION_ERROR',
      /on another origin/,
    ],
    ['its nonce is made up', line('Nonce: ', 'a1b2c3d4e5f6a7b8'), 'VALIDATION_ERROR', /did not issue the nonce/],
    [
      'a digit of its nonce is another one',
      (text) => text.replace(/^(Nonce: .*)(.)$/m, (_, rest, last) => rest + (last === '0' ? '1' : '0')),
      'VALIDATION_ERROR',
      /did not issue the nonce/,
    ],
    [
      'its nonce says that it is younger',
      (text) => text.replace(/^Nonce: 0m/m, 'Nonce: 0z'),
      'VALIDATION_ERROR',
      /did not issue the nonce/,
    ],
    [
      'it was issued long ago',
      line('Issued At: ', '2025-12-31T23:49:59.999Z'),
      'EXPIRED_SIGNATURE',
      /more than 10 minutes ago/,
    ],
    [
      'it was issued ahead of time',
      line('Issued At: ', '2026-01-01T00:01:00.001Z'),
      'EXPIRED_SIGNATURE',
      /in the future/,
    ],
    ['it has expired', line('Expiration Time: ', '2026-01-01T00:00:00.000Z'), 'EXPIRED_SIGNATURE', /has expired/],
    [
      'it is not valid yet',
      after('Expiration Time', 'Not Before: 2026-01-01T00:00:00.001Z'),
      'EXPIRED_SIGNATURE',
      /not valid yet/,
    ],
    ['it has a line too many', (text) => `${text}\n`, 'VALIDATION_ERROR', /the lines of EIP-4361/],
    ['it has carriage returns', (text) => text.replaceAll('\n', '\r\n'), 'VALIDATION_ERROR', /only ASCII/],
    ['it has two nonces', after('Nonce', 'Nonce: a1b2c3d4e5f6'), 'VALIDATION_ERROR', /"Issued At:"/],
  ])('%s', async (_, change, code, reason) => {
    const app = await startApp()
    const answer = await leavesNothing(app.parts, () => signedAs(app, change))
    expectRefused(answer, code, reason)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })
})

describe('a message that the wallet signed is accepted when', () => {
  test.each<[string, (message: string) => string]>([
    ['it has no statement', (text) => text.replace(/Sign in\..*\n/, '')],
    ['it has another statement', (text) => text.replace(/Sign in\..*/, 'Hello.')],
    ['it has no expiration', line('Expiration Time: ', undefined)],
    ['it names any other chain', line('Chain ID: ', '1')],
    ['its URI is a page of ours', line('URI: ', 'http://localhost:8787/verify?intent=login')],
    ['it names the scheme', (text) => `http://${text}`],
    ['its address is in lower case', (text) => text.replace(alice.address, alice.address.toLowerCase())],
    ['it was issued just ahead', line('Issued At: ', '2026-01-01T00:01:00.000Z')],
    ['it has resources, which are not looked at', after('Expiration Time', 'Resources:\n- https://example.com/')],
  ])('%s', async (_, change) => {
    const app = await startApp()
    expect((await signedAs(app, change)).status).toBe(200)
  })

  test('a Solana wallet wrote it, without the second blank line', async () => {
    const app = await startApp()
    const change = (text: string) => text.replace(/\n\nSign in\..*\n\n/, '\n\n')
    expect((await signedAs(app, change, sol)).status).toBe(200)
    expect((await signedAs(app, line('Chain ID: ', 'devnet'), sol)).status).toBe(200)
  })
})

describe('a message that is tampered with after it was signed', () => {
  test.each<[string, (message: string) => string]>([
    ['another address', (text) => text.replace(alice.address, bob.address)],
    ['another statement', (text) => text.replace('costs nothing', 'costs 0')],
    ['another chain', line('Chain ID: ', '1')],
    ['a later expiration', line('Expiration Time: ', '2026-01-01T00:11:00.000Z')],
    ['a later time', line('Issued At: ', '2026-01-01T00:00:01.000Z')],
  ])('(%s) is a signature that does not hold', async (_, change) => {
    const app = await startApp()
    const message = await messageFor(app)
    const signature = await alice.sign(message)
    expectRefused(await leavesNothing(app.parts, () => verify(app, change(message), signature)), 'SIGNATURE_INVALID')
    expect((await verify(app, message, signature)).status).toBe(200)
  })

  test('is refused with the nonce of another message too', async () => {
    const app = await startApp()
    const message = await messageFor(app)
    const other = await messageFor(app)
    const nonce = /Nonce: (.*)/.exec(other)![1]!
    expectRefused(await verify(app, line('Nonce: ', nonce)(message), await alice.sign(message)), 'SIGNATURE_INVALID')
  })
})

describe('a signature', () => {
  test.each<[string, string, object, RegExp]>([
    ['of zeros', `0x${'00'.repeat(65)}`, {}, /zero in place of r or s|contract wallet/],
    ['cut short', '0x1234', { signatureMethod: 'eip191' }, /130 hex digits/],
    ['that is no hexadecimal text', 'abc', { signatureMethod: 'personal_sign' }, /130 hex digits/],
    ['by a method that nobody knows', `0x${'11'.repeat(65)}`, { signatureMethod: 'rot13' }, /rot13/],
    ['by a method of other wallets', `0x${'11'.repeat(65)}`, { signatureMethod: 'ed25519' }, /ed25519/],
  ])('%s is refused', async (_, signature, more, reason) => {
    const app = await startApp()
    const message = await messageFor(app)
    const answer = await leavesNothing(app.parts, () => verify(app, message, signature, more))
    expect(answer.body.error.message).toMatch(reason)
    expect(answer.body.error.message).not.toContain('signerString')
    expect([401, 503]).toContain(answer.status)
  })

  test('is undecided without its chain where it may belong to a contract wallet', async () => {
    const app = await startApp()
    const message = await messageFor(app)
    for (const more of [{}, { signatureMethod: 'eip1271' }]) {
      const answer = await leavesNothing(app.parts, () => verify(app, message, '0x1234', more))
      expectRefused(
        answer,
        'VERIFIER_UNAVAILABLE',
        /only its chain can confirm .* this server has no chain eip155:84532/,
      )
      expect(answer.body.error.details).toEqual({ reason: 'NO_CHAIN', chain: 'eip155:84532' })
      expect(answer.headers.get('retry-after')).toBe('3600')
    }
  })

  test('by a Solana wallet over another text is refused', async () => {
    const app = await startApp()
    const message = await messageFor(app, sol)
    expectRefused(await verify(app, message, await sol.sign(`${message} `)), 'SIGNATURE_INVALID', /does not fit/)
  })
})

describe('a nonce', () => {
  test('is accepted for ten minutes, and not at their end', async () => {
    const app = await startApp()
    const change = (text: string) =>
      line('Expiration Time: ', undefined)(line('Issued At: ', '2026-01-01T00:09:00Z')(text))
    const [early, late] = [change(await messageFor(app)), change(await messageFor(app))]
    app.wait(10 * minute - 1)
    expect((await verify(app, early, await alice.sign(early))).status).toBe(200)
    app.wait(1)
    expectRefused(await verify(app, late, await alice.sign(late)), 'EXPIRED_SIGNATURE', /older than 10 minutes/)
  })

  test('stays used after the sweep, for as long as it would be accepted', async () => {
    const app = await startApp()
    const message = await messageFor(app)
    const signature = await alice.sign(message)
    expect((await verify(app, message, signature)).status).toBe(200)
    app.wait(10 * minute - 1)
    await app.sweep()
    expectRefused(await verify(app, message, signature), 'CONFLICT', /was used before/)
    app.wait(2 * minute)
    await app.sweep()
    expectRefused(await verify(app, message, signature), 'EXPIRED_SIGNATURE')
    // A day longer, in case the clock is set back.
    app.wait(25 * 60 * minute)
    await app.sweep()
    expect(await select(app.parts.db, 'SELECT * FROM spent_signatures').all()).toEqual([])
  })

  test('lets one of 64 simultaneous sign-ins win, however the signature is spelled', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const message = await messageFor(app)
    const signature = await alice.sign(message)
    const spelled = [
      signature,
      signature.replace(/1b$/, '00').replace(/1c$/, '01'),
      `0x${signature.slice(2).toUpperCase()}`,
    ]
    const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => verify(app, message, spelled[at % 3]!)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefused(answer, 'CONFLICT', /was used before/)
    for (const table of ['sessions', 'profiles', 'audit_events', 'spent_signatures'])
      expect(await select(app.parts.db, `SELECT * FROM ${table}`).all()).toHaveLength(1)
  })

  test('lets 64 simultaneous first sign-ins of one person have a session each, on one profile', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const people = await Promise.all(Array.from({ length: 64 }, () => app.signIn(bob)))
    expect(new Set(people.map(({ subjectId }) => subjectId)).size).toBe(1)
    expect(new Set(people.map(({ cookie }) => cookie)).size).toBe(64)
  })

  test('outlives a restart between asking and signing, and its use outlives one as well', async () => {
    const folder = newFolder()
    const env = { PROOFGATE_BASE_URL: 'http://127.0.0.1:9' }
    let server = await startIn(folder, env)
    const { message } = (await server.post(`${auth}/nonce`, { walletAddress: alice.address })).body.data
    const body = { message, signature: await alice.sign(message) }
    await server.stop()
    server = await startIn(folder, env)
    const answer = await server.post(`${auth}/verify`, body)
    expect(answer.status).toBe(200)
    await server.stop()
    server = await startIn(folder, env)
    expect((await server.post(`${auth}/verify`, body)).status).toBe(409)
    await server.stop()
  })

  test('from another server is refused', async () => {
    const [here, there] = [await startApp(), await startApp()]
    const message = await messageFor(there)
    expectRefused(await verify(here, message, await alice.sign(message)), 'VALIDATION_ERROR', /did not issue the nonce/)
  })

  test('alone comes with the values that a message must name', async () => {
    const app = await startApp()
    const { body } = await app.get(`${auth}/nonce`)
    expect(body.data).toEqual({
      nonce: expect.stringMatching(/^[0-9a-z]{65}$/),
      domain: 'localhost:8787',
      uri: 'http://localhost:8787',
      expiresAt: startOfTime + 10 * minute,
    })
  })

  test('is issued without a write', async () => {
    const app = await startApp()
    await leavesNothing(app.parts, async () => {
      for (let turn = 0; turn < 20; turn++) await messageFor(app)
    })
  })
})

describe('asking for a message', () => {
  test.each<[string, object, number, RegExp]>([
    ['without a wallet', {}, 400, /walletAddress/],
    ['for half an address', { walletAddress: '0x12' }, 400, /40 hexadecimal/],
    ['for a name', { walletAddress: 'alice.near', chain: 'near:mainnet' }, 400, /EVM or a Solana wallet/],
    ['for an unusable chain', { walletAddress: alice.address, chain: 'eip155:x' }, 400, /chain number/],
    [
      'for a chain with a zero before it',
      { walletAddress: alice.address, chain: 'eip155:01' },
      400,
      /does not name an EVM chain number/,
    ],
    [
      'for a cluster that no message can name',
      { walletAddress: sol.address, chain: 'solana:a.b' },
      400,
      /cannot name the chain/,
    ],
    ['for two chains', { walletAddress: alice.address, chain: 'eip155:1', chainId: 2 }, 400, /two different/],
    ['for a Solana address on an EVM chain', { walletAddress: sol.address, chainId: 1 }, 400, /EVM address/],
    ['for a chain too large', { walletAddress: alice.address, chainId: 1e15 }, 400, /chainId/],
  ])('%s is refused', async (_, body, status, reason) => {
    const app = await startApp()
    const answer = await app.post(`${auth}/nonce`, body)
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toMatch(reason)
  })

  test('at any host that an address may have gives a message that is taken back', async () => {
    for (const host of ['a_b:8787', '[::1]:8787', 'xn--bcher-kva.example', 'a.b.c', '10.0.0.1:1']) {
      const app = await startApp()
      const authUrl = `http://${host}`
      Object.assign(app.parts, { addresses: () => ({ baseUrl: authUrl, authUrl, mcpUrl: authUrl }) })
      await app.signIn(alice)
    }
  })

  test('names the chain that was asked for', async () => {
    const app = await startApp()
    for (const asked of [{ chainId: 10 }, { chain: 'eip155:10' }]) {
      const { data } = (await app.post(`${auth}/nonce`, { walletAddress: alice.address, ...asked })).body
      expect(data).toMatchObject({ chain: 'eip155:10', message: expect.stringContaining('\nChain ID: 10\n') })
    }
  })
})

describe('the request', () => {
  test('from a page of another origin is refused, and from our pages or without an origin accepted', async () => {
    const app = await startApp()
    for (const origin of ['https://evil.example', 'null', 'http://localhost:8788', 'https://localhost:8787', '']) {
      const message = await messageFor(app)
      const answer = await verify(app, message, await alice.sign(message), {}, { origin })
      expectRefused(answer, 'FORBIDDEN', /pages of another origin/)
    }
    const message = await messageFor(app)
    const own = { origin: 'http://localhost:8787' }
    expect((await verify(app, message, await alice.sign(message), {}, own)).status).toBe(200)
  })

  test.each<[string, object]>([
    ['nothing', {}],
    ['a message without signature', { message: 'x' }],
    ['a signature without message', { signature: 'x' }],
    ['a token and a message', { token: 'pgs_e30', message: 'x', signature: 'y' }],
    ['a token and a signature', { token: 'pgs_e30', signature: 'y' }],
  ])('with %s is refused', async (_, body) => {
    const app = await startApp()
    expectRefused(await app.post(`${auth}/verify`, body), 'VALIDATION_ERROR', /message and signature, or a token/)
  })

  test('is refused when it is not JSON', async () => {
    const app = await startApp()
    const answer = await app.request(`${auth}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
    })
    expectRefused(answer, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('over https gets a cookie for https only, and one with the name of the brand', async () => {
    const app = await startApp({ PROOFGATE_BRAND: 'acme' })
    const message = await messageFor(app)
    const plain = await verify(app, message, await alice.sign(message))
    expect(plain.headers.get('set-cookie')).toStartWith('acme_session=')
    expect(plain.headers.get('set-cookie')).not.toContain('Secure')
    const authUrl = 'https://proofs.example.com'
    Object.assign(app.parts, { addresses: () => ({ baseUrl: authUrl, authUrl, mcpUrl: authUrl }) })
    const over = await messageFor(app)
    expect(over).toStartWith('proofs.example.com wants')
    const answer = await verify(app, over, await alice.sign(over))
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure; HttpOnly; SameSite=Lax$/)
  })
})

describe('a pasted token', () => {
  const tokenOf = (value: unknown): string => `pgs_${Buffer.from(JSON.stringify(value)).toString('base64url')}`

  /** The last character of base64url may have bits that no byte takes. */
  const respelled = (token: string): string => {
    const bytes = Buffer.from(token.slice(4), 'base64url')
    const next = String.fromCharCode(token.charCodeAt(token.length - 1) + 1)
    const other = `${token.slice(0, -1)}${next}`
    expect(Buffer.from(other.slice(4), 'base64url')).toEqual(bytes)
    return other
  }

  test('is message and signature in one', async () => {
    const app = await startApp()
    const message = await messageFor(app)
    const signed = { message, signature: await alice.sign(message), signatureMethod: 'eip191' }
    expect((await app.post(`${auth}/verify`, { token: tokenOf(signed) })).status).toBe(200)
    const other = await messageFor(app)
    const wrong = { message: other, signature: await bob.sign(other) }
    expectRefused(await app.post(`${auth}/verify`, { token: tokenOf(wrong) }), 'SIGNATURE_INVALID')
  })

  test.each<[string, string]>([
    ['another prefix', tokenOf({ message: 'a', signature: 'b' }).replace('pgs_', 'npk_')],
    ['no prefix', tokenOf({ message: 'a', signature: 'b' }).slice(4)],
    ['nothing in it', 'pgs_'],
    ['padding', `${tokenOf({ message: 'a', signature: 'b' })}=`],
    ['a blank before it', ` ${tokenOf({ message: 'a', signature: 'b' })}`],
    ['another spelling of the same bytes', respelled(tokenOf({ message: 'a', signature: 'bc' }))],
    ['its end missing', tokenOf({ message: 'a', signature: 'bbbbbbbbbb' }).slice(0, -4)],
    ['bytes that are no UTF-8', `pgs_${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}`],
    ['no object', tokenOf('x')],
    ['a list', tokenOf([])],
    ['null', tokenOf(null)],
    ['no signature', tokenOf({ message: 'a' })],
    ['an empty signature', tokenOf({ message: 'a', signature: '' })],
    ['a number', tokenOf({ message: 'a', signature: 7 })],
    ['another member', tokenOf({ message: 'a', signature: 'b', admin: 'yes' })],
    [
      'a member of every object',
      `pgs_${Buffer.from('{"message":"a","signature":"b","__proto__":"x"}').toString('base64url')}`,
    ],
    ['a method too long', tokenOf({ message: 'a', signature: 'b', signatureMethod: 'x'.repeat(33) })],
  ])('with %s is refused', async (_, token) => {
    const app = await startApp()
    expectRefused(await app.post(`${auth}/verify`, { token }), 'VALIDATION_ERROR', /token cannot be read/)
  })
})
