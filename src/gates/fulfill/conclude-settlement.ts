/**
 * Concludes a signed payment that was submitted and not bound, once the watch knows its outcome. The paying buyer gets
 * the fulfillment, as if the request had finished, or the payment becomes unmatched.
 */
import type { Parts } from '../../parts.ts'
import type { Conclusions } from '../../payments/purchase.ts'
import { concludeStatement, requireSameBuyer, type Settlement } from '../../payments/settlement-store.ts'
import { writeUnmatched } from '../../payments/unmatched.ts'
import { holdGate } from '../hold-store.ts'
import { findGateById } from '../store.ts'
import { bindUnasked } from './bind-unasked.ts'
import { keepAwaitedPlace } from './keep-place.ts'
import { releaseIdleStatement } from './reservation-store.ts'

export const openConclusions = (parts: Parts, method: string): Conclusions => ({
  async paid(settlement, paid) {
    const gate = await findGateById(parts, settlement.gate)
    if (!gate) throw new Error(`the gate ${settlement.gate} of a settlement is not there`)
    const outcome = await bindUnasked(parts, settlement, { method, paid })
    if (outcome.state === 'bound') {
      parts.log.info('a payment that was settled and not bound has its fulfillment now', {
        event: 'settlement-concluded',
        payment: settlement.identity,
        gateId: gate.gateId,
      })
      return
    }
    if (outcome.state === 'payment-used') return forget(parts, settlement)
    await writeUnmatched(
      parts,
      {
        method,
        gate: gate.id,
        owner: gate.owner,
        // A buyer who has erased everything is not named any more.
        qHash: settlement.buyer === '' ? null : settlement.qHash,
        buyer: settlement.buyer || null,
        usdMicros: settlement.usdMicros,
        paid,
        reason: outcome.reason,
        state: 'owed',
        now: parts.now(),
      },
      [holdGate(settlement), requireSameBuyer(settlement), ...listForgetStatements(settlement, parts.now())],
    )
  },
  async awaited({ gate, buyer, qHash }) {
    await keepAwaitedPlace(parts.db, { gate, buyer, qHash, now: parts.now() })
  },
  unpaid: (settlement) => forget(parts, settlement),
})

/** The place of a payment that was refused is given back already, and may be held for the next one. */
const listForgetStatements = ({ identity, gate, buyer, qHash, refusedAt }: Settlement, now: number) => [
  concludeStatement(identity),
  ...(refusedAt === null ? [releaseIdleStatement({ gate, buyer, qHash }, now)] : []),
]

const forget = async ({ db, now }: Parts, settlement: Settlement): Promise<void> => {
  await db.write([holdGate(settlement), ...listForgetStatements(settlement, now())], 'free')
}
