/**
 * Opens a quote for a buyer who pays by a transfer: the version and the price are kept, a place is held, and the amount
 * tells the transfer from those of others. Charges nothing.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { AppError } from '../errors.ts'
import { requireRoomToWrite } from '../http/admit-writes.ts'
import type { Parts } from '../parts.ts'
import { acceptanceOf, isCharged } from '../payments/offer.ts'
import { type Price, usdMicrosOf } from '../payments/price.ts'
import { listQuotes, mostSuffix, type NewQuote, quoteStatement, type TransferQuote } from '../payments/quote-store.ts'
import { type PairRequest, requireSigner } from '../payments/signed-buyer.ts'
import { quotedAmounts } from '../payments/transfer-quote.ts'
import { accountText } from '../wallet/account.ts'
import { gateNotFound, requireEligible, requireProof } from './fulfill-checks.ts'
import type { Gate } from './gate.ts'
import { purchasesOf } from './purchase.ts'
import { findReservation, reserveStatement } from './reservation-store.ts'
import { findDefinition, findGate } from './store.ts'
import { whyNoPlace } from './why-no-place.ts'

/**
 * Errors: SIGNATURE_INVALID and its kin, those of purchasesOf and requireEligible, VALIDATION_ERROR for a gate that takes
 * no transfers, GATE_MISCONFIGURED, GATE_SOLD_OUT, GATE_LIMIT_REACHED, CONFLICT, SERVICE_UNAVAILABLE.
 */
export async function openQuote(parts: Parts, request: PairRequest) {
  const caller = await requireSigner(parts, 'open_quote', request)
  const { gateId } = request
  const qHash = request.qHash.toLowerCase()
  await purchasesOf(parts)(gateId, qHash, caller)
  // Its version may have changed while a claim was read again.
  const gate = findGate(parts, gateId)
  const price = gate?.definition.price
  if (!gate || !isCharged(price)) throw gateNotFound()
  const recipient = requireTransfers(parts, gate, price)
  const proof = requireProof(parts, qHash)
  const pair = { gateId, qHash, buyer: accountText(caller) }
  const open = openNow(parts, pair)
  if (open) return shownQuote(parts, gate, open)
  requireEligible(parts, gate, proof, caller)
  requireRoomToWrite(parts)
  const quote = await place(parts, gate, { ...pair, usdMicros: usdMicrosOf(price), recipient })
  return shownQuote(parts, gate, quote)
}

/** The recipient in lower case. Errors: VALIDATION_ERROR, GATE_MISCONFIGURED. */
function requireTransfers(parts: Parts, { gateId }: Gate, price: Price): string {
  if (!price.methods.includes('stablecoin'))
    throw new AppError(
      'VALIDATION_ERROR',
      `this gate takes no transfers of a stablecoin: it takes ${price.methods.join(' or ')}`,
      { methods: price.methods },
    )
  const { usable, lacks } = acceptanceOf(price, parts.paymentMethods, parts)
  const isUsable = usable.some(({ id }) => id === 'stablecoin')
  if (isUsable && price.recipient !== undefined) {
    if (quotedAmounts({ usdMicros: 0, suffix: 1 }, parts).length > 0) return price.recipient.toLowerCase()
    throw new AppError(
      'GATE_MISCONFIGURED',
      'no token of this server has the six decimals that the amount of a quote needs: pay the price from the wallet of the proof, and send its paymentTxHash without a quote',
    )
  }
  const mend = lacks.map(({ method, lack }) => `${method} ${lack}`).join('; ')
  parts.log.warn('a gate is misconfigured', { gateId, mend })
  throw new AppError(
    'GATE_MISCONFIGURED',
    'this gate cannot be paid by a transfer now: its owner has to complete its settings. Do not pay',
  )
}

type Pair = Pick<TransferQuote, 'gateId' | 'qHash' | 'buyer'>

/** The open quote of a pair, as long as the place for it is held. */
function openNow(parts: Parts, pair: Pair): TransferQuote | undefined {
  const now = parts.now()
  return listQuotes(parts.db, pair).find(({ expiresAt }) => expiresAt > now)
}

/** Amounts that are tried: with nine out of ten taken, one of fifty is free all but once in two hundred times. */
const mostTries = 50

/** Errors: GATE_SOLD_OUT, GATE_LIMIT_REACHED, CONFLICT, SERVICE_UNAVAILABLE. */
async function place(
  parts: Parts,
  gate: Gate,
  { gateId, qHash, buyer, usdMicros, recipient }: Pair & Pick<NewQuote, 'usdMicros' | 'recipient'>,
): Promise<TransferQuote> {
  const { supply = null, perWallet = null } = gate.definition
  const { version } = gate
  for (let tries = 0; tries < mostTries; tries++) {
    const createdAt = parts.now()
    const expiresAt = createdAt + parts.config.payments.reservationMinutes * 60_000
    const made = {
      quoteId: `quote_${randomBytes(16).toString('hex')}`,
      qHash,
      buyer,
      version,
      usdMicros,
      recipient,
      suffix: newSuffix(usdMicros),
      createdAt,
      expiresAt,
    }
    const held = { gate: gate.id, buyer, qHash, version, method: 'stablecoin', expiresAt } as const
    const result = await parts.db.write([
      reserveStatement({ ...held, now: createdAt, supply, perWallet }),
      quoteStatement({ ...made, gate: gate.id }),
    ])
    if ('changes' in result) return { ...made, gateId }
    if (result.refusedAt === 0) throw whyNoPlace(parts, { gate, buyer, qHash })
    const faster = openNow(parts, { gateId, qHash, buyer })
    if (faster) return faster
  }
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    'too many buyers are about to pay the same price to the same recipient: try again in a minute, or pay the price from the wallet of the proof and send its paymentTxHash without a quote',
    {},
    { 'retry-after': '60' },
  )
}

/** From 1 on. The amount ends in no zero, as the prices of people do: a transfer without a quote is not taken for one. */
function newSuffix(usdMicros: number): number {
  for (;;) {
    const suffix = randomInt(1, mostSuffix + 1)
    if ((usdMicros + suffix) % 10 !== 0) return suffix
  }
}

/** What the buyer is told. */
function shownQuote(parts: Parts, gate: Gate, quote: TransferQuote) {
  const { quoteId, gateId, qHash, version, usdMicros, suffix, recipient, createdAt, expiresAt } = quote
  const amounts = quotedAmounts({ usdMicros, suffix }, parts)
  const held = findReservation(parts.db, gate.id, quote.buyer)
  const first = amounts[0]!
  const rewardAfter = findDefinition(parts, gate.id, version)?.price?.rewardAfter
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
    reservedUntil: held?.qHash === qHash ? held.expiresAt : expiresAt,
  }
}
