/**
 * Shares the quoted amounts. A price has few amounts below a cent, and a quote occupies one for hours. A network may
 * take at most an eighth of the free ones, besides its own. With more networks each gets fewer, and one is always left
 * for the next. Shares are counted in memory for each recipient, so a restart begins anew. Several processes allow their
 * part each. Free amounts are counted in the database.
 */
import type { Config } from '../config/schema.ts'
import { NetworkPlaces } from '../network-places.ts'
import type { Parts } from '../parts.ts'
import { settledAfterMs } from './finality.ts'
import { mostSuffix, type TakenAmount, type TransferQuote } from './quote-store.ts'

/** The lifetime of a quote's row after its end: a transfer of its amount may count for this long. */
export const quoteStandsMs = ({ payments }: Pick<Config, 'payments'>): number =>
  (payments.quoteMinutes + 1) * 60_000 + 2 * settledAfterMs

type Taking = Pick<TransferQuote, 'quoteId' | 'recipient' | 'expiresAt'>

export interface QuoteShares {
  /** Whether the network of the current request may take another amount. */
  hasShare(recipient: string, free: number): boolean
  /**
   * Counts a quote for the network of the current request, for the lifetime of its row. `amount`: below a cent. It is
   * taken until the row is stored.
   */
  take(quote: Taking, amount?: TakenAmount): void
  /** Amounts near a price that were chosen, and whose rows are not stored yet: of other requests at this moment. */
  listChosen(recipient: string, usdMicros: number): readonly TakenAmount[]
  noteStored(quote: Taking): void
  /** Called when the quote was not opened. */
  release(quote: Taking): void
}

const shareOfFree = 8

export function openQuoteShares({
  config,
  readSure,
  processes,
}: Pick<Parts, 'readSure'> & {
  readonly config: Pick<Config, 'payments'>
  readonly processes: Pick<Parts['processes'], 'countLive'>
}): QuoteShares {
  const taken = new Map<string, NetworkPlaces<string>>()
  /** In the order of their ends: all have the same lifetime. */
  const standing = new Map<string, Taking>()
  /** By the id of the quote. */
  const chosen = new Map<string, TakenAmount & Pick<Taking, 'recipient'>>()
  const standsMs = quoteStandsMs(config)

  function release({ quoteId, recipient }: Pick<Taking, 'quoteId' | 'recipient'>): void {
    standing.delete(quoteId)
    chosen.delete(quoteId)
    const places = taken.get(recipient)
    places?.leave(quoteId)
    if (places?.size === 0) taken.delete(recipient)
  }

  function forgetEnded(): void {
    for (const quote of standing.values()) {
      if (quote.expiresAt + standsMs > readSure()) return
      release(quote)
    }
  }

  return {
    hasShare(recipient, free) {
      forgetEnded()
      return (taken.get(recipient)?.countOwn() ?? 0) < free / shareOfFree / processes.countLive()
    },
    take(quote, amount) {
      const places = taken.get(quote.recipient) ?? new NetworkPlaces<string>(Number.POSITIVE_INFINITY)
      taken.set(quote.recipient, places)
      places.take(quote.quoteId)
      standing.set(quote.quoteId, quote)
      if (amount) chosen.set(quote.quoteId, { ...amount, recipient: quote.recipient })
    },
    listChosen: (recipient, usdMicros) =>
      [...chosen.values()].filter(
        (one) => one.recipient === recipient && one.total >= usdMicros && one.total <= usdMicros + mostSuffix,
      ),
    noteStored: ({ quoteId }) => void chosen.delete(quoteId),
    release,
  }
}
