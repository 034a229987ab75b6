/** The rows of one person: the wallets that sign in as one, and their profiles. */
import type { Reader } from '../db/db.ts'
import type { Person } from '../db/exporting.ts'
import { findProfileByAccount, findSignInLink, listLinked } from '../profiles/store.ts'
import { findOwnRows } from '../proofs/account-store.ts'
import { type Account, isSameAccount, writeAccount } from '../wallet/account.ts'

/** Wallets of an organization or an agent that the person linked belong to others, and stay out. */
export async function findPerson(db: Reader, account: Account, now: number): Promise<Person> {
  const primary = (await findSignInLink(db, account, now))?.primary ?? account
  const wallets: Account[] = [primary]
  for (const linked of await listLinked(db, primary, now)) {
    const link = await findSignInLink(db, linked, now)
    if (link && isSameAccount(link.primary, primary)) wallets.push(linked)
  }
  const accounts = new Set<string>()
  const accountIds = new Set<number>()
  const profiles: number[] = []
  for (const wallet of wallets) {
    accounts.add(writeAccount(wallet))
    for (const { id, address } of await findOwnRows(db, wallet)) {
      accounts.add(address)
      accountIds.add(id)
    }
    const profile = await findProfileByAccount(db, wallet)
    if (profile) profiles.push(profile.id)
  }
  return { accounts: [...accounts], accountIds: [...accountIds], profiles }
}
