/** The lines of profiles and names of wallets for an export: SQL and nothing else. */
import { type Exporter, makeExporter, ownProfiles } from '../db/exporting.ts'
import { compose, pick } from '../db/query.ts'

export const profileExporters: readonly Exporter[] = [
  makeExporter({
    name: 'profiles',
    tables: ['profiles'],
    select: compose`SELECT ${pick('profiles p', 'subject', 'account', 'did', 'createdAt')} FROM profiles p`,
    order: 'p.id',
    own: `p.id IN (${ownProfiles})`,
  }),
  makeExporter({
    name: 'wallet-labels',
    tables: ['wallet_labels'],
    select: compose`
      SELECT ${pick('profiles p', 'subject')}, ${pick('wallet_labels l', 'account', 'label', 'createdAt')}
      FROM wallet_labels l JOIN profiles p ON p.id = l.profile`,
    order: 'l.profile, l.account',
    own: `p.id IN (${ownProfiles})`,
  }),
]
