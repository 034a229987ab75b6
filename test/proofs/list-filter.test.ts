import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, bob } from '../wallets.ts'

const listed = { privacyLevel: 'public', publicDisplay: true }
const path = `/api/v1/proofs/by-wallet/${alice.address}`
const minute = 60_000

describe('filters of GET /api/v1/proofs/by-wallet', async () => {
  const app = await startApp()
  const about = (title: string, tags: string[], description = '') =>
    app.prove(alice, { ...listed, meta: { title, tags, description } })
  /** Ids of the proofs, by the names that the tests use. */
  const names: Record<string, string> = {}
  names.rust = await about('Notes on Rust', ['topic:rust', 'memory'])
  names.go = await about('Notes on Go', ['topic:go', 'quality:draft'], 'About GOROUTINES and 100% more')
  names.french = await about('\u00c9cole de Zo\u00e9', ['rules'])
  names.secret = await app.prove(alice, { meta: { tags: ['memory'] } })
  const submit = async (name: string, claim: object) => {
    app.wait(1)
    const { body } = await app.submit(alice, { options: listed, ...claim })
    names[name] = body.data.qHash
  }
  await submit('agent', { verifierIds: ['agent-identity'], data: { agentId: 'a', agentWallet: alice.address } })
  await submit('partial', {
    verifierIds: ['ownership-basic', 'agent-identity'],
    data: {
      'ownership-basic': { owner: alice.address, content: 'partly' },
      'agent-identity': { agentId: 'a', agentWallet: bob.address },
    },
  })
  await submit('mainnet', {
    chainId: 1,
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: 'main' },
  })
  await submit('ended', {
    verifierIds: ['agent-delegation'],
    data: { controllerWallet: alice.address, agentWallet: bob.address, expiresAt: app.now() + minute },
  })
  app.wait(2 * minute)
  names.revoked = await about('Revoked', ['memory'])
  const revocation = { action: 'revoke_proof', qHash: names.revoked }
  await app.post(`/api/v1/proofs/revoke-self/${names.revoked}`, await app.ownerBody(alice, revocation))

  const owner = await app.ownerHeaders(alice, {
    action: 'access_private_proofs_by_wallet',
    walletAddress: alice.address.toLowerCase(),
  })
  const nameOf = new Map(Object.entries(names).map(([name, qHash]) => [qHash, name]))
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const { status, body } = await app.get(`${path}?${query}`, headers)
    expect(status).toBe(200)
    return body.data.proofs.map(({ qHash }: { qHash: string }) => nameOf.get(qHash)).sort()
  }

  test.each([
    ['tag=memory', ['rust']],
    ['tags=memory,topic:rust', ['rust']],
    ['tags=memory,rules', []],
    ['tags=%20memory%20,,', ['rust']],
    ['tagPrefix=topic:', ['go', 'rust']],
    ['tagPrefixesAll=topic:,quality:', ['go']],
    ['tagContains=opic', ['go', 'rust']],
    ['tagContains=%25', []],
    ['verifierId=agent-identity', ['agent', 'partial']],
    ['verifierIds=agent-identity,agent-delegation', ['agent', 'partial']],
    ['verifierIds=agent-identity,agent-delegation&includeHistory=1', ['agent', 'ended', 'partial']],
    ['status=partially_verified', ['partial']],
    ['status=expired', ['ended']],
    ['status=revoked', ['revoked']],
    ['status=nonsense', []],
    ['chainId=1', ['mainnet']],
    ['chainCoverage=cross-chain', []],
    ['q=notes', ['go', 'rust']],
    ['q=NOTES%20ON%20RUST', ['rust']],
    ['q=goroutines', ['go']],
    ['q=100%25', ['go']],
    ['q=topic:go', ['go']],
    ['privacyLevel=private', []],
    ['q=notes&tag=memory&status=verified', ['rust']],
    [`q=${encodeURIComponent('\u00c9cole')}`, ['french']],
    [`q=${encodeURIComponent('Zo\u00e9')}`, ['french']],
    ['q=o%27%20OR%201=1', []],
  ])('%s finds %j', async (query, found) => {
    expect(await ask(query)).toEqual(found)
  })

  test('status=verified leaves out expired, partial and revoked proofs', async () => {
    expect(await ask('status=verified')).toEqual(['agent', 'french', 'go', 'mainnet', 'rust'])
  })

  test('the owner finds private proofs with the same filters', async () => {
    expect(await ask('tag=memory', owner)).toEqual(['rust', 'secret'])
    expect(await ask('privacyLevel=private', owner)).toEqual(['secret'])
    expect(await ask('tag=memory&includeHistory=1', owner)).toEqual(['revoked', 'rust', 'secret'])
  })

  test('qHash finds one proof in either case, and a private one only for its owner', async () => {
    expect(await ask(`qHash=${names.go}`)).toEqual(['go'])
    expect(await ask(`qHash=0x${names.go!.slice(2).toUpperCase()}`)).toEqual(['go'])
    expect(await ask(`qHash=${names.secret}`)).toEqual([])
    expect(await ask(`qHash=${names.secret}`, owner)).toEqual(['secret'])
    const { body } = await app.get(`/api/v1/proofs/by-wallet/${bob.address}?qHash=${names.go}`)
    expect(body.data.proofs).toEqual([])
  })

  test('an expired proof is in the list where history or its status is asked for, and says that it is expired', async () => {
    expect(await ask('')).not.toContain('ended')
    expect(await ask('', owner)).toContain('ended')
    for (const query of ['includeHistory=1', 'status=expired']) {
      const { body } = await app.get(`${path}?${query}`)
      const ended = body.data.proofs.find(({ qHash }: { qHash: string }) => qHash === names.ended)
      expect(ended.status).toBe('expired')
    }
  })

  test('from and before find what was created in that time, for everybody and for the owner', async () => {
    const made = new Map<string, number>()
    for (const headers of [{}, owner]) {
      const { body } = await app.get(`${path}?includeHistory=1`, headers)
      for (const { qHash, createdAt } of body.data.proofs) made.set(nameOf.get(qHash)!, createdAt)
    }
    const [go, french] = [made.get('go')!, made.get('french')!]
    expect(go).toBeLessThan(french)
    expect(await ask(`from=${french}&tag=memory`, owner)).toEqual(['secret'])
    expect(await ask(`before=${go}`)).toEqual(['rust'])
    expect(await ask(`from=${go}&before=${french + 1}`)).toEqual(['french', 'go'])
    expect(await ask(`from=${go}&before=${french}`)).toEqual(['go'])
    expect(await ask('from=9999999999999')).toEqual([])
    expect(await ask('before=1', owner)).toEqual([])
  })

  test('a span of time is paged by its cursor, which belongs to it', async () => {
    const { body } = await app.get(`${path}?from=1&limit=2`)
    expect(body.data.proofs.length).toBe(2)
    const next = await app.get(`${path}?from=1&limit=2&cursor=${body.data.nextCursor}`)
    expect(next.body.data.proofs.length).toBe(2)
    const other = await app.get(`${path}?from=2&limit=2&cursor=${body.data.nextCursor}`)
    expect(other.status).toBe(400)
  })

  test.each([
    ['from=yesterday', '/from'],
    ['before=-1', '/before'],
    ['from=1234567890123456', '/from'],
    ['from=10&before=10', '/before'],
  ])('%s is refused, and the field %s is named', async (query, field) => {
    const { status, body } = await app.get(`${path}?${query}`)
    expect([status, body.error.code, body.error.details.path]).toEqual([400, 'VALIDATION_ERROR', field])
  })

  test('facets count the tags that the caller may see', async () => {
    const facetsOf = async (headers: Record<string, string>) =>
      (await app.get(`${path}?includeFacets=1&limit=1`, headers)).body.data.facets
    const open = await facetsOf({})
    expect(open.truncated).toBe(false)
    expect(open.tags).toContainEqual({ tag: 'memory', count: 1 })
    expect(open.tags).toHaveLength(5)
    expect(open.verifierIds).toContain('ownership-basic')
    expect(open.verifierIds).toEqual([...new Set(open.verifierIds)].sort())
    expect((await facetsOf(owner)).tags[0]).toEqual({ tag: 'memory', count: 2 })
    expect((await app.get(path)).body.data).not.toHaveProperty('facets')
  })

  test.each([
    'qHash=0x12',
    'visibility=private',
    'isPublicRead=maybe',
    'privacyLevel=secret',
    'chainId=abc',
    `q=${'x'.repeat(257)}`,
  ])('refused: %s', async (query) => {
    expect(await app.get(`${path}?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  })

  test('flags that this version does not use are accepted', async () => {
    expect((await app.get(`${path}?includeSecrets=no&resolveContent=1&appId=x`)).status).toBe(200)
  })
})

test.each(['tags', 'verifierIds', 'tagPrefixesAll'])(
  'refused: more words in %s than the search allows',
  async (name) => {
    const app = await startApp()
    const many = Array.from({ length: 33 }, (_, index) => `word${index}`).join(',')
    const answer = await app.get(`/api/v1/proofs/by-wallet/${alice.address}?${name}=${many}`)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(`${name} names 33 words`)
  },
)
