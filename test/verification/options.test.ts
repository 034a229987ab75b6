import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { tableNames } from '../parts/tables.ts'
import { alice, bob } from '../wallets.ts'

const text = 'A secret that must not be readable'
const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: text } }

describe('options of a verification request (src/guides/wire.md, "Options")', async () => {
  const app = await startApp()
  const submit = (more: object) => {
    app.wait(1)
    return app.submit(alice, { ...claim, ...more })
  }

  test.each<[string, object | undefined, object]>([
    ['nothing', undefined, { privacyLevel: 'private', publicDisplay: false }],
    ['private', { privacyLevel: 'private' }, { privacyLevel: 'private', publicDisplay: false }],
    [
      'private and displayed, which cannot be',
      { publicDisplay: true },
      { privacyLevel: 'private', publicDisplay: false },
    ],
    ['public', { privacyLevel: 'public' }, { privacyLevel: 'public', publicDisplay: false }],
    [
      'public and displayed',
      { privacyLevel: 'public', publicDisplay: true },
      { privacyLevel: 'public', publicDisplay: true },
    ],
  ])('privacy of a proof that asked for: %s', async (_, options, settled) => {
    const { body } = await submit({ options })
    expect(body.data).toMatchObject(settled)
    expect(body.data.options).toMatchObject(settled)
    expect(body.data.meta.publiclyAccessible).toBe(body.data.privacyLevel === 'public')
  })

  test.each(['Free \u202epaid', 'my \u200d book', 'one\ntwo', '\u2800'])(
    'a title in which not every character is seen is refused: %j',
    async (title) => {
      expectRefused(await submit({ meta: { title } }), 'VALIDATION_ERROR', /meta\.title holds /)
      expectRefused(await submit({ options: { meta: { title } } }), 'VALIDATION_ERROR', /meta\.title/)
    },
  )

  test('a title may hold emoji, and may be empty', async () => {
    for (const title of ['My book 👩‍💻', '']) expect((await submit({ meta: { title } })).body.data.title).toBe(title)
  })

  test('title, description and tags come from options.meta or meta, and the rest of meta is kept as it is', async () => {
    const { body } = await submit({
      options: { meta: { title: 'Older', tags: ['a', 'topic:b'], source: { app: 'x' } } },
      meta: { title: 'Newer', description: 'D' },
    })
    expect(body.data).toMatchObject({ title: 'Newer', tags: ['a', 'topic:b'] })
    expect(body.data.meta).toMatchObject({
      title: 'Newer',
      description: 'D',
      tags: ['a', 'topic:b'],
      source: { app: 'x' },
    })
  })

  test('meta cannot say that a private proof is public', async () => {
    const { body } = await submit({ meta: { privacyLevel: 'public', publiclyAccessible: true } })
    expect(body.data.meta).toMatchObject({ privacyLevel: 'private', publiclyAccessible: false })
  })

  test('meta.contentText is the content by another name, and is not kept', async () => {
    const { body } = await submit({ options: { meta: { contentText: text } } })
    expect(JSON.stringify(body.data.meta)).not.toContain('secret')
    expect(JSON.stringify(await select<object>(app.parts.db, 'SELECT record FROM proofs').all())).not.toContain(
      'secret',
    )
  })

  test.each<[string, object]>([
    ['an unknown privacy level', { options: { privacyLevel: 'friends' } }],
    ['a flag in words', { options: { publicDisplay: 'yes' } }],
    ['a title of 201 characters', { meta: { title: 'x'.repeat(201) } }],
    ['33 tags', { meta: { tags: Array.from({ length: 33 }, (_, index) => `t${index}`) } }],
    ['an empty tag', { options: { meta: { tags: [''] } } }],
    ['meta of more than 8192 bytes', { meta: { note: '\u00e9'.repeat(4096) } }],
  ])('refuses %s', async (_, more) => {
    expect(await submit(more)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  })

  const noChain =
    /^options\.\S+: .* chain \d+, because it lacks a table \[chains\.<name>\] with chain = "eip155:\d+", rpc and eas and publishing\.private_key:/
  test.each<[string, object, string, RegExp]>([
    ['publishToHub', { publishToHub: true }, '/options/publishToHub', noChain],
    ['targetChains', { targetChains: [11_155_111] }, '/options/targetChains/0', noChain],
    ['the hub among targetChains', { targetChains: [84_532] }, '/options/targetChains/0', noChain],
    [
      'enableIpfs',
      { enableIpfs: true, privacyLevel: 'public' },
      '/options/enableIpfs',
      /ipfs\.kubo_url or ipfs\.pinning_url/,
    ],
    [
      'enableIpfs of a private proof',
      { enableIpfs: true },
      '/options/enableIpfs',
      /public proofs only: set options\.privacyLevel/,
    ],
  ])(
    'refuses %s that is not to be had here, says what is missing, and stores nothing',
    async (_, options, path, says) => {
      const answer = await leavesNothing(app.parts, () => submit({ options }))
      expectRefused(answer, 'VALIDATION_ERROR', says)
      expect(answer.body.error.details.path).toBe(path)
    },
  )

  test('names the missing setting of a read-only chain, and never the key', async () => {
    const privateKey = `0x${'7'.repeat(64)}`
    const reading = await startApp({
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:1',
      PROOFGATE_PUBLISHING_PRIVATE_KEY: privateKey,
    })
    const answer = await reading.submit(alice, { ...claim, options: { targetChains: [8453] } })
    expectRefused(answer, 'VALIDATION_ERROR', /because it lacks chains\.base\.eas:/)
    expect(JSON.stringify(answer.body)).not.toContain('7777')
  })

  test('lets only the wallets that the operator named publish at the operator’s cost', async () => {
    const choosy = await startApp({
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:1',
      PROOFGATE_CHAINS_BASE_EAS: '0x4200000000000000000000000000000000000021',
      PROOFGATE_PUBLISHING_PRIVATE_KEY: `0x${'7'.repeat(64)}`,
      PROOFGATE_PUBLISHING_WALLETS: alice.address.toLowerCase(),
    })
    const publishedBy = (wallet: typeof alice) =>
      choosy.submit(wallet, {
        verifierIds: ['ownership-basic'],
        data: { owner: wallet.address, content: text },
        options: { targetChains: [8453] },
      })
    const refused = await leavesNothing(choosy.parts, () => publishedBy(bob))
    expectRefused(refused, 'FORBIDDEN', /publishing\.wallets/)
    expect((await publishedBy(alice)).status).toBe(202)
  })

  test.each<[string, unknown]>([
    ['26 target chains', Array.from({ length: 26 }, (_, index) => index + 1)],
    ['a target chain in words', ['base']],
    ['a target chain below 1', [0]],
  ])('refuses %s', async (_, targetChains) => {
    expectRefused(await submit({ options: { targetChains } }), 'VALIDATION_ERROR', /targetChains/)
  })

  test('the default values that clients always send are accepted', async () => {
    const { status } = await submit({ options: { publishToHub: false, targetChains: [], enableIpfs: false } })
    expect(status).toBe(200)
  })

  test('unknown options are let through', async () => {
    expect((await submit({ options: { forceZK: true, hostedCheckoutUrl: 'https://x.example' } })).status).toBe(200)
  })
})

describe('storeOriginalContent', () => {
  const contents = (app: Awaited<ReturnType<typeof startApp>>) =>
    select<{ content: string | null; sealed: string | null }>(app.parts.db, 'SELECT * FROM contents').all()

  test('is sealed for a private proof, and readable by its owner only', async () => {
    const app = await startApp()
    const { body } = await app.submit(alice, { ...claim, options: { storeOriginalContent: true } })
    expect(body.data).toMatchObject({ publicContent: { content: text }, contentResolutionStatus: 'resolved' })

    const [row] = await contents(app)
    expect(row).toMatchObject({ content: null, sealed: expect.stringMatching(/^v1\./) })
    for (const name of tableNames)
      expect(JSON.stringify(await select<object>(app.parts.db, `SELECT * FROM ${name}`).all())).not.toContain('secret')

    const { qHash } = body.data
    const headers = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    expect((await app.get(`/api/v1/proofs/${qHash}`, headers)).body.data.publicContent).toEqual({ content: text })
    expect((await app.get(`/api/v1/proofs/${qHash}`)).body.data).not.toHaveProperty('publicContent')
  })

  test('is readable by everybody for a public proof, and stays out of the rows', async () => {
    const app = await startApp()
    const { body } = await app.submit(alice, {
      ...claim,
      options: { storeOriginalContent: true, privacyLevel: 'public' },
    })

    expect(await contents(app)).toMatchObject([{ content: text, sealed: null }])
    const { data } = (await app.get(`/api/v1/proofs/${body.data.qHash}`)).body
    expect(data).toMatchObject({ publicContent: { content: text }, contentResolutionStatus: 'resolved' })
    expect(JSON.stringify(data.verifiedVerifiers)).not.toContain('secret')
  })

  test('is off by default: the hash stays, the text is gone', async () => {
    const app = await startApp()
    const { body } = await app.submit(alice, { ...claim, options: { privacyLevel: 'public' } })
    expect(await contents(app)).toEqual([])
    expect(body.data).not.toHaveProperty('publicContent')
    expect(body.data.contentResolutionStatus).toBe('hash_only_not_recoverable')
  })

  test('sent again, the same request answers with the content as before', async () => {
    const app = await startApp()
    const request = await app.signed(alice, { ...claim, options: { storeOriginalContent: true } })
    const first = await app.post('/api/v1/verification', request)
    const again = await app.post('/api/v1/verification', request)
    expect(again.body.data).toEqual(first.body.data)
  })

  test('a list does not call a stored content unrecoverable', async () => {
    const app = await startApp()
    await app.submit(alice, {
      ...claim,
      options: { storeOriginalContent: true, privacyLevel: 'public', publicDisplay: true },
    })
    const { body } = await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)
    expect(body.data.proofs[0].contentResolutionStatus).not.toBe('hash_only_not_recoverable')
  })
})
