/** A gate that the caller owns, and who reads as an owner. */

import {
  type Caller,
  type Credentials,
  makeUnknownOwnerError,
  readCredentials,
  requireCaller,
} from '../../auth/caller.ts'
import type { Account } from '../../auth/identity.ts'
import type { NeededAction } from '../../auth/owner-action.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { findVisibleGate, makeGateNotFound } from '../access.ts'
import type { Gate } from '../gate.ts'
import { listGatesAction, nameGateOwner } from '../owner.ts'
import { findGate } from '../store.ts'

/** Errors: WALLET_AUTH_REQUIRED, and those of readCredentials. */
export async function requireOwnerOffer(
  parts: Parts,
  request: Request,
  needed: NeededAction = { action: 'list_gates' },
): Promise<Credentials> {
  const credentials = await readCredentials(parts, request, needed)
  if (credentials) return credentials
  throw makeUnknownOwnerError(needed)
}

/** The account that owns a gate, for a caller who may be its owner. */
export async function requireGateOwnerTest(parts: Parts, gateId: string): Promise<(account: Account) => boolean> {
  const owner = (await findGate(parts, gateId))?.owner
  return (account) => nameGateOwner(account) === owner
}

/** The wallet that reads its own gates, or one of them. Errors: those of requireCaller. */
export const requireReader = async (parts: Parts, credentials: Credentials, gateId?: string): Promise<Caller> =>
  requireCaller(credentials, listGatesAction, parts, {
    ...(gateId === undefined ? {} : { about: await requireGateOwnerTest(parts, gateId) }),
    needs: 'profile',
  })

/** Errors: GATE_NOT_FOUND, also for what the caller may not know of; FORBIDDEN for the gate of another that all see. */
export async function requireOwnGate(parts: Pick<Parts, 'db'>, gateId: string, caller: Caller): Promise<Gate> {
  const owner = nameGateOwner(caller)
  const gate = findVisibleGate(await findGate(parts, gateId), owner)
  if (!gate) throw makeGateNotFound()
  if (gate.owner !== owner) throw new AppError('FORBIDDEN', 'this gate belongs to another owner')
  return gate
}
