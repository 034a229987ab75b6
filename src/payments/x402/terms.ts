/**
 * The purchase of a signed payment that was settled without this server. Its authorization names recipient and amount,
 * but no purpose. Like a transfer, it buys the version of the gate at its block, at that version's price.
 */
import type { Hex } from '../../outside/chains/chain.ts'
import { convertUsd } from '../amount.ts'
import type { PaidVerdict } from '../store.ts'
import type { Token } from '../token.ts'
import { describePurchase, listVersionTerms } from '../token-transfers/terms.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'

interface SettledElsewhere {
  /** The time of its block in Unix milliseconds. */
  readonly blockTime: number
  readonly value: bigint
  /** In lower case. */
  readonly payTo: Hex
  readonly token: Pick<Token, 'decimals'>
}

/** `bought` is undefined when the offer has no versions. */
export async function isBoughtAtBlock(
  { blockTime, value, payTo, token }: SettledElsewhere,
  offer: Parameters<typeof listVersionTerms>[1],
): Promise<Pick<PaidVerdict, 'bought'> | Unpaid> {
  const versions = await listVersionTerms(blockTime, offer, 'x402')
  const paid = versions.find(
    ({ recipient, price }) => recipient === payTo && convertUsd(price.amountUsd, token.decimals) <= value,
  )
  if (paid) return describePurchase(paid)
  return makeUnpaid(
    'PAYMENT_BEFORE_GATE',
    `the signed payment was settled at ${new Date(blockTime).toISOString()}, when this gate did not ask for a payment of its amount to its recipient by x402: it was made for something else and does not count here`,
  )
}
