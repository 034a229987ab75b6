import { describe, expect, test } from 'bun:test'
import type { Query } from '../../src/db/query.ts'
import { listShared } from '../../src/proofs/shared-store.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice, bob, mallory } from '../wallets.ts'

const path = '/api/v1/profile/shared-proofs'

async function grant(app: TestApp, qHash: string, viewer = bob.address, expiresInSeconds: number | null = null) {
  app.wait(1)
  const data = { qHash, viewerWallet: viewer, expiresInSeconds }
  const { walletAddress: ownerWallet, ...signed } = await app.ownerBody(alice, {
    action: 'grant_proof_access',
    ...data,
  })
  const answer = await app.post('/api/v1/verification/access/grant', { ownerWallet, ...signed, ...data })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

async function openStage() {
  const app = await startApp()
  const { headers } = await app.signIn(bob)
  const list = async (query = '') => (await app.get(`${path}?${query}`, headers)).body.data
  const ids = async () => (await list()).shared.map(({ proof }: { proof: { qHash: string } }) => proof.qHash)
  return { app, headers, list, ids }
}

describe('proofs that others share with a person', () => {
  test('are listed with who shares them, since and until when', async () => {
    const { app, list } = await openStage()
    const qHash = await app.prove(alice, { storeOriginalContent: true, meta: { title: 'Minutes' } })
    await grant(app, qHash, bob.address, 3600)
    const { shared, nextCursor } = await list()
    expect(nextCursor).toBeNull()
    expect(shared).toMatchObject([
      {
        viewerWallet: bob.address.toLowerCase(),
        since: app.now(),
        until: app.now() + 3_600_000,
        proof: { qHash, title: 'Minutes', walletAddress: alice.address.toLowerCase() },
      },
    ])
    expect(shared[0].proof.publicContent).toBeUndefined()
    expect(shared[0].proof.portableProof).toBeUndefined()
  })

  test('leave the list when sharing ends: by time, by its owner, by revoking', async () => {
    const { app, ids } = await openStage()
    const [timed, taken, revoked, kept] = [
      await app.prove(alice),
      await app.prove(alice),
      await app.prove(alice),
      await app.prove(alice),
    ]
    await grant(app, timed!, bob.address, 60)
    for (const one of [taken, revoked, kept]) await grant(app, one!)
    await grant(app, kept!, mallory.address)
    expect(await ids()).toEqual([kept, revoked, taken, timed])
    app.wait(61_000)
    const withdrawing = { qHash: taken!, viewerWallet: bob.address }
    const { walletAddress: ownerWallet, ...signed } = await app.ownerBody(alice, {
      action: 'withdraw_proof_access',
      ...withdrawing,
    })
    await app.post('/api/v1/verification/access/withdraw', { ownerWallet, ...signed, ...withdrawing })
    await app.post(
      `/api/v1/proofs/revoke-self/${revoked}`,
      await app.ownerBody(alice, { action: 'revoke_proof', qHash: revoked! }),
    )
    expect(await ids()).toEqual([kept])
  })

  test('can be left, which ends nobody else’s access', async () => {
    const { app, headers, ids } = await openStage()
    const qHash = await app.prove(alice)
    await grant(app, qHash)
    await grant(app, qHash, mallory.address)
    const leave = (by: Record<string, string>) => app.request(`${path}/${qHash}`, { method: 'DELETE', headers: by })
    const stranger = (await app.signIn(alice)).headers
    expect((await leave(stranger)).body.data.wasShared).toBe(false)
    expect((await leave({ cookie: headers.cookie! })).status).toBe(403)
    expect(await ids()).toEqual([qHash])
    expect((await leave(headers)).body.data).toEqual({ qHash, wasShared: true })
    expect((await leave(headers)).body.data.wasShared).toBe(false)
    expect(await ids()).toEqual([])
    const reader = async (wallet: typeof bob) =>
      (
        await app.get(
          `/api/v1/proofs/${qHash}`,
          await app.ownerHeaders(wallet, { action: 'access_private_proof', qHash }),
        )
      ).body.data.walletAddress
    expect(await reader(bob)).toBeUndefined()
    expect(await reader(mallory)).toBe(alice.address.toLowerCase())
  })

  test('come in pages by a cursor, each once', async () => {
    const { app, headers, list } = await openStage()
    const all: string[] = []
    for (let count = 0; count < 5; count++) {
      all.unshift(await app.prove(alice))
      await grant(app, all[0]!)
    }
    const found: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(`limit=2${cursor && `&cursor=${cursor}`}`)
      found.push(...page.shared.map(({ proof }: { proof: { qHash: string } }) => proof.qHash))
      cursor = page.nextCursor
    }
    expect(found).toEqual(all)
    expect((await app.get(`${path}?limit=101`, headers)).body.error.details.path).toBe('/limit')
    const other = (await app.signIn(mallory)).headers
    const { nextCursor } = await list('limit=2')
    expect((await app.get(`${path}?cursor=${nextCursor}`, other)).status).toBe(400)
    expect((await app.get(path)).status).toBe(401)
  })

  test.skipIf(onlyOnSqlite('a query plan of this form'))('are found by the index of viewers', async () => {
    const { app } = await openStage()
    const seen = new Set<string>()
    const { db } = app.parts
    const spying = {
      ...db,
      read: ((text: Query<unknown, []>) => {
        seen.add(text)
        return db.read(text)
      }) as typeof db.read,
    }
    await listShared(spying, [bob.address.toLowerCase() as never], { before: 10, now: 1, limit: 2 })
    const [text] = seen
    const plan = (await select<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${text}`).all()).map(({ detail }) => detail)
    expect(plan.join('\n')).toContain('access_grants_by_viewer (viewer=? AND proof_id<?)')
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
  })
})
