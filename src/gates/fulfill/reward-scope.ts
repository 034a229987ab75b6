/** The scope that a key or a token needs to receive a secret. */

import type { Identity } from '../../auth/identity.ts'
import { requireScope } from '../../auth/scope.ts'
import type { Parts } from '../../parts.ts'
import type { Gate } from '../gate.ts'
import { findDefinition } from '../store.ts'

/** Kinds whose value is sealed here and shown to the buyer alone. */
const secretKinds: readonly string[] = ['redirect', 'download', 'reveal']

/**
 * The value of a reward is private to the wallet, as private proofs are, and needs the same scope. Checked before anything
 * is paid. Errors: FORBIDDEN.
 */
export async function requireRewardScope(
  parts: Pick<Parts, 'db'>,
  gate: Gate,
  version: number,
  identity: Identity | undefined,
): Promise<void> {
  if (!identity) return
  const rewards = (await findDefinition(parts, gate.id, version))?.rewards ?? []
  if (rewards.some(({ kind }) => secretKinds.includes(kind))) requireScope(identity, 'profile')
}
