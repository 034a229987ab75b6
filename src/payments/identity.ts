/**
 * How a payment by transaction is named. It is claimed once by its name, through whichever method it is offered.
 *
 * The payer is part of the name because bundlers (ERC-4337) put strangers into one transaction, and the first of them would
 * claim the payments of the others. So is the number of the transfer among those of its payer, since one transaction may
 * pay several times. The place of the log in its block is not: strangers and reorganisations move it.
 */

/** All that a payer transferred in a transaction: how payments were named before each transfer counted. */
export const makeTransactionIdentity = (chain: string, hash: string, payer: string): string =>
  `tx:${chain}:${hash}:${payer}`.toLowerCase()

/** `nth` as in Transfer (transfer-log.ts). `chain` is a CAIP-2 id. */
export const transferIdentity = (chain: string, hash: string, payer: string, nth: number): string =>
  `${makeTransactionIdentity(chain, hash, payer)}:${nth}`

/**
 * Ends the name of a payment that the chain took back and has again after its place was given to somebody else. Money that
 * comes back once more gets one more of them.
 */
export const againSuffix = ':again'

/** As the unmatched row of a payment is named that stands again: one that no chain took back keeps its name. */
export const nameAgain = (identity: string, isPaidOnChain: boolean): string =>
  isPaidOnChain ? `${identity}${againSuffix}` : identity
