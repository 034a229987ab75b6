/**
 * Guest lists in the database: SQL and nothing else. A list belongs to a gate and is no part of its definition, so that
 * no view, no difference and no version can show it.
 */
import { type AuditEvent, makeAccountAuditStatement } from '../../audit/log-store.ts'
import type { Db, Statement } from '../../db/db.ts'
import { label, pick, query } from '../../db/query.ts'
import { noteTrace } from '../../db/traces.ts'
import { guessChain, isBase58Key, isEvmAddress, parseAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { mostGuests } from './guest-list.ts'
import { type DuePass, listDuePasses, settlePasses, watchPasses } from './pass-store.ts'
import type { Guest } from './read-lines.ts'

const selectKey = query<[gate: number, wallet: string]>()`
  SELECT 1 AS ${label('found', 'number')} FROM gate_guests WHERE gate = ?1 AND wallet = ?2 LIMIT 1`
const selectOnChain = query<[gate: number, wallet: string, chain: string, other: string]>()`
  SELECT 1 AS ${label('found', 'number')} FROM gate_guests
  WHERE gate = ?1 AND wallet = ?2 AND chain IN (?3, ?4) LIMIT 1`

/**
 * Whether an account is on the list. A key is the same on every chain. A contract counts on the chain that was named
 * with it, or on the hub chain where none was. So does a name, where the chain that bare names mean has none beside it.
 */
export async function isOnList(db: Db, gate: number, account: string, hubChainId: number): Promise<boolean> {
  const { wallet, contractOn = '' } = parseAccount(account)
  if (contractOn === '' && isEvmAddress(wallet)) return (await db.read(selectKey).get(gate, wallet)) !== null
  const bare = contractOn === `eip155:${hubChainId}` ? '' : contractOn
  return (await db.read(selectOnChain).get(gate, wallet, contractOn, bare)) !== null
}

const selectPage = query<[gate: number, wallet: string, chain: string, limit: number, text: string, bare: string]>()`
  SELECT ${pick('gate_guests', 'wallet', 'chain', 'addedAt')}
  FROM gate_guests WHERE gate = ?1 AND (wallet, chain) > (?2, ?3)
    AND (
      ?5 = '' OR instr(lower(chain || ':' || wallet), lower(?5)) > 0
      OR (?6 <> '' AND chain = '' AND instr(lower(wallet), lower(?6)) = 1))
  ORDER BY wallet, chain LIMIT ?4`

/** Guests after one of them, in the order of their addresses. `text`: only those that hold it, in capitals or not. */
export function listGuests(db: Db, gate: number, after: Guest, limit: number, search = '') {
  const text = search.trim().replace(/^did:pkh:/i, '')
  return db.read(selectPage).all(gate, after.wallet, after.chain, limit, text, readBareSearch(text))
}

/** The beginning of a wallet that is stored without its chain, where the text names a chain that it counts on. */
function readBareSearch(text: string): string {
  const [, chain = '', wallet = ''] = /^([a-z0-9-]{3,8}:[a-z0-9._-]{1,64}):(.+)$/i.exec(text) ?? []
  const isEvm = wallet.startsWith('0x')
  if (chain.toLowerCase().startsWith('eip155:')) return isEvm ? wallet : ''
  return !isEvm && (chain.toLowerCase() === guessChain(wallet) || isBase58Key(wallet)) ? wallet : ''
}

const selectCount = query<[gate: number]>()`SELECT ${pick('gates', 'guestCount')} FROM gates WHERE id = ?1`

export const countGuests = async (db: Db, gate: number): Promise<number> =>
  (await db.read(selectCount).get(gate))?.guestCount ?? 0

const selectWallets = query<[gate: number, wallets: string]>()`
  SELECT count(DISTINCT wallet) AS ${label('count', 'number')} FROM gate_guests
  WHERE gate = ?1 AND wallet IN (SELECT value FROM json_each(?2))`

/** How many EVM addresses of these guests are on the list, on whatever chain. A name elsewhere is another account. */
export async function countListed(db: Db, gate: number, guests: readonly Guest[]): Promise<number> {
  const wallets = guests.filter(({ wallet }) => isEvmAddress(wallet))
  return wallets.length === 0 ? 0 : ((await db.read(selectWallets).get(gate, writeWallets(wallets)))?.count ?? 0)
}

/** The same wallets stay as they are. `replaces`: all others go. */
export interface GuestChange {
  readonly replaces: boolean
  readonly add: readonly Guest[]
  readonly remove: readonly Guest[]
}

const writeKeys = (guests: readonly Guest[]): string =>
  JSON.stringify(guests.map(({ wallet, chain }) => `${wallet} ${chain}`))

const writeWallets = (guests: readonly Guest[]): string => JSON.stringify(guests.map(({ wallet }) => wallet))

const asked = '(SELECT value FROM json_each(?2))'
const keepOnly = `DELETE FROM gate_guests WHERE gate = ?1 AND (wallet || ' ' || chain) NOT IN ${asked}`
const dropThese = `
  DELETE FROM gate_guests WHERE gate = ?1
    AND ((wallet || ' ' || chain) IN ${asked} OR wallet IN (SELECT value FROM json_each(?3)))`
const insertThese = `
  INSERT INTO gate_guests (gate, wallet, chain, added_at)
  SELECT ?1, json_extract(value, '$[0]'), json_extract(value, '$[1]'), ?3 FROM json_each(?2) WHERE 1 = 1
  ON CONFLICT (gate, wallet, chain) DO NOTHING`
const touchGate = `UPDATE gates SET updated_at = ?3 WHERE id = ?1 AND owner = ?2 AND status <> 'deleted'`
const countRows = `(SELECT count(*) FROM gate_guests WHERE gate = ?1)`
const keepCount = `UPDATE gates SET guest_count = ${countRows} WHERE id = ?1 AND ${countRows} <= ?2`

const changedEvent: AuditEvent = 'gate_guests_changed'

export interface GuestWrite {
  readonly now: number
  /** As the audit log names who changes it. */
  readonly by?: 'owner' | 'command line'
  /** What must be possible too. */
  readonly first?: readonly Statement[]
}

/** The whole change, or none of it. The log of what happened has numbers, and no wallet. */
export async function writeGuests(
  db: Db,
  { id, gateId, owner }: Pick<Gate, 'id' | 'gateId' | 'owner'>,
  { replaces, add, remove }: GuestChange,
  { now, by = 'owner', first = [] }: GuestWrite,
): Promise<{ readonly added: number; readonly removed: number } | 'first' | 'gone' | 'too many'> {
  const drops = replaces
    ? { sql: keepOnly, params: [id, writeKeys(add)] }
    : { sql: dropThese, params: [id, writeKeys(remove), writeWallets(remove.filter((one) => one.onEveryChain))] }
  const result = await db.write(
    [
      ...first,
      { sql: touchGate, params: [id, owner, now], must: true },
      drops,
      { sql: insertThese, params: [id, JSON.stringify(add.map(({ wallet, chain }) => [wallet, chain])), now] },
      { sql: keepCount, params: [id, mostGuests], must: true },
      makeAccountAuditStatement(changedEvent, owner, {
        at: now,
        gateId,
        ...(replaces ? { replacedBy: add.length } : { add: add.length, remove: remove.length }),
        by,
      }),
      ...(replaces || remove.length > 0 ? [watchPasses(gateId, now), noteTrace(now)] : []),
    ],
    'store',
  )
  if ('changes' in result)
    return { removed: result.changes[first.length + 1] ?? 0, added: result.changes[first.length + 2] ?? 0 }
  if (result.refusedAt < first.length) return 'first'
  return result.refusedAt === first.length ? 'gone' : 'too many'
}

/** A deleted gate forgets its list: nobody reads it any more. Passes stay where something was given for them. */
export const listForgetStatements = (gateId: string, now: number): Statement[] => [
  { sql: 'DELETE FROM gate_guests WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1)', params: [gateId] },
  { sql: 'UPDATE gates SET guest_count = 0 WHERE gate_id = ?1', params: [gateId] },
  watchPasses(gateId, now),
  noteTrace(now),
]

/**
 * Clears away passes whose wallet left the list, and that bought nothing. Looks at up to `batch` passes, and returns how
 * many. A deleted gate has no list, so its passes go as well.
 */
export async function deleteOldPasses(db: Db, hubChainId: number, at: number, batch: number): Promise<number> {
  const due = await listDuePasses(db, at, batch)
  const passes: { readonly withdrawn: DuePass[]; readonly listed: DuePass[] } = { withdrawn: [], listed: [] }
  for (const pass of due)
    passes[(await isOnList(db, pass.gate, pass.wallet, hubChainId)) ? 'listed' : 'withdrawn'].push(pass)
  if (due.length > 0) await settlePasses(db, passes, at)
  return due.length
}
