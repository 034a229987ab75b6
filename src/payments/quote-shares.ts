/**
 * The amounts of a price below a cent are few, and a quote keeps one for hours. A network has at most an eighth of those
 * that are free, beside what it has: the more networks ask, the fewer each has, and there is always one left for the next.
 *
 * Counted in memory, for each recipient: after a restart a network is known by what it asks for from then on. What is
 * free is counted in the database.
 */
import type { Config } from '../config/schema.ts'
import { NetworkPlaces } from '../network-places.ts'
import { settledAfterMs } from './finality.ts'
import type { TransferQuote } from './quote-store.ts'

/** How long the row of a quote stands after its end: a transfer of its amount may count for so long. */
export const quoteStandsMs = ({ payments }: Pick<Config, 'payments'>): number =>
  (payments.quoteMinutes + 1) * 60_000 + 2 * settledAfterMs

type Taking = Pick<TransferQuote, 'quoteId' | 'recipient' | 'expiresAt'>

export interface QuoteShares {
  /** Whether the network of the request that is served may take another amount. */
  hasShare(recipient: string, free: number): boolean
  /** Counts a quote for the network of the request that is served, for as long as its row stands. */
  take(quote: Taking): void
  /** It was not opened after all. */
  giveBack(quote: Taking): void
}

const shareOfFree = 8

export function openQuoteShares({
  config,
  readSure,
}: {
  readonly config: Pick<Config, 'payments'>
  readSure(): number
}): QuoteShares {
  const taken = new Map<string, NetworkPlaces<string>>()
  /** In the order in which they end: all last equally long. */
  const standing = new Map<string, Taking>()
  const standsMs = quoteStandsMs(config)

  function giveBack({ quoteId, recipient }: Pick<Taking, 'quoteId' | 'recipient'>): void {
    standing.delete(quoteId)
    const places = taken.get(recipient)
    places?.leave(quoteId)
    if (places?.size === 0) taken.delete(recipient)
  }

  function forgetEnded(): void {
    for (const quote of standing.values()) {
      if (quote.expiresAt + standsMs > readSure()) return
      giveBack(quote)
    }
  }

  return {
    hasShare(recipient, free) {
      forgetEnded()
      return (taken.get(recipient)?.countOwn() ?? 0) < free / shareOfFree
    },
    take(quote) {
      const places = taken.get(quote.recipient) ?? new NetworkPlaces<string>(Number.POSITIVE_INFINITY)
      taken.set(quote.recipient, places)
      places.take(quote.quoteId)
      standing.set(quote.quoteId, quote)
    },
    giveBack,
  }
}
