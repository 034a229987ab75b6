/** The limits of a place without cost, and the refusals of a buyer who has reached them. */
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { findPaymentMethod } from '../../payments/methods.ts'
import { findScope } from '../../request-scope.ts'
import type { AccountText } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { formatTime, makeRetryHeader } from './checks.ts'
import { findHeld } from './reservation-store.ts'
import { findFullShare, findPausedNetwork, findUnpaid, hasMostUnpaid, type UnpaidBounds } from './unpaid-place-store.ts'

/** Undefined when no place can be taken from others, and when the operator has turned limits off. */
export const findBounds = ({ config }: Parts, { definition }: Gate): UnpaidBounds | undefined =>
  definition.supply === undefined || !config.limits.enabled ? undefined : { network: findScope()?.network ?? null }

interface Buyer {
  readonly gate: Gate
  readonly buyer: AccountText
  readonly qHash: string
}

/** Undefined where none of the bounds stands in the way. */
export async function explainNoUnpaid(
  { db, now }: Parts,
  { gate, buyer, qHash }: Buyer,
  { network }: UnpaidBounds,
): Promise<AppError | undefined> {
  const at = now()
  const free =
    (gate.definition.supply ?? 0) - gate.fulfilledCount - (await findHeld(db, { gate: gate.id, buyer, qHash }, at)).held
  const share = network === null ? undefined : await findFullShare(db, { gate: gate.id, buyer, network }, free, at)
  if (share)
    return refusePlace(gate, at, {
      reason: 'TOO_MANY_PLACES_OF_NETWORK',
      freeAt: share.firstEndsAt ?? at,
      sentence: `your network holds ${share.held} ${share.held === 1 ? 'place' : 'places'} at this gate that ${share.held === 1 ? 'is' : 'are'} not paid yet, its share of the ${free} free places: the others are kept for buyers of other networks`,
    })
  const most = await hasMostUnpaid(db, gate.id, buyer, at)
  if (most)
    return refusePlace(gate, at, {
      reason: 'TOO_MANY_PLACES_OF_WALLET',
      freeAt: most.firstEndsAt ?? at,
      sentence: `this wallet holds ${most.held} unpaid places at other gates, which is the limit: pay for one of them`,
    })
  const before = await findUnpaid(db, gate.id, buyer)
  if (before && before.freeAt > at)
    return refusePlace(gate, at, {
      reason: 'PLACE_ENDED_UNPAID',
      freeAt: before.freeAt,
      sentence:
        before.endsAt > at
          ? 'this wallet has held a place at this gate for a long time without paying: finish the open payment'
          : `this wallet held a place at this gate until ${formatTime(before.endsAt)} and did not pay, so others come first for a while`,
    })
  const paused = network === null ? undefined : await findPausedNetwork(db, gate.id, network, at)
  if (!paused) return undefined
  return refusePlace(gate, at, {
    reason: 'PLACE_ENDED_UNPAID',
    freeAt: paused.freeAt,
    sentence: `buyers of your network held places at this gate until ${formatTime(paused.endsAt)} and did not pay, so others come first for a while`,
  })
}

/** By which money comes first, and no place has to be held without it. */
function listWays({ definition: { price } }: Gate): string[] {
  const methods = (price?.methods ?? []).flatMap((id) => findPaymentMethod(id) ?? [])
  return [
    ...methods.filter(({ movesMoneyHere }) => movesMoneyHere).map(({ name }) => `by ${name}`),
    ...(methods.some(({ transfers }) => transfers)
      ? ['by a transfer from the wallet of the proof without a quote']
      : []),
  ]
}

function refusePlace(
  gate: Gate,
  now: number,
  { reason, freeAt, sentence }: { readonly reason: string; readonly freeAt: number; readonly sentence: string },
): AppError {
  const ways = listWays(gate)
  const pay = ways.length === 0 ? '' : `. Whoever pays ${ways.join(' or ')} need not wait, as long as a place is free`
  return new AppError(
    'CONFLICT',
    `${sentence}. Try again at ${formatTime(freeAt)}${pay}`,
    { reason, freeAt },
    makeRetryHeader(freeAt, now),
  )
}
