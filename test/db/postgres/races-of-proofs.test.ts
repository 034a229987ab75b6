/** Proofs that several processes store, revoke and erase at once, over one database. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { TestApp } from '../../app.ts'
import { alice, bob, evmWallet, type TestWallet } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
beforeAll(async () => {
  all = await startApps(3)
})
afterAll(() => all.close())

const ask = async <Row>(sql: string): Promise<Row[]> => [...(await all.sql.unsafe(sql))]
const countRows = async (from: string): Promise<number> =>
  (await ask<{ n: number }>(`SELECT count(*)::integer AS n FROM ${from}`))[0]!.n
const tick = (): void => {
  for (const app of all.apps) app.wait(1)
}
const wallets = Array.from({ length: 12 }, (_, index) => evmWallet(`0x${(index + 160).toString(16).repeat(32)}`))
const bodyOf = async (app: TestApp, wallet: TestWallet, data: object): Promise<object> => app.ownerBody(wallet, data)

const countDeadlocks = async (): Promise<number> =>
  (
    await ask<{ n: number }>('SELECT deadlocks::integer AS n FROM pg_stat_database WHERE datname = current_database()')
  )[0]!.n

/** The counters of accounts say what there is. */
const wrongCounts = `
  accounts a WHERE a.all_count <> (SELECT count(*) FROM proofs WHERE account_id = a.id)
    OR a.current_count <> (
      SELECT count(*) FROM proofs WHERE account_id = a.id AND superseded = 0 AND revoked_at IS NULL)`

afterEach(async () => {
  expect(await countRows(wrongCounts)).toBe(0)
})

test('a proof that three processes store at once is one row, and all answer with its id', async () => {
  for (let round = 0; round < 8; round++) {
    tick()
    const content = `Once ${round}`
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content } }
    const body = await all.apps[0]!.signed(alice, claim)
    const answers = await all.race((app) => app.post('/api/v1/verification', body), 2)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.body.data.qHash)).size).toBe(1)
    expect(await countRows('proofs')).toBe(round + 1)
  }
})

test('of the runs of one claim that are stored at once, one is current', async () => {
  for (let round = 0; round < 4; round++) {
    const data = { owner: bob.address, content: `Run ${round}` }
    const answers = await all.race(async (app, index) => {
      const signedTimestamp = app.now() - index * 1_000
      return app.submit(bob, { verifierIds: ['ownership-basic'], data, signedTimestamp })
    }, 4)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const account = `(SELECT id FROM accounts WHERE address = '${bob.address.toLowerCase()}')`
    expect(await countRows(`proofs WHERE superseded = 0 AND account_id = ${account}`)).toBe(round + 1)
  }
})

test('of the wallets that ask for one name at once, one gets it', async () => {
  for (let round = 0; round < 8; round++) {
    tick()
    const data = { pseudonymId: `name-${round}` }
    const answers = await all.race(
      (app, index) => app.submit(wallets[index]!, { verifierIds: ['ownership-pseudonym'], data }),
      4,
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countRows(`reserved_names WHERE name LIKE '%/name-${round}'`)).toBe(1)
  }
})

test('a run that is stored while the one before is revoked waits for it, and not in a circle', async () => {
  const [first, second] = all.apps as [TestApp, TestApp]
  const wallet = wallets[0]!
  const before = await countDeadlocks()
  const data = { content: 'The same' }
  const qHash = await first.prove(wallet, {}, data)
  tick()
  const release = await all.hold(`SELECT 1 FROM accounts WHERE address = '${wallet.address.toLowerCase()}' FOR UPDATE`)
  const proving = second.prove(wallet, {}, data)
  await all.waitForWaiting(1)
  const body = await bodyOf(first, wallet, { action: 'revoke_proof', qHash })
  const revoking = first.post(`/api/v1/proofs/revoke-self/${qHash}`, body)
  await all.waitForWaiting(2)
  await release()
  await proving
  expect((await revoking).status).toBe(200)
  expect(await countDeadlocks()).toBe(before)
})

test('a proof that is stored while its account is erased is never left in an account without a name', async () => {
  const [first, second] = all.apps as [TestApp, TestApp]
  const wallet = evmWallet(`0x${'c3'.repeat(32)}`)
  await first.prove(wallet)
  tick()
  const address = wallet.address.toLowerCase()
  const release = await all.hold(`SELECT 1 FROM accounts WHERE address = '${address}' FOR UPDATE`)
  const erasing = first.post(
    '/api/v1/proofs/erase-all',
    await bodyOf(first, wallet, { action: 'erase_all_proofs', walletAddress: address }),
  )
  await all.waitForWaiting(1)
  const proving = second.prove(wallet)
  await all.waitForWaiting(2)
  await release()
  expect(await erasing).toMatchObject({ status: 200, body: { erasedCount: 1 } })
  const qHash = await proving
  expect((await first.get(`/api/v1/proofs/${qHash}`)).status).toBe(200)
  expect(await countRows("accounts WHERE address LIKE 'erased:%'")).toBe(0)
  expect(await countRows(`proofs JOIN accounts a ON a.id = account_id WHERE a.address = '${address}'`)).toBe(1)
})
