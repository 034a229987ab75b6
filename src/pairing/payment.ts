/**
 * The payment that a computer asks a phone for. The computer only names a quote and a token: what is paid, and to
 * whom, is what this server quoted, so that no page can write another transfer.
 */
import { AppError } from '../errors.ts'
import { findVisibleGate } from '../gates/access.ts'
import { requireProof, requireVerified } from '../gates/fulfill/checks.ts'
import { findGate } from '../gates/store.ts'
import type { Parts } from '../parts.ts'
import { findTransferMethod } from '../payments/offer.ts'
import type { PhonePayment, QuoteChoice } from '../payments/phone-payment.ts'
import { describePublicChain } from '../payments/public-chain.ts'
import { findQuote } from '../payments/quote-store.ts'
import { areSameAddress, parseAccount } from '../wallet/account.ts'
import type { Account, Purpose } from './pairing.ts'

/** Errors: VALIDATION_ERROR for a quote that cannot be paid with this account now, PROOF_NOT_VERIFIED. */
export async function readPayment(
  parts: Parts,
  { quoteId, network, assetAddress }: QuoteChoice,
  account: Account,
  purpose: Purpose,
): Promise<PhonePayment> {
  if (purpose !== 'checkout') throw makeRefusal('this code is not for a checkout')
  const quote = await findQuote(parts.db, quoteId)
  const gate = quote && findVisibleGate(await findGate(parts, quote.gateId))
  if (!quote || !gate || quote.expiresAt <= parts.now()) throw makeRefusal('the quote is unknown or has ended')
  // A proof that has ended buys nothing.
  requireVerified(await requireProof(parts, quote.qHash), parts.now())
  const { recipient, expiresAt } = quote
  const { wallet: buyer } = parseAccount(quote.buyer)
  const isByBuyer = areSameAddress(buyer, account.address)
  const method = findTransferMethod(parts.paymentMethods)
  const transfer = method?.transfers.makeTransfer({ ...quote, isByBuyer }, { network, assetAddress }, parts)
  if (!transfer) throw makeRefusal('the quote cannot be paid in this token')
  if (!account.address.startsWith('0x')) throw makeRefusal('the wallet of the phone is on another kind of chain')
  const { chainId, to, data, amountText, asset } = transfer
  if (account.isContract && account.chainId !== chainId)
    throw makeRefusal('the wallet of the phone is a contract on another chain')
  return {
    gateName: gate.definition.name,
    buyer,
    amountText,
    asset,
    recipient,
    chain: describePublicChain(parts.config, network),
    transaction: { chainId, to, data },
    expiresAt,
  }
}

const makeRefusal = (why: string): AppError =>
  new AppError('VALIDATION_ERROR', `${why}: ask for the amount again, or pay with another wallet`, { path: '/payment' })
