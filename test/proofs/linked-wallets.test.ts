/** Linked wallets may pay for each other, as long as their link stands. */

import { describe, expect, test } from 'bun:test'
import { listLinkedWallets } from '../../src/proofs/linked-wallets-store.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { link, unlink } from '../payments/linking.ts'
import { agent, alice, bob, mallory, type TestWallet } from '../wallets.ts'

const plain = ({ address }: TestWallet): string => address.toLowerCase()
const start = (): Promise<TestApp> => startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const linkedTo = (app: TestApp, wallet: TestWallet, contractOn?: string) =>
  listLinkedWallets(app.parts.db, { wallet: plain(wallet), contractOn }, app.now())

describe('a link', () => {
  test('is found from both of its ends, private as it may be, and from nowhere else', async () => {
    const app = await start()
    await link(app, alice, bob, { options: { privacyLevel: 'private' } })
    expect(await linkedTo(app, alice)).toEqual([plain(bob)])
    expect(await linkedTo(app, bob)).toEqual([plain(alice)])
    expect(await linkedTo(app, mallory)).toEqual([])
  })

  test('leads one step and no further', async () => {
    const app = await start()
    await link(app, alice, bob)
    await link(app, bob, agent)
    expect(await linkedTo(app, alice)).toEqual([plain(bob)])
    expect([...(await linkedTo(app, bob))].sort()).toEqual([plain(alice), plain(agent)].sort())
  })

  test('ends when it is revoked, for both', async () => {
    const app = await start()
    const qHash = await link(app, alice, bob)
    expect((await unlink(app, qHash, alice)).status).toBe(200)
    expect([await linkedTo(app, alice), await linkedTo(app, bob)]).toEqual([[], []])
  })

  test('ends with its newest run, however often it was made before', async () => {
    const app = await start()
    await link(app, alice, bob)
    const newest = await link(app, alice, bob)
    expect(await linkedTo(app, alice)).toEqual([plain(bob)])
    await unlink(app, newest, alice)
    expect(await linkedTo(app, alice)).toEqual([])
  })

  test('goes when its owner erases everything', async () => {
    const app = await start()
    await link(app, alice, bob)
    app.wait(1)
    const erased = await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: plain(alice) }),
    )
    expect(erased.status).toBe(200)
    expect(await linkedTo(app, bob)).toEqual([])
    expect(await select<object>(app.parts.db, 'SELECT * FROM wallet_links').all()).toEqual([])
  })

  test('does not count past the time its proof expires', async () => {
    const app = await start()
    const qHash = await link(app, alice, bob)
    await app.parts.db.write([
      { sql: 'UPDATE proofs SET expires_at = ?1 WHERE q_hash = unhex(?2)', params: [app.now() + 1000, qHash.slice(2)] },
    ])
    expect(await linkedTo(app, alice)).toEqual([plain(bob)])
    app.wait(1000)
    expect(await linkedTo(app, alice)).toEqual([])
  })

  test('to a contract wallet is its own, and not that of a key or another contract at its address', async () => {
    const app = await start()
    await link(app, alice, bob, { chain: 'eip155:10' })
    expect(await linkedTo(app, alice)).toEqual([plain(bob)])
    expect(await linkedTo(app, alice, 'eip155:10')).toEqual([])
    // Makes the account that of a contract at the address.
    const contract = `eip155:10:${plain(alice)}`
    await app.parts.db.write([
      { sql: 'UPDATE accounts SET address = ?1 WHERE address = ?2', params: [contract, plain(alice)] },
    ])
    expect(await linkedTo(app, alice, 'eip155:10')).toEqual([plain(bob)])
    expect(await linkedTo(app, alice, 'eip155:8453')).toEqual([])
    expect(await linkedTo(app, alice)).toEqual([])
  })

  test('is not made by a claim of one that failed beside another that holds', async () => {
    const app = await start()
    const answer = await app.submit(alice, {
      verifierIds: ['ownership-basic', 'wallet-link'],
      data: {
        'ownership-basic': { owner: alice.address, content: 'Holds' },
        'wallet-link': {
          primaryWalletAddress: alice.address,
          secondaryWalletAddress: bob.address,
          chain: 'eip155:8453',
          signature: await mallory.sign('something else'),
          signatureMethod: 'eip191',
          signedTimestamp: app.now(),
        },
      },
    })
    expect([answer.status, answer.body.status]).toEqual([200, 'partially_verified'])
    expect(await linkedTo(app, alice)).toEqual([])
  })

  test('is not made by a text that only looks like one', async () => {
    const app = await start()
    const answer = await app.submit(mallory, {
      verifierIds: ['ownership-basic'],
      data: {
        owner: mallory.address,
        content: '"wallet-link"',
        reference: { type: 'other', id: `","verifierId":"wallet-link","secondaryWalletAddress":"${plain(bob)}` },
      },
      options: { meta: { tags: ['wallet-link'] } },
    })
    expect(answer.status).toBe(200)
    expect(await linkedTo(app, mallory)).toEqual([])
    expect(await linkedTo(app, bob)).toEqual([])
  })
})

test('at most 64 of many links are read', async () => {
  const app = await start()
  await app.prove(alice)
  const { id } = (await select<{ id: number }>(app.parts.db, 'SELECT id FROM proofs').get())!
  await app.parts.db.write(
    Array.from({ length: 100 }, (_, index) => ({
      sql: 'INSERT INTO wallet_links (wallet, other, proof_id, chain) VALUES (?1, ?2, ?3, ?4)',
      params: [plain(alice), `0x${String(index).padStart(40, '0')}`, id, 'eip155:1'],
    })),
  )
  expect(await linkedTo(app, alice)).toHaveLength(64)
})

test.skipIf(onlyOnSqlite('an earlier form of the data'))(
  'Links from before the table existed are found when it is made',
  async () => {
    const app = await start()
    await link(app, alice, bob)
    const kept = await select<object>(app.parts.db, 'SELECT * FROM wallet_links ORDER BY wallet').all()
    expect(kept).toHaveLength(2)
    const sql = await Bun.file(new URL('../../migrations/0003_gates.sql', import.meta.url)).text()
    const backfill = sql.slice(sql.lastIndexOf('INSERT INTO wallet_links'))
    expect(backfill).toContain('FROM proofs p')
    await app.parts.db.write([{ sql: 'DELETE FROM wallet_links', params: [] }])
    await app.parts.db.write([{ sql: backfill, params: [] }])
    expect(await select<object>(app.parts.db, 'SELECT * FROM wallet_links ORDER BY wallet').all()).toEqual(kept)
  },
)
