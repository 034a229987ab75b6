/**
 * The worker may stop at any moment. It is stopped before and after every step, and starts again: each proof is
 * recorded with exactly one transaction.
 */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import type { BlockView, EvmChain } from '../../src/outside/chains/chain.ts'
import type { Parts } from '../../src/parts.ts'
import { updateProofStatus } from '../../src/proofs/status-store.ts'
import { openOutbox } from '../../src/publishing/outbox.ts'
import { openParts } from '../../src/start.ts'
import { startOfTime } from '../app.ts'
import { inspect, temporaryFolders } from '../db/store.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import {
  east,
  mine,
  newClaim,
  newPublisher,
  nonceOf,
  openStage,
  type Publisher,
  type Stage,
  untilMined,
} from './stage.ts'

setDefaultTimeout(180_000)
const newFolder = temporaryFolders()

let stage: Stage
beforeAll(async () => {
  stage = await openStage(east)
})
afterAll(() => stage.anvil.stop())

class Dead extends Error {}

/** The same parts, which die after `breaths`: every chain call and every write takes one before and one after. */
function mortal(parts: Parts, breaths: number): { readonly parts: Parts; isDead(): boolean } {
  let left = breaths
  const breathe = (): void => {
    left--
    if (left < 0) throw new Dead()
  }
  // biome-ignore lint/suspicious/noExplicitAny: wraps functions of every shape
  const breathing = <F extends (...args: any[]) => Promise<any>>(call: F): F =>
    (async (...args: Parameters<F>) => {
      breathe()
      const result = await call(...args)
      breathe()
      return result
    }) as F
  const breathingAll = <T extends object>(thing: T): T =>
    Object.fromEntries(
      Object.entries(thing).map(([name, value]) => [name, typeof value === 'function' ? breathing(value) : value]),
    ) as T
  const mortalChain = (chain: EvmChain): EvmChain => ({
    ...chain,
    at: breathing(async (block?: number): Promise<BlockView> => breathingAll(await chain.at(block))),
    transactions: breathingAll(chain.transactions),
  })
  const { chains } = parts.outside
  const evm = (chainId: number) => {
    const chain = chains.evm(chainId)
    return chain && mortalChain(chain)
  }
  const db: Db = { ...parts.db, write: breathing(parts.db.write) }
  const log = { ...parts.log, warn: () => {}, error: () => {} }
  return {
    parts: { ...parts, db, log, outside: { ...parts.outside, chains: { ...chains, evm } } },
    isDead: () => left < 0,
  }
}

async function openServer(folder: string, publisher: Publisher) {
  const config = await loadConfig({ env: { ...publisher.env, PROOFGATE_STORAGE_WRITER: 'inline' }, cwd: folder })
  const opened = await openParts(config, folder, () => startOfTime)
  const address = 'http://localhost:8787'
  opened.setAddresses({ baseUrl: address, authUrl: address, mcpUrl: address })
  const app = createApp(opened.parts)
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await app.handle(
      new Request(address + path, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return (await response.json()) as any
  }
  return {
    parts: opened.parts,
    close: opened.close,
    async submit(claim: object): Promise<string> {
      const body = { walletAddress: alice.address, signedTimestamp: startOfTime, ...claim }
      const prepared = await post('/api/v1/verification/standardize', body)
      const signature = await alice.sign(prepared.data.signerString)
      return (await post('/api/v1/verification', { ...body, signature })).data.qHash
    },
    revoke: async (qHash: string) =>
      post(
        `/api/v1/proofs/revoke-self/${qHash}`,
        await alice.signAction({ action: 'revoke_proof', qHash }, startOfTime),
      ),
    openOrders: async () =>
      (await select<object>(opened.parts.db, 'SELECT state FROM publications WHERE finished_at IS NULL').all()).length,
    hashes: () =>
      select<object>(
        opened.parts.db,
        "SELECT tx_hashes FROM publications WHERE state = 'confirmed' AND tx_hashes IS NOT NULL",
      ).all(),
    status: async () => (await select<{ status: string }>(opened.parts.db, 'SELECT status FROM proofs').get())?.status,
  }
}

type Server = Awaited<ReturnType<typeof openServer>>

/** Looks until nothing is left to do or the worker is dead. Each look is a new worker: it remembers nothing. */
async function work(server: Server, breaths = Number.POSITIVE_INFINITY): Promise<boolean> {
  const { parts, isDead } = mortal(server.parts, breaths)
  for (let look = 0; look < 12 && !isDead(); look++) {
    await openOutbox(parts, updateProofStatus)
      .runOnce()
      .catch((error) => {
        if (!(error instanceof Dead)) throw error
      })
    if (!isDead() && (await server.openOrders()) === 0) return true
    await mine(stage.anvil)
  }
  return false
}

describe('a worker that stops after any number of steps, and starts again,', () => {
  test.each([
    ['records a proof with one transaction', async (_: Server, __: string) => {}, 1, 1],
    [
      'records its revocation with one more',
      async (server: Server, qHash: string) => {
        await work(server)
        await server.revoke(qHash)
      },
      2,
      5,
    ],
  ] as const)('%s', async (_, prepare, transactions, stride) => {
    let deaths = 0
    for (let breaths = 0; ; breaths += stride) {
      const folder = newFolder()
      const publisher = await newPublisher([stage])
      const first = await openServer(folder, publisher)
      const qHash = await first.submit(newClaim({ targetChains: [east] }))
      await prepare(first, qHash)
      const isDone = await work(first, breaths)
      await first.close()
      if (isDone) break

      deaths++
      const second = await openServer(folder, publisher)
      expect(await work(second)).toBe(true)
      expect(`${breaths}: ${await nonceOf(stage, publisher.address)}`).toBe(`${breaths}: ${transactions}`)
      expect(await second.status()).toBe('verified_crosschain_propagated')
      // It knows its own transactions: none was sent whose hash it had not stored.
      expect(await second.hashes()).toHaveLength(transactions)
      expect(await stage.eas.read('getTimestamp', [qHash])).toBeGreaterThan(0n)
      await second.close()
    }
    // Fewer would mean that the breaths are no longer counted.
    expect(deaths * stride).toBeGreaterThan(25)
  })

  test('keeps the hash of a transaction that was stored and not sent', async () => {
    const folder = newFolder()
    const publisher = await newPublisher([stage])
    let server = await openServer(folder, publisher)
    await server.submit(newClaim({ targetChains: [east] }))
    const row = async () =>
      (await select<{ state: string; signed: string; nonce: number }>(
        server.parts.db,
        'SELECT state, signed, nonce FROM publications',
      ).get())!
    let breaths = 0
    while ((await row()).state === 'waiting') await work(server, breaths++)
    const stored = await row()
    expect(stored.state).toBe('sent')
    expect(await nonceOf(stage, publisher.address)).toBe(0)
    await server.close()

    server = await openServer(folder, publisher)
    await openOutbox(server.parts, updateProofStatus).runOnce()
    expect(await row()).toEqual(stored)
    await untilMined(stage, publisher.address, 1)
    expect(await nonceOf(stage, publisher.address)).toBe(1)
    await server.close()
  })
})

/** Removes everything that later migrations added. */
function asAfterFirstMigration(db: Database): void {
  const first = new Database(':memory:')
  migrate(first, migrations.slice(0, 1))
  const objects = (of: Database) =>
    of
      .query<{ type: string; name: string; sql: string }, []>(
        "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'",
      )
      .all()
  const isTrigger = ({ type }: { type: string }): boolean => type === 'trigger'
  const kept = new Set(objects(first).map(({ name }) => name))
  const later = objects(db).filter(({ name }) => !kept.has(name))
  db.run('PRAGMA foreign_keys = OFF')
  // Later ones may have the name of an earlier one.
  for (const { name } of objects(db).filter(isTrigger)) db.run(`DROP TRIGGER ${name}`)
  for (const kind of ['index', 'table'])
    for (const { name } of later.filter(({ type }) => type === kind)) db.run(`DROP ${kind} ${name}`)
  const columns = (of: Database, table: string) =>
    of.query<{ name: string; inKey: number }, []>(`SELECT name, pk AS inKey FROM pragma_table_info('${table}')`).all()
  for (const { name: table } of objects(first).filter(({ type }) => type === 'table')) {
    const before = new Set(columns(first, table).map(({ name }) => name))
    const added = columns(db, table).filter(({ name }) => !before.has(name))
    if (added.length === 0) continue
    // A column of a key cannot be dropped, so the table is made again without its rows.
    if (added.some(({ inKey }) => inKey > 0)) {
      const { sql } = first.query<{ sql: string }, [string]>('SELECT sql FROM sqlite_schema WHERE name = ?').get(table)!
      db.run(`DROP TABLE ${table}`)
      db.run(sql)
    } else for (const { name } of added) db.run(`ALTER TABLE ${table} DROP COLUMN ${name}`)
  }
  // And later migrations removed some.
  const left = new Set(objects(db).map(({ name }) => name))
  for (const { name, sql } of objects(first)) if (!left.has(name)) db.run(sql)
  db.run("DELETE FROM migrations WHERE name > '0001_init'")
}

test('a database from before publishing is brought up to date, and publishes from then on', async () => {
  const folder = newFolder()
  const publisher = await newPublisher([stage])
  const before = await openServer(folder, publisher)
  await before.submit(newClaim({}))
  await before.close()
  inspect(folder, asAfterFirstMigration)

  const after = await openServer(folder, publisher)
  expect(await after.status()).toBe('verified')
  const qHash = await after.submit(newClaim({ targetChains: [east] }))
  expect(await work(after)).toBe(true)
  expect(await stage.eas.read('getTimestamp', [qHash])).toBeGreaterThan(0n)
  await after.close()
})
