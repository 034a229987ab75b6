/**
 * The terms of a payment by a token transfer: the version of the gate at its block. Each has its price, its recipient
 * and the version that it buys.
 */

import type { Hex } from '../../outside/chains/chain.ts'
import { writeAccount } from '../../wallet/account.ts'
import type { PaymentOffer, PricedVersion } from '../payment.ts'
import { convertUsdMicros, type Price } from '../price.ts'
import type { TransferQuote } from '../quote-store.ts'

export interface Terms {
  /** Undefined when the offer has no versions. */
  readonly version: number | undefined
  readonly price: Price
  /** In lower case. */
  readonly recipient: Hex
  /** As in PricedVersion: the gate was made seconds after the block. */
  readonly isEarly?: boolean
  /** The quote, if any. Any sender may pay by its exact amount. */
  readonly quote?: TransferQuote
}

/** The greatest difference between a chain's clock and this server's. */
export const clockSlackMs = 60_000

/** The gate's price for a method, by its id, at that time. */
export async function listVersionTerms(
  blockTime: number,
  { terms, price: priceNow }: Pick<PaymentOffer, 'terms' | 'price'>,
  method: string,
): Promise<readonly Terms[]> {
  const versions: readonly Partial<PricedVersion>[] = (await terms?.at(blockTime))?.filter(({ price }) =>
    price?.methods.includes(method),
  ) ?? [{ price: priceNow }]
  return versions.flatMap(({ isEarly = false, version, price }) =>
    makeTerms(version, price).map((one) => ({ ...one, isEarly })),
  )
}

/** The account of the buyer. */
export const nameBuyer = ({ wallets: [wallet = ''], contractOn }: Pick<PaymentOffer, 'wallets' | 'contractOn'>) =>
  writeAccount({ wallet, contractOn })

/** For this long, money to a former recipient or at a former price is reported as such. */
const formerMs = 86_400_000

/** The gate's terms of the preceding day, for any payment method. */
export const listFormerTerms = async (
  blockTime: number,
  { terms }: Pick<PaymentOffer, 'terms'>,
): Promise<readonly Terms[]> =>
  ((await terms?.between(blockTime - formerMs, blockTime)) ?? []).flatMap(({ version, price }) =>
    makeTerms(version, price),
  )

const makeTerms = (version: number | undefined, price: Price | undefined): Terms[] =>
  price?.recipient !== undefined ? [{ version, price, recipient: price.recipient.toLowerCase() as Hex }] : []

export const describePurchase = ({ version, price }: Terms) =>
  version === undefined ? {} : { bought: { version, usdMicros: convertUsdMicros(price) } }
