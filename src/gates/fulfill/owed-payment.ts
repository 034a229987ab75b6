/**
 * An unmatched payment that is used at another gate of the seller. Its payer, or the buyer of its quote, may use it. It
 * was confirmed for a gate of that seller, so recipient and age are not checked again.
 */
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { convertUsd, formatAmount } from '../../payments/amount.ts'
import { readStanding } from '../../payments/finality.ts'
import { findPayer } from '../../payments/find-payer.ts'
import type { OfferedEvidence, Quote } from '../../payments/offer.ts'
import type { PaymentMethod, PaymentVerdict } from '../../payments/payment.ts'
import type { Price } from '../../payments/price.ts'
import { makeTooEarly } from '../../payments/reward-after.ts'
import type { PaidVerdict } from '../../payments/store.ts'
import type { Token } from '../../payments/token.ts'
import { isBuyersOwn, isForSeller } from '../../payments/unmatched.ts'
import { listOwedPayments, type Unmatched } from '../../payments/unmatched-store.ts'
import { makeUnpaid, type Unpaid } from '../../payments/unpaid.ts'
import { writeAccount } from '../../wallet/account.ts'

/** The limit of payers in one transaction. */
const mostRows = 20

/** Whether the offered transaction has an owed payment. Its owner is checked later. */
export const isOwed = async ({ db }: Pick<Parts, 'db'>, { paymentTxHash }: OfferedEvidence): Promise<boolean> =>
  paymentTxHash !== undefined &&
  (await listOwedPayments(db, paymentTxHash.toLowerCase(), mostRows)).some((row) => !isForSeller(row))

export interface OwedPayment {
  readonly method: PaymentMethod['id']
  readonly verdict: PaymentVerdict
}

/**
 * The owed payment of this buyer that is offered, if it is one. Errors: PAYMENT_ALREADY_USED when another seller owes it,
 * OutsideError.
 */
export async function findOwedPayment(
  parts: Parts,
  owner: string,
  quote: Quote,
  { paymentTxHash }: OfferedEvidence,
): Promise<OwedPayment | undefined> {
  if (paymentTxHash === undefined) return undefined
  for (const row of await listOwedPayments(parts.db, paymentTxHash.toLowerCase(), mostRows)) {
    const method = parts.paymentMethods.find(({ id }) => id === row.method)
    const token = method
      ?.listTokens?.(parts)
      .find(({ chain, address }) => chain.chain === row.details.chain && address === row.details.token)
    if (!method || !token || row.payer === null || row.amount === null || isForSeller(row)) continue
    if (!wasQuoted(row, quote) && !(await findPayer([row.payer as `0x${string}`], token, quote))) continue
    if (row.owner !== owner)
      throw new AppError(
        'PAYMENT_ALREADY_USED',
        'this payment was made to another seller, who owes it to you: use it for a gate of that seller, or ask the seller for it',
        { reason: 'OWED_BY_ANOTHER_SELLER', identity: row.identity },
      )
    return { method: method.id, verdict: await judge(parts, method, row, quote, token) }
  }
  return undefined
}

/** From any sender, it has the amount that was quoted to this buyer alone. */
const wasQuoted = (row: Unmatched, { wallets: [wallet = ''], contractOn }: Quote): boolean =>
  isBuyersOwn(row) && row.buyer === writeAccount({ wallet, contractOn })

/** The reward of this gate waits as long for an owed payment as for any other. Errors: OutsideError. */
async function findRewardDelay(
  { details }: Unmatched,
  { rewardAfter = 'confirmations' }: Price,
  token: Token,
): Promise<Unpaid | undefined> {
  const receipt = await token.chain.transactions.readReceipt(details.transactionHash as `0x${string}`)
  const standing = receipt && (await readStanding(receipt, token.chain, token.confirmations))
  if (standing?.block === 'canonical') return makeTooEarly(standing, token, rewardAfter)
  return makeUnpaid(
    'NOT_CONFIRMED',
    `the payment that the seller owes you is not in ${token.chain.chain} any more, or not yet again: it is looked for, and stays owed to you`,
    30,
  )
}

async function judge(
  parts: Parts,
  method: PaymentMethod,
  row: Unmatched,
  { price }: Quote,
  token: Token,
): Promise<PaymentVerdict> {
  const amount = BigInt(row.amount ?? 0)
  const due = convertUsd(price.amountUsd, token.decimals)
  if (amount < due)
    return {
      paid: false,
      reason: 'AMOUNT_TOO_LOW',
      message: `the payment that the seller owes you is of ${formatAmount(amount, token)}, and the price is ${formatAmount(due, token)}: it stays owed to you, for a gate that costs no more than it`,
    }
  const review = await method.review(row, parts)
  if (review.state === 'reversed') return { paid: false, reason: review.reason, message: review.message }
  const early = await findRewardDelay(row, price, token)
  if (early) return early
  const paid: PaidVerdict = {
    paid: true,
    identity: row.identity,
    payer: row.payer,
    amount: String(amount),
    paidAt: row.paidAt ?? row.createdAt,
    details: { ...row.details, due: String(due) },
    isFinal: review.state === 'final',
  }
  return paid
}
