/** The facts of proofs in the database: made with the proof, deleted with it, and added to older proofs. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import type { Parts } from '../../src/parts.ts'
import { backfillFacts } from '../../src/proofs/facts-backfill.ts'
import { openParts, startServer } from '../../src/start.ts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { contractWallet } from '../contract-wallet.ts'
import { temporaryFolders } from '../db/store.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'

const newFolder = temporaryFolders()
const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }

interface Fact {
  readonly account_id: number
  readonly fact52: number
  readonly proof_id: number
}
/** All but the entries of claims. */
const factsIn = ({ db }: Pick<Parts, 'db'>): Promise<Fact[]> =>
  select<Fact>(
    db,
    `SELECT f.* FROM proof_facts f LEFT JOIN proofs p ON p.id = f.proof_id
     WHERE p.id IS NULL OR abs(f.fact52) <> p.scope52 ORDER BY f.proof_id, f.fact52`,
  ).all()
const countOf = async (parts: Parts, proofId: number): Promise<number> =>
  (await factsIn(parts)).filter(({ proof_id }) => proof_id === proofId).length

const erase = async (app: TestApp, wallet = alice) =>
  app.post(
    '/api/v1/proofs/erase-all',
    await app.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress: wallet.address.toLowerCase() }),
  )

describe('facts', () => {
  test('are made with the proof: its verifiers, their subjects, its tags; each once', async () => {
    const app = await startApp(unlimited)
    await app.prove(alice, { meta: { tags: ['a', 'b', 'a'] } }, { reference: { type: 'url', id: 'https://a.example' } })
    // ownership-basic, the hash, the reference, two tags.
    expect(await countOf(app.parts, 1)).toBe(5)
    await app.prove(bob)
    expect(await countOf(app.parts, 2)).toBe(2)
    expect(new Set((await factsIn(app.parts)).map(({ account_id }) => account_id)).size).toBe(2)
    for (const { fact52 } of await factsIn(app.parts)) expect(fact52 >= 0 && fact52 < 2 ** 52).toBe(true)
  })

  test('differ between private proofs and public ones', async () => {
    const app = await startApp(unlimited)
    await app.prove(alice, {}, { content: 'x' })
    await app.prove(alice, { privacyLevel: 'public' }, { content: 'x' })
    expect(new Set((await factsIn(app.parts)).map(({ fact52 }) => fact52)).size).toBe(4)
  })

  test('are not made for a proof that is refused', async () => {
    const app = await startApp(unlimited)
    const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } }
    expect((await app.submit(alice, claim)).status).toBe(200)
    const before = await factsIn(app.parts)
    expect((await app.submit(bob, claim)).status).toBe(409)
    expect(await factsIn(app.parts)).toEqual(before)
  })

  test('go with everything of a wallet, and with nothing of another', async () => {
    const app = await startApp(unlimited)
    await app.prove(alice)
    await app.prove(bob)
    const ofBob = (await factsIn(app.parts)).filter(({ proof_id }) => proof_id === 2)
    expect((await erase(app)).body.erasedCount).toBe(1)
    expect(await factsIn(app.parts)).toEqual(ofBob)
  })
})

describe('a contract wallet', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 8453 })
  })
  afterAll(() => anvil.stop())

  test('erases the facts of its chain and leaves the others', async () => {
    const wallet = await deploy(anvil, 'Wallet1271', [alice.address])
    const app = await startApp({
      ...unlimited,
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: anvil.url,
      PROOFGATE_CHAINS_OTHER_CHAIN: 'eip155:10',
      PROOFGATE_CHAINS_OTHER_RPC: 'http://127.0.0.1:9',
    })
    const signer = contractWallet(wallet.address.toLowerCase(), 'eip155:8453', alice)
    await app.prove(signer)
    await app.prove(signer)
    // Marks it as signed on another chain, which no server answers for.
    const other = `eip155:10:${wallet.address.toLowerCase()}`
    await app.parts.db.write(
      [
        'INSERT INTO accounts (id, address) VALUES (9, ?1)',
        'UPDATE proofs SET account_id = 9 WHERE id = 2 AND CAST(?1 AS TEXT) IS NOT NULL',
        'UPDATE proof_facts SET account_id = 9 WHERE proof_id = 2 AND CAST(?1 AS TEXT) IS NOT NULL',
      ].map((sql) => ({ sql, params: [other] })),
    )
    const kept = (await factsIn(app.parts)).filter(({ proof_id }) => proof_id === 2)
    expect(kept.length).toBeGreaterThan(0)
    const { body } = await erase(app, signer)
    expect(body.erasedCount).toBe(1)
    expect(await factsIn(app.parts)).toEqual(kept)
    await app.close()
  })
})

describe('a database from before', () => {
  /** Proofs of today in the tables of the version before, and the facts that they should get. */
  async function oldFolder() {
    const app = await startApp(unlimited)
    for (const [at, wallet] of [alice, bob, alice, alice, bob, alice, alice].entries())
      await app.prove(wallet, at % 2 ? { privacyLevel: 'public', meta: { tags: [`t${at}`] } } : {})
    const { db } = app.parts
    const folder = newFolder()
    const file = new Database(locateDatabaseFile(folder), { create: true, strict: true })
    file.run('PRAGMA journal_mode = WAL')
    migrate(file, migrations.slice(0, 2), startOfTime)
    for (const table of ['accounts', 'proofs']) {
      // Columns of later migrations are not there yet.
      const columns = file.query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`).all()
      const names = columns.map(({ name }) => name).join(', ')
      const rows = await select<Record<string, string | number | Uint8Array>>(db, `SELECT ${names} FROM ${table}`).all()
      for (const row of rows) {
        const names = Object.keys(row)
        file.run(`INSERT OR REPLACE INTO ${table} (${names}) VALUES (${names.map(() => '?')})`, Object.values(row))
      }
    }
    file.close()
    writeFileSync(join(folder, 'master.key'), 'a'.repeat(64))
    return { folder, expected: await factsIn(app.parts) }
  }
  const config = (env: Record<string, string> = {}) =>
    loadConfig({ env: { ...unlimited, PROOFGATE_LOG_LEVEL: 'error', ...env }, cwd: '/nonexistent' })

  test('is given the facts in batches, goes on where it stood, and does nothing a second time', async () => {
    const { folder, expected } = await oldFolder()
    const opened = await openParts(await config(), folder, () => startOfTime)
    const { db, catalog, processes } = opened.parts
    expect(await factsIn(opened.parts)).toEqual([])

    // A process that ends after the second batch.
    let writes = 0
    const dying = {
      ...db,
      write: ((statements) => {
        if (++writes > 2) return Promise.reject(new Error('killed'))
        return db.write(statements)
      }) as typeof db.write,
    }
    // The form expect().rejects would run the event loop without the messages of threads.
    expect(await backfillFacts({ db: dying, catalog, processes }, 2).catch(String)).toContain('killed')
    expect(new Set((await factsIn(opened.parts)).map(({ proof_id }) => proof_id))).toEqual(new Set([1, 2, 3, 4]))

    expect(await backfillFacts({ db, catalog, processes }, 2)).toBe(3)
    expect(await factsIn(opened.parts)).toEqual(expected)
    expect(await backfillFacts({ db, catalog, processes }, 2)).toBe(0)
    await opened.close()
  })

  test('answers gate checks from the first request on', async () => {
    const { folder, expected } = await oldFolder()
    const server = await startServer(await config({ PROOFGATE_PORT: '0', PROOFGATE_HOST: '127.0.0.1' }), { folder })
    try {
      expect(await factsIn(server.parts)).toEqual(expected)
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/proofs/check?address=${alice.address}&tag=t3`)
      expect(await answer.json()).toMatchObject({ data: { eligible: true, matchedCount: 1 } })
    } finally {
      await server.stop()
    }
  })

  test('with older facts gets those of later versions: the wallet that a proof is about', async () => {
    const denyList = join(newFolder(), 'deny.txt')
    writeFileSync(denyList, '')
    const app = await startApp({ ...unlimited, PROOFGATE_RISK_DENY_LIST: denyList })
    const { db, catalog, processes } = app.parts
    await app.prove(bob)
    await app.submit(alice, {
      verifierIds: ['wallet-risk'],
      data: { walletAddress: bob.address },
      subjectWallet: bob.address,
      options: { privacyLevel: 'public' },
    })
    const expected = await factsIn(app.parts)
    const query = `/api/v1/proofs/check?address=${alice.address}&subjectWallet=${bob.address}`
    const isEligible = async () => (await app.get(query)).body.data.eligible
    expect(await isEligible()).toBe(true)
    await db.write([{ sql: 'DELETE FROM proof_facts WHERE proof_id = ?1', params: [2] }])
    expect(await isEligible()).toBe(false)

    expect(await backfillFacts({ db, catalog, processes })).toBe(0)
    await db.write([{ sql: migrations.find(({ name }) => name === '0025_lookup_facts')!.sql, params: [] }])
    expect(await backfillFacts({ db, catalog, processes })).toBe(2)
    expect(await factsIn(app.parts)).toEqual(expected)
    expect(await isEligible()).toBe(true)
    await app.close()
  })
})
