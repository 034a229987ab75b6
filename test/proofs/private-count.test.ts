/** A stranger cannot tell how many private proofs a wallet has: every answer is the same with thousands of them. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { countTo, randomHash } from '../parts/row-maker.ts'
import { alice } from '../wallets.ts'

setDefaultTimeout(60_000)

const listed = { privacyLevel: 'public', publicDisplay: true }
const path = `/api/v1/proofs/by-wallet/${alice.address}`

const addPrivateCopies = (app: TestApp, count: number) =>
  app.parts.db.write([
    {
      sql: `${countTo('?1')}
            INSERT INTO proofs (q52, q_hash, account_id, scope52, status, visibility, chain_id, signed_timestamp, created_at, updated_at, record)
            SELECT i, ${randomHash}, 1, i, 'verified', 0, 84532, i, i, i, (SELECT record FROM proofs LIMIT 1) FROM n`,
      params: [count],
    },
  ])

describe('with 12,000 private proofs on top, a stranger is answered the same', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const made: string[] = []
  for (let count = 0; count < 7; count++)
    made.push(await app.prove(alice, { ...listed, meta: { title: `Note ${count}`, tags: ['note', `n${count}`] } }))
  await app.prove(alice, { privacyLevel: 'public', meta: { tags: ['unlisted'] } })
  const revoked = made[3]!
  await app.post(
    `/api/v1/proofs/revoke-self/${revoked}`,
    await app.ownerBody(alice, { action: 'revoke_proof', qHash: revoked }),
  )
  const listQueries = [
    '',
    'limit=2',
    'limit=2&includeHistory=1',
    'status=revoked',
    'tag=note&limit=3',
    'q=note',
    'q=none',
  ]
  listQueries.push(
    'offset=2&limit=2',
    'offset=200000',
    'includeFacets=1',
    'qHashPrefix=0x000000',
    'privacyLevel=private',
  )
  const checks = ['chainId=84532', 'tag=none', 'verifierId=ownership-basic', 'explain=1&domain=a.example']
  const asked = [
    ...listQueries.map((query) => `${path}?${query}`),
    ...checks.map((query) => `/api/v1/proofs/check?address=${alice.address}&${query}`),
    `/api/v1/proofs/${made[0]}?latestScope=1`,
  ]
  const answersOf = async () =>
    Promise.all(
      asked.map(async (address) => {
        const { status, body, headers } = await app.get(address)
        const { timestamp: _, ...rest } = body
        return { address, status, etag: headers.get('etag'), body: rest }
      }),
    )
  const before = await answersOf()
  await addPrivateCopies(app, 12_000)
  const after = await answersOf()

  test.each(asked.map((address, index) => [address, index] as const))('%s', (_, index) => {
    expect(after[index]).toEqual(before[index]!)
  })

  test('by a cursor as well, from page to page', async () => {
    let cursor: string | null = ''
    const ids: string[] = []
    while (cursor !== null) {
      const answer: Answer = await app.get(`${path}?limit=2&includeHistory=1${cursor && `&cursor=${cursor}`}`)
      const { data } = answer.body
      ids.push(...data.proofs.map(({ qHash }: { qHash: string }) => qHash))
      cursor = data.nextCursor
    }
    expect(ids).toEqual(made.reverse())
  })
})
