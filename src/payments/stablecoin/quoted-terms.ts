/** The terms of a transfer: the quotes for this proof, and the version of the gate at its block. */
import type { Hex } from '../../outside/chains/chain.ts'
import type { PaymentOffer, PaymentTools } from '../payment.ts'
import { listQuotesOfBuyer, type TransferQuote } from '../quote-store.ts'
import { clockSlackMs, listVersionTerms, nameBuyer, type Terms } from '../token-transfers/terms.ts'

/** Quotes come first: they keep a price that may have changed. Empty if the gate accepted no transfer then. */
export const listTerms = (blockTime: number, offer: PaymentOffer, tools: PaymentTools): readonly Terms[] => [
  ...listQuotedTerms(offer, tools).filter(({ quote }) => isQuoteOpen(quote, blockTime)),
  ...listVersionTerms(blockTime, offer, 'stablecoin'),
]

/** A transfer cannot precede its quote, and one after its end does not count as quoted. */
export const isQuoteOpen = ({ createdAt, expiresAt }: TransferQuote, moment: number): boolean =>
  moment >= createdAt - clockSlackMs && moment <= expiresAt + clockSlackMs

/** Includes ended quotes, and those for other proofs of the buyer, whose transfers must have the exact amount. */
export function listQuotedTerms(offer: PaymentOffer, { db }: Pick<PaymentTools, 'db'>) {
  const { gateId, qHash, quoteId } = offer
  return listQuotesOfBuyer(db, { gateId, qHash: qHash.toLowerCase(), buyer: nameBuyer(offer) }, quoteId)
    .filter((quote) => quoteId === undefined || quote.quoteId === quoteId)
    .flatMap((quote) => {
      const price = offer.terms?.of(quote.version)?.price
      return price ? [{ version: quote.version, price, recipient: quote.recipient as Hex, quote }] : []
    })
}
