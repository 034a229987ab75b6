/** Several processes decide about one payment, or choose an amount, at one moment. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { reviewing } from '../../../src/gates/fulfill/apply-review.ts'
import { bind } from '../../../src/gates/fulfill/store.ts'
import type { Gate } from '../../../src/gates/gate.ts'
import { holdGate } from '../../../src/gates/hold-store.ts'
import { findGate } from '../../../src/gates/store.ts'
import { quoteStatement } from '../../../src/payments/quote-store.ts'
import { findPayment } from '../../../src/payments/store.ts'
import { recordUnmatched } from '../../../src/payments/unmatched-store.ts'
import { parseAccount } from '../../../src/wallet/account.ts'
import type { TestApp } from '../../app.ts'
import { price, putGate } from '../../gates/fulfill-stage.ts'
import { storeProofs } from '../../gates/stored-proofs.ts'
import { alice } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(120_000)

const rounds = 20
let several: SeveralApps
let gate: Gate
let proofs: readonly string[]

beforeAll(async () => {
  several = await startApps(2, { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LOG_LEVEL: 'error' })
  const [app] = several.apps
  await putGate(app!.parts, { gateId: 'gate_shop', price, rewards: [{ kind: 'reveal', value: 'open sesame' }] })
  gate = (await findGate(app!.parts, 'gate_shop'))!
  const row = { verifierId: 'ownership-basic', data: { owner: alice.address } }
  proofs = await storeProofs(
    app!,
    Array.from({ length: rounds + 1 }, () => row),
  )
})
afterAll(() => several.close())

const makePaid = (identity: string) => ({
  paid: true as const,
  identity,
  payer: alice.address.toLowerCase(),
  amount: '499',
  paidAt: several.apps[0]!.now(),
  details: { chain: 'eip155:8453', transactionHash: `0x${'ab'.repeat(32)}` },
  isFinal: false,
})

const buyer = parseAccount(alice.address.toLowerCase())

const buy = ({ parts, now }: TestApp, identity: string, qHash: string) =>
  bind(parts.db, {
    gate: gate.id,
    qHash,
    buyer,
    version: 1,
    receiptId: `receipt_${identity}`,
    now: now(),
    usdMicros: 4_990_000,
    payment: { method: 'stablecoin', paid: makePaid(identity) },
  })

/** Without the buyer, whose writes take turns anyway. */
const writeRow = (identity: string, now: number) =>
  recordUnmatched({
    method: 'stablecoin',
    gate: gate.id,
    owner: gate.owner,
    qHash: null,
    buyer: null,
    usdMicros: 4_990_000,
    paid: makePaid(identity),
    reason: 'GATE_SOLD_OUT',
    state: 'refunding',
    now,
  })

test('a payment buys something or is given back, and never both', async () => {
  for (let round = 0; round < rounds; round++) {
    const identity = `once:${round}`
    const [bought, noted] = await several.race(async (app, index) =>
      index === 0
        ? (await buy(app, identity, proofs[round]!)) === 'bound'
        : 'changes' in (await app.parts.db.write([{ ...writeRow(identity, app.now()), must: true }], 'settle')),
    )
    expect([round, bought !== noted]).toEqual([round, true])
  }
})

test('a payment that stands again pays its reward only where it is not owed at the same moment', async () => {
  const [app, other] = several.apps
  const { parts } = app!
  expect(await buy(app!, 'again', proofs[rounds]!)).toBe('bound')
  const bound = (await findPayment(parts.db, 'again'))!
  const gone = { state: 'reversed', reason: 'GONE', message: 'it is gone', nextLookMs: 1 } as const
  expect(await reviewing.applyReview(parts, bound, gone)).toBe(true)
  const reversed = (await findPayment(parts.db, 'again'))!
  const release = await several.hold(`SELECT 1 FROM gates WHERE id = ${gate.id} FOR UPDATE`)
  const owing = other!.parts.db.write([writeRow('again:again', other!.now()), holdGate({ gate: gate.id, buyer: null })])
  await several.waitForWaiting(1)
  const restoring = reviewing.applyLaterReview(parts, reversed, { state: 'restored', nextLookMs: 1 })
  await several.waitForWaiting(2)
  await release()
  expect(await owing).toMatchObject({ changes: [1, 1] })
  expect(await restoring).toBe('taken-back')
  expect((await findPayment(parts.db, 'again'))!.isReversed).toBe(true)
})

test('two quotes to one recipient never have one amount, whatever their prices are', async () => {
  for (let round = 0; round < rounds; round++) {
    const total = (round + 1) * 1_000_000 + 9_000
    const made = await several.race(async ({ parts, now }, index) => {
      // 1.000 $ and 9,000 more, or 1.005 $ and 4,000 more.
      const usdMicros = total - (index === 0 ? 9_000 : 4_000)
      const quote = quoteStatement({
        quoteId: `quote_${round}_${index}`,
        gate: gate.id,
        qHash: proofs[index]!,
        buyer: `0x${String(index).repeat(40)}` as never,
        version: 1,
        usdMicros,
        recipient: '0xshop',
        suffix: total - usdMicros,
        createdAt: now(),
        expiresAt: now() + 600_000,
      })
      return 'changes' in (await parts.db.write([quote]))
    })
    expect([round, made.filter(Boolean).length]).toEqual([round, 1])
    await several.sql.unsafe('DELETE FROM quotes')
  }
})
