/**
 * Accounts in the database: which of them a wallet means. SQL and nothing else. `accounts.address` is the text of an account
 * (wallet/account.ts).
 */

import type { Db, Reader } from '../db/db.ts'
import { label, pick, query } from '../db/query.ts'
import { findInOrder } from '../in-order.ts'
import {
  type Account,
  type AccountText,
  isNameElsewhere,
  type NamedAccount,
  parseAccount,
  writeAccount,
  writeUnknown,
} from '../wallet/account.ts'

/** Accounts whose proofs a look-up finds: the first of `either` that there is, and `besides`. */
export interface Holder {
  readonly either: readonly AccountText[]
  /** The account text for data of either kind. */
  readonly besides: AccountText | undefined
}

/**
 * Chooses the account that a request means by a wallet: never two contracts, nor a contract and a key. A named chain
 * means the contract there, if one has proofs, or else the key. A bare address means the key, if it has proofs, or else
 * the contract on the hub chain.
 */
export function chooseHolder(named: NamedAccount): Holder {
  const { wallet, chain, isChainGiven } = named
  const key = writeAccount({ wallet, contractOn: undefined })
  if (chain === undefined) return { either: [key], besides: undefined }
  const contract = writeAccount({ wallet, contractOn: chain })
  if (isNameElsewhere(named)) return { either: [contract], besides: undefined }
  return { either: isChainGiven ? [contract, key] : [key, contract], besides: writeUnknown(wallet, chain) }
}

/** The account itself. `chain` (CAIP-2): there, what may be a key's or a contract's counts for it as well. */
export const makeHolder = (account: Account, chain: string | undefined = account.contractOn): Holder => ({
  either: [writeAccount(account)],
  besides: chain === undefined ? undefined : writeUnknown(account.wallet, chain),
})

export const nobody: Holder = { either: [], besides: undefined }

/** The account of a proof, whatever it is. */
export const wrapHolder = (account: string): Holder => ({ either: [account as AccountText], besides: undefined })

const selectAccounts = query<[string, string, string]>()`
  SELECT ${pick('accounts', 'id', 'address')}
  FROM accounts WHERE address IN (?1, ?2, ?3)`

/** The existing account rows, at most two. */
export const findAccounts = async (db: Db, holder: Holder): Promise<number[]> =>
  (await findRows(db, holder)).map(({ id }) => id)

interface AccountRow {
  /** accounts.id */
  readonly id: number
  readonly address: string
}

async function findRows(db: Reader, { either: [first, second], besides }: Holder): Promise<AccountRow[]> {
  if (first === undefined) return []
  const found = await db.read(selectAccounts).all(first, second ?? '', besides ?? '')
  const findRow = (text: AccountText | undefined) => found.find(({ address }) => address === text)
  return [findRow(first) ?? findRow(second), findRow(besides)].filter((row) => row !== undefined)
}

/** The account that a request means. */
export async function findNamed(db: Db, named: NamedAccount): Promise<Account> {
  const [first = writeKey(named), second] = chooseHolder(named).either
  const isThere = async (text: AccountText): Promise<boolean> =>
    (await findAccounts(db, { either: [text], besides: undefined })).length > 0
  return parseAccount(second !== undefined && !(await isThere(first)) && (await isThere(second)) ? second : first)
}

const selectKnown = query<[string]>()`
  SELECT 1 AS ${label('found', 'number')}
  FROM accounts WHERE address = ?1 UNION ALL SELECT 1 FROM profiles WHERE account = ?1 LIMIT 1`

/** The accounts that a wallet may mean, the likeliest first. A non-EVM key has one. */
export const listMeant = (named: NamedAccount): readonly AccountText[] => chooseHolder(named).either

/**
 * The one account that receives something. The rule is that of chooseHolder(), except that a sign-in counts like
 * proofs. Without either, it is the key, or the name on its chain.
 */
export async function chooseReceiver(db: Db, named: NamedAccount): Promise<AccountText> {
  const meant = listMeant(named)
  const [only = writeKey(named), other] = meant
  if (other === undefined) return only
  const known = await findInOrder(meant, async (text) => (await db.read(selectKnown).get(text)) !== null)
  return known ?? writeKey(named)
}

const writeKey = ({ wallet }: NamedAccount): AccountText => writeAccount({ wallet, contractOn: undefined })

/** Whether a look-up means the account of a proof. Asks only where another one comes before it. */
export async function matchesHolder(db: Db, account: string, holder: Holder): Promise<boolean> {
  const { either, besides } = holder
  if (account === besides || account === either[0]) return true
  return account === either[1] && !(await findAccounts(db, { either: [either[0]!], besides: undefined })).length
}

const selectUnknown = query<[string, string]>()`
  SELECT ${pick('accounts', 'id', 'address')}
  FROM accounts WHERE address > ?1 AND address < ?2`

/** All whose proofs an account may read, revoke and erase as its own. */
export const findOwnAccounts = async (db: Db, account: Account): Promise<number[]> =>
  (await findOwnRows(db, account)).map(({ id }) => id)

export async function findOwnRows(db: Reader, account: Account): Promise<AccountRow[]> {
  const own = await findRows(db, makeHolder(account))
  if (account.contractOn !== undefined || !account.wallet.startsWith('0x')) return own
  const prefix = `unknown:${account.wallet}`
  return [...own, ...(await db.read(selectUnknown).all(`${prefix}:`, `${prefix};`))]
}
