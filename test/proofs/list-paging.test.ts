import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { writeManyRows } from '../parts/many-rows.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { alice, bob } from '../wallets.ts'

const listed = { privacyLevel: 'public', publicDisplay: true }
const path = `/api/v1/proofs/by-wallet/${alice.address}`
const start = () => startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const owner = (app: TestApp) =>
  app.ownerHeaders(alice, { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() })

async function fill(app: TestApp, count: number, options: object = listed): Promise<string[]> {
  const made: string[] = []
  for (let index = 0; index < count; index++) made.unshift(await app.prove(alice, options))
  return made
}

/** Copies of the first proof: private with visibility 0, listed with 2. */
const addCopies = (app: TestApp, count: number, visibility: 0 | 2, after = 0) =>
  writeManyRows(app.parts.db, [
    {
      sql: `${countTo('?3 + ?1', '?3 + 1')}
            INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, signed_timestamp, created_at, updated_at, record)
            SELECT i, ${randomHash}, 1, i, 'verified', ?2, 84532, i, i, i, (SELECT record FROM proofs LIMIT 1) FROM n`,
      params: [count, visibility, after],
    },
  ])

interface Page {
  readonly proofs: readonly { readonly qHash: string }[]
  readonly nextCursor: string | null
  readonly nextOffset: number | null
  readonly hasMore: boolean
}

/** Follows the cursor to the end; `between` happens after each page. */
async function walk(app: TestApp, query: string, headers: Record<string, string> = {}, between = async () => {}) {
  const pages: Page[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body } = await app.get(`${path}?${query}${cursor && `&cursor=${cursor}`}`, headers)
    expect(status).toBe(200)
    const { data } = body
    expect(data.pageInfo).toMatchObject({ hasNextPage: data.hasMore, nextCursor: data.nextCursor })
    expect(data.pagination.hasMore).toBe(data.hasMore)
    expect(data.hasMore).toBe(data.nextCursor !== null)
    pages.push(data)
    // A cursor that stands still would go on for ever.
    expect(pages.length).toBeLessThan(100)
    cursor = data.nextCursor
    await between()
  }
  return { pages, ids: pages.flatMap(({ proofs }) => proofs.map(({ qHash }) => qHash)) }
}

describe('paging by cursor', async () => {
  const app = await start()
  const all = await fill(app, 23)

  test.each([
    [1, 23],
    [5, 5],
    [22, 2],
    [23, 1],
    [1000, 1],
  ])('with a limit of %i goes through everything exactly once, newest first, in %i pages', async (limit, count) => {
    const { pages, ids } = await walk(app, `limit=${limit}`)
    expect(ids).toEqual(all)
    expect(pages).toHaveLength(count)
  })

  test('goes through the list as it was at the first page, while others are added', async () => {
    const added: string[] = []
    const { ids } = await walk(app, 'limit=4', {}, async () => {
      added.unshift(await app.prove(alice, listed))
    })
    expect(ids).toEqual(all)
    expect(idsOf(await app.get(`${path}?limit=${added.length}`))).toEqual(added)
  })

  test('skips only the proofs that were revoked before their page', async () => {
    const other = await start()
    const made = await fill(other, 12)
    const gone = made[7]!
    let isRevoked = false
    const { ids } = await walk(other, 'limit=3', {}, async () => {
      if (isRevoked) return
      isRevoked = true
      const body = await other.ownerBody(alice, { action: 'revoke_proof', qHash: gone })
      await other.post(`/api/v1/proofs/revoke-self/${gone}`, body)
    })
    expect(ids).toEqual(made.filter((qHash) => qHash !== gone))
  })

  test('works for the owner and with a filter as well', async () => {
    const headers = await owner(app)
    const { ids } = await walk(app, 'limit=7&privacyLevel=public', headers)
    expect(ids).toHaveLength((await app.get(path, headers)).body.data.totalCount)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('a cursor', async () => {
  const app = await start()
  await fill(app, 3)
  const { nextCursor } = (await app.get(`${path}?limit=1`)).body.data

  test.each([
    ['another filter', `${path}?limit=1&tag=x`, {}],
    ['another wallet', `/api/v1/proofs/by-wallet/${bob.address}?limit=1`, {}],
    ['the owner’s list', `${path}?limit=1`, 'owner'],
  ])('does not fit %s', async (_, other, as) => {
    const headers = as === 'owner' ? await owner(app) : {}
    const { status, body } = await app.get(`${other}&cursor=${nextCursor}`, headers)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { path: '/cursor' } })
  })

  test('is valid with another limit', async () => {
    expect(idsOf(await app.get(`${path}?limit=50&cursor=${nextCursor}`))).toHaveLength(2)
  })

  test.each(['x', 'MS5hLmI', '%00', 'x'.repeat(2048)])('is refused when it was made up: %s', async (cursor) => {
    expect((await app.get(`${path}?cursor=${cursor}`)).status).toBe(400)
  })

  test('is refused when it is too long or beside an offset', async () => {
    expect((await app.get(`${path}?cursor=${'x'.repeat(2049)}`)).status).toBe(400)
    expect(await app.get(`${path}?cursor=${nextCursor}&offset=1`)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  })
})

describe('paging by offset', async () => {
  const app = await start()
  const all = await fill(app, 11)

  test('goes through everything exactly once', async () => {
    const ids: string[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const { data }: { data: Page } = (await app.get(`${path}?limit=4&offset=${offset}`)).body
      ids.push(...data.proofs.map(({ qHash }) => qHash))
      offset = data.nextOffset
    }
    expect(ids).toEqual(all)
  })

  test('reaches every proof of a large wallet, as the owner', async () => {
    const large = await start()
    await large.prove(alice)
    const more = 11_000
    await addCopies(large, more, 0)
    const headers = await owner(large)
    const seen = new Set<string>()
    for (let offset: number | null = 0; offset !== null; ) {
      const { data }: { data: Page } = (await large.get(`${path}?offset=${offset}`, headers)).body
      for (const { qHash } of data.proofs) seen.add(qHash)
      offset = data.nextOffset
    }
    expect(seen.size).toBe(more + 1)
    expect((await walk(large, 'limit=900', headers)).ids).toHaveLength(more + 1)
  })

  test('beyond the end is empty', async () => {
    expect((await app.get(`${path}?offset=11`)).body.data).toMatchObject({
      proofs: [],
      hasMore: false,
      nextOffset: null,
    })
    expect((await app.get(`${path}?offset=999999999999999`)).body.data.proofs).toEqual([])
  })

  test('the last full page knows that it is the last', async () => {
    expect((await app.get(`${path}?limit=11`)).body.data).toMatchObject({
      hasMore: false,
      nextOffset: null,
      nextCursor: null,
    })
    expect((await app.get(`${path}?limit=10`)).body.data).toMatchObject({ hasMore: true, nextOffset: 10 })
  })

  test.each(['limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=all', 'limit=', 'offset=-1', 'offset=x'])(
    'refused: %s',
    async (query) => {
      expect(await app.get(`${path}?${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR' } },
      })
    },
  )
})

describe('an offset into a list of 6001 with a filter', async () => {
  const large = await start()
  await large.prove(alice, { ...listed, meta: { tags: ['all'] } })
  await addCopies(large, 6000, 2)
  const page = async (query: string, headers = {}) => (await large.get(`${path}?${query}`, headers)).body.data

  test.each(['tag=none', 'q=none', 'status=expired', 'verifierIds=none&q=verifierids'])(
    'looks at no more proofs than the first page does: %s',
    async (filter) => {
      const first = await page(filter)
      expect(first).toMatchObject({ proofs: [], hasMore: true, nextOffset: null, nextCursor: expect.any(String) })
      for (const offset of [1, 2000, 1_000_000_000, 999_999_999_999_999]) {
        const { nextCursor, pageInfo } = await page(`${filter}&offset=${offset}`)
        expect({ nextCursor, pageInfo }).toEqual({ nextCursor: first.nextCursor, pageInfo: first.pageInfo })
      }
    },
  )

  test('does so for the owner as well, who looks at more of them', async () => {
    await addCopies(large, 5000, 2, 6000)
    const headers = await owner(large)
    const first = await page('tag=none', headers)
    expect(first.hasMore).toBe(true)
    const { nextCursor, pageInfo } = await page('tag=none&offset=1000000000', { ...headers })
    expect({ nextCursor, lookedBackTo: pageInfo.lookedBackTo }).toEqual({
      nextCursor: first.nextCursor,
      lookedBackTo: first.pageInfo.lookedBackTo,
    })
  })

  test('goes through all that is found exactly once, by nextOffset and from its end by nextCursor', async () => {
    const ids: string[] = []
    let data: Page = await page('tag=all&limit=1000')
    let asked = 1
    for (; data.hasMore; asked++) {
      ids.push(...data.proofs.map(({ qHash }) => qHash))
      expect(asked).toBeLessThan(100)
      const from = data.nextOffset === null ? `cursor=${data.nextCursor}` : `offset=${data.nextOffset}`
      data = await page(`tag=all&limit=1000&${from}`)
    }
    ids.push(...data.proofs.map(({ qHash }) => qHash))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength((await page('')).totalCount)
  })
})

test('an offset skips a hundred thousand proofs of a whole list at most, and nextCursor goes on from there', async () => {
  const huge = await start()
  await huge.prove(alice, listed)
  await addCopies(huge, 106_000, 2)
  const page = async (query: string) => (await huge.get(`${path}?includeHistory=1&${query}`)).body.data
  expect(await page('offset=100000')).toMatchObject({ hasMore: true, nextOffset: 100_050 })
  const far = await page('offset=1000000000')
  expect(far).toMatchObject({ proofs: [], hasMore: true, nextOffset: null })
  expect((await page(`limit=1000&cursor=${far.nextCursor}`)).proofs).toHaveLength(1000)
  expect((await page(`limit=1000&cursor=${far.nextCursor}`)).hasMore).toBe(true)
})

describe('the default limits', () => {
  test('are 50 for a stranger and 1000 for the owner', async () => {
    const app = await start()
    const all = await fill(app, 60)
    const open = await app.get(path)
    expect(idsOf(open)).toEqual(all.slice(0, 50))
    expect(open.body.data).toMatchObject({ hasMore: true, nextOffset: 50, totalCount: 60 })
    const own = await app.get(path, await owner(app))
    expect(idsOf(own)).toEqual(all)
    expect(own.body.data.pageInfo.limit).toBe(1000)
  })
})

const idsOf = ({ body }: { body: { data: Page } }): string[] => body.data.proofs.map(({ qHash }) => qHash)
