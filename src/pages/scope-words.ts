/** The permissions that a person gives an application, in words. */
import type { GrantScope } from '../auth/identity.ts'

export const scopeWords: Readonly<Record<GrantScope, string>> = {
  core: 'Check proofs, and make proofs in your name',
  profile:
    'See and share your private proofs, see your linked wallets, set up agents, get what gates give you, and see and change your gates',
  secrets:
    'Store, list and revoke your encrypted secrets, hand them to your agents, and share and delegate without an end',
}

/** The text for `offline_access`. */
export const offlineWords = 'Stay connected while you are away, until you disconnect it'
