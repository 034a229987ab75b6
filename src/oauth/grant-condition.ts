import type { Db } from '../db/db.ts'
import { linkStands } from '../profiles/store.ts'
import { parseAccount } from '../wallet/account.ts'

interface Grant {
  /** The account that signed in, and the one of the profile: texts of wallet/account.ts writeAccount(). */
  readonly account: string
  readonly primaryAccount: string
  readonly linkProof: number | null
}

/** Whether the wallet by which the person signed in is still theirs. */
export const grantStands = async (
  db: Db,
  { account, primaryAccount, linkProof }: Grant,
  now: number,
): Promise<boolean> =>
  linkProof === null ||
  (await linkStands(db, { linkProof, account, profile: { primary: parseAccount(primaryAccount) } }, now))
