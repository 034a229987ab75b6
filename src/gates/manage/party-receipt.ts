/** A receipt as its two parties see it: the buyer and the seller. Nobody else learns that it exists, and it holds no reward. */
import type { Account } from '../../auth/identity.ts'
import type { Parts } from '../../parts.ts'
import { findVisibleGate } from '../access.ts'
import { receiptNumberPattern } from '../fulfill/receipt.ts'
import type { GateReward } from '../gate.ts'
import { nameGateOwner } from '../owner.ts'
import { findDefinition, findGateById } from '../store.ts'
import { listByReceiptNumber, type ReceiptSale } from './sales-store.ts'

export interface PartyReceipt {
  readonly number: string
  readonly sale: ReceiptSale
  /** Somebody who bought at their own gate counts as the buyer. */
  readonly side: 'buyer' | 'seller'
  /** The kinds and labels of what was given, without any value. Empty: access, and nothing besides. */
  readonly given: readonly Pick<GateReward, 'kind' | 'label'>[]
  /** Whether the gate's page opens for this party now. */
  readonly isGateOpen: boolean
}

const numberForm = new RegExp(receiptNumberPattern)

/** Undefined for an unknown number, and for accounts that are no party to it. */
export async function findPartyReceipt(
  parts: Parts,
  number: string,
  accounts: readonly Account[],
): Promise<PartyReceipt | undefined> {
  if (!numberForm.test(number)) return undefined
  const own = new Set<string>(accounts.map(nameGateOwner))
  for (const sale of await listByReceiptNumber(parts.db, number)) {
    const isBuyer = own.has(nameGateOwner(sale.buyer))
    if (!isBuyer && !own.has(sale.seller)) continue
    const gate = await findGateById(parts, sale.gate)
    const definition = await findDefinition(parts, sale.gate, sale.version)
    return {
      number,
      sale,
      side: isBuyer ? 'buyer' : 'seller',
      given: (definition?.rewards ?? []).map(({ kind, label }) => ({
        kind,
        ...(label === undefined ? {} : { label }),
      })),
      isGateOpen: findVisibleGate(gate)?.status === 'active',
    }
  }
  return undefined
}
