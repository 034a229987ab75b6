/** A gate that the caller owns, and who reads as an owner. */
import { AppError } from '../errors.ts'
import { type Caller, type OwnerCredentials, ownerHeaders, requireSigner } from '../http/caller.ts'
import type { Parts } from '../parts.ts'
import type { Gate } from './gate.ts'
import { gateOwnerOf, listGatesAction } from './owner.ts'
import { findGate } from './store.ts'
import { visibleGate } from './visible.ts'

/** Errors: WALLET_AUTH_REQUIRED, without owner headers, and those of ownerHeaders. */
export function requireOwnerHeaders(headers: Headers, action: string): OwnerCredentials {
  const credentials = ownerHeaders(headers)
  if (credentials) return credentials
  throw new AppError(
    'WALLET_AUTH_REQUIRED',
    `this is for the owner: send x-wallet-address, x-signature and x-signed-timestamp, signed over ${action}`,
  )
}

/** The wallet that reads its own gates. Errors: those of requireSigner. */
export const readerOf = (parts: Parts, credentials: OwnerCredentials): Promise<Caller> =>
  requireSigner(credentials, listGatesAction, parts)

/** Errors: GATE_NOT_FOUND, also for what the caller may not know of; FORBIDDEN for the gate of another that all see. */
export function requireOwnGate(parts: Pick<Parts, 'db'>, gateId: string, caller: Caller): Gate {
  const owner = gateOwnerOf(caller)
  const gate = visibleGate(findGate(parts, gateId), owner)
  if (!gate) throw gateNotFound()
  if (gate.owner !== owner) throw new AppError('FORBIDDEN', 'this gate belongs to another owner')
  return gate
}

export const gateNotFound = () =>
  new AppError('GATE_NOT_FOUND', 'there is no such gate, or it is not published: check the gateId')
