/** The receipt of a fulfillment, for anybody who knows its id. Never the reward. */
import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { defineChoice } from '../../shape.ts'
import { showBuyer } from '../owner.ts'
import { findGate } from '../store.ts'
import { findByReceipt } from './store.ts'

export const Receipt = Type.Object({
  state: defineChoice(['granted', 'suspended'], 'suspended: the payment was taken back, or is disputed.'),
  gateId: Type.String(),
  qHash: Type.String(),
  walletAddress: Type.String(),
  contractOn: Type.Optional(
    Type.String({ description: 'CAIP-2 chain on which the wallet is a contract; absent for keys.' }),
  ),
  fulfilledAt: Type.Integer({ description: 'Unix milliseconds.' }),
  version: Type.Integer({ description: 'The version of the gate whose reward was given.' }),
  refundedAmount: Type.Union([Type.String(), Type.Null()], {
    description: 'How much of the payment was given back so far, in base units of the token or cents. null: nothing.',
  }),
})

/** 128 random bits in base64url. */
export const receiptIdPattern = '^[A-Za-z0-9_-]{22}$'

/**
 * The number of a receipt: the first half of its id. Buyer and seller both know it, and it leads to the page of the
 * receipt. It opens nothing by itself, and the other half stays a secret of the buyer.
 */
export const readReceiptNumber = (receiptId: string): string => receiptId.slice(0, 11)

export const receiptNumberPattern = '^[A-Za-z0-9_-]{11}$'

/** The page of a receipt, for its buyer and its seller. */
export const writeReceiptAddress = ({ addresses }: Pick<Parts, 'addresses'>, receiptId: string): string =>
  `${addresses().authUrl}/receipts/${readReceiptNumber(receiptId)}`

export const makeReceiptId = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')

/** Errors: NOT_FOUND. */
export async function readReceipt(parts: Parts, gateId: string, receiptId: string) {
  const found = await findByReceipt(parts.db, receiptId)
  if (!found || (await findGate(parts, gateId))?.id !== found.gate)
    throw new AppError('NOT_FOUND', 'this gate has no such receipt: check both ids')
  const { state, qHash, buyer, fulfilledAt, version, payment } = found
  const refundedAmount = payment?.refunded ?? null
  return { state, gateId, qHash, ...showBuyer(buyer), fulfilledAt, version, refundedAmount }
}
