/** Pairings in the database: SQL and sealing only. Every process of the server finds them there. */
import type { Db } from '../db/db.ts'
import { label, pick, pickDigits, query, type RowOf } from '../db/query.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import type { Sealer } from '../db/seal.ts'
import { isPaired, type Pairing, pairingLimits, type Talk } from './pairing.ts'

export interface PairingStore {
  readonly db: Db
  readonly sealer: Sealer
}

const { silentMs, keptMs } = pairingLimits

const columns = pick('pairings', 'client', 'sealed', 'version', 'heardAt', 'expiresAt')
const byCode = query<[string]>()`
  SELECT ${pickDigits('pairings', 'codeHash')}, ${columns} FROM pairings WHERE code_hash = unhex(?1)`
const byComputer = query<[string]>()`
  SELECT ${pickDigits('pairings', 'codeHash')}, ${columns} FROM pairings WHERE computer_hash = unhex(?1)`
const byPhone = query<[string]>()`
  SELECT ${pickDigits('pairings', 'codeHash')}, ${columns} FROM pairings WHERE phone_hash = unhex(?1)`

const selects = { code: byCode, computer: byComputer, phone: byPhone }

/** The kinds of what a caller knows. */
export type Known = keyof typeof selects

const writeContext = (codeHash: string): string => `pairing ${codeHash.toLowerCase()}`

const sealTalk = ({ sealer }: PairingStore, { codeHash, talk }: Pick<Pairing, 'codeHash' | 'talk'>): string =>
  sealer.seal(JSON.stringify(talk), writeContext(codeHash))

function makePairing({ sealer }: PairingStore, { sealed, ...row }: RowOf<typeof byCode>): Pairing {
  return { ...row, talk: JSON.parse(sealer.open(sealed, writeContext(row.codeHash))) as Talk }
}

export async function findPairing(store: PairingStore, known: Known, hash: string): Promise<Pairing | undefined> {
  const row = await store.db.read(selects[known]).get(hash)
  return row ? makePairing(store, row) : undefined
}

const readStage = (talk: Talk): string => (talk.ended !== undefined ? 'ended' : isPaired(talk) ? 'paired' : 'open')

/** SQL: neither ended nor over. `now`: the parameter of the time, `heard`: of the earliest moment to be heard. */
const writeLive = (now: string, heard: string): string =>
  `stage <> 'ended' AND expires_at > ${now} AND heard_at > ${heard}`

const selectOwn = query<[string, number, number]>()`
  SELECT ${pick('pairings', 'stage', 'expiresAt')} FROM pairings WHERE client = ?1 AND ${writeLive('?2', '?3')}`

/** Those of a client that go on. */
export const listOwn = ({ db }: PairingStore, client: string, now: number): Promise<RowOf<typeof selectOwn>[]> =>
  db.read(selectOwn).all(client, now, now - silentMs)

export interface PairingLimits {
  readonly mostOpen: number
  readonly mostPaired: number
  readonly mostInAll: number
}

/** False when another one came first and took the last place. Forgets some of those that ended. */
export async function insertPairing(
  store: PairingStore,
  { pairing, computerHash }: { readonly pairing: Pairing; readonly computerHash: string },
  now: number,
  { mostOpen, mostPaired, mostInAll }: PairingLimits,
): Promise<boolean> {
  const { codeHash, client, talk, heardAt, expiresAt } = pairing
  const live = writeLive('?5', '?7')
  const result = await store.db.write(
    [
      {
        sql: `INSERT INTO pairings (code_hash, computer_hash, client, stage, sealed, waiting, version, heard_at, expires_at)
              SELECT unhex(?1), unhex(?2), ?3, 'open', ?4, 0, 0, ?5, ?6
              WHERE (SELECT count(*) FROM pairings WHERE client = ?3 AND stage = 'open' AND ${live}) < ?8
                AND (SELECT count(*) FROM pairings WHERE client = ?3 AND stage = 'paired' AND ${live}) < ?9
                AND (SELECT count(*) FROM pairings WHERE ${live}) < ?10`,
        params: [
          codeHash,
          computerHash,
          client,
          sealTalk(store, { codeHash, talk }),
          heardAt,
          expiresAt,
          now - silentMs,
          mostOpen,
          mostPaired,
          mostInAll,
        ],
        must: true,
        turns: ['pairings'],
      },
      writeForgetting(now, 20),
    ],
    'sign-in',
  )
  return 'changes' in result
}

const writeForgetting = (now: number, batch: number) => ({
  sql: `DELETE FROM pairings WHERE expires_at <= ?1 AND code_hash IN (
          SELECT code_hash FROM pairings WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)`,
  params: [now - keptMs, batch],
})

/** For the sweep. Returns the number. */
export const deleteOldPairings = async (db: Db, now: number, batch: number): Promise<number> =>
  countRowsChanged(await db.write([writeForgetting(now, batch)], 'free'))

/** False when it was changed since it was read. `phoneHash`: of the phone that takes it now. */
export async function replacePairing(
  store: PairingStore,
  { codeHash, talk, heardAt, expiresAt, version }: Pairing,
  phoneHash?: string,
): Promise<boolean> {
  const result = await store.db.write(
    [
      {
        sql: `UPDATE pairings SET stage = ?3, sealed = ?4, waiting = ?5, heard_at = max(heard_at, ?6), expires_at = ?7,
                phone_hash = coalesce(unhex(?8), phone_hash), version = version + 1
              WHERE code_hash = unhex(?1) AND version = ?2`,
        params: [
          codeHash,
          version,
          readStage(talk),
          sealTalk(store, { codeHash, talk }),
          talk.asked?.length ?? 0,
          heardAt,
          expiresAt,
          phoneHash ?? null,
        ],
        must: true,
      },
    ],
    'sign-in',
  )
  return 'changes' in result
}

/** Beside a change that another request makes: no other column is touched. */
export async function noteHeard({ db }: PairingStore, { codeHash }: Pairing, at: number): Promise<void> {
  const sql = `UPDATE pairings SET heard_at = ?2 WHERE code_hash = unhex(?1) AND heard_at < ?2 AND stage <> 'ended'`
  await db.write([{ sql, params: [codeHash, at] }], 'free')
}

const selectWaiting = query<[string, string, number, number]>()`
  SELECT coalesce(sum(waiting), 0) AS ${label('inAll', 'number')},
    coalesce(sum(CASE WHEN client = ?2 THEN waiting ELSE 0 END), 0) AS ${label('own', 'number')}
  FROM pairings WHERE code_hash <> unhex(?1) AND ${writeLive('?3', '?4')} AND waiting > 0`

/** Characters that wait in other pairings: in all, and in those of the same client. */
export async function sumWaiting(
  { db }: PairingStore,
  { codeHash, client }: Pairing,
  now: number,
): Promise<{ readonly inAll: number; readonly own: number }> {
  return (await db.read(selectWaiting).get(codeHash, client, now, now - silentMs)) ?? { inAll: 0, own: 0 }
}
