/**
 * What a transfer is held against: the quotes that were opened for this proof, and the version of the gate that applied
 * when its block was made. Each names its price, its recipient and the version that is bought.
 */

import type { Hex } from '../../outside/chains/chain.ts'
import { writeAccount } from '../../wallet/account.ts'
import type { PaymentOffer, PaymentTools, PricedVersion } from '../payment.ts'
import { convertUsdMicros, type Price } from '../price.ts'
import { listQuotesOfBuyer, type TransferQuote } from '../quote-store.ts'

export interface Terms {
  /** Undefined where the offer does not tell versions. */
  readonly version: number | undefined
  readonly price: Price
  /** In lower case. */
  readonly recipient: Hex
  /** As in PricedVersion: the gate came seconds after the block. */
  readonly isEarly?: boolean
  /** What it was quoted for. By its exact amount anybody may pay. */
  readonly quote?: TransferQuote
}

/** Clocks of chains differ from ours by so much at most. */
export const clockSlackMs = 60_000

/** Quotes come first: they hold a price that may be gone. Empty where the gate asked for no transfer then. */
export const listTerms = (blockTime: number, offer: PaymentOffer, tools: PaymentTools): readonly Terms[] => [
  ...listQuotedTerms(offer, tools).filter(({ quote }) => isQuoteOpen(quote, blockTime)),
  ...listVersionTerms(blockTime, offer, 'stablecoin'),
]

/** What the gate asked for then by this method. */
export function listVersionTerms(
  blockTime: number,
  { terms, price: priceNow }: Pick<PaymentOffer, 'terms' | 'price'>,
  method: 'stablecoin' | 'x402',
): readonly Terms[] {
  const versions: readonly Partial<PricedVersion>[] = terms
    ?.at(blockTime)
    .filter(({ price }) => price?.methods.includes(method)) ?? [{ price: priceNow }]
  return versions.flatMap(({ isEarly = false, version, price }) =>
    makeTerms(version, price).map((one) => ({ ...one, isEarly })),
  )
}

/** A transfer is not made before its amount is known, and not counted as quoted when it comes too late. */
export const isQuoteOpen = ({ createdAt, expiresAt }: TransferQuote, moment: number): boolean =>
  moment >= createdAt - clockSlackMs && moment <= expiresAt + clockSlackMs

/** The account of the buyer. */
export const nameBuyer = ({ wallets: [wallet = ''], contractOn }: Pick<PaymentOffer, 'wallets' | 'contractOn'>) =>
  writeAccount({ wallet, contractOn })

/** Ended quotes included, and those for other proofs of the buyer, whose transfers must be of their exact amount. */
export function listQuotedTerms(offer: PaymentOffer, { db }: Pick<PaymentTools, 'db'>) {
  const { gateId, qHash, quoteId } = offer
  return listQuotesOfBuyer(db, { gateId, qHash: qHash.toLowerCase(), buyer: nameBuyer(offer) }, quoteId)
    .filter((quote) => quoteId === undefined || quote.quoteId === quoteId)
    .flatMap((quote) => {
      const price = offer.terms?.of(quote.version)?.price
      return price ? [{ version: quote.version, price, recipient: quote.recipient as Hex, quote }] : []
    })
}

/** How long money that goes to the recipient of before, or is of the price of before, is told as such. */
const formerMs = 86_400_000

/** What the gate asked for in the day before, whichever way it took the money. */
export const listFormerTerms = (blockTime: number, { terms }: Pick<PaymentOffer, 'terms'>): readonly Terms[] =>
  (terms?.between(blockTime - formerMs, blockTime) ?? []).flatMap(({ version, price }) => makeTerms(version, price))

const makeTerms = (version: number | undefined, price: Price | undefined): Terms[] =>
  price?.recipient !== undefined ? [{ version, price, recipient: price.recipient.toLowerCase() as Hex }] : []

export const describePurchase = ({ version, price }: Terms) =>
  version === undefined ? {} : { bought: { version, usdMicros: convertUsdMicros(price) } }
