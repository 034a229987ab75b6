/** Query plans: the cost of reading one wallet's proofs must not grow with the proofs of others. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { Statement, Write } from '../../src/db/db.ts'
import type { Query } from '../../src/db/query.ts'
import { filterInOrder, flatMapInOrder, mapInOrder } from '../../src/in-order.ts'
import { updateProofStatus } from '../../src/proofs/status-store.ts'
import { openOutbox } from '../../src/publishing/outbox.ts'
import { openParts } from '../../src/start.ts'
import { sweepOnce } from '../../src/sweep.ts'
import { startApp, startOfTime } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const reads = new Set<string>()
const writes = new Set<string>()
let plan: (text: string) => Promise<string[]>

/** The real app, with a note of every statement it asks for. */
beforeAll(async () => {
  const config = await loadConfig({
    env: {
      PROOFGATE_LIMITS_ENABLED: 'false',
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      // No server listens at this address.
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9',
      PROOFGATE_CHAINS_BASE_EAS: `0x${'12'.repeat(20)}`,
      PROOFGATE_PUBLISHING_PRIVATE_KEY: `0x${'34'.repeat(32)}`,
      PROOFGATE_LOG_LEVEL: 'error',
    },
    cwd: '/nonexistent',
  })
  const opened = await openParts(config, undefined, () => startOfTime)
  const baseUrl = 'http://localhost:8787'
  opened.setAddresses({ baseUrl, authUrl: baseUrl, mcpUrl: baseUrl })
  const { db } = opened.parts
  const parts = {
    ...opened.parts,
    db: {
      ...db,
      read: ((text: Query<unknown, []>) => {
        reads.add(text)
        return db.read(text)
      }) as typeof db.read,
      write: (write: Write) => {
        for (const { sql: text } of write as readonly Statement[]) writes.add(text)
        return db.write(write)
      },
    },
  }
  const app = createApp(parts)
  plan = async (text) =>
    (await select<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${text}`).all()).map(({ detail }) => detail)

  const send = async (path: string, init: RequestInit = {}) =>
    (await (await app.handle(new Request(`http://localhost${path}`, init))).json()) as unknown
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

  const base = { walletAddress: alice.address, signedTimestamp: startOfTime }
  const prove = async (claim: object) => {
    const body = { ...base, ...claim }
    const prepared = (await post('/api/v1/verification/standardize', body)) as { data: { signerString: string } }
    const answer = await post('/api/v1/verification', {
      ...body,
      signature: await alice.sign(prepared.data.signerString),
    })
    return (answer as { data: { qHash: string } }).data.qHash
  }
  const options = { privacyLevel: 'private', storeOriginalContent: true, targetChains: [8453] }
  const qHash = await prove({ verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'x' }, options })
  const shown = await prove({
    verifierIds: ['ownership-pseudonym'],
    data: { pseudonymId: 'alice' },
    options: { privacyLevel: 'public', publicDisplay: true },
  })

  const tools = await startApp()
  const owner = (data: object) => tools.ownerHeaders(alice, data, startOfTime)
  const signed = (data: object) => tools.ownerBody(alice, data, startOfTime)
  await send('/api/v1/health')
  for (const headers of [{}, await owner({ action: 'access_private_proof', qHash })])
    for (const query of ['', '?latestScope=1']) await send(`/api/v1/proofs/${qHash}${query}`, { headers })
  await send(`/api/v1/proofs/${shown}?latestScope=1`)
  await post('/api/v1/verification/status-batch', { qHashes: [qHash] })
  const listing = { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() }
  const filters = ['', 'includeHistory=1', 'status=revoked', 'status=expired', 'status=verified', 'tag=x', 'tags=x,y']
  filters.push('tagPrefix=x', 'tagContains=x', 'verifierId=x', 'q=x', 'chainId=1', 'privacyLevel=public')
  filters.push('from=1&before=9999999999999', 'appId=x&from=1')
  filters.push('appId=x', 'appId=none', 'appId=x&includeHistory=1')
  filters.push(`qHash=${qHash}`, 'includeFacets=1', 'offset=5', 'cursor=', 'chainCoverage=cross-chain')
  for (const headers of [{}, await owner(listing)])
    for (const filter of filters) {
      const path = `/api/v1/proofs/by-wallet/${alice.address}?limit=1&`
      const first = (await send(path, { headers })) as { data?: { nextCursor?: string } }
      await send(path + (filter === 'cursor=' ? `cursor=${first.data?.nextCursor}` : filter), { headers })
    }
  const checking = { action: 'gate_check_private_proofs', walletAddress: alice.address.toLowerCase() }
  for (const headers of [{}, await owner(checking)])
    for (const query of [
      'verifierId=ownership-basic',
      'tag=x',
      'riskLevel=low',
      `contentHash=${qHash}`,
      `qHash=${qHash}`,
    ])
      await send(`/api/v1/proofs/check?address=${alice.address}&includePrivate=1&explain=1&${query}`, { headers })
  const grant = { qHash, viewerWallet: bob.address }
  const { walletAddress: ownerWallet, ...rest } = await signed({ action: 'grant_proof_access', ...grant })
  await post('/api/v1/verification/access/grant', { ownerWallet, ...rest, ...grant })
  await send(`/api/v1/proofs/${qHash}`, {
    headers: await tools.ownerHeaders(bob, { action: 'access_private_proof', qHash }, startOfTime),
  })
  // The order is so late that it is given up.
  await openOutbox({ ...parts, now: () => startOfTime + 30 * 86_400_000 }, updateProofStatus).runOnce()
  await post(`/api/v1/proofs/revoke-self/${qHash}`, await signed({ action: 'revoke_proof', qHash }))
  const erasing = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
  await post('/api/v1/proofs/erase-all', await signed(erasing))
  await sweepOnce(parts)
})

/** Whole tables that are walked through: not a subquery's own few rows, and not the elements of a JSON value. */
async function scanned(text: string): Promise<string[]> {
  const details = await plan(text)
  const inMemory = details.flatMap((detail) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)/.exec(detail)?.[1] ?? [])
  return details
    .flatMap((detail) => (detail.includes('VIRTUAL TABLE') ? [] : (/^SCAN (\w+)/.exec(detail)?.[1] ?? [])))
    .filter((name) => !inMemory.includes(name) && name !== 'CONSTANT')
}

describe('reads', () => {
  test('all of them were recorded', () => {
    expect(reads.size).toBeGreaterThan(30)
    expect(writes.size).toBeGreaterThan(15)
  })

  test('scan no whole table', async () => {
    const walking = await flatMapInOrder([...reads], async (text) =>
      (await scanned(text)).map((table) => `${table}: ${text}`),
    )
    expect(walking).toEqual([])
  })

  test.each([
    ['a proof by its id', 'WHERE p.q52 = ?1', 'proofs_by_q52 (q52=?)'],
    ['the newest of a claim, for its owner', 'AND f.fact52 = -?1', 'f USING PRIMARY KEY (account_id=? AND fact52=?)'],
    [
      'the newest of a claim, for others',
      'AND visibility = 2 AND revoked_at IS NULL ORDER BY',
      'proofs_scope_listed (scope52=?)',
    ],
    ['the counters', 'all_listed_count', 'accounts USING INTEGER PRIMARY KEY (rowid=?)'],
    [
      'a grant',
      'FROM access_grants g\n  WHERE g.proof_id = ?1 AND g.viewer',
      'access_grants_by_viewer (viewer=? AND proof_id=?)',
    ],
    ['content', 'FROM contents', 'INTEGER PRIMARY KEY (rowid=?)'],
    ['what is published of a page of proofs', 'CROSS JOIN publications j', 'publications_by_proof (proof_id=?)'],
    ['what is left to do on a chain', 'j.finished_at IS NULL', 'publications_open (chain_id=? AND state=?)'],
    ['a chain with something to do', 'min(chain_id)', 'publications_open (chain_id>?)'],
  ])('%s is found by its index', async (_, part, index) => {
    const found = [...reads].filter((text) => text.includes(part))
    expect(found.length).toBeGreaterThan(0)
    for (const text of found) expect((await plan(text)).join('\n')).toContain(index)
  })

  test('a gate check reads the facts of one wallet, in order, without sorting', async () => {
    const checks = [...reads].filter((text) => text.includes('SELECT proof_id FROM proof_facts'))
    expect(checks.length).toBeGreaterThan(0)
    for (const check of checks) {
      const steps = (await plan(check)).join('\n')
      expect(steps).toContain('SEARCH proof_facts USING PRIMARY KEY (account_id=? AND fact52=? AND proof_id<?)')
      expect(steps).toContain('SEARCH p USING INTEGER PRIMARY KEY (rowid=?)')
      expect(steps).not.toContain('USE TEMP B-TREE')
    }
  })

  test('a gate check walks no proofs without a fact, which could be private ones', () => {
    expect([...reads].filter((text) => text.includes('FROM (SELECT id FROM proofs WHERE account_id = ?1'))).toEqual([])
  })

  /** The ids of a list, which are looked up before its rows are read. */
  const walks = (): string[] =>
    [...reads].filter(
      (text) => text.includes('SELECT proofs.id FROM proofs WHERE') && text.includes('ORDER BY id DESC LIMIT ?'),
    )
  const ofStrangers = (text: string): boolean => text.includes('visibility = 2')

  test('a list of some days walks only the ids of those days, in order, without sorting', async () => {
    const lists = walks().filter((text) => text.includes('id >= ?'))
    expect(lists.length).toBeGreaterThan(3)
    for (const text of lists) {
      const steps = (await plan(text)).join('\n')
      expect(steps).toMatch(
        /USING (COVERING )?INDEX proofs_\w+ \(account_id=\? AND (app_id=\? AND )?rowid>\? AND rowid<\?\)/,
      )
      expect(steps).not.toContain('USE TEMP B-TREE')
    }
    const searches = [...reads].filter((text) => text.includes('RECURSIVE half'))
    expect(searches.length).toBe(1)
    const steps = (await plan(searches[0]!)).join('\n')
    expect(steps).toContain('SEARCH proofs USING INTEGER PRIMARY KEY (rowid>?)')
  })

  test('a list of one app skips no proof of another one, in order, without sorting', async () => {
    const lists = walks().filter((text) => text.includes('app_id = ?'))
    expect(lists.length).toBeGreaterThan(3)
    for (const text of lists) {
      const steps = (await plan(text)).join('\n')
      const index = ofStrangers(text) ? 'proofs_app_listed' : 'proofs_by_app'
      expect(steps).toMatch(new RegExp(`USING (COVERING )?INDEX ${index} \\(account_id=\\? AND app_id=\\?`))
      expect(steps).not.toContain('USE TEMP B-TREE')
    }
  })

  test('a public list skips no private proof, in order, without sorting', async () => {
    const lists = walks().filter((text) => ofStrangers(text) && !/q52 =|app_id = \?/.test(text))
    expect(lists.length).toBeGreaterThan(5)
    for (const text of lists) {
      const steps = (await plan(text)).join('\n')
      expect(steps).toMatch(/USING (COVERING )?INDEX proofs_(listed|shown) \(account_id=\?/)
      expect(steps).not.toMatch(/proofs_by_account|USE TEMP B-TREE/)
    }
  })

  test('the owner’s list is read in order, without sorting', async () => {
    const lists = walks().filter((text) => !ofStrangers(text) && !text.includes('app_id = ?'))
    expect(lists.length).toBeGreaterThan(5)
    for (const text of lists) {
      const steps = (await plan(text)).join('\n')
      expect(steps).toMatch(/proofs_by_(account|q52)/)
      expect(steps).not.toContain('USE TEMP B-TREE')
    }
  })
})

describe('writes', () => {
  test('scan neither the proofs nor the accounts', async () => {
    const walking = await flatMapInOrder([...writes], scanned)
    expect(walking).not.toContain('proofs')
    expect(walking).not.toContain('accounts')
  })

  test('scan another table only in the sweep of short-lived rows', async () => {
    const walking = await filterInOrder([...writes], async (text) => (await scanned(text)).length > 0)
    expect(walking.map((text) => text.replace(/\s+/g, ' ').slice(0, 60)).sort()).toEqual([
      'DELETE FROM erased_proofs WHERE q52 IN (SELECT q52 FROM eras',
      // A handful of rows, ever.
      'DELETE FROM oauth_keys WHERE kid IN (SELECT kid FROM oauth_k',
      // Payments under way: gone within minutes.
      'DELETE FROM settlements WHERE identity IN (SELECT identity F',
      // In the order of its ids, and no further than one batch.
      'DELETE FROM taken_away WHERE id IN ( SELECT id FROM (SELECT ',
    ])
  })

  test('by triggers on inserts and revocations use indexes', async () => {
    const inTriggers = [
      'UPDATE proofs SET superseded = 1 WHERE id IN (SELECT proof_id FROM proof_facts WHERE account_id = 1 AND fact52 = 1) AND superseded = 0',
      'UPDATE proof_facts SET fact52 = -1 WHERE account_id = 1 AND fact52 = 1 AND proof_id = 1',
      'DELETE FROM access_grants WHERE link_proof IN (SELECT 1 UNION ALL SELECT proof_id FROM proof_facts WHERE account_id = 1 AND fact52 = -1)',
      'UPDATE accounts SET current_count = current_count + 1 WHERE id = 1',
    ]
    for (const text of inTriggers) {
      expect(await scanned(text)).toEqual([])
      expect((await plan(text)).join()).toMatch(/USING (INTEGER )?PRIMARY KEY|access_grants_by_link/)
    }
  })

  test('every reference can be followed back by an index: a deleted row scans no child table', async () => {
    const { parts } = await startApp()
    const all = <T>(text: string) => select<T>(parts.db, text).all()
    const missing: string[] = []
    for (const { name } of await all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'"))
      for (const { from } of await all<{ from: string }>(`PRAGMA foreign_key_list('${name}')`)) {
        const leading = await mapInOrder(
          await all<{ name: string }>(`PRAGMA index_list('${name}')`),
          async (index) => (await all<{ name: string }>(`PRAGMA index_info('${index.name}')`))[0]?.name,
        )
        const isRowId = (await all<{ name: string; pk: number; type: string }>(`PRAGMA table_info('${name}')`)).some(
          (column) => column.name === from && column.pk === 1,
        )
        if (!leading.includes(from) && !isRowId) missing.push(`${name}.${from}`)
      }
    expect(missing).toEqual([])
  })
})
