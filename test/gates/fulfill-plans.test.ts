/** Query plans of a fulfillment: its cost must not grow with the rows of others. */

import { expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import type { Write } from '../../src/db/db.ts'
import type { Query } from '../../src/db/query.ts'
import { applyReview } from '../../src/gates/fulfill/apply-review.ts'
import type { Review } from '../../src/payments/payment.ts'
import { findPayment } from '../../src/payments/store.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { listDue } from '../payments/due.ts'
import { alice } from '../wallets.ts'
import { openStage, price } from './fulfill-stage.ts'

test.skipIf(onlyOnSqlite('a query plan of this form'))(
  'a fulfillment, its repetition, its receipt, a review and an erasure walk through no table',
  async () => {
    const stage = await openStage()
    await stage.gate('paid', { price, supply: 5, perWallet: 2 })
    const qHash = await stage.prove()
    stage.till.takes('0xa')

    const seen = new Set<string>()
    const { db } = stage.parts
    const parts = {
      ...stage.parts,
      db: {
        ...db,
        read: ((text: Query<unknown, []>) => {
          seen.add(text)
          return db.read(text)
        }) as typeof db.read,
        write: (write: Write) => {
          for (const { sql: text } of write) seen.add(text)
          return db.write(write)
        },
      },
    }
    const app = createApp(parts)
    const send = async (path: string, body?: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await app.handle(new Request(`http://localhost${path}`, body ? init : {}))
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return (await response.json()) as any
    }
    const signed = await alice.signAction({ action: 'fulfill_gate', gateId: 'paid', qHash }, stage.now())
    for (let turn = 0; turn < 2; turn++) {
      const { data } = await send(stage.pathOf('paid'), { qHash, paymentTxHash: '0xa', ...signed })
      await send(new URL(data.rewardProof.receiptUrl).pathname)
    }
    const reviews: readonly Review[] = [
      { state: 'waiting', nextLookMs: 1, refunded: { amount: '1', moreUsdMicros: 1 } },
      { state: 'suspended', nextLookMs: 1, reason: 'disputed', message: 'disputed' },
      { state: 'restored', nextLookMs: 1 },
      { state: 'final' },
      { state: 'reversed', reason: 'REFUNDED', message: 'refunded' },
    ]
    for (const review of reviews) {
      const payment = (await listDue(parts.db, stage.now() + 60_000))[0] ?? (await findPayment(parts.db, 'tx:0xa'))!
      await applyReview(parts, payment, review)
    }
    const erase = { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }
    await send('/api/v1/proofs/erase-all', await stage.ownerBody(alice, erase))

    const about = [...seen].filter((text) => /\b(payments|fulfillments|gates|gate_versions)\b/.test(text))
    expect(about.length).toBeGreaterThanOrEqual(14)
    for (const text of about) {
      const plan = (await select<{ detail: string }>(db, `EXPLAIN QUERY PLAN ${text}`).all()).map(
        ({ detail }) => detail,
      )
      expect({ text, walks: plan.filter((step) => /^SCAN (?!json_each|CONSTANT)/.test(step)) }).toEqual({
        text,
        walks: [],
      })
    }
  },
)
