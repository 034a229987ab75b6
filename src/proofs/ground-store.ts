/** The account that a request without the wallet's signature acts on: SQL and nothing else. */

import type { Db } from '../db/db.ts'
import { pick, query } from '../db/query.ts'
import type { Ground } from '../request-scope.ts'
import { type Account, writeAccount } from '../wallet/account.ts'

const sameAccount = 'SELECT 1 FROM accounts WHERE address = ?1 AND id = ?2'

const selectAccountGround = query<[string]>()`SELECT ${pick('accounts', 'id')} FROM accounts WHERE address = ?1`

/** An erasure gives the wallet another account row (erasure/store.ts). Undefined for an account that has none yet. */
export async function findAccountGround(db: Db, account: Account): Promise<Ground | undefined> {
  const text = writeAccount(account)
  const found = await db.read(selectAccountGround).get(text)
  return found ? { sql: sameAccount, params: [text, found.id] } : undefined
}
