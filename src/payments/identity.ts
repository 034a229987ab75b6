/**
 * How a payment by transaction is named. It is claimed once by its name, through whichever method it is offered.
 *
 * One transaction pays once for each payer, however many transfers it holds: a token that logs the same transfer twice
 * is paid with once. The payer is part of the name because bundlers (ERC-4337) put strangers into one transaction, and
 * the first of them would claim the payments of the others. The place of the log is not: it is the token's to choose.
 */

/** `chain` is a CAIP-2 id. */
export const transactionIdentity = (chain: string, hash: string, payer: string): string =>
  `tx:${chain}:${hash}:${payer}`.toLowerCase()
