/** What somebody allows an application or a program, in words. */
import type { GrantScope } from '../http/identity.ts'

export const scopeWords: Readonly<Record<GrantScope, string>> = {
  core: 'Check proofs, and make proofs in your name',
  profile: 'See your linked wallets, your private proofs and your agents, and see and change your gates',
  secrets: 'Store, list and revoke your encrypted secrets, and hand them to your agents',
}

/** Of `offline_access`. */
export const offlineWords = 'Stay connected while you are away, until you disconnect it'
