/** The page at `/` brings the first proofs along: the same answer that the browser would ask for. */
import { describe, expect, test } from 'bun:test'
import { listPath, readQuestion } from '../../src/pages/vault-question.ts'
import { startApp, type TestApp } from '../app.ts'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob } from '../wallets.ts'

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
}

async function preloadedAt(app: TestApp, place: string, headers: Record<string, string>) {
  const { status, body } = await app.get(place, headers)
  expect(status).toBe(200)
  const model = /data-model="([^"]*)"/.exec(body)![1]!.replace(/&(quot|amp|lt|gt|#39);/g, (one) => entities[one]!)
  return JSON.parse(model).preloaded as Record<string, { data: unknown }>
}

const pathAt = (query: string, wallets = [alice.address.toLowerCase()]) =>
  listPath(readQuestion(new URLSearchParams(query)), wallets)

describe('the page of proofs', () => {
  test.each([
    '',
    'q=%3Cb%3E+%22quoted%22+%26+more',
    'verifier=ownership-basic&status=verified&privacy=private&tag=a',
    'history=1',
  ])('holds the list that belongs to its address: ?%s', async (query) => {
    const app = await startApp()
    await app.prove(alice, { meta: { title: '<b> "quoted" & more </script>', tags: ['a'] } })
    const { headers } = await app.signIn(alice)
    const preloaded = await preloadedAt(app, `/?${query}`, headers)
    const asked = await app.get(pathAt(query), headers)
    expect(asked.body.data.proofs).toHaveLength(1)
    expect(Object.entries(preloaded)).toEqual([
      [pathAt(query), { success: true, data: asked.body.data, timestamp: asked.body.timestamp }] as never,
    ])
  })

  test('holds no list that is too large as markup, and the browser asks for that one', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    for (let count = 0; count < 30; count++) {
      const reference = { type: 'other', id: `${count}` }
      const data = { content: `${count}`, reference: { ...reference, id: `${count}${'"'.repeat(1000)}` } }
      await app.prove(alice, { meta: { title: '"'.repeat(200), description: '"'.repeat(2000) } }, data)
    }
    const { headers } = await app.signIn(alice)
    const { body } = await app.get('/', headers)
    expect(Buffer.byteLength(body)).toBeLessThan(600_000)
    expect(await preloadedAt(app, '/', headers)).toEqual({})
    expect((await app.get(pathAt(''), headers)).body.data.proofs).toHaveLength(30)
  })

  test('holds the proofs of all linked wallets, or of the one that the address names', async () => {
    const app = await startApp()
    await linkWallets(app, alice, bob)
    await app.prove(bob)
    const { headers } = await app.signIn(alice)
    const wallets = [alice, bob].map(({ address }) => address.toLowerCase())
    const all = await preloadedAt(app, '/', headers)
    expect(all[pathAt('', wallets)]!.data).toMatchObject({ totalCount: 2 })
    const one = await preloadedAt(app, `/?wallet=${wallets[1]}`, headers)
    expect(one[pathAt(`wallet=${wallets[1]}`, wallets)]!.data).toMatchObject({ totalCount: 1 })
    // Naming another person's wallet has no effect.
    const other = `wallet=0x${'99'.repeat(20)}`
    expect(Object.keys(await preloadedAt(app, `/?${other}`, headers))).toEqual([pathAt('', wallets)])
  })

  test.each([
    ['a tag that is too long', `tag=${'x'.repeat(300)}`],
    ['a privacy that is none', 'privacy=nobody'],
    ['a text that is too long', `q=${'🌳'.repeat(300)}`],
  ])('is a page as well where the address asks for %s', async (_, query) => {
    const app = await startApp()
    const { headers } = await app.signIn(alice)
    for (const answer of Object.values(await preloadedAt(app, `/?${query}`, headers)))
      expect(answer).toMatchObject({ success: true, data: { proofs: [] } })
  })

  test('holds no kept content and no portable form', async () => {
    const app = await startApp()
    await app.prove(alice, { storeOriginalContent: true }, { content: 'Nobody should read this over a shoulder' })
    const { headers } = await app.signIn(alice)
    const { body } = await app.get('/', headers)
    expect(body).not.toContain('over a shoulder')
    expect(body).not.toContain('portableProof')
  })
})
