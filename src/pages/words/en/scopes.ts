/** The permissions of an app. */

export const scopes = {
  core: 'Check proofs, and make proofs for you',
  profile:
    'See and share your private proofs, see your linked wallets, set up agents, get what gates give you, and see and change your gates',
  secrets:
    'Store, list and revoke your encrypted secrets, hand them to your agents, and share or delegate without an end date',
  /** For `offline_access`. */
  offline: 'Stay connected while you are away, until you disconnect it',
}
