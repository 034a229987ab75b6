/**
 * Names a payment by transaction. It is used once by its name, through any method. The payer is part of the name
 * because bundlers (ERC-4337) put strangers into one transaction. The first could otherwise take the payments of the
 * others. So is the transfer's number among those of its payer, because one transaction may pay several times. The
 * log's position in its block is not, because strangers and reorganizations change it.
 */

/** All transfers of a payer in a transaction: the name of payments before each transfer counted. */
export const makeTransactionIdentity = (chain: string, hash: string, payer: string): string =>
  `tx:${chain}:${hash}:${payer}`.toLowerCase()

/** `nth` as in Transfer (token-transfers/transfer-log.ts). `chain` is a CAIP-2 id. */
export const transferIdentity = (chain: string, hash: string, payer: string, nth: number): string =>
  `${makeTransactionIdentity(chain, hash, payer)}:${nth}`

/**
 * Ends the name of a payment that the chain reverted and restored after its place went to another buyer. Each further
 * return of the money adds one more suffix.
 */
export const againSuffix = ':again'

/** The name of the unmatched row of a restored payment; a payment outside a chain keeps its name. */
export const nameAgain = (identity: string, isPaidOnChain: boolean): string =>
  isPaidOnChain ? `${identity}${againSuffix}` : identity
