/**
 * What a gate does with an x402 payment that was handed over and not claimed, once the watch knows what became of it: the
 * buyer who paid has the fulfilment, as if the request had come to its end, or the payment is written down as unmatched.
 */
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { concludeStatement, type Settlement } from '../payments/settlement-store.ts'
import type { Conclusions } from '../payments/settlement-watch.ts'
import type { PaidVerdict } from '../payments/store.ts'
import { writeUnmatched } from '../payments/unmatched.ts'
import { gateNotFound, requireProof, requireRoom, requireVerified } from './fulfill-checks.ts'
import { claim, findFulfillment } from './fulfillment-store.ts'
import type { Gate } from './gate.ts'
import { keepAwaitedPlace } from './keep-place.ts'
import { newReceiptId } from './receipt.ts'
import { releaseIdleStatement } from './reservation-store.ts'
import { findGateById } from './store.ts'

export const conclusionsAt = (parts: Parts): Conclusions => ({
  async paid(settlement, paid) {
    const gate = findGateById(parts, settlement.gate)
    if (!gate) throw new Error(`the gate ${settlement.gate} of a settlement is not there`)
    const outcome = await claimFor(parts, gate, settlement, paid)
    if (outcome === 'claimed') {
      parts.numbers.count('fulfillments', [gate.gateId])
      parts.log.info('a payment that was settled and not claimed has its fulfilment now', {
        payment: settlement.identity,
        gateId: gate.gateId,
      })
      return
    }
    if (outcome === 'payment-used') return forget(parts, settlement)
    await writeUnmatched(
      parts,
      {
        method: 'x402',
        gate: gate.id,
        owner: gate.owner,
        // Whoever has erased everything is not named any more.
        qHash: settlement.walletAddress === '' ? null : settlement.qHash,
        walletAddress: settlement.walletAddress || null,
        usdMicros: settlement.usdMicros,
        paid,
        reason: outcome,
        state: 'owed',
        now: parts.now(),
      },
      forgetting(settlement, parts.now()),
    )
  },
  async awaited({ gate, walletAddress, qHash }) {
    await keepAwaitedPlace(parts.db, { gate, walletAddress, qHash, now: parts.now() })
  },
  unpaid: (settlement) => forget(parts, settlement),
})

/** More turns than this are not lost by bad luck. */
const maxTurns = 3

/** `claimed`, `payment-used`, or the code of the refusal. */
async function claimFor(parts: Parts, gate: Gate, settlement: Settlement, paid: PaidVerdict): Promise<string> {
  const { supply = null, perWallet = null } = gate.definition
  const { walletAddress, qHash } = settlement
  for (let turn = 0; turn < maxTurns; turn++) {
    const outcome = await claim(parts.db, {
      gate: gate.id,
      qHash,
      walletAddress,
      version: settlement.version,
      receiptId: newReceiptId(),
      now: parts.now(),
      supply,
      perWallet,
      usdMicros: settlement.usdMicros,
      payment: { method: 'x402', paid },
    })
    if (outcome !== 'refused') return outcome
    if (findFulfillment(parts.db, gate.id, qHash)) return 'ALREADY_FULFILLED'
    try {
      requireVerified(requireProof(parts, qHash), parts.now())
      const current = findGateById(parts, gate.id)
      if (current?.status !== 'active') throw gateNotFound()
      requireRoom(parts, current, walletAddress, qHash)
    } catch (error) {
      if (error instanceof AppError) return error.code
      throw error
    }
  }
  return 'CONFLICT'
}

/** The place of a payment that was refused is given back already, and may be held for the next one. */
const forgetting = ({ identity, gate, walletAddress, qHash, refusedAt }: Settlement, now: number) => [
  concludeStatement(identity),
  ...(refusedAt === null ? [releaseIdleStatement({ gate, walletAddress, qHash }, now)] : []),
]

const forget = async ({ db, now }: Parts, settlement: Settlement): Promise<void> => {
  await db.write(forgetting(settlement, now()), 'free')
}
