/** Lists for a signed-in person: all linked wallets in one, a search in evidence, the start of an id. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { listFacets } from '../../src/proofs/facet-store.ts'
import { listProofs } from '../../src/proofs/list-store.ts'
import { startApp, type TestApp } from '../app.ts'
import { manyQHash, oldestDomain, oldestTitle, writeManyProofs } from '../pages/many-proofs.ts'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob, mallory } from '../wallets.ts'

const pathOf = (wallet = alice) => `/api/v1/proofs/by-wallet/${wallet.address}`

interface Shown {
  readonly qHash: string
  readonly walletAddress: string
}
const idsOf = (proofs: readonly Shown[]) => proofs.map(({ qHash }) => qHash)

describe('allWallets', () => {
  test('is one list over all wallets of a person, newest first, page by page', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await linkWallets(app, alice, bob)
    const made: string[] = []
    for (let index = 0; index < 12; index++) made.unshift(await app.prove(index % 3 === 0 ? bob : alice))
    await app.prove(mallory)
    const { headers } = await app.signIn(alice)
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await app.get(`${pathOf()}?allWallets=1&limit=5${cursor && `&cursor=${cursor}`}`, headers)
      ids.push(...idsOf(body.data.proofs))
      cursor = body.data.nextCursor
      // The link itself is a proof as well.
      expect(body.data.totalCount).toBe(13)
    }
    expect(ids.slice(0, 12)).toEqual(made)
    expect(ids).toHaveLength(13)
  })

  test('filters and searches all of them', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await linkWallets(app, alice, bob)
    const ours = await app.prove(bob, { meta: { title: 'From the other wallet' } })
    const { headers } = await app.signIn(alice)
    const ask = async (query: string) => (await app.get(`${pathOf()}?${query}`, headers)).body.data
    expect(idsOf((await ask('allWallets=1&q=other+wallet')).proofs)).toEqual([ours])
    expect(idsOf((await ask(`allWallets=1&qHash=${ours}`)).proofs)).toEqual([ours])
    expect(idsOf((await ask('q=other+wallet')).proofs)).toEqual([])
    expect((await ask('allWallets=1&includeFacets=1')).facets).toEqual({
      tags: [],
      verifierIds: ['ownership-basic', 'wallet-link'],
      truncated: false,
    })
  })

  test('shows no more to a signature, to a stranger, and to another person', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await linkWallets(app, alice, bob)
    await app.prove(bob)
    const walletAddress = alice.address.toLowerCase()
    const signed = await app.ownerHeaders(alice, { action: 'access_private_proofs_by_wallet', walletAddress })
    const counts = []
    for (const headers of [signed, {}, (await app.signIn(mallory)).headers])
      counts.push((await app.get(`${pathOf()}?allWallets=1`, headers)).body.data.proofs.length)
    expect(counts).toEqual([1, 0, 0])
  })
})

describe('accounts of one person', async () => {
  const app = await startApp()
  const [byAlice, byBob] = [
    await app.prove(alice, { meta: { tags: ['hub'] } }),
    await app.prove(bob, { meta: { tags: ['main'] } }),
  ]

  test.each([
    ['one of two', [2], [byBob], ['main']],
    ['both', [1, 2], [byBob, byAlice], ['hub', 'main']],
    ['one of them twice', [1, 2, 1], [byBob, byAlice], ['hub', 'main']],
    ['none', [], [], []],
  ])('list each proof once: %s', async (_, accounts, ids, tags) => {
    const query = { accounts, isOwner: true, filter: {}, before: undefined, offset: 0, limit: 9, now: app.now() }
    expect(idsOf((await listProofs(app.parts.db, query)).rows)).toEqual(ids)
    expect((await listFacets(app.parts.db, query)).tags.map(({ tag }) => tag)).toEqual(tags)
  })
})

describe('visibility=owner', () => {
  test('refuses everybody but the owner, and shows the owner everything', async () => {
    const app = await startApp()
    const qHash = await app.prove(alice)
    const ask = (headers: Record<string, string>) => app.get(`${pathOf()}?visibility=owner`, headers)
    expect(idsOf((await ask((await app.signIn(alice)).headers)).body.data.proofs)).toEqual([qHash])
    for (const headers of [{}, (await app.signIn(mallory)).headers])
      expect(await ask(headers)).toMatchObject({ status: 401, body: { error: { code: 'WALLET_AUTH_REQUIRED' } } })
  })
})

describe('the search of an owner', () => {
  test('finds values and not member names; a stranger finds neither', async () => {
    const app = await startApp()
    const qHash = await app.prove(
      alice,
      { privacyLevel: 'public', publicDisplay: true },
      { reference: { type: 'url', id: 'https://Harbour.example/a"b' } },
    )
    const { headers } = await app.signIn(alice)
    const ask = async (q: string, as: Record<string, string> = headers) =>
      idsOf((await app.get(`${pathOf()}?q=${encodeURIComponent(q)}`, as)).body.data.proofs)
    expect(await ask('harbour.EXAMPLE')).toEqual([qHash])
    expect(await ask('a"b')).toEqual([qHash])
    for (const absent of ['contentHash', 'verifierId', 'origin-authenticated', '"rows"'])
      expect(await ask(absent)).toEqual([])
    expect(await ask('harbour', {})).toEqual([])
  })

  test('does not find hidden members', async () => {
    const app = await startApp()
    await app.prove(alice)
    const hidden = {
      verifierIds: ['x'],
      rows: [{ verifierId: 'x', data: {}, hidden: { personId: 'unseen-4711' } }],
      meta: {},
    }
    await app.parts.db.write([{ sql: 'UPDATE proofs SET record = ?', params: [JSON.stringify(hidden)] }])
    const { headers } = await app.signIn(alice)
    expect((await app.get(`${pathOf()}?q=unseen-4711`, headers)).body.data.proofs).toEqual([])
  })
})

describe('a wallet with very many proofs', () => {
  const count = 21_000
  let app: TestApp
  let headers: Record<string, string>
  beforeAll(async () => {
    app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    await writeManyProofs(app.parts, { wallet: alice.address, count, newestAt: app.now() })
    headers = (await app.signIn(alice)).headers
  })
  const ask = async (query: string) => (await app.get(`${pathOf()}?limit=100&${query}`, headers)).body.data

  test('a search that found too little says how far back it looked, and the cursor goes on to the end', async () => {
    for (const text of [oldestTitle, oldestDomain]) {
      const q = `q=${encodeURIComponent(text)}`
      const first = await ask(q)
      expect(first.proofs).toEqual([])
      expect(first.hasMore).toBe(true)
      // 10,000 proofs, 13 minutes each.
      expect(first.pageInfo.lookedBackTo).toBe(app.now() - 9_999 * 13 * 60_000)
      const second = await ask(`${q}&cursor=${first.nextCursor}`)
      expect(second.pageInfo.lookedBackTo).toBe(app.now() - 19_999 * 13 * 60_000)
      const third = await ask(`${q}&cursor=${second.nextCursor}`)
      expect(idsOf(third.proofs)).toEqual([manyQHash(0)])
      expect(third).toMatchObject({ hasMore: false, nextCursor: null })
      expect(third.pageInfo).not.toHaveProperty('lookedBackTo')
    }
  })

  test('the beginning of an id finds it wherever it stands', async () => {
    for (const length of [8, 15, 20, 66])
      expect(idsOf((await ask(`qHashPrefix=${manyQHash(0).slice(0, length)}`)).proofs)).toEqual([manyQHash(0)])
    expect((await ask(`qHashPrefix=${manyQHash(0).slice(0, 10).toUpperCase().replace('X', 'x')}`)).proofs).toHaveLength(
      1,
    )
    expect((await ask(`qHashPrefix=${manyQHash(0, 'other').slice(0, 20)}`)).proofs).toEqual([])
    const tooShort = await app.get(`${pathOf()}?qHashPrefix=0x12345`, headers)
    expect(tooShort).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
  })
})
