/** Chooses the digits of a quote, which tell its transfer from others: below a cent, while any are free. */

import { randomInt } from 'node:crypto'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { nameMethod } from '../../payments/methods.ts'
import type { PaymentMethod } from '../../payments/payment.ts'
import type { Price } from '../../payments/price.ts'
import { type QuoteShares, quoteStandsMs } from '../../payments/quote-shares.ts'
import {
  fineSteps,
  listTaken,
  mostSuffix,
  type NewQuote,
  suffixStep,
  type TakenAmount,
} from '../../payments/quote-store.ts'
import { makeRetryHeader } from './checks.ts'

type Asked = Pick<NewQuote, 'usdMicros' | 'recipient'> & {
  /** The owner of the gate. */
  readonly owner: string
  /** By which the price can be paid here now. */
  readonly methods: Price['methods']
  readonly method: PaymentMethod & Required<Pick<PaymentMethod, 'transfers'>>
}

/** Never chooses an amount with a final zero, as in people's prices. So a transfer without a quote matches no quote. */
const isPlain = (usdMicros: number, suffix: number): boolean => (usdMicros + suffix) % 10 === 0

/**
 * Chooses the digits that tell a transfer apart, in the form that quotes store. A free share is found and the quote
 * counted without an await in between: other requests run during each await. Errors: SERVICE_UNAVAILABLE.
 */
export async function chooseDigits(
  parts: Parts,
  shares: QuoteShares,
  asked: Asked,
  quote: Parameters<QuoteShares['take']>[0],
): Promise<number> {
  const { usdMicros, recipient, owner } = asked
  // One that is stored while this reads is in neither later list.
  const chosenBefore = shares.listChosen(recipient, usdMicros)
  const stored = await listTaken(parts.db, recipient, usdMicros)
  const others = [...chosenBefore, ...shares.listChosen(recipient, usdMicros)]
  const taken = new Map([...stored, ...others].map((one) => [one.total, one]))
  const free: number[] = []
  for (let suffix = 1; suffix <= mostSuffix; suffix++)
    if (!isPlain(usdMicros, suffix) && !taken.has(usdMicros + suffix)) free.push(suffix)
  const isOwners = hasOwnersShare(asked, [...taken.values()], free.length)
  if (isOwners && shares.hasShare(recipient, free.length)) {
    const suffix = free[randomInt(free.length)]!
    shares.take(quote, { total: usdMicros + suffix, expiresAt: quote.expiresAt, owner })
    return suffix
  }
  if (asked.method.transfers.canCarryFine(parts)) {
    shares.take(quote)
    return chooseFine(usdMicros)
  }
  const why = free.length === 0 ? 'QUOTES_USED_UP' : isOwners ? 'QUOTES_OF_NETWORK_USED_UP' : 'QUOTES_OF_OWNER_USED_UP'
  throw makeNoneLeftError(parts, asked, why, stored[0]?.expiresAt)
}

/** The share of free amounts for an owner whose recipient is another address. */
const shareOfOwner = 4
/** This number is never given to them. */
const keptForRecipient = 1_000

/**
 * A stranger may publish gates that pay another recipient. Their open quotes use a part of that recipient's amounts,
 * and never all. The recipient's own gates may use them all.
 */
function hasOwnersShare({ owner, recipient }: Asked, taken: readonly TakenAmount[], free: number): boolean {
  if (owner === recipient) return free > 0
  return taken.filter((one) => one.owner === owner).length < (free - keptForRecipient) / shareOfOwner
}

/** So many that two are rarely the same; the guarded statement refuses the second one. */
function chooseFine(usdMicros: number): number {
  for (;;) {
    const suffix = randomInt(1, mostSuffix + 1)
    if (!isPlain(usdMicros, suffix)) return randomInt(1, fineSteps) * suffixStep + suffix
  }
}

const whyNone = {
  QUOTES_USED_UP: 'all amounts below a cent above this price are taken by quotes of others',
  QUOTES_OF_NETWORK_USED_UP:
    'your network has its share of the amounts below a cent above this price, and the rest is kept for others',
  QUOTES_OF_OWNER_USED_UP:
    'buyers at gates of this owner have their share of the amounts below a cent above this price, and the rest is kept for other gates that are paid to the same recipient',
} as const

function makeNoneLeftError(
  parts: Parts,
  { methods, method }: Asked,
  reason: keyof typeof whyNone,
  firstEndsAt: number | undefined,
): AppError {
  const others = methods.filter((id) => id !== method.id).map(nameMethod)
  const ways = [
    ...others.map((name) => `by ${name}`),
    'from the wallet of the proof without a quote, by its paymentTxHash',
  ]
  const now = parts.now()
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `${whyNone[reason]}: pay ${ways.join(' or ')}, or try again later`,
    { reason, methods: others },
    makeRetryHeader((firstEndsAt ?? now) + quoteStandsMs(parts.config), now),
  )
}
