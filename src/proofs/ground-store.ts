/** The account that a request without the wallet's signature acts on: SQL and nothing else. */
import type { Db } from '../db/db.ts'
import type { Ground } from '../request-scope.ts'

const sameAccount = 'SELECT 1 FROM accounts WHERE address = ?1 AND id = ?2'

/** An erasure gives the wallet another account row (erase-store.ts). Undefined for a wallet that has none yet. */
export function findAccountGround(db: Db, wallet: string): Ground | undefined {
  const account = db.prepare<{ id: number }, [string]>('SELECT id FROM accounts WHERE address = ?1').get(wallet)
  return account ? { sql: sameAccount, params: [wallet, account.id] } : undefined
}
