/** The cost and size of one page of proofs: records of any size, filters of any number. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { writeManyRows } from '../parts/many-rows.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)

const listed = { privacyLevel: 'public', publicDisplay: true }
const path = `/api/v1/proofs/by-wallet/${alice.address}`
const start = () => startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const owner = (app: TestApp) =>
  app.ownerHeaders(alice, { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() })
const twoMegabytes = 2_000_000

/** Copies of the newest proof, with its short form where it has one. */
const addCopies = (app: TestApp, count: number) =>
  writeManyRows(app.parts.db, [
    {
      sql: `${countTo('?1')}
            INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, signed_timestamp, created_at, updated_at, record)
            SELECT i, ${randomHash}, 1, i, 'verified', 2, 84532, i, i, i, (SELECT record FROM proofs ORDER BY id DESC LIMIT 1) FROM n`,
      params: [count],
    },
    {
      sql: `INSERT INTO record_summaries (proof_id, summary)
            SELECT p.id, (SELECT summary FROM record_summaries ORDER BY proof_id DESC LIMIT 1) FROM proofs p
            WHERE octet_length(p.record) > 16384 AND NOT EXISTS (SELECT 1 FROM record_summaries WHERE proof_id = p.id)`,
      params: [],
    },
  ])

const manyTags = Array.from({ length: 32 }, (_, index) => `topic:${index}:${'x'.repeat(50)}`)

async function ask(app: TestApp, query: string, headers: Record<string, string> = {}) {
  const { status, body } = await app.get(`${path}?${query}`, headers)
  expect(status).toBe(200)
  return { data: body.data, bytes: Buffer.byteLength(JSON.stringify(body)) }
}

describe('a page over records of 4 kB', async () => {
  const app = await start()
  await app.prove(alice, { ...listed, meta: { description: 'd'.repeat(2000), tags: manyTags } })
  await addCopies(app, 3000)
  const everyTag = `tags=${manyTags.slice(0, 31)}&tag=${manyTags[31]}`

  test.each([
    ['one filter', 'anybody', 'tag=none', 1000],
    ['34 filters', 'anybody', `${everyTag}&tagPrefix=topic&tagContains=none`, 1000],
    ['65 filters', 'anybody', `${everyTag}&tagPrefixesAll=${manyTags.map((tag) => tag.slice(0, 20))}&q=none`, 200],
    ['a text', 'anybody', 'q=none', 1000],
    ['a text', 'the owner', 'q=none', 2900],
  ])('with %s, for %s, looks at a bounded part of the list at a time', async (_, who, query, most) => {
    const { data } = await ask(app, query, who === 'anybody' ? {} : await owner(app))
    expect(data).toMatchObject({ proofs: [], hasMore: true, nextCursor: expect.any(String) })
    const { id } = (await select<{ id: number }>(
      app.parts.db,
      'SELECT min(id) AS id FROM proofs WHERE created_at = ?1',
    ).get(data.pageInfo.lookedBackTo))!
    expect(3001 - id).toBeLessThan(most)
  })

  test('finds by cursor everything exactly once', async () => {
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data } = await ask(app, `${everyTag}&limit=700${cursor && `&cursor=${cursor}`}`)
      ids.push(...data.proofs.map(({ qHash }: { qHash: string }) => qHash))
      cursor = data.nextCursor
    }
    expect(ids).toHaveLength(3001)
    expect(new Set(ids).size).toBe(3001)
  })

  test('takes a cursor in one spelling only', async () => {
    const { data } = await ask(app, 'limit=5')
    const cursor: string = data.nextCursor
    const bytes = (text: string) => Buffer.from(text, 'base64url').toString('hex')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...alphabet].map((last) => `${cursor.slice(0, -1)}${last}`)
    const same = others.filter((other) => other !== cursor && bytes(other) === bytes(cursor))
    expect(same.length).toBeGreaterThan(0)
    for (const other of same)
      expect((await app.get(`/api/v1/proofs/by-wallet/${alice.address}?limit=5&cursor=${other}`)).status).toBe(400)
  })

  test.each(['limit=1000', 'limit=1000&includeHistory=1&includeFacets=1'])(
    'a page of 1000 is below two megabytes and leaves no row out: %s',
    async (query) => {
      const { data, bytes } = await ask(app, query)
      expect(bytes).toBeLessThan(twoMegabytes)
      expect(data.proofs).toHaveLength(1000)
      expect(data.nextOffset).toBe(1000)
      for (const proof of data.proofs)
        expect(proof).toMatchObject({ contentTruncated: true, status: 'verified', walletAddress: expect.any(String) })
    },
  )

  test('facets say that they are of a part of the list', async () => {
    expect((await ask(app, 'limit=1&includeFacets=1')).data.facets).toMatchObject({ truncated: true })
  })
})

describe('proofs with a record of 400 kB', async () => {
  const app = await start()
  const small = await app.prove(alice, { ...listed, meta: { title: 'Small' } })
  const reference = { type: 'other', id: 'x', extra: `${'y'.repeat(400_000)} the very end` }
  const large = await app.prove(
    alice,
    { ...listed, storeOriginalContent: true, meta: { title: 'Large', tags: ['large'], note: 'n'.repeat(5000) } },
    { reference },
  )
  await addCopies(app, 200)

  test.each(['anybody', 'the owner'])(
    'are shortened and flagged in the list for %s, and small ones are not',
    async (who) => {
      const { data, bytes } = await ask(app, 'limit=1000', who === 'anybody' ? {} : await owner(app))
      expect(bytes).toBeLessThan(twoMegabytes)
      expect(data.proofs).toHaveLength(202)
      const named = (qHash: string) => data.proofs.find((proof: { qHash: string }) => proof.qHash === qHash)
      expect(named(large)).toMatchObject({ contentTruncated: true, title: 'Large', tags: ['large'] })
      expect(named(large).verifiedVerifiers[0]).toMatchObject({ verifierId: 'ownership-basic', verified: true })
      expect(named(large).verifiedVerifiers[0].data.owner).toBe(alice.address.toLowerCase())
      expect(JSON.stringify(named(large)).length).toBeLessThan(20_000)
      expect(named(small)).not.toHaveProperty('contentTruncated')
    },
  )

  test('are whole when they are read by their id', async () => {
    const { data } = (await app.get(`/api/v1/proofs/${large}`)).body
    expect(data).not.toHaveProperty('contentTruncated')
    expect(data.verifiedVerifiers[0].data.reference).toEqual(reference)
    expect(data.meta.note).toHaveLength(5000)
  })

  test('are found by their tags, and by their owner by text at the end of what was found', async () => {
    const page = await ask(app, 'tag=large&limit=1000')
    expect(page.data.proofs).toHaveLength(201)
    const { data } = await ask(app, 'q=the%20very%20end&limit=1', await owner(app))
    expect(data.proofs).toHaveLength(1)
    expect((await ask(app, 'q=the%20very%20end')).data.proofs).toEqual([])
  })

  test('paging by offset reaches each of them once', async () => {
    const ids: string[] = []
    for (let offset = 0; offset < 202; offset += 50)
      ids.push(
        ...(await ask(app, `limit=50&offset=${offset}`)).data.proofs.map(({ qHash }: { qHash: string }) => qHash),
      )
    expect(new Set(ids).size).toBe(202)
  })

  test.skipIf(onlyOnSqlite('an earlier form of the data'))(
    'from before the short forms are listed without their data',
    async () => {
      const migration = await Bun.file('migrations/0012_bounded_lists.sql').text()
      const [backfill] = /INSERT INTO record_summaries[\s\S]*?;/.exec(migration)!
      const before = await start()
      const id = await before.prove(alice, { ...listed, meta: { title: 'Large', tags: ['large'] } }, { reference })
      await before.parts.db.write([
        { sql: 'DELETE FROM record_summaries', params: [] },
        { sql: backfill, params: [] },
      ])
      const { data } = await ask(before, 'limit=5')
      expect(data.proofs).toMatchObject([
        {
          qHash: id,
          contentTruncated: true,
          title: 'Large',
          tags: ['large'],
          verifierIds: ['ownership-basic'],
          verifiedVerifiers: [
            { verifierId: 'ownership-basic', verified: true, status: 'origin-authenticated', data: {} },
          ],
        },
      ])
    },
  )
})

test('a page of many small rows keeps every row, and marks the shortened ones', async () => {
  const app = await start()
  await app.prove(alice, { ...listed, meta: { title: 'Small', description: 'd'.repeat(1_200) } })
  await addCopies(app, 999)
  const { data, bytes } = await ask(app, 'limit=1000')
  expect(bytes).toBeLessThan(twoMegabytes)
  expect(data.proofs).toHaveLength(1_000)
  for (const { contentTruncated, meta } of data.proofs)
    expect(contentTruncated).toBe(meta === undefined ? true : undefined)
  expect(data.proofs.some(({ contentTruncated }: { contentTruncated?: true }) => contentTruncated)).toBe(true)
})

test('portable forms that exceed the page are left out, and their rows say so', async () => {
  const app = await start()
  const reference = { type: 'other', id: 'x', extra: 'y'.repeat(300_000) }
  for (let count = 0; count < 12; count++)
    await app.prove(alice, { storeOriginalContent: true }, { reference, content: `Content ${count}` })
  const { data, bytes } = await ask(app, 'includePortable=1', await owner(app))
  expect(bytes).toBeLessThan(twoMegabytes)
  expect(data.proofs).toHaveLength(12)
  for (const { contentTruncated } of data.proofs) expect(contentTruncated).toBe(true)
  const one = await ask(app, 'includePortable=1&limit=1', await owner(app))
  expect(one.data.proofs[0].portableProof.data.reference).toEqual(reference)
})
