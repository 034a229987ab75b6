/**
 * What a transfer is held against: the quotes that were opened for this proof, and the version of the gate that applied
 * when its block was made. Each names its price, its recipient and the version that is bought.
 */

import type { Hex } from '../outside/chains/chain.ts'
import { accountText } from '../wallet/account.ts'
import type { PaymentOffer, PaymentTools, PricedVersion } from './payment.ts'
import { type Price, usdMicrosOf } from './price.ts'
import { listQuotes, type TransferQuote } from './quote-store.ts'

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
export const termsAt = (blockTime: number, offer: PaymentOffer, tools: PaymentTools): readonly Terms[] => [
  ...quotedTerms(offer, tools).filter(({ quote }) => stoodAt(quote, blockTime)),
  ...versionsAt(blockTime, offer, 'stablecoin'),
]

/** What the gate asked for then by this method. */
export function versionsAt(
  blockTime: number,
  { terms, price: priceNow }: Pick<PaymentOffer, 'terms' | 'price'>,
  method: 'stablecoin' | 'x402',
): readonly Terms[] {
  const versions: readonly Partial<PricedVersion>[] = terms
    ?.at(blockTime)
    .filter(({ price }) => price?.methods.includes(method)) ?? [{ price: priceNow }]
  return versions.flatMap(({ isEarly = false, version, price }) =>
    withRecipient(version, price).map((one) => ({ ...one, isEarly })),
  )
}

/** A transfer is not made before its amount is known, and not counted as quoted when it comes too late. */
export const stoodAt = ({ createdAt, expiresAt }: TransferQuote, moment: number): boolean =>
  moment >= createdAt - clockSlackMs && moment <= expiresAt + clockSlackMs

/** Ended quotes included. */
export function quotedTerms(offer: PaymentOffer, { db }: Pick<PaymentTools, 'db'>) {
  const { gateId, qHash, wallets, contractOn, quoteId } = offer
  return listQuotes(db, {
    gateId,
    qHash: qHash.toLowerCase(),
    buyer: accountText({ wallet: wallets[0] ?? '', contractOn }),
  })
    .filter((quote) => quoteId === undefined || quote.quoteId === quoteId)
    .flatMap((quote) => {
      const price = offer.terms?.of(quote.version)?.price
      return price ? [{ version: quote.version, price, recipient: quote.recipient as Hex, quote }] : []
    })
}

const withRecipient = (version: number | undefined, price: Price | undefined): Terms[] =>
  price?.recipient !== undefined ? [{ version, price, recipient: price.recipient.toLowerCase() as Hex }] : []

export const boughtBy = ({ version, price }: Terms) =>
  version === undefined ? {} : { bought: { version, usdMicros: usdMicrosOf(price) } }
