import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { agent, alice, bob, sol, type TestWallet } from '../wallets.ts'

const listed = { privacyLevel: 'public', publicDisplay: true }
const unlisted = { privacyLevel: 'public' }
const pathOf = (wallet: TestWallet) => `/api/v1/proofs/by-wallet/${wallet.address}`
const ownerOf = (app: TestApp, wallet: TestWallet) =>
  app.ownerHeaders(wallet, {
    action: 'access_private_proofs_by_wallet',
    walletAddress: wallet === sol ? wallet.address : wallet.address.toLowerCase(),
  })
const idsIn = ({ body }: { body: { data: { proofs: { qHash: string }[] } } }) =>
  body.data.proofs.map(({ qHash }) => qHash)
const revoke = async (app: TestApp, wallet: TestWallet, qHash: string) =>
  app.post(`/api/v1/proofs/revoke-self/${qHash}`, await app.ownerBody(wallet, { action: 'revoke_proof', qHash }))

describe('GET /api/v1/proofs/by-wallet/{address}: who sees what', async () => {
  const app = await startApp()
  const secret = await app.prove(alice)
  const byId = await app.prove(alice, unlisted)
  const open = await app.prove(alice, listed)
  const ofSol = await app.prove(sol, listed)
  const owner = await ownerOf(app, alice)

  test('a stranger sees the listed public proofs, the whole answer has the documented shape', async () => {
    const { status, body } = await app.get(pathOf(alice))
    const evm = alice.address.toLowerCase()
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      timestamp: new Date(app.now()).toISOString(),
      data: {
        proofs: [
          expect.objectContaining({ qHash: open, walletAddress: evm, revokedAt: null, createdAt: expect.any(Number) }),
        ],
        totalCount: 1,
        hasMore: false,
        resolved: {
          identifier: alice.address,
          walletAddress: evm,
          did: `did:pkh:eip155:84532:${evm}`,
          idType: 'wallet',
        },
        pagination: { limit: 50, offset: 0, totalCount: 1, hasMore: false, nextOffset: null },
        nextOffset: null,
        nextCursor: null,
        pageInfo: { limit: 50, hasNextPage: false, nextCursor: null },
      },
    })
  })

  test('the owner sees all, newest first, with a limit of 1000 unless another is asked for', async () => {
    const answer = await app.get(pathOf(alice), owner)
    expect(idsIn(answer)).toEqual([open, byId, secret])
    expect(answer.body.data).toMatchObject({ totalCount: 3, pageInfo: { limit: 1000 } })
  })

  test.each(['visibility=public', 'isPublicRead=1', 'isPublicRead=true', 'isPublicRead=yes'])(
    'the owner may look with the eyes of a stranger: %s',
    async (query) => {
      const answer = await app.get(`${pathOf(alice)}?${query}`, owner)
      expect(idsIn(answer)).toEqual([open])
      expect(answer.body.data.pageInfo.limit).toBe(50)
    },
  )

  test('isPublicRead=0 does not restrict the owner', async () => {
    expect(idsIn(await app.get(`${pathOf(alice)}?isPublicRead=no`, owner))).toHaveLength(3)
  })

  test('a wrong signature is refused, and so is the right one of another wallet', async () => {
    const wrong = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash: secret })
    expect((await app.get(pathOf(alice), wrong)).status).toBe(401)
    expect(await app.get(pathOf(alice), await ownerOf(app, bob))).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    })
  })

  test.each([
    ['in lower case', alice.address.toLowerCase(), 'wallet'],
    ['as a DID', `did:pkh:eip155:84532:${alice.address.toLowerCase()}`, 'did'],
    ['as a DID in checksum case', `did:pkh:eip155:84532:${alice.address}`, 'did'],
    ['as a DID of another EVM chain', `did:pkh:eip155:1:${alice.address}`, 'did'],
    ['as a DID with its colons escaped', encodeURIComponent(`did:pkh:eip155:84532:${alice.address}`), 'did'],
  ])('the wallet may be named %s', async (_, identifier, idType) => {
    const answer = await app.get(`/api/v1/proofs/by-wallet/${identifier}`)
    expect(idsIn(answer)).toEqual([open])
    const { resolved } = answer.body.data
    expect(resolved).toMatchObject({ idType, walletAddress: alice.address.toLowerCase() })
    expect(resolved.did).toBe(resolved.did.toLowerCase())
  })

  test('Solana addresses are found as they are spelled, and not otherwise', async () => {
    expect(idsIn(await app.get(pathOf(sol)))).toEqual([ofSol])
    expect((await app.get(pathOf(sol), await ownerOf(app, sol))).body.data.totalCount).toBe(1)
    expect(idsIn(await app.get(`/api/v1/proofs/by-wallet/did:pkh:solana:mainnet:${sol.address}`))).toEqual([ofSol])
    expect(idsIn(await app.get(`/api/v1/proofs/by-wallet/${sol.address.toLowerCase()}`))).toEqual([])
  })

  test('the older path answers the same', async () => {
    const older = await app.get(`/api/v1/proofs/byWallet/${alice.address}`, owner)
    expect(older.body).toEqual((await app.get(pathOf(alice), owner)).body)
  })

  test('an unknown wallet has an empty list', async () => {
    expect((await app.get(pathOf(agent))).body.data).toMatchObject({ proofs: [], totalCount: 0, hasMore: false })
  })

  test.each(['0x12', 'a', 'did:web:example.com', 'did:pkh:eip155:1', '%20', 'Not-An-Address!'])(
    'refused: %s, which is no wallet',
    async (identifier) => {
      expect(await app.get(`/api/v1/proofs/by-wallet/${identifier}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_WALLET_ADDRESS' } },
      })
    },
  )
})

describe('history: revoked proofs and those a newer run replaced', async () => {
  const app = await startApp()
  const run = (content: string) => app.prove(alice, listed, { content })
  const replaced = await run('Same')
  const current = await run('Same')
  const revoked = await run('Other')
  await revoke(app, alice, revoked)
  const owner = await ownerOf(app, alice)

  test.each([
    ['a stranger', {}],
    ['the owner', owner],
  ])('is left out of the list of %s, and shown when asked for', async (_, headers) => {
    const plain = await app.get(pathOf(alice), headers)
    expect(idsIn(plain)).toEqual([current])
    expect(plain.body.data.totalCount).toBe(1)
    const all = await app.get(`${pathOf(alice)}?includeHistory=1`, headers)
    expect(idsIn(all)).toEqual([revoked, current, replaced])
    expect(all.body.data.totalCount).toBe(3)
  })

  test('replaced proofs stay readable by id', async () => {
    expect((await app.get(`/api/v1/proofs/${replaced}`)).body.status).toBe('verified')
  })

  test('another wallet with the same claim replaces no proof', async () => {
    const before = (await app.get(pathOf(alice))).body.data.totalCount
    await app.prove(bob, listed, { content: 'Same' })
    expect((await app.get(pathOf(alice))).body.data.totalCount).toBe(before)
  })
})

describe('totals', () => {
  test('follow every change of a proof’s life', async () => {
    const app = await startApp()
    const owner = await ownerOf(app, alice)
    const totals = async () => {
      const ask = async (query: string, headers: object) =>
        (await app.get(`${pathOf(alice)}${query}`, headers as Record<string, string>)).body.data.totalCount
      return [
        await ask('', {}),
        await ask('', owner),
        await ask('?includeHistory=1', {}),
        await ask('?includeHistory=1', owner),
      ]
    }
    const [first, second] = [
      await app.prove(alice, listed, { content: 'A' }),
      await app.prove(alice, {}, { content: 'B' }),
    ]
    expect(await totals()).toEqual([1, 2, 1, 2])
    const newer = await app.prove(alice, listed, { content: 'A' })
    expect(await totals()).toEqual([1, 2, 2, 3])
    await revoke(app, alice, first)
    expect(await totals()).toEqual([1, 2, 2, 3])
    await revoke(app, alice, newer)
    await revoke(app, alice, newer)
    expect(await totals()).toEqual([0, 1, 2, 3])
    await revoke(app, alice, second)
    expect(await totals()).toEqual([0, 0, 2, 3])
    await app.prove(alice, unlisted, { content: 'C' })
    expect(await totals()).toEqual([0, 1, 2, 4])
  })

  test('are exact for a filtered list on one page, and null where it goes on', async () => {
    const app = await startApp()
    await app.prove(alice, listed)
    await app.prove(alice, listed)
    const ask = async (query: string) => (await app.get(`${pathOf(alice)}?status=verified${query}`)).body.data
    expect(await ask('')).toMatchObject({ totalCount: 2, pagination: { totalCount: 2 }, proofs: [{}, {}] })
    const first = await ask('&limit=1')
    expect(first).toMatchObject({ totalCount: null, pagination: { totalCount: null }, proofs: [{}], hasMore: true })
    expect(await ask(`&limit=1&cursor=${first.nextCursor}`)).toMatchObject({ totalCount: null, proofs: [{}] })
    expect(await ask('&offset=1')).toMatchObject({ totalCount: null, proofs: [{}] })
  })

  test('with qHash are 0 or 1, whatever page is asked for and whatever else narrows the list', async () => {
    const app = await startApp()
    const [shown, secret] = [await app.prove(alice, listed), await app.prove(alice)]
    const total = async (query: string) => {
      const { totalCount, pagination } = (await app.get(`${pathOf(alice)}?${query}`)).body.data
      expect(pagination.totalCount).toBe(totalCount)
      return totalCount
    }
    expect(await total(`qHash=${shown}`)).toBe(1)
    expect(await total(`qHash=${shown}&offset=1`)).toBe(1)
    expect(await total(`qHash=${shown}&status=verified&tag=none`)).toBe(0)
    expect(await total(`qHash=${secret}`)).toBe(0)
    expect(await total(`qHash=0x${'12'.repeat(32)}`)).toBe(0)
  })
})

describe('ETag', async () => {
  const app = await startApp()
  const qHash = await app.prove(alice, listed)
  const ask = (etag: string | null) => app.get(pathOf(alice), etag === null ? {} : { 'if-none-match': etag })
  const first = await ask(null)
  const etag = first.headers.get('etag')!

  test('an unchanged list is answered with 304 and no body, also a minute later', async () => {
    app.wait(60_000)
    for (const sent of [etag, `"x", ${etag}`, '*']) {
      const again = await ask(sent)
      expect(again.status).toBe(304)
      expect(again.body).toBeUndefined()
      expect(again.headers.get('etag')).toBe(etag)
    }
  })

  test('another tag gets the list', async () => {
    expect((await ask('W/"other"')).status).toBe(200)
  })

  test('the owner and a stranger have different tags', async () => {
    const own = await app.get(pathOf(alice), { ...(await ownerOf(app, alice)), 'if-none-match': etag })
    expect(own.status).toBe(200)
    expect(own.headers.get('etag')).not.toBe(etag)
  })

  test('a browser does not store the owner’s answer, and revalidates the public one', async () => {
    const headers = await ownerOf(app, alice)
    const kept = async (query: string, more: Record<string, string> = headers) =>
      (await app.get(`${pathOf(alice)}${query}`, more)).headers.get('cache-control')
    for (const query of ['', '?visibility=owner&includePortable=1', '?privacyLevel=public'])
      expect(await kept(query)).toBe('no-store')
    const own = await app.get(pathOf(alice), headers)
    const again = await app.get(pathOf(alice), { ...headers, 'if-none-match': own.headers.get('etag')! })
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'no-store'])
    expect(await kept('?visibility=public')).toBe('private, no-cache')
    expect(await kept('', {})).toBe('private, no-cache')
  })

  test('a changed list has a new tag', async () => {
    await revoke(app, alice, qHash)
    const changed = await ask(etag)
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })
})

describe('runs of one claim', () => {
  const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Run again and again' } }
  const run = async (app: TestApp, options: object) => {
    app.wait(1)
    return (await app.submit(alice, { ...claim, options })).body.data.qHash as string
  }
  const publicList = async (app: TestApp) => idsIn(await app.get(pathOf(alice)))

  test('a private run leaves the public one listed', async () => {
    const app = await startApp()
    const open = await run(app, listed)
    await run(app, {})
    expect(await publicList(app)).toEqual([open])
  })

  test('a public run takes the place of all before it', async () => {
    const app = await startApp()
    await run(app, listed)
    await run(app, {})
    const newest = await run(app, listed)
    expect(await publicList(app)).toEqual([newest])
  })

  test('change no list when another wallet makes the same claim', async () => {
    const app = await startApp()
    const open = await run(app, listed)
    app.wait(1)
    await app.submit(bob, { ...claim, data: { ...claim.data, owner: bob.address }, options: listed })
    expect(await publicList(app)).toEqual([open])
  })
})

test('the DID of a wallet that is not EVM names the chain of its form', async () => {
  const app = await startApp()
  const didOf = async (wallet: string) => (await app.get(`/api/v1/proofs/by-wallet/${wallet}`)).body.data.resolved.did
  expect(await didOf(sol.address)).toBe(`did:pkh:solana:mainnet:${sol.address}`)
  expect(await didOf('alice.near')).toBe('did:pkh:near:mainnet:alice.near')
})
