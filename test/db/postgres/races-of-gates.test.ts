/** Several processes sell at one moment: nothing is sold twice, and no limit is passed. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mostPictures, writeAppearance } from '../../../src/gates/appearance/store.ts'
import { makePlace } from '../../../src/gates/fulfill/place.ts'
import { deleteOldReservations } from '../../../src/gates/fulfill/reservation-store.ts'
import type { Gate, GateDefinition } from '../../../src/gates/gate.ts'
import { listDuePasses, storePass } from '../../../src/gates/guests/pass-store.ts'
import { deleteOldPasses } from '../../../src/gates/guests/store.ts'
import { findGate, writeChanges } from '../../../src/gates/store.ts'
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
async function openGate(more: Partial<GateDefinition>, owner?: string): Promise<Gate> {
  const gateId = `gate_${++gates}`
  const [app] = several.apps
  await putGate(app!.parts, { gateId, rewards: [{ kind: 'reveal', value: 'open sesame' }], ...more }, owner)
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

describe('the gates of an owner', () => {
  const owner = `0x${'ab'.repeat(20)}`
  const create = ({ parts, now }: TestApp, gateId: string, limit: number) =>
    writeChanges(
      parts,
      [
        {
          kind: 'create',
          gateId,
          owner,
          status: 'active',
          limit,
          definition: { gateId, name: 'A gate', requirements: [{ id: 'r1', verifierId: 'ownership-basic' }] },
          rewardValues: [],
          author: owner,
        },
      ],
      now(),
    )

  test('are as many as the limit says', async () => {
    const outcomes = await several.race((app, index) => create(app, `gate_of_many_${index}`, 4), 8)
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(4)
  })

  test('have their ids once: a second one is refused, not failed', async () => {
    for (let round = 0; round < 10; round++) {
      const outcomes = await several.race((app) => create(app, `gate_of_one_${round}`, 1_000), 2)
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome !== 'stored')).toEqual(Array(5).fill({ refused: 0 }))
    }
  })

  const picture = { mediaType: 'image/png', width: 1, height: 1, bytes: 4, digest: 'digest', picture: 'AAAA' } as const
  const putPicture = ({ parts, now }: TestApp, gate: Gate) => writeAppearance(parts.db, gate, { picture }, now(), [])

  test('have as many pictures as the limit says', async () => {
    const own: Gate[] = []
    for (let at = 0; at < mostPictures + 5; at++) own.push(await openGate({}, `0x${'cd'.repeat(20)}`))
    const [first, last] = [own.slice(0, mostPictures - 2), own.slice(mostPictures - 2)]
    for (const gate of first) expect(await putPicture(several.apps[0]!, gate)).toBe('stored')
    const outcomes = await Promise.all(last.map((gate, index) => putPicture(several.apps[index % processes]!, gate)))
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(2)
  })

  test('have no picture once they are deleted, also where it came at that moment', async () => {
    const [app, other] = several.apps
    const gate = await openGate({}, owner)
    expect(await putPicture(app!, gate)).toBe('stored')
    const release = await several.hold(`DELETE FROM gate_appearances WHERE gate = ${gate.id}`)
    const putting = putPicture(app!, gate)
    await several.waitForWaiting(1)
    const change = { kind: 'status', base: gate, status: 'deleted', author: owner } as const
    const deleting = writeChanges(other!.parts, [change], other!.now())
    await several.waitForWaiting(2)
    await release()
    expect(await Promise.all([putting, deleting])).toEqual(['stored', 'stored'])
    expect(await countRows('gate_appearances', gate)).toBe(0)
  })
})

test('a pass that is bought with at the moment it is cleared away stays', async () => {
  const gate = await openGate({ supply: 100 })
  const [app, other] = several.apps
  const { account } = buyers[0]!
  const pass = `0x${'12'.repeat(32)}`
  expect(await storePass(app!.parts.db, { pass, gate: gate.id, wallet: account, now: 1 }, [])).toBe(true)
  // Not on the list: looked at a day later.
  expect(await listDuePasses(app!.parts.db, 86_400_001, 10)).toEqual([{ pass, gate: gate.id, wallet: account }])
  const release = await several.hold(`SELECT 1 FROM gates WHERE id = ${gate.id} FOR UPDATE`)
  const holding = hold(app!, gate, { account, qHash: pass, wallet: buyers[0]!.wallet })
  await several.waitForWaiting(1)
  const clearing = deleteOldPasses(other!.parts.db, 8453, 86_400_001, 10)
  await several.waitForWaiting(2)
  await release()
  expect(await holding).toBe(true)
  await clearing
  expect(await countRows('guest_passes', gate)).toBe(1)
})

test('a place that is renewed while old ones are swept stays', async () => {
  const gate = await openGate({ supply: 100 })
  const [app, other] = several.apps
  const at = app!.now()
  expect(await hold(app!, gate, buyers[0]!, 1)).toBe(true)
  const release = await several.hold(`UPDATE reservations SET expires_at = ${at + 600_000} WHERE gate = ${gate.id}`)
  const sweeping = deleteOldReservations(other!.parts.db, at + 1, 100)
  await several.waitForWaiting(1)
  await release()
  await sweeping
  expect(await countRows('reservations', gate)).toBe(1)
})
