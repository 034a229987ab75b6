/**
 * Checks a bound token transfer again. A reorganization may remove its transaction, which may return in another block,
 * or fail there. An endpoint that does not know a transaction proves nothing. A payment counts as gone when its block
 * was replaced and the transaction stays absent longer than re-mining takes.
 */
import type { EvmChain, EvmReceipt, Hex } from '../../outside/chains/chain.ts'
import { OutsideError } from '../../outside/failure.ts'
import { readStanding } from '../finality.ts'
import type { BoundPayment, PaymentTools, Review } from '../payment.ts'
import type { Token } from '../token.ts'
import { listTransfers } from './transfer-log.ts'

/** Stored with the payment. Hex is in lower case. */
export interface TransferDetails {
  /** CAIP-2. */
  readonly chain: string
  readonly transactionHash: Hex
  /** The block of the transaction when it was bound. */
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly token: Hex
  readonly payer: Hex
  readonly recipient: Hex
  /** The price in base units. */
  readonly due: string
  readonly confirmations: number
  /** The number of the transfer among the payer's (transfer-log.ts). Absent if all of them count as this one. */
  readonly nth?: number
}

/** The details that a payment stores of its transfer, to check it again. */
export function transferDetails(
  { transactionHash, blockNumber, blockHash }: EvmReceipt,
  { chain: { chain }, address, confirmations }: Pick<Token, 'chain' | 'address' | 'confirmations'>,
  paid: Pick<TransferDetails, 'payer' | 'recipient' | 'nth'> & { readonly due: bigint },
): TransferDetails {
  return {
    chain,
    transactionHash,
    blockNumber,
    blockHash,
    token: address,
    payer: paid.payer,
    recipient: paid.recipient,
    due: String(paid.due),
    confirmations,
    ...(paid.nth === undefined ? {} : { nth: paid.nth }),
  }
}

/** Measured from the payment. Until then its place is kept, because the transaction may be mined again. */
const goneAfterMs = 10 * 60_000
/** Most reorganizations affect the newest blocks. */
const newestMs = 120_000
const firstMs = 15_000
const soonMs = 30_000
const laterMs = 120_000
const longestMs = 3_600_000

/** Errors: OutsideError. */
export async function reviewTransfer(
  payment: Pick<BoundPayment, 'paidAt' | 'details' | 'suspendedFor' | 'isReversed'>,
  { readSure, outside, config }: Pick<PaymentTools, 'readSure' | 'outside' | 'config'>,
): Promise<Review> {
  const details = payment.details as unknown as TransferDetails
  // Uses the time that has certainly passed, because a gone payment is rarely checked again.
  const age = readSure() - (payment.paidAt ?? 0)
  const nextLookMs = age < newestMs ? firstMs : age < goneAfterMs ? soonMs : laterMs
  const waiting: Review = { state: 'waiting', nextLookMs }
  // A reverted payment may be mined again, and is checked as long as payments are watched.
  const lastMs = config.payments.watchHours * 3_600_000
  const later = age > lastMs ? {} : { nextLookMs: Math.min(Math.max(Math.round(age / 4), soonMs), longestMs) }
  const chain = requireChain(details.chain, outside.chains)
  const receipt = await chain.transactions.readReceipt(details.transactionHash)
  if (!receipt) {
    const { block } = await readStanding(details, chain, details.confirmations)
    if (block !== 'replaced') return waiting
    return age >= goneAfterMs || payment.isReversed ? { ...gone, ...later } : { ...missing, nextLookMs }
  }
  const standing = await readStanding(receipt, chain, details.confirmations)
  if (!standing.isConfirmed) return waiting
  if (!receipt.succeeded) return { ...failedLater, ...later }
  if (!isStillPaid(receipt, details)) return { ...paysNoMore, ...later }
  if (payment.suspendedFor || payment.isReversed) return { state: 'restored', nextLookMs: firstMs }
  return standing.isSettled ? { state: 'final' } : waiting
}

const missing = {
  state: 'suspended',
  reason: 'reorganized',
  message: 'A reorganization of the chain took the transaction back, and it may be mined again.',
} as const
const gone = {
  state: 'reversed',
  reason: 'REORGANISED',
  message: 'A reorganization of the chain took the transaction back, and it was not mined again.',
} as const
const failedLater = {
  state: 'reversed',
  reason: 'TX_FAILED',
  message: 'After a reorganization of the chain the transaction was mined again, and failed.',
} as const
const paysNoMore = {
  state: 'reversed',
  reason: 'NO_TRANSFER',
  message: 'After a reorganization of the chain the transaction was mined again, and no longer pays the price.',
} as const

/** Errors: OutsideError. */
export function requireChain(chain: string, chains: PaymentTools['outside']['chains']): EvmChain {
  const open = chains.evm(Number(chain.slice('eip155:'.length)))
  if (open) return open
  throw new OutsideError(
    'unreachable',
    'chains',
    `has no ${chain}, and a payment on it may be under way or not settled yet`,
    `keep a table [chains.<name>] with chain = "${chain}" for as long as payments are watched`,
    600,
  )
}

const isStillPaid = ({ logs }: EvmReceipt, { token, payer, recipient, due, nth }: TransferDetails): boolean =>
  listTransfers(recipient, token, logs).some(
    (transfer) =>
      transfer.from === payer && transfer.value >= BigInt(due) && (nth === undefined || transfer.nth === nth),
  )
