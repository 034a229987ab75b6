/** Several processes sell at one moment: nothing is sold twice, and no limit is passed. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { makePlace } from '../../../src/gates/fulfill/place.ts'
import type { Gate, GateDefinition } from '../../../src/gates/gate.ts'
import { findGate } from '../../../src/gates/store.ts'
import { quoteStatement } from '../../../src/payments/quote-store.ts'
import { type AccountText, writeAccount } from '../../../src/wallet/account.ts'
import type { TestApp } from '../../app.ts'
import { putGate } from '../../gates/fulfill-stage.ts'
import { evmWallet, type TestWallet } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(120_000)

const processes = 3
let several: SeveralApps
let buyers: readonly Buyer[]

interface Buyer {
  readonly wallet: TestWallet
  readonly account: AccountText
  readonly qHash: string
}

beforeAll(async () => {
  several = await startApps(processes, { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' })
  buyers = await Promise.all(
    Array.from({ length: 24 }, async (_, at): Promise<Buyer> => {
      const wallet = evmWallet(`0x${String(at + 10).padStart(64, '0')}`)
      const account = writeAccount({ wallet: wallet.address.toLowerCase(), contractOn: undefined })
      return { wallet, account, qHash: await several.apps[0]!.prove(wallet) }
    }),
  )
})
afterAll(() => several.close())

let gates = 0
async function openGate(more: Partial<GateDefinition>): Promise<Gate> {
  const gateId = `gate_${++gates}`
  const [app] = several.apps
  await putGate(app!.parts, { gateId, rewards: [{ kind: 'reveal', value: 'open sesame' }], ...more })
  return (await findGate(app!.parts, gateId))!
}

async function fulfill(app: TestApp, { gateId }: Gate, { wallet, qHash }: Omit<Buyer, 'account'>): Promise<number> {
  const signed = await wallet.signAction({ action: 'fulfill_gate', gateId, qHash }, app.now())
  return (await app.post(`/api/v1/profile/gates/${gateId}/fulfill`, { qHash, ...signed })).status
}

const hold = async ({ parts }: TestApp, gate: Gate, { account: buyer, qHash }: Buyer, ms = 600_000) =>
  'changes' in (await parts.db.write(makePlace(parts, { gate, buyer, qHash }, 'card')!.hold(parts.now() + ms)))

const countRows = async (table: string, gate: Gate): Promise<number> =>
  Number((await several.sql.unsafe(`SELECT count(*) AS n FROM ${table} WHERE gate = ${gate.id}`))[0].n)

const countTrue = (answers: readonly boolean[]): number => answers.filter(Boolean).length

describe('the supply of a gate', () => {
  test('is given exactly, however many processes give it at once', async () => {
    const gate = await openGate({ supply: 5 })
    const statuses = await several.race((app, index) => fulfill(app, gate, buyers[index]!), 8)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(await countRows('fulfillments', gate)).toBe(5)
  })

  test('is held exactly, and what is held is given to nobody else', async () => {
    const gate = await openGate({ supply: 5 })
    const done = await several.race(async (app, index) => {
      const buyer = buyers[index]!
      return index % 2 === 0 ? hold(app, gate, buyer) : (await fulfill(app, gate, buyer)) === 200
    }, 8)
    expect(countTrue(done)).toBe(5)
    expect((await countRows('fulfillments', gate)) + (await countRows('reservations', gate))).toBe(5)
  })
})

test('the share of a wallet is given exactly', async () => {
  const gate = await openGate({ perWallet: 2 })
  const { wallet } = buyers[0]!
  const proofs: string[] = []
  for (let at = 0; at < 9; at++) proofs.push(await several.apps[0]!.prove(wallet, {}, { content: `Of ${at}` }))
  const statuses = await several.race((app, index) => fulfill(app, gate, { wallet, qHash: proofs[index]! }), 3)
  expect(statuses.filter((status) => status === 200)).toHaveLength(2)
  expect(await countRows('fulfillments', gate)).toBe(2)
})

test('a place that is given back stays where a quote came for it at the same moment', async () => {
  const gate = await openGate({ supply: 24 })
  const [app] = several.apps
  for (const [at, buyer] of buyers.entries()) {
    expect(await hold(app!, gate, buyer)).toBe(true)
    const { account, qHash } = buyer
    const createdAt = app!.now()
    const quote = quoteStatement({
      quoteId: `quote_${gate.id}_${at}`,
      gate: gate.id,
      qHash,
      buyer: account,
      version: 1,
      usdMicros: 1_000_000 + at * 1_000_000,
      recipient: '0xshop',
      suffix: 1,
      createdAt,
      expiresAt: createdAt + 600_000,
    })
    const place = ({ parts }: TestApp) => makePlace(parts, { gate, buyer: account, qHash }, 'stablecoin')!
    await several.race((each, index) =>
      index === 0
        ? each.parts.db.write([...place(each).hold(createdAt + 700_000), quote])
        : each.parts.db.write(place(each).release(), 'free'),
    )
  }
  expect(await countRows('quotes', gate)).toBe(buyers.length)
  expect(await countRows('reservations', gate)).toBe(buyers.length)
})
