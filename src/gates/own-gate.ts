/** A gate that the caller owns, and who reads as an owner. */
import { AppError } from '../errors.ts'
import { type Caller, type Credentials, offeredIn, requireCaller, unsigned } from '../http/caller.ts'
import type { Account } from '../http/identity.ts'
import type { NeededAction } from '../http/owner-action.ts'
import { describeSigning } from '../http/owner-text.ts'
import type { Parts } from '../parts.ts'
import type { Gate } from './gate.ts'
import { gateOwnerOf, listGatesAction } from './owner.ts'
import { findGate } from './store.ts'
import { visibleGate } from './visible.ts'

/** Errors: WALLET_AUTH_REQUIRED, and those of offeredIn. */
export function requireOwnerOffer(
  parts: Parts,
  request: Request,
  needed: NeededAction = { action: 'list_gates' },
): Credentials {
  const credentials = offeredIn(parts, request, needed)
  if (credentials) return credentials
  throw unsigned(`this is for the owner: ${describeSigning(needed, true)}`, needed)
}

/** The account that owns a gate, for whoever may be that. */
export function gateOwnerIn(parts: Parts, gateId: string): (account: Account) => boolean {
  const owner = findGate(parts, gateId)?.owner
  return (account) => gateOwnerOf(account) === owner
}

/** The wallet that reads its own gates, or one of them. Errors: those of requireCaller. */
export const readerOf = (parts: Parts, credentials: Credentials, gateId?: string): Promise<Caller> =>
  requireCaller(credentials, listGatesAction, parts, {
    ...(gateId === undefined ? {} : { about: gateOwnerIn(parts, gateId) }),
    needs: 'profile',
  })

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
