/** Proofs from before accounts go to the account that their signature shows, or else to that of their chain. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config/load.ts'
import { locateDatabaseFile } from '../../src/db/db.ts'
import { requireMasterKey } from '../../src/db/master-key.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { resumeErasures } from '../../src/erasure/slices.ts'
import type { Parts } from '../../src/parts.ts'
import { openParts } from '../../src/start.ts'
import { startApp, startOfTime } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, mallory, sol, type TestWallet } from '../wallets.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
const env = { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' }
const low = ({ address }: TestWallet): string => (address.startsWith('0x') ? address.toLowerCase() : address)

/** A proof as it stood: by whom, how it was signed and for which chain. A content names a claim. */
interface Old {
  readonly tag: string
  readonly wallet?: TestWallet
  readonly method: string | null
  readonly chainId?: number
  readonly chain?: string
  readonly content?: string
}
const olds: readonly Old[] = [
  { tag: 'key', method: 'eip191', chainId: 84532 },
  { tag: 'contract', method: 'eip1271', chain: 'eip155:10' },
  { tag: 'wrapped', method: 'eip6492', chainId: 1 },
  { tag: 'unknown-hub', method: null, chainId: 84532 },
  { tag: 'unknown-10', method: null, chain: 'eip155:10' },
  { tag: 'run-of-10', method: 'eip1271', chainId: 10, content: 'run' },
  { tag: 'run-of-1', method: 'eip1271', chainId: 1, content: 'run' },
  { tag: 'replaced', method: 'eip191', chainId: 84532, content: 'again' },
  { tag: 'replacing', method: null, chainId: 84532, content: 'again' },
  { tag: 'solana', wallet: sol, method: 'ed25519', chain: 'solana:mainnet' },
  { tag: 'solana-unsigned', wallet: sol, method: null, chain: 'solana:mainnet' },
  { tag: 'half-erased', wallet: mallory, method: 'eip1271', chainId: 10 },
  { tag: 'not-erased', wallet: mallory, method: 'eip191', chainId: 84532 },
]

let opened: Awaited<ReturnType<typeof openParts>>
let app: ReturnType<typeof createApp>

/** Today's proofs in the tables of the version before. */
async function oldFolder(): Promise<string> {
  const today = await startApp(env)
  const ids: string[] = []
  for (const { tag, wallet = alice, content } of olds)
    ids.push(
      await today.prove(
        wallet,
        { privacyLevel: 'public', publicDisplay: true, meta: { tags: [tag] } },
        content === undefined ? {} : { content },
      ),
    )
  const folder = newFolder()
  const file = new Database(locateDatabaseFile(folder), { create: true, strict: true })
  file.run('PRAGMA journal_mode = WAL')
  migrate(
    file,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0015_accounts'),
    ),
    startOfTime,
  )
  for (const table of ['proofs', 'proof_facts', 'accounts'])
    for (const row of await select<Record<string, number>>(today.parts.db, `SELECT * FROM ${table}`).all()) {
      const known = file.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?1)').all(table)
      const names = known.map(({ name }) => name).filter((name) => name in row)
      const values = names.map((name) => row[name]!)
      file.run(`INSERT OR REPLACE INTO ${table} (${names}) VALUES (${names.map(() => '?')})`, values)
    }
  for (const [at, { method, chainId = null, chain = null }] of olds.entries())
    file.run('UPDATE proofs SET signature_method = ?, chain_id = ?, chain = ? WHERE id = ?', [
      method,
      chainId,
      chain,
      at + 1,
    ])
  for (const id of [1, 2, 3, 4])
    file.run(
      `INSERT INTO gates (id, gate_id, owner, status, version, created_at, updated_at)
       VALUES (?1, 'gate' || ?1, '0xa', 'active', 1, 0, 0)`,
      [id],
    )
  for (const [id, [at, wallet]] of [
    [1, alice],
    [3, alice],
    [0, alice],
    [11, mallory],
  ].entries())
    file.run(
      `INSERT INTO fulfillments (gate, q_hash, wallet, version, receipt_id, state, created_at, updated_at)
       VALUES (?, unhex(?), ?, 1, ?, 'granted', 0, 0)`,
      [id + 1, ids[at as number]!.slice(2), low(wallet as TestWallet), `r${id}`],
    )
  file.run(
    "INSERT INTO reserved_names (name, proof_id, account_id) VALUES ('pseudonym:a', 2, 1), ('pseudonym:b', 1, 1)",
  )
  file.run(
    `INSERT INTO erasures (handle, account_id, wallet, contract_on, proofs_up_to, fulfillments_up_to, erased_at,
       accepted_since, forget_at)
     VALUES ('h', (SELECT id FROM accounts WHERE address = ?1), ?1, 'eip155:10', 13, 4, 5, 0, 9)`,
    [low(mallory)],
  )
  file.close()
  requireMasterKey(undefined, folder)
  return folder
}

beforeAll(async () => {
  const config = await loadConfig({ env, cwd: '/nonexistent' })
  opened = await openParts(config, await oldFolder(), () => startOfTime + 1_000)
  const here = 'http://localhost'
  opened.setAddresses({ baseUrl: here, authUrl: here, mcpUrl: here })
  app = createApp(opened.parts)
})
afterAll(() => opened?.close())

const get = async (path: string, headers: Record<string, string> = {}) =>
  (await app.handle(new Request(`http://localhost/api/v1/${path}`, { headers }))).json()
const check = async (address: string, tag: string): Promise<boolean> =>
  (await get(`proofs/check?address=${address}&tags=${tag}`)).data.eligible

describe('a proof from before accounts', () => {
  const x = low(alice)
  const names = [x, `eip155:84532:${x}`, `eip155:10:${x}`, `did:pkh:eip155:1:${x}`, `eip155:5:${x}`]

  test.each([
    ['of a key is that of the key', 'key', [true, true, false, false, true]],
    ['of a contract counts on its chain', 'contract', [false, false, true, false, false]],
    ['of a contract that was not deployed, too', 'wrapped', [false, false, false, true, false]],
    ['that says neither answers for the hub, if it was stored there', 'unknown-hub', [true, true, false, false, false]],
    ['that says neither answers for no other chain', 'unknown-10', [false, false, true, false, false]],
    ['that a contract elsewhere had replaced is current', 'run-of-10', [false, false, true, false, false]],
    ['that had replaced one elsewhere stays so', 'run-of-1', [false, false, false, true, false]],
    ['that the same wallet may have replaced stays replaced', 'replaced', [false, false, false, false, false]],
    ['that may have replaced one counts', 'replacing', [true, true, false, false, false]],
  ])('%s', async (_, tag, expected) => {
    const found: boolean[] = []
    for (const name of names) found.push(await check(name, tag))
    expect(found).toEqual(expected)
  })

  test('by another kind of wallet stays its own, signed or not', async () => {
    expect([await check(sol.address, 'solana'), await check(sol.address, 'solana-unsigned')]).toEqual([true, true])
  })

  test('is read by the key of its address on every chain when it is unsigned', async () => {
    const action = { action: 'access_private_proofs_by_wallet', walletAddress: x }
    const { signature } = await alice.signAction(action, startOfTime + 1_000)
    const headers = {
      'x-wallet-address': x,
      'x-signature': signature,
      'x-signed-timestamp': String(startOfTime + 1_000),
    }
    const { data } = await get(`proofs/by-wallet/${x}`, headers)
    const tags = data.proofs.flatMap(({ meta }: { meta?: { tags?: string[] } }) => meta?.tags)
    expect(data.totalCount).toBe(4)
    expect(tags).toEqual(['replacing', 'unknown-10', 'unknown-hub', 'key'])
  })
})

const rows = <Row>(sql: string): Promise<Row[]> => select<Row>((opened.parts as Parts).db, sql).all()

test('counts are those of the accounts, and an address without a key signature leaves no row', async () => {
  const wrong = await rows(`
    SELECT a.address FROM accounts a WHERE a.all_count <> (SELECT count(*) FROM proofs WHERE account_id = a.id)
      OR a.current_count <> (SELECT count(*) FROM proofs WHERE account_id = a.id AND superseded = 0 AND revoked_at IS NULL)
      OR a.listed_count <> (SELECT count(*) FROM proofs WHERE account_id = a.id AND superseded = 0 AND visibility = 2)
      OR a.all_listed_count <> (SELECT count(*) FROM proofs WHERE account_id = a.id AND visibility = 2)
      OR a.all_count = 0`)
  expect(wrong).toEqual([])
  expect(
    await rows('SELECT 1 FROM proof_facts f JOIN proofs p ON p.id = f.proof_id WHERE p.account_id <> f.account_id'),
  ).toEqual([])
  expect(
    await rows('SELECT 1 FROM reserved_names r JOIN proofs p ON p.id = r.proof_id WHERE p.account_id <> r.account_id'),
  ).toEqual([])
})

test('a purchase is that of the account that made the proof', async () => {
  expect(
    (await rows<{ wallet: string }>('SELECT wallet FROM fulfillments ORDER BY gate')).map(({ wallet }) => wallet),
  ).toEqual([`eip155:10:${low(alice)}`, low(alice), low(alice), `eip155:10:${low(mallory)}`])
})

test('an erasure of a contract wallet that had begun is finished, and keeps the data of the key', async () => {
  expect(await check(`eip155:10:${low(mallory)}`, 'half-erased')).toBe(false)
  await resumeErasures(opened.parts)
  expect(await rows("SELECT 1 FROM proofs WHERE instr(record, 'half-erased') > 0")).toEqual([])
  expect(await rows(`SELECT 1 FROM fulfillments WHERE wallet LIKE '%${low(mallory)}'`)).toEqual([])
  expect(await rows("SELECT 1 FROM accounts WHERE address LIKE 'erased:%'")).toEqual([])
  expect(await check(low(mallory), 'not-erased')).toBe(true)
})

test('a key erases the data that may be its own, and keeps the contracts at its address', async () => {
  const audience = 'localhost'
  const action = { action: 'erase_all_proofs', audience, walletAddress: low(alice) }
  const body = await alice.signAction(action, startOfTime + 1_000)
  const erased = await app.handle(
    new Request('http://localhost/api/v1/proofs/erase-all', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  expect(await erased.json()).toMatchObject({ erasedCount: 5 })
  expect(
    (await rows<{ address: string }>('SELECT address FROM accounts ORDER BY id')).map(({ address }) => address),
  ).toEqual(expect.arrayContaining([`eip155:10:${low(alice)}`, `eip155:1:${low(alice)}`]))
  expect(await rows("SELECT 1 FROM accounts WHERE address LIKE 'unknown:%'")).toEqual([])
  expect(await check(`eip155:10:${low(alice)}`, 'contract')).toBe(true)
  expect(await check(low(alice), 'unknown-hub')).toBe(false)
})
