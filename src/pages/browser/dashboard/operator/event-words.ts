/** Events of the audit log, in words. */
import type { AuditEvent } from '../../../../audit/log-store.ts'

export const eventWords: Readonly<Record<AuditEvent, string>> = {
  signed_in: 'Signed in',
  signed_out: 'Signed out',
  session_ended: 'Signed another browser out',
  signed_out_everywhere: 'Signed out everywhere',
  profile_deleted: 'Profile deleted',
  wallet_unlinked: 'Wallet unlinked',
  access_key_created: 'Access key created',
  access_key_revoked: 'Access key revoked',
  secret_created: 'Secret created',
  secret_revoked: 'Secret revoked',
  client_registered: 'OAuth client registered',
  client_removed: 'OAuth client removed',
  consent_given: 'Access allowed to a client',
  grant_issued: 'Tokens issued to a client',
  grant_revoked: 'Tokens of a client revoked',
  refresh_reused: 'Refresh token used twice: stolen, or an answer was lost',
  code_reused: 'Authorization code used twice',
  site_agreed: 'Agreed that a site is told who it is',
  site_told: 'Told to the server of a site',
  site_code_refused: 'Code for a site refused: wrong verifier or site',
  signing_key_made: 'Signing key made',
  gate_created: 'Gate created',
  gate_changed: 'Gate changed',
  gate_published: 'Gate published',
  gate_paused: 'Gate paused',
  gate_archived: 'Gate archived',
  gate_unarchived: 'Gate unarchived',
  gate_rolled_back: 'Gate rolled back',
  gate_deleted: 'Gate deleted',
  gate_guests_changed: 'Guest list changed',
  proofs_erased: 'Proofs erased',
  operator_link_made: 'Operator link made',
  operator_claimed: 'Became operator',
  operator_removed: 'Operator removed',
}

/** Events that an operator checks first when something is wrong. */
export const alarming: ReadonlySet<string> = new Set(['refresh_reused', 'code_reused', 'site_code_refused'])

export const describeEvent = (event: string): string => (eventWords as Readonly<Record<string, string>>)[event] ?? event
