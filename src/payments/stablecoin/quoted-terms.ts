/** The terms of a transfer: the quotes for this proof, and the version of the gate at its block. */
import { flatMapInOrder } from '../../in-order.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import type { PaymentOffer, PaymentTools } from '../payment.ts'
import { listQuotesOfBuyer, type TransferQuote } from '../quote-store.ts'
import { clockSlackMs, listVersionTerms, nameBuyer, type Terms } from '../token-transfers/terms.ts'

/** Quotes come first: they keep a price that may have changed. Empty if the gate accepted no transfer then. */
export const listTerms = async (
  blockTime: number,
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<readonly Terms[]> => [
  ...(await listQuotedTerms(offer, tools)).filter(({ quote }) => isQuoteOpen(quote, blockTime)),
  ...(await listVersionTerms(blockTime, offer, 'stablecoin')),
]

/** A transfer cannot precede its quote, and one after its end does not count as quoted. */
export const isQuoteOpen = ({ createdAt, expiresAt }: TransferQuote, moment: number): boolean =>
  moment >= createdAt - clockSlackMs && moment <= expiresAt + clockSlackMs

/** Includes ended quotes, and those for other proofs of the buyer, whose transfers must have the exact amount. */
export async function listQuotedTerms(offer: PaymentOffer, { db }: Pick<PaymentTools, 'db'>) {
  const { gateId, qHash, quoteId } = offer
  const quotes = await listQuotesOfBuyer(db, { gateId, qHash: qHash.toLowerCase(), buyer: nameBuyer(offer) }, quoteId)
  return flatMapInOrder(
    quotes.filter((quote) => quoteId === undefined || quote.quoteId === quoteId),
    async (quote) => {
      const price = (await offer.terms?.of(quote.version))?.price
      return price ? [{ version: quote.version, price, recipient: quote.recipient as Hex, quote }] : []
    },
  )
}
