/** Makes secrets from the lines of an export: SQL and nothing else. */
import { type Importer, sealAgain } from '../db/importing.ts'
import { writeSecretContext } from './secret.ts'

export const secretImporter: Importer = {
  name: 'secrets',
  holder: 'SELECT 1 FROM profiles p WHERE p.subject = $subject',
  find: {
    sql: `SELECT s.wallet FROM secrets s WHERE s.q_hash = unhex(substr($qHash, 3))`,
    describe: ({ qHash }) => `the secret ${qHash}`,
  },
  insert: [
    `INSERT INTO secrets (q_hash, profile, wallet, alias, type, sealed, created_at, revoked_at)
     SELECT unhex(substr($qHash, 3)), p.id, $wallet, $alias, $type, $sealedText, $createdAt, $revokedAt
     FROM profiles p WHERE p.subject = $subject AND p.id > $newProfiles`,
  ],
  derive: (line, tools) => ({
    sealedText: sealAgain(line, line.content, writeSecretContext(line.qHash as string), tools),
  }),
}
