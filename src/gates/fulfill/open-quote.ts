/**
 * Opens a quote for a buyer who pays by a transfer. It keeps the version and the price, and holds a place. The amount
 * tells the transfer from others. It charges nothing.
 */

import { randomBytes } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { requireRoomToWrite } from '../../http/admit-writes.ts'
import type { Parts } from '../../parts.ts'
import { isPageWatched } from '../../payments/checkout-store.ts'
import { logUnpayable } from '../../payments/log-unpayable.ts'
import { nameMethod } from '../../payments/methods.ts'
import { findAcceptance, findTransferMethod, isCharged, type TransferMethod } from '../../payments/offer.ts'
import { convertUsdMicros, type Price } from '../../payments/price.ts'
import type { QuoteShares } from '../../payments/quote-shares.ts'
import {
  countOpenQuotes,
  listQuotes,
  mostOpenOfWallet,
  type NewQuote,
  quoteStatement,
  type TransferQuote,
} from '../../payments/quote-store.ts'
import { type PairRequest, requireSigner } from '../../payments/signed-buyer.ts'
import { type AccountText, writeAccount } from '../../wallet/account.ts'
import { makeGateNotFound } from '../access.ts'
import type { Gate } from '../gate.ts'
import { holdGate } from '../hold-store.ts'
import { findDefinition, findGate } from '../store.ts'
import { formatTime, makeRetryHeader, requireEligible, requireProof } from './checks.ts'
import { makePurchaseFinder } from './purchase.ts'
import { chooseDigits } from './quote-digits.ts'
import { findReservation, reserveStatement } from './reservation-store.ts'
import { findBounds } from './unpaid-place.ts'
import { listUnpaidStatements } from './unpaid-place-store.ts'
import { explainNoPlace } from './why-no-place.ts'

/**
 * Errors: SIGNATURE_INVALID and similar ones, those of makePurchaseFinder and requireEligible, VALIDATION_ERROR for a
 * gate without transfers, GATE_MISCONFIGURED, GATE_SOLD_OUT, GATE_LIMIT_REACHED, CONFLICT, SERVICE_UNAVAILABLE.
 */
export async function openQuote(parts: Parts, shares: QuoteShares, request: PairRequest) {
  const caller = await requireSigner(parts, 'open_quote', request)
  const { gateId } = request
  const qHash = request.qHash.toLowerCase()
  const method = requireTransferMethod(parts)
  await makePurchaseFinder(parts, method.id)(gateId, qHash, caller)
  // Its version may have changed while a claim was read again.
  const gate = await findGate(parts, gateId)
  const price = gate?.definition.price
  if (!gate || !isCharged(price)) throw makeGateNotFound()
  const recipient = requireTransfers(parts, gate, price, method)
  const proof = await requireProof(parts, qHash)
  const pair = { gateId, qHash, buyer: writeAccount(caller) }
  const open = await openNow(parts, pair)
  if (open) return showQuote(parts, gate, open, method)
  await requireEligible(parts, gate, proof, caller)
  requireRoomToWrite(parts)
  const quote = await place(parts, shares, gate, { ...pair, price, recipient }, method)
  return showQuote(parts, gate, quote, method)
}

const requireTransferMethod = ({ paymentMethods }: Parts): TransferMethod => {
  const method = findTransferMethod(paymentMethods)
  if (!method) throw new AppError('NOT_FOUND', 'no payment method of this server takes transfers')
  return method
}

/** The recipient in lower case. Errors: VALIDATION_ERROR, GATE_MISCONFIGURED. */
function requireTransfers(parts: Parts, { gateId }: Gate, price: Price, method: TransferMethod): string {
  if (!price.methods.includes(method.id))
    throw new AppError(
      'VALIDATION_ERROR',
      `${method.transfers.notTaken}: it takes ${price.methods.map(nameMethod).join(' or ')}`,
      { methods: price.methods.map(nameMethod) },
    )
  const { usable, unusable } = findAcceptance(price, parts.paymentMethods, parts)
  const isUsable = usable.some(({ id }) => id === method.id)
  if (isUsable && price.recipient !== undefined) {
    if (method.transfers.listQuotedAmounts({ usdMicros: 0, suffix: 1 }, parts).length > 0)
      return price.recipient.toLowerCase()
    throw new AppError(
      'GATE_MISCONFIGURED',
      'no token of this server has the six decimals that the amount of a quote needs: pay the price from the wallet of the proof, and send its paymentTxHash without a quote',
    )
  }
  const mend = unusable.map((one) => `${nameMethod(one.method)} ${one.missing}`).join('; ')
  logUnpayable(parts, gateId, mend)
  throw new AppError(
    'GATE_MISCONFIGURED',
    'this gate cannot take transfers now: do not pay. Its owner must complete its settings',
  )
}

type Pair = Pick<TransferQuote, 'gateId' | 'qHash' | 'buyer'>

/** The open quote of a pair, as long as the place for it is held. */
async function openNow(parts: Parts, pair: Pair): Promise<TransferQuote | undefined> {
  const now = parts.now()
  return (await listQuotes(parts.db, pair)).find(({ expiresAt }) => expiresAt > now)
}

/** Turns that are lost to others at the same moment. */
const mostTries = 50

/** Errors: GATE_SOLD_OUT, GATE_LIMIT_REACHED, CONFLICT, SERVICE_UNAVAILABLE. */
async function place(
  parts: Parts,
  shares: QuoteShares,
  gate: Gate,
  { gateId, qHash, buyer, price, recipient }: Pair & Pick<NewQuote, 'recipient'> & { readonly price: Price },
  method: TransferMethod,
): Promise<TransferQuote> {
  const { supply = null, perWallet = null } = gate.definition
  const { version } = gate
  const unpaid = findBounds(parts, gate)
  const usdMicros = convertUsdMicros(price)
  const methods = findAcceptance(price, parts.paymentMethods, parts).usable.map(({ id }) => id)
  for (let tries = 0; tries < mostTries; tries++) {
    const createdAt = parts.now()
    await requireFewQuotes(parts, buyer, createdAt)
    const expiresAt = createdAt + parts.config.payments.reservationMinutes * 60_000
    const quoteId = `quote_${randomBytes(16).toString('hex')}`
    const asked = { usdMicros, recipient, owner: gate.owner, methods, method }
    const suffix = await chooseDigits(parts, shares, asked, { quoteId, recipient, expiresAt })
    const made = { quoteId, qHash, buyer, version, usdMicros, recipient, suffix, createdAt, expiresAt }
    const held = { gate: gate.id, buyer, qHash, version, method: method.id, expiresAt }
    const result = await parts.db
      .write([
        holdGate(held),
        reserveStatement({ ...held, now: createdAt, supply, perWallet, unpaid }),
        quoteStatement({ ...made, gate: gate.id }),
        ...(unpaid ? listUnpaidStatements(gate.id, buyer, unpaid, { now: createdAt, endsAt: expiresAt }) : []),
      ])
      .catch((error) => {
        shares.release(made)
        throw error
      })
    if ('changes' in result) {
      shares.noteStored(made)
      return { ...made, gateId }
    }
    shares.release(made)
    if (result.refusedAt <= 1) throw await explainNoPlace(parts, { gate, buyer, qHash }, unpaid)
    const faster = await openNow(parts, { gateId, qHash, buyer })
    if (faster) return faster
  }
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    'many buyers ask for this price at the moment: try again',
    {},
    { 'retry-after': '5' },
  )
}

/** Errors: CONFLICT. */
async function requireFewQuotes({ db }: Parts, buyer: AccountText, now: number): Promise<void> {
  const { open, firstEndsAt } = await countOpenQuotes(db, buyer, now)
  if (open < mostOpenOfWallet) return
  const freeAt = firstEndsAt ?? now
  throw new AppError(
    'CONFLICT',
    `this wallet has ${open} open quotes at gates of this server, and may have ${mostOpenOfWallet}: pay one of them, or try again at ${formatTime(freeAt)}, when the first of them ends`,
    { reason: 'TOO_MANY_QUOTES', freeAt },
    makeRetryHeader(freeAt, now),
  )
}

/** The buyer's view of a quote. */
async function showQuote(parts: Parts, gate: Gate, quote: TransferQuote, method: TransferMethod) {
  const { quoteId, gateId, qHash, version, usdMicros, suffix, recipient, createdAt, expiresAt } = quote
  const amounts = method.transfers.listQuotedAmounts({ usdMicros, suffix }, parts)
  const held = await findReservation(parts.db, gate.id, quote.buyer)
  const first = amounts[0]!
  const rewardAfter = (await findDefinition(parts, gate.id, version))?.price?.rewardAfter
  return {
    quoteId,
    gateId,
    qHash,
    version,
    ...first,
    recipient,
    tokens: amounts,
    ...(rewardAfter === undefined ? {} : { rewardAfter }),
    openedAt: createdAt,
    expiresAt,
    // A page of payment beside it holds the place for longer, and not for the quote.
    reservedUntil:
      held?.qHash === qHash && !(await isPageWatched(parts.db, gate.id, qHash)) ? held.expiresAt : expiresAt,
  }
}
