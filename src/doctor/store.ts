/** What doctor reads of others: SQL and nothing else. */
import type { Reader } from '../db/db.ts'
import { pick, query } from '../db/query.ts'

const selectSigning = query<[number]>()`
  SELECT ${pick('oauth_keys', 'createdAt')} FROM oauth_keys
  WHERE not_before <= ?1 AND (retired_at IS NULL OR retired_at > ?1)
  ORDER BY not_before DESC, created_at DESC LIMIT 1`

/** When the key that signs access tokens at a time was made. Undefined before the first token. */
export const findSigningKeyTime = async (db: Reader, at: number): Promise<number | undefined> =>
  (await db.read(selectSigning).get(at))?.createdAt
