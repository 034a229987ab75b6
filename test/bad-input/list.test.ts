import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob, sol } from '../wallets.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
for (let turn = 0; turn < 5; turn++)
  await app.prove(alice, { privacyLevel: 'public', publicDisplay: true, meta: { tags: ['x'] } })
const listOf = (wallet: string, query = '') => `/api/v1/proofs/by-wallet/${wallet}${query}`
const list = (query: string): Promise<Answer> => app.get(listOf(alice.address, query))
const firstPage = async (query = '?limit=2') => (await list(query)).body.data.nextCursor as string

describe('a cursor', () => {
  test('continues the same query after the last row', async () => {
    const first = (await list('?limit=2')).body.data
    const second = (await list(`?limit=2&cursor=${first.nextCursor}`)).body.data
    expect(first.proofs).toHaveLength(2)
    expect(second.proofs).toHaveLength(2)
    expect(second.proofs[0].createdAt).toBeLessThan(first.proofs[1].createdAt)
  })

  test.each([
    ['another filter', '&tag=x'],
    ['history', '&includeHistory=true'],
    ['a level of privacy', '&privacyLevel=public'],
    ['a text', '&q=words'],
  ])('is refused with %s: it belongs to another query', async (_, more) => {
    expectRefused(
      await list(`?limit=2&cursor=${await firstPage()}${more}`),
      'VALIDATION_ERROR',
      /belongs to another query: keep .* or start again without it/,
    )
  })

  test('is refused for another wallet', async () => {
    expectRefused(
      await app.get(listOf(bob.address, `?cursor=${await firstPage()}`)),
      'VALIDATION_ERROR',
      /another query/,
    )
  })

  test('for a public list is refused by the owner’s list, and the other way round', async () => {
    const action = { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() }
    const headers = await app.ownerHeaders(alice, action)
    const asOwner = (query: string) => app.get(listOf(alice.address, query), headers)
    expectRefused(await asOwner(`?limit=2&cursor=${await firstPage()}`), 'VALIDATION_ERROR', /another query/)
    const { nextCursor } = (await asOwner('?limit=2')).body.data
    expectRefused(await list(`?limit=2&cursor=${nextCursor}`), 'VALIDATION_ERROR', /another query/)
  })

  test.each([
    ['nonsense', 'nonsense'],
    ['not base64', '%F0%9F%98%80'],
    ['of another version', Buffer.from('2.5.abcd').toString('base64url')],
    ['without a position', Buffer.from('1..abcd').toString('base64url')],
    ['with a negative position', Buffer.from('1.-5.abcd').toString('base64url')],
    ['with a position past every row id', Buffer.from(`1.${'z'.repeat(12)}.abcd`).toString('base64url')],
    ['with SQL for a position', Buffer.from("1.1' OR '1'='1.abcd").toString('base64url')],
    ['with a forged position', Buffer.from('1.zz.0123456789abcdef').toString('base64url')],
  ])('that is %s is refused', async (_, cursor) => {
    const answer = await list(`?cursor=${cursor}`)
    expectRefused(answer, 'VALIDATION_ERROR', /did not issue this cursor|another query/)
    expect(answer.body.error.details).toEqual({ path: '/cursor' })
  })

  test('is refused when empty or too long', async () => {
    expectRefused(await list('?cursor='), 'VALIDATION_ERROR', /cursor/)
    expectRefused(await list(`?cursor=${'a'.repeat(2049)}`), 'VALIDATION_ERROR', /cursor/)
  })

  test('is refused beside an offset', async () => {
    expectRefused(await list(`?cursor=${await firstPage()}&offset=0`), 'VALIDATION_ERROR', /cursor or offset, not both/)
  })
})

describe('a limit and an offset', () => {
  test.each(['0', '1001', '9999999999', '00000000000'])('limit=%s is refused', async (limit) => {
    expectRefused(await list(`?limit=${limit}`), 'VALIDATION_ERROR', /limit.*(must be 1 to 1000|must match)/)
  })

  test.each(['-1', '1.5', '1e3', '0x10', 'all', '', '%20', 'NaN', 'Infinity', '٣', '1'.repeat(400)])(
    'limit=%s is refused: it is not a number',
    async (limit) => {
      expectRefused(await list(`?limit=${limit}`), 'VALIDATION_ERROR', /query parameter limit: must be 1 to 1000/)
      expectRefused(
        await list(`?offset=${limit}`),
        'VALIDATION_ERROR',
        /query parameter offset: must (match|be a whole number of at most [0-9]+ digits)|1 to/,
      )
    },
  )

  test('the largest values are accepted', async () => {
    expect((await list('?limit=1000')).body.data.proofs).toHaveLength(5)
    expect((await list('?offset=999999999999999')).body.data).toMatchObject({ proofs: [], hasMore: false })
  })
})

describe('filters', () => {
  test.each(['visibility=private', 'includeHistory=maybe', 'privacyLevel=', 'chainCoverage=all', 'isPublicRead=2'])(
    '%s is refused, and the message lists the words',
    async (query) => {
      const name = query.split('=')[0]!
      expectRefused(await list(`?${query}`), 'VALIDATION_ERROR', new RegExp(`parameter ${name}: must be one of`))
    },
  )

  test.each(['qHash=0x12', 'chainId=x', 'chainId=-1', `tag=${'x'.repeat(257)}`, `tags=${'x'.repeat(2049)}`])(
    '%s is refused',
    async (query) => expectRefused(await list(`?${query}`), 'VALIDATION_ERROR', /query parameter/),
  )

  test.each(["tag=' OR 1=1 --", 'q=%25', 'q=_', 'status=%00', 'tagContains=\\', 'q=%zz', 'verifierId=$.rows'])(
    '%s matches no proof and breaks nothing',
    async (query) => {
      expect(await list(`?${query}`)).toMatchObject({ status: 200, body: { data: { proofs: [] } } })
    },
  )
})

describe('the address of a list', () => {
  test.each([
    '0x12',
    `${alice.address}0`,
    `0x${'g'.repeat(40)}`,
    'A',
    '%20',
    '%00',
    'a%2Fb',
    'did:pkh:eip155:1',
    'did:web:example.com',
    `did:pkh:eip155:1:2:${alice.address}`,
    'ed25519:zzz',
    "x' OR '1'='1",
    'x'.repeat(65),
  ])('%s is refused', async (address) => {
    expectRefused(
      await app.get(listOf(address)),
      'INVALID_WALLET_ADDRESS',
      /not a wallet address, a did:pkh or a CAIP-10 account/,
    )
  })

  test('is refused when too long or impossible to decode', async () => {
    expectRefused(await app.get(listOf('%zz')), 'VALIDATION_ERROR', /path parameter address/)
    expectRefused(await app.get(listOf('x'.repeat(257))), 'VALIDATION_ERROR', /path parameter address/)
  })

  // A typo must not read as a wallet of NEAR that happens to have no proofs.
  test.each(['bob', 'my-wallet', 'a'.repeat(31)])('the short name %s is refused without its chain', async (name) => {
    const routes = [listOf(name), `/api/v1/proofs/check?address=${name}&verifierId=ownership-basic`]
    for (const route of routes) {
      const answer = await app.get(route)
      expectRefused(answer, 'INVALID_WALLET_ADDRESS', new RegExp(`a short name, .* such as near:mainnet:${name}$`))
    }
    expect((await app.get(listOf(`near:mainnet:${name}`))).status).toBe(200)
    expect((await app.get(listOf(`did:pkh:near:mainnet:${name}`))).status).toBe(200)
  })

  test('the text to sign for a name of NEAR is for a chain of NEAR', async () => {
    const answer = await app.get(`${listOf('alice.near')}?visibility=owner`)
    expectRefused(answer, 'WALLET_AUTH_REQUIRED', /"walletAddress":"alice.near","chain":"near:mainnet"/)
  })

  const implicitNear = 'ab'.repeat(32)
  test.each([sol.address, 'alice.near', implicitNear, `did:pkh:eip155:1:${alice.address}`])(
    '%s is accepted',
    async (address) => {
      expect((await app.get(listOf(address))).status).toBe(200)
    },
  )
})

describe('statuses', () => {
  const id = `0x${'ab'.repeat(32)}`
  test.each([
    ['none', []],
    ['more than 100', Array.from({ length: 101 }, () => id)],
    ['no id', ['0x12']],
    ['a number', [5]],
    ['no list', id],
  ])('%s: refused', async (_, qHashes) => {
    const answer = await leavesNothing(app.parts, () => app.post('/api/v1/verification/status-batch', { qHashes }))
    expectRefused(answer, 'VALIDATION_ERROR', /body qHashes/)
  })

  test('requests without ids get an answer that names the missing member', async () => {
    expectRefused(await app.post('/api/v1/verification/status-batch', {}), 'VALIDATION_ERROR', /qHashes: an array/)
  })
})
