/** A delivery at a gate, with its payment if there was one, and its states in plain words. */

import type { Transaction } from '../../../../payments/transaction.ts'

export interface Sale {
  readonly gateId: string
  readonly gateName: string
  readonly version: number
  readonly walletAddress: string
  readonly state: 'granted' | 'suspended'
  readonly fulfilledAt: number
  readonly updatedAt: number
  readonly payment: Payment | null
  /** Leads to the page of the receipt. */
  readonly receiptNumber: string
  /** Present for the person's own purchases only. */
  readonly receiptId?: string
  readonly qHash?: string
}

export interface Payment {
  readonly method: string
  readonly reference: string
  readonly amount: string | null
  readonly amountUsd: string | null
  readonly state: 'claimed' | 'final' | 'reversed'
  /** In the unit of `amount`, which is cents for cards. */
  readonly refundedAmount: string | null
  readonly disputed: boolean
  readonly payer: string | null
  readonly paidAt: number | null
}

export interface StateWords {
  readonly kind: 'good' | 'info' | 'bad'
  readonly word: string
  readonly sentence: string
}

export function describeState({ state, payment }: Sale): StateWords {
  if (payment?.disputed)
    return {
      kind: 'bad',
      word: 'disputed',
      sentence:
        'The holder of the card disputes the payment. The reward is withheld and its place is kept: it is given again if you win the dispute.',
    }
  if (state === 'suspended')
    return {
      kind: 'bad',
      word: 'taken back',
      sentence: 'The payment was taken back (refunded, disputed or dropped by the chain), so the reward is withheld.',
    }
  if (payment?.refundedAmount)
    return {
      kind: 'info',
      word: 'refunded in part',
      sentence: 'A part of the payment was refunded, less than takes the reward back.',
    }
  if (payment === null) return { kind: 'good', word: 'let in', sentence: 'The reward was handed out, for nothing.' }
  return payment.state === 'final'
    ? { kind: 'good', word: 'paid', sentence: 'The payment is final, and the reward was handed out.' }
    : {
        kind: 'info',
        word: 'paid (settling)',
        sentence: 'The reward was handed out. The payment is watched until it can no longer be taken back.',
      }
}

/** Formats the refunded dollars: a payment that is refunded in parts counts cents. */
export const formatRefundedUsd = ({ refundedAmount }: Payment): string | undefined =>
  refundedAmount !== null ? (Number(refundedAmount) / 100).toFixed(2) : undefined

/** The address of the transaction in a block explorer. `explorers` are those of the server's chains. */
export const buildExplorerLink = (
  { chain, hash }: Transaction,
  explorers: Readonly<Record<string, string>>,
): string | undefined =>
  explorers[chain] && /^0x[0-9a-f]{64}$/.test(hash) ? `${explorers[chain]}/tx/${hash}` : undefined
