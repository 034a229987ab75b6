/** The log of what happened to sign-ins, keys, grants, clients, sites, gates and operators. Details never hold a credential. */
import { writeLatestSql } from '../db/clock-store.ts'
import type { Db, Statement } from '../db/db.ts'
import { change } from '../db/rows-changed.ts'

/** In the order in which the operator chooses from them. */
export const auditEvents = [
  'signed_in',
  'signed_out',
  'session_ended',
  'signed_out_everywhere',
  'profile_deleted',
  'wallet_unlinked',
  'access_key_created',
  'access_key_revoked',
  'secret_created',
  'secret_revoked',
  'client_registered',
  'client_removed',
  'consent_given',
  'grant_issued',
  'grant_revoked',
  'refresh_reused',
  'code_reused',
  'site_agreed',
  'site_told',
  'site_code_refused',
  'signing_key_made',
  'gate_created',
  'gate_changed',
  'gate_published',
  'gate_paused',
  'gate_archived',
  'gate_unarchived',
  'gate_rolled_back',
  'gate_deleted',
  'gate_guests_changed',
  'gate_appearance_changed',
  'proofs_erased',
  'operator_link_made',
  'operator_claimed',
  'operator_removed',
] as const

export type AuditEvent = (typeof auditEvents)[number]

/** Builds the statement of one audit line, to be written together with its event. */
export const makeAuditStatement = (
  event: AuditEvent,
  {
    profile,
    at,
    ...details
  }: { readonly profile: number | null; readonly at: number } & Readonly<Record<string, unknown>>,
): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details) VALUES (${writeLatestSql('?1')}, ?2, ?3, ?4)`,
  params: [at, event, profile, JSON.stringify(details)],
})

/** The same for the profile of an account, which the same write may create. */
export const makePrimaryAuditStatement = (
  event: AuditEvent,
  primary: string,
  { at, ...details }: { readonly at: number } & Readonly<Record<string, unknown>>,
): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details)
        SELECT ${writeLatestSql('?1')}, ?2, id, ?4 FROM profiles WHERE account = ?3`,
  params: [at, event, primary, JSON.stringify(details)],
})

/** For an account that may have no profile: the line then belongs to no profile. */
export const makeAccountAuditStatement = (
  event: AuditEvent,
  account: string,
  { at, ...details }: { readonly at: number } & Readonly<Record<string, unknown>>,
): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details)
        VALUES (${writeLatestSql('?1')}, ?2, (SELECT id FROM profiles WHERE account = ?3), ?4)`,
  params: [at, event, account, JSON.stringify(details)],
})

/** A line without details for an account, written only where `found` finds a row: its parameters begin at ?4. */
export const makeFoundAuditStatement = (
  event: AuditEvent,
  account: string,
  at: number,
  found: Pick<Statement, 'sql' | 'params'>,
): Statement => ({
  sql: `INSERT INTO audit_events (at, event, profile, details)
        SELECT ?1, ?2, (SELECT id FROM profiles WHERE account = ?3), '{}'
        WHERE EXISTS (${found.sql})`,
  params: [at, event, account, ...found.params],
})

/** Only the event itself remains: the profile id may be reused. */
export const anonymizeAudit = (profile: number): Statement => ({
  sql: "UPDATE audit_events SET profile = NULL, details = '{}' WHERE profile = ?1",
  params: [profile],
})

/** The same for a limited number of lines. */
export const anonymizeOldestAudit = (profile: number, rows: number): Statement => ({
  sql: `UPDATE audit_events SET profile = NULL, details = '{}' WHERE id IN
          (SELECT id FROM audit_events WHERE profile = ?1 ORDER BY id LIMIT ?2)`,
  params: [profile, rows],
})

/** Deletes the oldest lines before a time, at most `batch`. Returns how many. */
export const deleteOldAudit = (db: Db, before: number, batch: number): Promise<number> =>
  change(db, 'DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE at < ?1 LIMIT ?2)', [
    before,
    batch,
  ])
