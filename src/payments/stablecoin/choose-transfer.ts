/**
 * Chooses the transfer that pays. Each transfer of a transaction is a payment of its own, and some belong to quotes of
 * others.
 */
import { flatMapInOrder } from '../../in-order.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import { areSameAddress, parseAccount } from '../../wallet/account.ts'
import { formatAmount } from '../amount.ts'
import type { PaymentOffer, PaymentTools, PaymentVerdict } from '../payment.ts'
import { findQuoteOfAmount } from '../quote-store.ts'
import { findPayment, type PaidVerdict } from '../store.ts'
import type { Token } from '../token.ts'
import type { Transfer } from '../token-transfers/transfer-log.ts'
import { findUnmatched } from '../unmatched-store.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import { splitQuote } from './quote.ts'
import { isQuoteOpen } from './quoted-terms.ts'

/**
 * 0: the amount of the quote in question. 1: an amount of no quote. 2: the amount of another quote of the same buyer.
 */
export interface Ranked {
  readonly transfer: Transfer
  readonly rank: number
}

/** The likeliest first, without those quoted to another buyer, who alone may use them, whoever sent them. */
export async function rankTransfers(
  transfers: readonly Transfer[],
  exact: bigint | undefined,
  { recipient, token, blockTime }: { readonly recipient: Hex; readonly token: Token; readonly blockTime: number },
  { wallets }: PaymentOffer,
  { db }: Pick<PaymentTools, 'db'>,
): Promise<readonly Ranked[]> {
  const findRank = async (value: bigint): Promise<number | undefined> => {
    if (value === exact) return 0
    const parts = splitQuote(value, token)
    const quote = parts && (await findQuoteOfAmount(db, recipient, parts))
    if (!quote || !isQuoteOpen(quote, blockTime)) return 1
    const { wallet: quoted } = parseAccount(quote.buyer)
    return wallets.some((wallet) => areSameAddress(wallet, quoted)) ? 2 : undefined
  }
  return (
    await flatMapInOrder(transfers, async (transfer) => {
      const rank = await findRank(transfer.value)
      return rank === undefined ? [] : [{ transfer, rank }]
    })
  ).sort((one, other) => one.rank - other.rank)
}

/** The limit of further payments in an answer; the others of the transaction can be submitted by its hash again. */
const mostOthers = 16

/** The first unused transfer, with the others. If all were used, the first one gives the answer. */
export async function chooseUnused(
  ranked: readonly Ranked[],
  judge: (transfer: Transfer) => Promise<PaymentVerdict>,
  tools: Pick<PaymentTools, 'db'>,
): Promise<PaymentVerdict> {
  const free: { readonly verdict: PaidVerdict; readonly rank: number }[] = []
  let owed: PaidVerdict | undefined
  let used: PaidVerdict | undefined
  for (const { transfer, rank } of ranked) {
    const verdict = await judge(transfer)
    if (!verdict.paid) return verdict
    if (await findPayment(tools.db, verdict.identity)) used ??= verdict
    else if (await findUnmatched(tools.db, verdict.identity)) owed ??= verdict
    else if (!free.some((other) => other.verdict.identity === verdict.identity)) free.push({ verdict, rank })
    if (free.length > mostOthers) break
  }
  const [first, ...others] = free
  if (!first) return (owed ?? used)!
  // An amount quoted to the buyer elsewhere stays reserved for that quote.
  const beside = others.flatMap(({ verdict, rank }) => (rank < 2 ? [verdict] : []))
  return beside.length === 0 ? first.verdict : { ...first.verdict, beside }
}

export const refuseQuoted = ({ value }: Transfer, token: Token): Unpaid =>
  makeUnpaid(
    'QUOTED_TO_ANOTHER',
    `the transfer is of ${formatAmount(value, token)}, which was quoted to another buyer: it is theirs, whoever sent it, and was not used. Pay the price, or open a quote and pay its amount`,
  )
