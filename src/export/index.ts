/** Every exporter, in the order of the manifest. To add one: write it in the folder that owns the table, add it here. */
import { auditExporter } from '../audit/export-store.ts'
import { signInExporters } from '../auth/export-store.ts'
import { spentTextExporter } from '../db/export-store.ts'
import type { Exporter } from '../db/exporting.ts'
import { erasureExporter } from '../erasure/export-store.ts'
import { gateExporters } from '../gates/export-store.ts'
import { numberExporter } from '../metrics/export-store.ts'
import { oauthExporters } from '../oauth/export-store.ts'
import { operatorExporter } from '../operator/export-store.ts'
import { paymentExporters } from '../payments/export-store.ts'
import { profileExporters } from '../profiles/export-store.ts'
import { proofExporters } from '../proofs/export-store.ts'
import { publicationExporter } from '../publishing/export-store.ts'
import { secretExporter } from '../secrets/export-store.ts'

export const exporters: readonly Exporter[] = [
  ...profileExporters,
  ...proofExporters,
  publicationExporter,
  ...gateExporters,
  ...paymentExporters,
  ...signInExporters,
  ...oauthExporters,
  secretExporter,
  auditExporter,
  erasureExporter,
  operatorExporter,
  numberExporter,
  spentTextExporter,
]

const underWay = 'A purchase that goes on: it ends, or becomes a fulfillment or a payment.'
const derived = 'Made from other rows, again at any time.'
const signIn = 'A sign-in that goes on, for minutes.'
const ofTheServer = 'The state of this server, and of no person.'

/** The tables that no exporter writes, with the reason for readers. */
export const tablesLeftOut: Readonly<Record<string, string>> = {
  checkouts: underWay,
  quotes: underWay,
  reservations: underWay,
  settlements: underWay,
  offered_transfers: underWay,
  unpaid_places: underWay,
  gate_summaries: derived,
  proof_facts: derived,
  proof_facts_progress: derived,
  record_summaries: derived,
  totals: derived,
  forgotten_hours: 'Belongs to the clock of this server.',
  erasures: 'An erasure that goes on: what it deletes is in no export.',
  traces: ofTheServer,
  taken_away: 'The journal of a restore: backups hold it.',
  restores: ofTheServer,
  oauth_codes: signIn,
  oauth_requests: signIn,
  site_codes: signIn,
  social_sign_ins: signIn,
  pairings: 'A phone that is connected, for minutes.',
  operator_link: 'A credential, kept as a hash.',
  job_runs: ofTheServer,
  leases: ofTheServer,
  live_processes: ofTheServer,
  clock: ofTheServer,
  clock_jumps: ofTheServer,
  heartbeat: ofTheServer,
  hourly_numbers: 'Kept for two days. `daily-numbers` has the same by the day.',
  latencies: ofTheServer,
  migrations: 'The manifest names the newest.',
}
