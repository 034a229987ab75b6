import { describe, expect, test } from 'bun:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58 } from '@scure/base'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { innerOf, linkClaim } from '../wallet-link.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

const path = '/api/v1/verification'
const hour = 3_600_000
const older = 'SVC Verification Request'
const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Café, private' } }
type Body = Record<string, unknown>

const count = async (app: TestApp, table = 'proofs'): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, `SELECT count(*) AS n FROM ${table}`).get())!.n

const revoke = async (app: TestApp, qHash: string, wallet: TestWallet = alice) =>
  app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(wallet, { action: 'revoke_proof', qHash }))

const erase = async (app: TestApp, wallet: TestWallet = alice) =>
  app.post(
    '/api/v1/proofs/erase-all',
    await app.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress: wallet.address.toLowerCase() }),
  )

/** Earlier versions stored the hash of the text alone. */
const markAsBefore = async (app: TestApp, { signature: _, ...request }: Body): Promise<void> => {
  const { body } = await app.post(`${path}/standardize`, request)
  const hash = Bun.SHA256.hash(`${alice.address.toLowerCase()}\n${body.data.signerString}`, 'hex')
  const marked = await app.parts.db.write([{ sql: 'UPDATE spent_signatures SET digest = unhex(?1)', params: [hash] }])
  expect(marked).toEqual({ changes: [1] })
}

/** Everything that widens who sees a claim. */
const wide = {
  options: {
    privacyLevel: 'public',
    publicDisplay: true,
    storeOriginalContent: true,
    meta: { title: 'Seen by all', tags: ['leaked'] },
  },
  meta: { description: 'Added by somebody else' },
}

const compact = (signature: string): string => {
  const { r, s, recovery } = secp256k1.Signature.fromBytes(
    Uint8Array.fromHex(
      `${(Number.parseInt(signature.slice(-2), 16) - 27).toString(16).padStart(2, '0')}${signature.slice(2, 130)}`,
    ),
    'recovered',
  )
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  return `0x${word(r)}${word(s | (BigInt(recovery!) << 255n))}`
}
const lastByte = (signature: string): number => Number.parseInt(signature.slice(-2), 16)

describe('one signed text is one claim', () => {
  const spellings: readonly (readonly [string, (body: Body) => Body])[] = [
    ['chain in place of the default', (body) => ({ ...body, chain: 'eip155:84532' })],
    ['chainId in place of the default', (body) => ({ ...body, chainId: 84532 })],
    ['chain and chainId', (body) => ({ ...body, chain: 'eip155:84532', chainId: 84532 })],
    [
      'the address in lower case',
      (body) => ({ ...body, walletAddress: alice.address.toLowerCase(), chain: 'eip155:84532' }),
    ],
    ['a method hint', (body) => ({ ...body, chain: 'eip155:84532', signatureMethod: 'personal_sign' })],
    ['another spelling of the hint', (body) => ({ ...body, chain: 'eip155:84532', signatureMethod: 'EIP-191' })],
    [
      'a version of the verifier that was not signed',
      (body) => ({ ...body, chain: 'eip155:84532', verifierIds: ['ownership-basic@1'] }),
    ],
    [
      'members in another order',
      (body) => ({
        ...Object.fromEntries(Object.entries(body).reverse()),
        chain: 'eip155:84532',
        data: { content: 'Café, private', owner: alice.address },
      }),
    ],
    [
      'data in another normal form',
      (body) => ({
        ...body,
        chain: 'eip155:84532',
        data: { owner: alice.address, content: 'Café, private'.normalize('NFD') },
      }),
    ],
    [
      'the signature in the compact form of EIP-2098',
      (body) => ({ ...body, chain: 'eip155:84532', signature: compact(String(body.signature)) }),
    ],
    [
      'v as 0 or 1',
      (body) => ({
        ...body,
        chain: 'eip155:84532',
        signature: `${String(body.signature).slice(0, -2)}0${lastByte(String(body.signature)) - 27}`,
      }),
    ],
    [
      'the signature in upper case',
      (body) => ({ ...body, chain: 'eip155:84532', signature: `0x${String(body.signature).slice(2).toUpperCase()}` }),
    ],
    [
      'another subject and extras',
      (body) => ({
        ...body,
        chain: 'eip155:84532',
        subjectWallet: alice.address,
        options: { verifierOptions: { chainId: 1 } },
      }),
    ],
  ]

  test.each(spellings)(
    'spelled with %s it answers with the proof of the request that came first',
    async (_, spelled) => {
      const app = await startApp()
      const request = await app.signed(alice, claim)
      const first = await app.post(path, request)
      app.wait(1000)

      const again = await app.post(path, { ...spelled(request), ...wide })

      expect(again.status).toBe(200)
      expect(again.body.data.qHash).toBe(first.body.data.qHash)
      expect(again.body.data).toMatchObject({ privacyLevel: 'private', chainId: 84532 })
      expect(again.body.data.portableProof).toMatchObject({ qHash: first.body.data.qHash, chainId: 84532 })
      expect(again.body.data.portableProof.chain).toBeUndefined()
      expect(JSON.stringify(again.body)).not.toMatch(/Seen by all|leaked|Added by somebody/)
      expect(await count(app)).toBe(1)
      const listed = await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)
      expect(listed.body.data.proofs).toEqual([])
    },
  )

  test.each(spellings)('spelled with %s it is known by the mark of an earlier version', async (_, spelled) => {
    const app = await startApp()
    const request = await app.signed(alice, claim)
    const first = await app.post(path, request)
    await markAsBefore(app, request)

    const again = await app.post(path, spelled(request))

    expect(again.status).toBe(200)
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    expect(await count(app)).toBe(1)
    expect(await count(app, 'spent_signatures')).toBe(1)
  })

  test.each(spellings)(
    'spelled with %s it is refused after the proof was revoked, and after everything was erased',
    async (_, spelled) => {
      const app = await startApp()
      const request = await app.signed(alice, claim)
      const { qHash } = (await app.post(path, request)).body.data
      await revoke(app, qHash)

      const revoked = await app.post(path, spelled(request))
      expect(revoked).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { qHash } } } })
      expect(revoked.body.error.message).toContain('revoked')

      await erase(app)
      await app.sweep()
      const erased = await app.post(path, spelled(request))
      expect(erased).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { qHash } } } })
      expect(erased.body.error.message).toContain('erased')
      expect(await count(app)).toBe(0)
    },
  )

  test('the id belongs to whichever spelling came first', async () => {
    const app = await startApp()
    const request = await app.signed(alice, { ...claim, chain: 'eip155:84532' })
    const first = await app.post(path, request)
    const { chain: _, ...bare } = request
    const again = await app.post(path, { ...bare, chainId: 84532 })
    expect(again.status).toBe(200)
    expect(again.body.data).toEqual(first.body.data)
    expect(again.body.data).toMatchObject({ chain: 'eip155:84532', portableProof: { chain: 'eip155:84532' } })
  })

  test('many spellings at the same time make one proof, and all answer with it', async () => {
    const app = await startApp()
    const request = await app.signed(alice, claim)
    const answers = await Promise.all(
      spellings.flatMap(([, spelled]) => [
        app.post(path, spelled(request)),
        app.post(path, { ...spelled(request), ...wide }),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.data.qHash)).size).toBe(1)
    expect(new Set(answers.map(({ body }) => body.data.privacyLevel)).size).toBe(1)
    expect([await count(app), await count(app, 'spent_signatures')]).toEqual([1, 1])
  })

  test('a signature of an Ed25519 key is one claim in base58, in hexadecimal and with its prefix', async () => {
    const app = await startApp()
    const request = await app.signed(sol, {
      verifierIds: ['ownership-basic'],
      data: { owner: sol.address, content: 'x' },
    })
    const first = await app.post(path, request)
    const hex = base58.decode(String(request.signature)).toHex()
    for (const signature of [hex, `0x${hex}`, hex.toUpperCase(), `ed25519:${request.signature}`]) {
      const again = await app.post(path, { ...request, chainId: 84532, signature, ...wide })
      expect([again.status, again.body.data.qHash]).toEqual([200, first.body.data.qHash])
    }
    expect(await count(app)).toBe(1)
  })

  test('a signature over an older title is one claim as well', async () => {
    const app = await startApp({ PROOFGATE_SIGNING_ACCEPTED_TITLES: older })
    const { signature: _, ...body } = await app.signed(alice, claim)
    const prepared = (await app.post(`${path}/standardize`, body)).body.data.signerString as string
    const signature = await alice.sign(prepared.replace('Portable Proof Verification Request', older))
    const first = await app.post(path, { ...body, signature })
    const again = await app.post(path, { ...body, signature, chain: 'eip155:84532', ...wide })
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.body.data.qHash).toBe(first.body.data.qHash)
    expect(await count(app)).toBe(1)
  })

  test.each([
    'eip155:084532',
    'eip155:0x14a34',
    'EIP155:84532',
    'eip155:84532 ',
    'eip155:9007199254740993',
    'eip155:+84532',
  ])('the chain is not spelled as %p', async (chain) => {
    const app = await startApp()
    const request = await app.signed(alice, claim)
    expect(await app.post(path, { ...request, chain })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
    expect([await count(app), await count(app, 'spent_signatures')]).toEqual([0, 0])
  })

  test('a refused request does not use up the signature', async () => {
    const app = await startApp()
    const request = await app.signed(alice, {
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: alice.address, agentWallet: bob.address, expiresAt: app.now() + 1_000 },
    })
    app.wait(2_000)
    expect((await app.post(path, request)).status).toBe(400)
    expect(await count(app, 'spent_signatures')).toBe(0)
  })

  test('two texts that differ in their timestamp are two claims', async () => {
    const app = await startApp()
    const first = await app.submit(alice, claim)
    app.wait(1)
    const second = await app.submit(alice, { ...claim, chain: 'eip155:84532', ...wide })
    expect(second.status).toBe(200)
    expect(second.body.data.qHash).not.toBe(first.body.data.qHash)
    expect(second.body.data.privacyLevel).toBe('public')
  })

  test('the text stays used for longer than it is accepted, and is then forgotten', async () => {
    const app = await startApp()
    const request = await app.signed(alice, { ...claim, signedTimestamp: app.now() + 60_000 })
    await app.post(path, request)
    await erase(app)
    for (let minutes = 0; minutes <= 6; minutes++) {
      await app.sweep()
      expect((await app.post(path, { ...request, chain: 'eip155:84532' })).status).toBe(409)
      app.wait(60_000)
    }
    expect((await app.post(path, { ...request, chain: 'eip155:84532' })).status).toBe(401)
    await app.sweep()
    expect(await count(app, 'spent_signatures')).toBe(2)
    // A day and the rest of an hour more, because a clock may be set back.
    app.wait(26 * hour)
    await app.sweep()
    expect(await count(app, 'spent_signatures')).toBe(0)
  })

  test('a claim that a session made and that its wallet then signs is one claim, in every spelling', async () => {
    const app = await startApp()
    const browser = await app.signIn(alice)
    const signedTimestamp = app.now()
    const made = await app.post(path, { walletAddress: alice.address, signedTimestamp, ...claim }, browser.headers)
    const request = await app.signed(alice, { ...claim, signedTimestamp })
    const again = await app.post(path, request)
    const other = await app.post(path, { ...request, chain: 'eip155:84532', ...wide })
    expect([made.status, again.status, other.status]).toEqual([200, 200, 200])
    expect([again.body.data.qHash, other.body.data.qHash]).toEqual([made.body.data.qHash, made.body.data.qHash])
    expect(await count(app)).toBe(1)
  })
})

describe('the second signature of a wallet link', () => {
  const link = async (app: TestApp, data: object) => {
    app.wait(1)
    return app.submit(alice, { verifierIds: ['wallet-link'], data })
  }

  test('makes one link: after the link was revoked no other request brings it back', async () => {
    const app = await startApp()
    const { data } = await linkClaim(app, alice, bob)
    const made = await link(app, data)
    expect(made.status).toBe(200)
    await revoke(app, made.body.data.qHash)

    for (const changed of [
      data,
      { ...data, label: 'again' },
      { ...data, signature: compact(data.signature) },
      { ...data, relationshipType: 'personal' },
    ])
      expect(await link(app, changed)).toMatchObject({
        status: 409,
        body: { error: { code: 'CONFLICT', details: { reason: 'LINK_SIGNATURE_USED' } } },
      })
    expect(await count(app)).toBe(1)
  })

  test('makes no second link beside the first either, nor after everything was erased', async () => {
    const app = await startApp()
    const { data } = await linkClaim(app, alice, bob)
    expect((await link(app, data)).status).toBe(200)
    expect((await link(app, data)).status).toBe(409)
    await erase(app)
    expect((await link(app, data)).status).toBe(409)
  })

  test('stays used for as long as link_max_age_seconds lets it in', async () => {
    const app = await startApp({ PROOFGATE_SIGNING_LINK_MAX_AGE_SECONDS: '86400' })
    const { data } = await linkClaim(app, alice, bob)
    const made = await link(app, data)
    await revoke(app, made.body.data.qHash)
    for (let hours = 0; hours < 23; hours++) {
      app.wait(hour)
      await app.sweep()
      expect((await link(app, data)).status).toBe(409)
    }
    app.wait(2 * hour)
    await app.sweep()
    expect((await link(app, data)).body.error.details.reason).toBe('LINK_SIGNATURE_EXPIRED')
  })

  test('a new signature of the second wallet links again', async () => {
    const app = await startApp()
    const made = await link(app, (await linkClaim(app, alice, bob)).data)
    await revoke(app, made.body.data.qHash)
    app.wait(1)
    expect((await link(app, (await linkClaim(app, alice, bob)).data)).status).toBe(200)
  })

  test('a request that is refused for another reason leaves it unspent', async () => {
    const app = await startApp()
    const { accounts, signed } = await innerOf({ primary: alice, secondary: bob, at: app.now() })
    const { primaryAccountId, secondaryAccountId } = accounts
    const data = { primaryAccountId, secondaryAccountId, ...signed }
    const request = await app.signed(alice, { verifierIds: ['wallet-link'], data })
    expect((await app.post(path, { ...request, signature: `0x${'1'.repeat(130)}` })).status).toBe(401)
    expect((await app.post(path, request)).status).toBe(200)
  })
})
