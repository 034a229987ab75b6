/** Chooses the digits of a quote, which tell its transfer from others: below a cent, as long as there are any. */
import { randomInt } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { Price } from '../payments/price.ts'
import { type QuoteShares, quoteStandsMs } from '../payments/quote-shares.ts'
import { fineSteps, listTaken, mostSuffix, type NewQuote, suffixStep } from '../payments/quote-store.ts'
import { canCarryFine } from '../payments/transfer-quote.ts'
import { retryAt } from './fulfill-checks.ts'

type Asked = Pick<NewQuote, 'usdMicros' | 'recipient'> & {
  /** By which the price can be paid here now. */
  readonly methods: Price['methods']
}

/** An amount that ends in a zero is never chosen, as prices of people end: a transfer without a quote is not taken for one. */
const isPlain = (usdMicros: number, suffix: number): boolean => (usdMicros + suffix) % 10 === 0

/** As quotes keep it. Errors: SERVICE_UNAVAILABLE. */
export function chooseDigits(parts: Parts, shares: QuoteShares, asked: Asked): number {
  const { usdMicros, recipient } = asked
  const taken = listTaken(parts.db, recipient, usdMicros)
  const totals = new Set(taken.map(({ total }) => total))
  const free: number[] = []
  for (let suffix = 1; suffix <= mostSuffix; suffix++)
    if (!isPlain(usdMicros, suffix) && !totals.has(usdMicros + suffix)) free.push(suffix)
  if (shares.hasShare(recipient, free.length)) return free[randomInt(free.length)]!
  if (canCarryFine(parts)) return chooseFine(usdMicros)
  throw noneLeft(parts, asked, { isUsedUp: free.length === 0, firstEndsAt: taken[0]?.expiresAt })
}

/** So many that two are hardly ever the same; the guarded statement refuses the second one. */
function chooseFine(usdMicros: number): number {
  for (;;) {
    const suffix = randomInt(1, mostSuffix + 1)
    if (!isPlain(usdMicros, suffix)) return randomInt(1, fineSteps) * suffixStep + suffix
  }
}

function noneLeft(
  parts: Parts,
  { methods }: Asked,
  { isUsedUp, firstEndsAt }: { readonly isUsedUp: boolean; readonly firstEndsAt: number | undefined },
): AppError {
  const others = methods.filter((method) => method !== 'stablecoin')
  const ways = [
    ...others.map((method) => `by ${method}`),
    'from the wallet of the proof without a quote, by its paymentTxHash',
  ]
  const now = parts.now()
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `${isUsedUp ? 'all amounts below a cent above this price are taken by quotes of others' : 'your network has its share of the amounts below a cent above this price, and the rest is kept for others'}: pay ${ways.join(' or ')}, or try again later`,
    { reason: isUsedUp ? 'QUOTES_USED_UP' : 'QUOTES_OF_NETWORK_USED_UP', methods: others },
    retryAt((firstEndsAt ?? now) + quoteStandsMs(parts.config), now),
  )
}
