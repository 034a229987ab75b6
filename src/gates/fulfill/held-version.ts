/** The version of a gate that a buyer is paying for: a place keeps it, whatever happens to the gate. */
import type { Parts } from '../../parts.ts'
import { findUnderWay, type Settlement } from '../../payments/settlement-store.ts'
import type { Gate } from '../gate.ts'
import { findNamed } from '../guests/pass-store.ts'
import { findDefinition } from '../store.ts'
import type { FulfillBody } from './request.ts'
import { findReservationOfProof } from './reservation-store.ts'

export interface HeldVersion {
  /** The gate as it was when the place was taken. */
  readonly gate: Gate
  /** The signed payment that may have moved money already. */
  readonly underWay: Settlement | undefined
}

type OfferedPayment = Pick<FulfillBody, 'qHash' | 'paymentCheckoutSessionId' | 'paymentTxHash'>

/** Undefined when nothing is held for this proof. The proof's owner is checked later. */
export async function findHeldVersion(
  parts: Pick<Parts, 'db' | 'now'>,
  newest: Gate,
  { qHash, paymentCheckoutSessionId, paymentTxHash }: OfferedPayment,
): Promise<HeldVersion | undefined> {
  const { db, now } = parts
  const underWay = await findUnderWay(db, newest.id, qHash)
  if (underWay) return readHeldVersion(parts, newest, underWay.version, underWay)
  if (paymentCheckoutSessionId === undefined && paymentTxHash === undefined) return undefined
  const proof = await findNamed(db, qHash)
  const place = proof && (await findReservationOfProof(db, newest.id, proof.qHash))
  if (place?.qHash !== proof?.qHash || !place || place.expiresAt <= now()) return undefined
  return readHeldVersion(parts, newest, place.version, undefined)
}

async function readHeldVersion(
  parts: Pick<Parts, 'db'>,
  newest: Gate,
  version: number,
  underWay: Settlement | undefined,
): Promise<HeldVersion | undefined> {
  const definition = await findDefinition(parts, newest.id, version)
  return definition && { gate: { ...newest, version, definition }, underWay }
}
