/** Makes people, and their names of wallets, from the lines of an export: SQL and nothing else. */
import type { Importer } from '../db/importing.ts'

export const selectNewestProfile = 'SELECT coalesce(max(id), 0) AS id FROM profiles'

export const profileImporters: readonly Importer[] = [
  {
    name: 'profiles',
    find: {
      sql: 'SELECT p.subject, p.account FROM profiles p WHERE p.subject = $subject OR p.account = $account',
      describe: ({ account }) => `a person who signs in with ${account}`,
    },
    insert: ['INSERT INTO profiles (subject, account, did, created_at) VALUES ($subject, $account, $did, $createdAt)'],
  },
  {
    name: 'wallet-labels',
    holder: 'SELECT 1 FROM profiles p WHERE p.subject = $subject',
    insert: [
      `INSERT INTO wallet_labels (profile, account, wallet, label, created_at)
       SELECT p.id, $account, p.account, $label, $createdAt FROM profiles p
       WHERE p.subject = $subject AND p.id > $newProfiles`,
    ],
  },
]
