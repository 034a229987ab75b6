/**
 * The owner actions: what a wallet signs to act on what it owns, and whether the signed text must name this server.
 *
 * The audience is the host of `base_url`, as the member `audience` of the action. A text that names a host is good there
 * and nowhere else; a text that names none is good at every server that accepts it.
 */

/** Contract 1.9: existing clients build the texts for reading and for revoke_proof themselves, without an audience. */
const builtByClients = new Set([
  'access_private_proof',
  'access_private_proofs_by_wallet',
  'gate_check_private_proofs',
  'revoke_proof',
])

/** Texts that read, or that give a buyer only what the reading text gives as well. */
const readings = new Set(['list_gates', 'list_proof_access', 'fulfill_gate', 'open_checkout', 'open_quote'])

const changes = new Set([
  'erase_all_proofs',
  'grant_proof_access',
  'withdraw_proof_access',
  'apply_gate',
  'rollback_gate',
  'set_gate_status',
  'delete_gate',
  'return_payment',
])

export type RequiredAudience = 'changes' | 'all' | 'none'

export const isOwnerAction = (action: unknown): action is string =>
  typeof action === 'string' && (builtByClients.has(action) || readings.has(action) || changes.has(action))

/** An action that is in no list counts as a change, so that a new one is safe before somebody sorts it in. */
export function needsAudience(action: unknown, required: RequiredAudience): boolean {
  if (required === 'none') return false
  return required === 'all' || !isOwnerAction(action) || changes.has(action)
}

/** Host and, where it is not the default one, port: what a text for this server names. */
export const audienceIn = ({ baseUrl }: { readonly baseUrl: string }): string => new URL(baseUrl).host
