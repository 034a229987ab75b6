/**
 * The price of a gate for a caller without a credential and a payment: programs need the amount. It reveals only the
 * public snapshot, the same for each proof. It reserves nothing, and keeps no amount free.
 */
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { listEvidence } from '../../payments/methods.ts'
import { findAcceptance, isCharged } from '../../payments/offer.ts'
import { findVisibleGate } from '../access.ts'
import { askPayment, reportNothingOffered } from '../fulfill/ask-payment.ts'
import {
  describeFulfillSigning,
  type FulfillRequest,
  readCredentials,
  readOfferedEvidence,
} from '../fulfill/request.ts'
import { countHeld } from '../fulfill/reservation-store.ts'
import type { Gate } from '../gate.ts'
import { judgeGate } from '../schedule.ts'

/**
 * The answer to a missing credential: PAYMENT_REQUIRED, or `refusal` unchanged. A payment without a credential is not
 * read. Errors: those of readCredentials.
 */
export async function askUnsigned(
  parts: Parts,
  gate: Gate,
  request: FulfillRequest,
  refusal: unknown,
): Promise<unknown> {
  if (!(refusal instanceof AppError) || refusal.code !== 'WALLET_AUTH_REQUIRED') return refusal
  if ((await readCredentials(parts, request)) || bringsPayment(request)) return refusal
  const { price } = gate.definition
  if (!isCharged(price) || !(await isOnSale(parts, gate))) return refusal
  const acceptance = findAcceptance(price, parts.paymentMethods, parts)
  if (acceptance.usable.length === 0) return refusal
  const quote = { gateId: gate.gateId, qHash: request.body.qHash, price, wallets: [] }
  const asked = { quote, acceptance, underWay: undefined }
  const { reason, message } = reportNothingOffered(asked)
  return askPayment(parts, asked, {
    reason,
    message: `${message}, ${describeFulfillSigning(gate.gateId, request.body.qHash)}`,
  })
}

const bringsPayment = (request: FulfillRequest): boolean =>
  listEvidence(readOfferedEvidence(request)).length > 0 || Boolean(request.body.paymentQuoteId)

/** For all buyers. Only a signature shows the owner of a held place. */
async function isOnSale({ db, now }: Parts, gate: Gate): Promise<boolean> {
  const { id, definition, fulfilledCount } = gate
  const isOpen = findVisibleGate(gate) !== undefined && judgeGate(gate, now()) === 'open'
  const { supply } = definition
  return isOpen && (supply === undefined || fulfilledCount + (await countHeld(db, id, now())) < supply)
}
