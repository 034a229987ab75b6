/** Many at once against a real server with its writer thread: nothing twice, nothing lost, everybody answered. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { select } from '../parts/select.ts'
import { alice, evmWallet, sol } from '../wallets.ts'
import { newFolder, type Server, startIn } from './server.ts'

const folder = newFolder()
let server: Server
beforeAll(async () => {
  server = await startIn(folder.path, { PROOFGATE_LIMITS_ENABLED: 'false' })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const basic = (wallet: typeof alice, content: string) => ({
  verifierIds: ['ownership-basic'],
  data: { owner: wallet.address, content },
  options: { privacyLevel: 'public', publicDisplay: true },
})
const stored = async (sql: string) => (await select<{ n: number }>(server.parts.db, sql).get())?.n
const submitAll = (bodies: readonly object[]) =>
  Promise.all(bodies.map((body) => server.post('/api/v1/verification', body)))

describe('200 submissions at the same time', () => {
  test('50 of them the same: all are answered with 200, and there are 151 proofs', async () => {
    const same = await server.signed(alice, basic(alice, 'The same'))
    const wallets = Array.from({ length: 10 }, (_, index) =>
      evmWallet(`0x${(0x1000 + index).toString(16).padStart(64, '0')}`),
    )
    const others = await Promise.all(
      Array.from({ length: 150 }, (_, index) => {
        const wallet = wallets[index % wallets.length]!
        return server.signed(wallet, basic(wallet, `Number ${index}`))
      }),
    )
    const bodies: object[] = [...others]
    for (let count = 0; count < 50; count++) bodies.splice(count * 4, 0, same)

    const answers = await submitAll(bodies)

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200)
    expect(new Set(answers.map(({ body }) => body.data.qHash)).size).toBe(151)
    expect(await stored('SELECT count(*) AS n FROM proofs')).toBe(151)
    const repeated = answers.filter((_, index) => bodies[index] === same)
    expect(new Set(repeated.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
    expect(repeated.filter(({ body }) => body.message === 'Verification completed')).toHaveLength(1)
    for (const { address } of wallets)
      expect((await server.get(`/api/v1/proofs/by-wallet/${address}`)).body.data.totalCount).toBe(15)
  })
})

describe('races', () => {
  test('ten wallets ask for one handle: one gets it', async () => {
    const wallets = Array.from({ length: 10 }, (_, index) =>
      evmWallet(`0x${(0x2000 + index).toString(16).padStart(64, '0')}`),
    )
    const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'everyones-wish' } }
    const answers = await submitAll(await Promise.all(wallets.map((wallet) => server.signed(wallet, claim))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(await stored("SELECT count(*) AS n FROM reserved_names WHERE name LIKE '%/everyones-wish'")).toBe(1)
  })

  test('twenty runs of one claim leave one that is current, and the count says so', async () => {
    const at = Date.now()
    const bodies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.signed(sol, { ...basic(sol, 'Again'), signedTimestamp: at - index }),
      ),
    )
    const answers = await submitAll(bodies)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const list = `/api/v1/proofs/by-wallet/${sol.address}`
    expect((await server.get(list)).body.data).toMatchObject({ totalCount: 1, proofs: [{}] })
    expect((await server.get(`${list}?includeHistory=1`)).body.data).toMatchObject({ totalCount: 20 })
  })

  test('submitting and erasing at the same time leaves no count without its proof', async () => {
    const wallet = evmWallet(`0x${'7'.repeat(64)}`)
    const bodies = await Promise.all(
      Array.from({ length: 30 }, (_, index) => server.signed(wallet, basic(wallet, `E${index}`))),
    )
    const action = {
      action: 'erase_all_proofs',
      walletAddress: wallet.address.toLowerCase(),
      audience: server.audience,
    }
    const erasures = await Promise.all([0, 1, 2].map((ms) => wallet.signAction(action, Date.now() - ms)))

    const answers = await Promise.all([
      ...bodies.map((body) => server.post('/api/v1/verification', body)),
      ...erasures.map((body) => server.post('/api/v1/proofs/erase-all', body)),
    ])

    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { data } = (await server.get(`/api/v1/proofs/by-wallet/${wallet.address}?limit=100`)).body
    expect(data.proofs).toHaveLength(data.totalCount)
    const erased = answers.slice(bodies.length).reduce((sum, { body }) => sum + body.erasedCount, 0)
    expect(erased + data.totalCount).toBe(30)
  })
})
