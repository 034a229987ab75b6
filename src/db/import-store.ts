/** Makes marks of used texts from the lines of an export: SQL and nothing else. */
import type { Importer } from './importing.ts'

export const spentTextImporter: Importer = {
  name: 'spent-texts',
  insert: [
    `INSERT INTO spent_signatures (digest, expires_at, q_hash)
     VALUES (unhex(substr($digest, 3)), $expiresAt, unhex(substr($qHash, 3))) ON CONFLICT (digest) DO NOTHING`,
  ],
  isOfServer: true,
}
