/** A delivery at a gate, with its payment if there was one, and its states in plain words. */

import type { Transaction } from '../../../../payments/transaction.ts'
import { sale as words } from '../../../words/en/payments.ts'

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

type SaleState = keyof typeof words.states

/** As the CSV file names it, in every language. */
export function readSaleState({ state, payment }: Sale): SaleState {
  if (payment?.disputed) return 'disputed'
  if (state === 'suspended') return 'taken back'
  if (payment?.refundedAmount) return 'refunded in part'
  if (payment === null) return 'let in'
  return payment.state === 'final' ? 'paid' : 'paid (settling)'
}

const kinds: Readonly<Record<SaleState, 'good' | 'info' | 'bad'>> = {
  disputed: 'bad',
  'taken back': 'bad',
  'refunded in part': 'info',
  'let in': 'good',
  paid: 'good',
  'paid (settling)': 'info',
}

export function describeState(one: Sale) {
  const state = readSaleState(one)
  return { kind: kinds[state], ...words.states[state] }
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
