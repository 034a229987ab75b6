/** /api/v1/auth/pairings: a computer and a phone over HTTP, and everybody who would like to stand between them. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { pairingLimits } from '../../src/pairing/pairing.ts'
import { openPairings } from '../../src/pairing/pairings.ts'
import { startApp, type TestApp } from '../app.ts'
import { listen } from '../http/socket.ts'
import { select } from '../parts/select.ts'
import { alice, bob, sol } from '../wallets.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_BASE_URL: 'https://proofs.example' })
})

const path = '/api/v1/auth/pairings'
const post = (step: string, body: object) => app.post(`${path}${step}`, body)
const read = async (step: string, body: object) => {
  const { status, body: answer } = await post(step, body)
  return { status, ...(answer.data ?? {}), error: answer.error }
}

async function open(purpose = 'verify', more: object = {}) {
  const opened = await read('', { purpose, ...more })
  expect(opened.status).toBe(200)
  const address = new URL(opened.address)
  return { secret: opened.secret as string, code: address.hash.slice(1), address, opened }
}

/** A phone that has taken the code. */
async function take(code: string) {
  const taken = await read('/take', { code })
  expect(taken.status).toBe(200)
  return taken as { secret: string; number: string; purpose: string; site?: string }
}

async function pair(purpose = 'verify', account: object = { address: alice.address, isContract: false }) {
  const { secret: computer, code } = await open(purpose)
  const { secret: phone } = await take(code)
  await read('/phone', { secret: phone, do: 'confirm' })
  expect((await read('/computer', { secret: computer, do: 'confirm' })).state).toBe('paired')
  await read('/phone', { secret: phone, account })
  return { computer, phone, code }
}

const prepareSignIn = async (wallet = alice): Promise<string> =>
  (
    await app.post('/api/v1/auth/nonce', {
      walletAddress: wallet.address,
      ...(wallet.signing.chain ? { chain: wallet.signing.chain } : {}),
    })
  ).body.data.message

const prepareClaim = async (verifierId: string, data: object, wallet = alice): Promise<string> =>
  (
    await app.post('/api/v1/verification/standardize', {
      walletAddress: wallet.address,
      verifierIds: [verifierId],
      data,
      signedTimestamp: app.now(),
    })
  ).body.data.signerString

/** As a browser sends it, with its length. */
function poll(step: string, secret: string, more: object = {}) {
  const body = JSON.stringify({ secret, ...more })
  return app.post(`${path}${step}`, body, { 'content-length': String(body.length) })
}

describe('connecting', () => {
  test('the address of the code has it in the fragment, and the QR code is that address', async () => {
    const { address, opened, secret } = await open()
    expect(address.href).toMatch(/^https:\/\/proofs\.example\/pair#[A-Za-z0-9_-]{43}$/)
    expect(opened.qr.path).toStartWith('M4 4h7v1')
    expect(address.href).not.toContain(secret)
    expect(opened.endsInSeconds).toBe(300)
  })

  test('both sides see the same number, and the phone learns what for and for which site', async () => {
    const { secret, code } = await open('checkout', { site: 'https://shop.example' })
    expect((await read('/computer', { secret })).state).toBe('waiting')
    expect(await read('/look', { code })).toMatchObject({ purpose: 'checkout', site: 'https://shop.example' })
    const { number, purpose, site } = await take(code)
    expect({ purpose, site }).toEqual({ purpose: 'checkout', site: 'https://shop.example' })
    expect(number).toMatch(/^\d{6}$/)
    expect(await read('/computer', { secret })).toMatchObject({ state: 'compare', number })
  })

  test('each code has another number', async () => {
    const numbers = new Set<string>()
    for (let i = 0; i < 8; i++) numbers.add((await take((await open()).code)).number)
    expect(numbers.size).toBeGreaterThan(6)
  })

  test('a text is signed on the phone, for a sign-in that the computer finishes', async () => {
    const { computer, phone } = await pair('sign-in')
    expect(await read('/computer', { secret: computer })).toMatchObject({
      account: { address: alice.address, isContract: false },
    })
    const text = await prepareSignIn()
    expect(await read('/computer', { secret: computer, text })).toMatchObject({ askedNumber: 1 })
    const { asked } = await read('/phone', { secret: phone })
    expect(asked).toEqual({ number: 1, text, read: { kind: 'sign-in' } })
    await read('/phone', { secret: phone, answer: { number: 1, signature: await alice.sign(asked.text) } })
    const { answer } = await read('/computer', { secret: computer })
    const signed = await app.post('/api/v1/auth/verify', { message: text, signature: answer.given.signature })
    expect(signed.status).toBe(200)
  })

  test('the phone is told what a text would do', async () => {
    const { computer, phone } = await pair()
    const text = await prepareClaim('ownership-basic', { owner: alice.address, content: 'Mine' })
    await read('/computer', { secret: computer, text })
    expect((await read('/phone', { secret: phone })).asked.read).toEqual({
      kind: 'claim',
      verifierIds: ['ownership-basic'],
      signedTimestamp: app.now(),
    })
    const look = await prepareClaim('ownership-basic', {
      action: 'gate_check_private_proofs',
      walletAddress: alice.address.toLowerCase(),
    })
    expect((await read('/computer', { secret: computer, text: look })).askedNumber).toBe(2)
    expect((await read('/phone', { secret: phone })).asked).toMatchObject({ number: 2, read: { kind: 'look' } })
    const expiresAt = app.now() + 86_400_000
    const delegation = { agentId: 'one', controllerWallet: alice.address, agentWallet: bob.address }
    for (const [data, endsAt] of [
      [{ ...delegation, expiresAt }, expiresAt],
      [delegation, undefined],
    ] as const) {
      await read('/computer', { secret: computer, text: await prepareClaim('agent-delegation', data) })
      expect((await read('/phone', { secret: phone })).asked.read).toEqual({
        kind: 'claim',
        verifierIds: ['agent-delegation'],
        signedTimestamp: app.now(),
        ...(endsAt === undefined ? {} : { endsAt }),
      })
    }
  })

  test('a Solana wallet lends its account as well', async () => {
    const { computer, phone } = await pair('sign-in', {
      address: sol.address,
      chain: 'solana:mainnet',
      isContract: false,
    })
    const text = await prepareSignIn(sol)
    await read('/computer', { secret: computer, text })
    expect((await read('/phone', { secret: phone })).asked.text).toBe(text)
  })

  test('the account stays the same, also when the page of the phone is loaded again', async () => {
    const { computer, phone } = await pair()
    expect(
      (await read('/phone', { secret: phone, account: { address: alice.address, isContract: false } })).status,
    ).toBe(200)
    expect((await read('/phone', { secret: phone, account: { address: bob.address, isContract: false } })).status).toBe(
      409,
    )
    expect((await read('/computer', { secret: computer })).account.address).toBe(alice.address)
  })

  test('a declined text is told to the computer, which may ask again', async () => {
    const { computer, phone } = await pair('sign-in')
    await read('/computer', { secret: computer, text: await prepareSignIn() })
    await read('/phone', { secret: phone, answer: { number: 1 } })
    expect((await read('/computer', { secret: computer })).answer).toEqual({ number: 1, given: 'declined' })
    expect((await read('/computer', { secret: computer, text: await prepareSignIn() })).askedNumber).toBe(2)
  })
})

describe('nothing is handed over before both screens were compared', () => {
  test.each([
    ['neither', []],
    ['the computer', ['/computer']],
    ['the phone', ['/phone']],
  ] as const)('%s has confirmed', async (_, confirmed) => {
    const { secret: computer, code } = await open()
    const { secret: phone } = await take(code)
    for (const side of confirmed) await read(side, { secret: side === '/phone' ? phone : computer, do: 'confirm' })
    const lent = await read('/phone', { secret: phone, account: { address: alice.address, isContract: false } })
    expect(lent).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    const asked = await read('/computer', { secret: computer, text: await prepareSignIn() })
    expect(asked).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    const seen = await read('/computer', { secret: computer })
    expect(seen.state).toBe('compare')
    expect(seen.account).toBeUndefined()
  })

  test('the computer cannot confirm before a phone has opened the code', async () => {
    const { secret } = await open()
    expect((await read('/computer', { secret, do: 'confirm' })).status).toBe(409)
  })

  test.each(['/computer', '/phone'])('different numbers end it for both: said on %s', async (side) => {
    const { secret: computer, code } = await open()
    const { secret: phone } = await take(code)
    await read(side, { secret: side === '/phone' ? phone : computer, do: 'refuse' })
    for (const [at, secret] of [
      ['/computer', computer],
      ['/phone', phone],
    ] as const)
      expect(await read(at, { secret })).toMatchObject({ state: 'ended', ended: 'numbers-differ' })
    await read('/phone', { secret: phone, do: 'confirm' })
    expect((await read('/computer', { secret: computer, do: 'confirm' })).state).toBe('ended')
  })
})

describe('a stranger', () => {
  test('who opens the same code second gets nothing, and ends what the first one began', async () => {
    const { secret, code } = await open()
    const first = await take(code)
    expect(await read('/take', { code })).toMatchObject({
      status: 409,
      error: { code: 'CONFLICT', details: { reason: 'CODE_TAKEN' } },
    })
    expect(await read('/computer', { secret })).toMatchObject({ state: 'ended', ended: 'second-phone' })
    expect(await read('/phone', { secret: first.secret })).toMatchObject({ state: 'ended' })
  })

  test('cannot end a pairing whose numbers were confirmed', async () => {
    const { computer, code } = await pair()
    expect((await read('/take', { code })).status).toBe(409)
    expect((await read('/look', { code })).status).toBe(409)
    expect((await read('/computer', { secret: computer })).state).toBe('paired')
  })

  test('cannot use the code, or the secret of one side, in place of another', async () => {
    const { computer, phone, code } = await pair()
    const { secret: other } = await open()
    for (const [step, secret] of [
      ['/computer', code],
      ['/phone', code],
      ['/computer', phone],
      ['/phone', computer],
      ['/phone', other],
      ['/computer', 'x'.repeat(43)],
    ] as const)
      expect(await read(step, { secret })).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } })
    for (const step of ['/take', '/look'])
      for (const guess of [computer, phone, 'x'.repeat(43)])
        expect((await read(step, { code: guess })).status).toBe(404)
    expect((await read('/take', { code: 'short' })).status).toBe(400)
  })

  test('cannot replay a signature for another text', async () => {
    const { computer, phone } = await pair('sign-in')
    await read('/computer', { secret: computer, text: await prepareSignIn() })
    await read('/phone', { secret: phone, answer: { number: 1, signature: '0x01' } })
    expect((await read('/phone', { secret: phone, answer: { number: 1, signature: '0x02' } })).status).toBe(409)
    expect((await read('/phone', { secret: phone, answer: { number: 1 } })).status).toBe(409)
    // The phone did not hear the first answer of the server.
    expect((await read('/phone', { secret: phone, answer: { number: 1, signature: '0x01' } })).status).toBe(200)
    await read('/computer', { secret: computer, text: await prepareSignIn() })
    expect((await read('/phone', { secret: phone, answer: { number: 1, signature: '0x03' } })).status).toBe(409)
    expect((await read('/computer', { secret: computer })).answer).toBeUndefined()
  })

  test('cannot have a phone sign any text', async () => {
    const { computer, phone } = await pair()
    const claim = await prepareClaim('ownership-basic', { owner: alice.address, content: 'x' })
    const signIn = await prepareSignIn()
    const texts = [
      'Send me all your coins.',
      // What is dated otherwise would count after the phone has disconnected.
      claim.replace(/Timestamp: (\d+)/, (_, at) => `Timestamp: ${Number(at) + 150_000}`),
      claim.replace(/Timestamp: .*/, 'Timestamp: 1'),
      claim.replace(/Timestamp: .*/, 'Timestamp: never'),
      claim.replace(/Verifiers: .*/, 'Verifiers: whatever'),
      claim.replace(/Verifiers: .*/, 'Verifiers: '),
      claim.replace(/Data: .*/, 'Data: ["I owe Mallory 100 ETH"]'),
      claim.replace(/Data: \{/, 'Data: {"content":"y",'),
      claim.replace(/Chain: .*/, 'Chain: 01'),
      signIn.replace('Sign in. This costs nothing', 'I agree to pay Mallory. This costs nothing'),
      `https://${signIn}`,
      `${signIn}\nRequest ID: 1`,
      `${signIn}\nResources:\n- https://evil.example/contract`,
      signIn.replace(/Nonce: .{8}/, 'Nonce: 00000000'),
      signIn.replace(/Expiration Time: .*/, 'Expiration Time: 2031-01-01T00:00:00.000Z'),
      `${claim}\nAnd more`,
      claim.replace('Portable Proof Verification Request', 'Something else'),
      claim.replace(/Data: .*/, 'Data: no json'),
      signIn.replace('proofs.example', 'evil.example'),
      signIn.replace('URI: https://proofs.example', 'URI: https://evil.example'),
      await prepareSignIn(bob),
      await prepareClaim('ownership-basic', { owner: bob.address, content: 'x' }, bob),
      await prepareClaim('ownership-basic', { action: 'revoke_proof', qHash: `0x${'1'.repeat(64)}` }),
    ]
    for (const text of texts)
      expect({ text, ...(await read('/computer', { secret: computer, text })) }).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_ERROR' },
      })
    expect((await read('/phone', { secret: phone })).asked).toBeUndefined()
  })

  test('has content signed that only looks like a sign-in', async () => {
    const { computer } = await pair()
    const content = 'proofs.example wants you to sign in with your Ethereum account:'
    const text = await prepareClaim('ownership-basic', { owner: alice.address, content })
    expect((await read('/computer', { secret: computer, text })).status).toBe(200)
  })

  test('cannot have a claim signed with a code for signing in', async () => {
    const { computer } = await pair('sign-in')
    const text = await prepareClaim('ownership-basic', { owner: alice.address, content: 'x' })
    expect((await read('/computer', { secret: computer, text })).status).toBe(400)
  })

  test.each(['http://shop.example', 'https://shop.example/path', 'javascript:alert(1)', 'null', 'shop'])(
    'cannot name something else than a site: %s',
    async (site) => {
      expect((await read('', { purpose: 'verify', site })).status).toBe(400)
    },
  )

  test('of another site cannot read the answers', async () => {
    const { headers } = await app.post(path, { purpose: 'verify' }, { origin: 'https://evil.example' })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('cannot have the phone sign a claim or a look that this server would not write', async () => {
    const { computer, phone } = await pair()
    const claim = await prepareClaim('ownership-basic', { owner: alice.address, content: 'Mine' })
    const look = await prepareClaim('ownership-basic', {
      action: 'gate_check_private_proofs',
      walletAddress: alice.address.toLowerCase(),
    })
    const altered = [
      claim.replace(/^Data: .*$/m, 'Data: {"note":"I owe Mallory 10000 USD"}'),
      look.replace(alice.address.toLowerCase(), bob.address.toLowerCase()),
      look.replace('{"action"', '{"a":1,"action"'),
    ]
    for (const text of altered) {
      expect([claim, look]).not.toContain(text)
      expect((await read('/computer', { secret: computer, text })).status).toBe(400)
    }
    expect((await read('/phone', { secret: phone })).asked).toBeUndefined()
    expect((await read('/computer', { secret: computer, text: claim })).status).toBe(200)
  })
})

describe('ends', () => {
  test('five minutes after it was shown, if nobody has confirmed', async () => {
    const { secret, code } = await open()
    for (let passed = 0; passed < pairingLimits.openMs; passed += 60_000) {
      expect((await read('/computer', { secret })).state).toBe('waiting')
      app.wait(60_000)
    }
    expect((await read('/take', { code })).status).toBe(404)
    expect(await read('/computer', { secret })).toMatchObject({ state: 'ended', ended: 'too-old' })
    app.wait(pairingLimits.keptMs)
    expect((await read('/computer', { secret })).status).toBe(404)
  })

  test('when the page on the computer was closed, or its browser is gone', async () => {
    const closed = await pair()
    await read('/computer', { secret: closed.computer, do: 'end' })
    expect(await read('/phone', { secret: closed.phone })).toMatchObject({ state: 'ended', ended: 'by-computer' })
    const gone = await pair()
    app.wait(pairingLimits.silentMs)
    expect(await read('/phone', { secret: gone.phone })).toMatchObject({ state: 'ended', ended: 'computer-gone' })
  })

  test('when the phone says so, and at the latest after a quarter of an hour', async () => {
    const told = await pair()
    await read('/phone', { secret: told.phone, do: 'end' })
    expect(await read('/computer', { secret: told.computer })).toMatchObject({ state: 'ended', ended: 'by-phone' })
    const long = await pair()
    for (let passed = 0; passed < pairingLimits.pairedMs; passed += 60_000) {
      expect((await read('/computer', { secret: long.computer })).state).toBe('paired')
      app.wait(60_000)
    }
    expect(await read('/computer', { secret: long.computer })).toMatchObject({ state: 'ended', ended: 'too-old' })
  })

  test('with the database that it is in, which answers both sides plainly', async () => {
    const { computer, phone } = await pair()
    app = await startApp()
    for (const [step, secret] of [
      ['/computer', computer],
      ['/phone', phone],
    ] as const) {
      const { status, error } = await read(step, { secret })
      expect(status).toBe(404)
      expect(error.message).toContain('show a new one')
    }
  })
})

describe('is bounded', () => {
  test('in open codes of one client address, and those that were closed count no more', async () => {
    app = await startApp({ PROOFGATE_BASE_URL: 'https://proofs.example' })
    const opened = []
    for (let i = 0; i < pairingLimits.mostPerClient; i++) opened.push(await open())
    const { status, headers } = await post('', { purpose: 'verify' })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('300')
    await read('/computer', { secret: opened[0]!.secret, do: 'end' })
    await open()
  })

  test('in connected phones of one client address, which hinder nobody from connecting another', async () => {
    app = await startApp({ PROOFGATE_BASE_URL: 'https://proofs.example', PROOFGATE_LIMITS_RATES_SESSIONS: '1000/1m' })
    for (let i = 0; i < pairingLimits.mostPerClient; i++) await pair()
    await pair()
  })

  test('in texts of one pairing', async () => {
    const { computer } = await pair('sign-in')
    for (let i = 0; i < pairingLimits.mostTasks; i++)
      expect((await read('/computer', { secret: computer, text: await prepareSignIn() })).status).toBe(200)
    expect((await read('/computer', { secret: computer, text: await prepareSignIn() })).status).toBe(409)
  })

  test('in polls, which count for one side of a pairing and not for the address that many people share', async () => {
    app = await startApp({
      PROOFGATE_BASE_URL: 'https://proofs.example',
      PROOFGATE_LIMITS_RATES_API: '100/1m',
      PROOFGATE_LIMITS_RATES_READS: '30/1m',
    })
    const pairs = [await pair(), await pair()]
    for (const { computer, phone } of pairs)
      for (let count = 0; count < 50; count++) {
        expect((await poll('/computer', computer)).status).toBe(200)
        expect((await poll('/phone', phone)).status).toBe(200)
      }
    const page = await app.get('/login')
    expect(page.status).toBe(200)
    expect((await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)).status).toBe(200)
  })

  test('in polls of one side, which is told when to ask again, while others go on', async () => {
    app = await startApp({ PROOFGATE_BASE_URL: 'https://proofs.example', PROOFGATE_LIMITS_RATES_PAIRING: '5/1m' })
    const [one, other] = [await open(), await open()]
    for (let count = 0; count < 5; count++) expect((await poll('/computer', one.secret)).status).toBe(200)
    const { status, headers, body } = await poll('/computer', one.secret)
    expect(status).toBe(429)
    expect(body.error.details.policy).toBe('pairing')
    expect(headers.get('retry-after')).toBe('12')
    expect(headers.get('ratelimit-limit')).toBe('5')
    expect((await poll('/computer', other.secret)).status).toBe(200)
    app.wait(12_000)
    expect((await poll('/computer', one.secret)).status).toBe(200)
  })

  test('in polls of one side beyond its rate, which count for the address', async () => {
    app = await startApp({
      PROOFGATE_BASE_URL: 'https://proofs.example',
      PROOFGATE_LIMITS_RATES_PAIRING: '5/1m',
      PROOFGATE_LIMITS_RATES_READS: '10/1m',
    })
    const { secret } = await open()
    for (let count = 0; count < 5; count++) await poll('/computer', secret)
    for (let count = 0; count < 10; count++)
      expect((await poll('/computer', secret)).body.error.details.policy).toBe('pairing')
    expect((await poll('/computer', secret)).body.error.details.policy).toBe('reads')
  })

  test('in guesses at secrets, in large bodies and in texts, which count for the address', async () => {
    const settings = { PROOFGATE_BASE_URL: 'https://proofs.example', PROOFGATE_LIMITS_RATES_READS: '12/1m' }
    app = await startApp(settings)
    const { secret, code } = await open()
    for (let count = 0; count < 12; count++)
      expect((await poll(count % 2 ? '/phone' : '/computer', `${count}`.padStart(43, 'x'))).status).toBe(404)
    expect((await poll('/computer', 'x'.repeat(43))).status).toBe(429)
    app.wait(60_000)
    for (let count = 0; count < 12; count++) expect((await poll('/computer', code)).status).toBe(404)
    expect((await poll('/computer', code)).status).toBe(429)
    expect((await poll('/computer', secret)).status).toBe(200)
    for (const more of [{ filler: 'x'.repeat(500) }, { text: 'x' }]) {
      app = await startApp(settings)
      const opened = await open()
      for (let count = 0; count < 12; count++)
        expect((await poll('/computer', opened.secret, more)).status).not.toBe(429)
      expect((await poll('/computer', opened.secret, more)).body.error.details.policy).toBe('reads')
    }
  })

  test('in guesses from an address, which leave the owner at the same address all polls of a known secret', async () => {
    const server = await listen({ PROOFGATE_LIMITS_RATES_API: '40/1h', PROOFGATE_LIMITS_RATES_READS: '20/1h' })
    try {
      const send = async (step: string, body: unknown) => {
        const response = await fetch(`${server.url}${path}${step}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
        // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
        return { status: response.status, ...((await response.json()) as any) }
      }
      const { secret, address } = (await send('', { purpose: 'verify' })).data
      const phone = (await send('/take', { code: new URL(address).hash.slice(1) })).data.secret
      const spoiled = ['{"secret":', '{}', 'null', '[]', '""', { secret: 7 }, { secret: 'x'.repeat(43), do: 'end' }]
      const statuses: number[] = []
      for (let count = 0; count < 45; count++) statuses.push((await send('/phone', spoiled[count % 7])).status)
      expect(statuses.slice(0, 20)).not.toContain(429)
      expect(statuses.slice(20)).toEqual(Array(25).fill(429))
      const refused = await send('/look', { code: 'x'.repeat(43) })
      expect(refused).toMatchObject({ status: 429, error: { details: { policy: 'api' } } })
      for (let count = 0; count < 25; count++) {
        expect((await send('/computer', { secret })).data.state).toBe('compare')
        expect((await send('/phone', { secret: phone })).data.state).toBe('compare')
      }
      expect((await send('/phone', { secret: phone, do: 'confirm' })).data.isConfirmed).toBe(true)
      for (const unknown of ['/computer/', '/Computer', '/other'])
        expect((await send(unknown, { secret })).status).toBe(429)
    } finally {
      await server.stop()
    }
  })

  test('in bodies that come without a length, which count for the address', async () => {
    app = await startApp({ PROOFGATE_BASE_URL: 'https://proofs.example', PROOFGATE_LIMITS_RATES_READS: '3/1m' })
    const { secret } = await open()
    for (let count = 0; count < 3; count++) expect((await read('/computer', { secret })).status).toBe(200)
    expect((await read('/computer', { secret })).status).toBe(429)
  })

  test('in codes of all clients', async () => {
    const pairings = openPairings({ ...app.parts, now: () => 0 })
    await app.parts.db.write(
      Array.from({ length: pairingLimits.mostInAll - 1 }, (_, index) => ({
        sql: `INSERT INTO pairings (code_hash, computer_hash, client, stage, sealed, waiting, version, heard_at, expires_at)
              VALUES (unhex(?1), unhex(?1), ?1, 'open', '', 0, 0, 0, 1)`,
        params: [String(index).padStart(64, '0')],
      })),
    )
    await pairings.open('one', { purpose: 'verify' })
    expect(pairings.open('another', { purpose: 'verify' })).rejects.toThrow('too many phones')
  })

  test('in ended ones, which keep nobody from a code and are forgotten', async () => {
    const pairings = openPairings({ ...app.parts, now: app.now })
    for (let count = 0; count < 2 * pairingLimits.mostPerClient; count++) {
      const { secret } = await pairings.open('one', { purpose: 'verify' })
      await pairings.end(secret, 'computer', 'by-computer')
    }
    const count = async () => (await select(app.parts.db, 'SELECT client FROM pairings').all()).length
    expect(await count()).toBe(2 * pairingLimits.mostPerClient)
    app.wait(pairingLimits.keptMs)
    await pairings.open('another', { purpose: 'verify' })
    expect(await count()).toBe(1)
    app.wait(pairingLimits.openMs + pairingLimits.keptMs)
    expect((await app.sweep()).pairings).toBe(1)
  })

  test('in the texts that wait for the phones of one client address', async () => {
    const pairings = openPairings({ ...app.parts, now: () => 0 })
    const ask = async (client: string): Promise<void> => {
      const { code, secret } = await pairings.open(client, { purpose: 'verify' })
      const phone = (await pairings.take(code)).secret
      await pairings.confirm(secret, 'computer')
      await pairings.confirm(phone, 'phone')
      await pairings.lend(phone, { address: alice.address, isContract: false })
      await pairings.ask(secret, pairingLimits.textMaxLength, () => ({
        text: '',
        read: { kind: 'look', signedTimestamp: 0 },
      }))
    }
    const most = Math.floor(pairingLimits.mostWaitingPerClient / pairingLimits.textMaxLength)
    for (let count = 0; count < most; count++) await ask('one')
    expect(ask('one')).rejects.toThrow('too many texts wait for phones')
    await ask('another')
  })

  test('in the texts that wait in all pairings', async () => {
    const pairings = openPairings({ ...app.parts, now: () => 0, mostPerClient: Number.POSITIVE_INFINITY })
    const ask = async (): Promise<string> => {
      const { code, secret } = await pairings.open('one', { purpose: 'verify' })
      const phone = (await pairings.take(code)).secret
      await pairings.confirm(secret, 'computer')
      await pairings.confirm(phone, 'phone')
      await pairings.lend(phone, { address: alice.address, isContract: false })
      await pairings.ask(secret, pairingLimits.textMaxLength, () => ({
        text: '',
        read: { kind: 'look', signedTimestamp: 0 },
      }))
      return phone
    }
    const phones = await Promise.all(
      Array.from({ length: Math.floor(pairingLimits.mostWaiting / pairingLimits.textMaxLength) }, ask),
    )
    expect(ask()).rejects.toThrow('too many texts wait for phones')
    await pairings.answer(phones[0]!, 1, 'declined')
    expect(await ask()).toMatch(/^[\w-]{43}$/)
  })

  test('in the length of a text', async () => {
    const { computer } = await pair()
    const text = 'x'.repeat(pairingLimits.textMaxLength + 1)
    expect((await read('/computer', { secret: computer, text })).status).toBe(400)
  })
})
