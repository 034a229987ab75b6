/**
 * Acts that may happen only once for a signed text or a nonce. They are remembered until a day after the hour in which
 * the text becomes too old anyway.
 *
 * A clock that is set back further makes a forgotten text fresh again. So the expiry hours of forgotten texts are kept.
 * An unknown text that expires in one of them may have been used, and is refused.
 */

import type { Db, Statement, Write, WritePurpose } from './db.ts'
import { label, query } from './query.ts'
import { countRowsChanged } from './rows-changed.ts'
import { nameTurn } from './turns.ts'

/** A signature that may act only once: digest of it, and until when it would be accepted. */
export interface SpentSignature {
  /** 64 hexadecimal digits. */
  readonly digest: string
  /** As earlier versions stored it, when that was another one. */
  readonly formerDigest?: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** The time for which a mark is kept after its end. A clock may be set back by this much without losing a mark. */
export const keptAfterExpiryMs = 86_400_000

const dayMs = 86_400_000
const hourMs = 3_600_000
/** The hour of the day, as the number of a bit. */
const writeHourSql = (at: string): string => `CAST(${at} / ${hourMs} % 24 AS INTEGER)`

function isForgotten(expiresAt: string): string {
  const at = `CAST(${expiresAt} AS BIGINT)`
  return `EXISTS (
    SELECT 1 FROM forgotten_hours WHERE day = ${at} / ${dayMs} AND (hours >> ${writeHourSql(at)}) & 1 = 1)`
}

const selectForgotten = query<[expiresAt: number]>()`SELECT 1 AS found WHERE ${isForgotten('?1')}`

const insertSpent = `
  INSERT INTO spent_signatures (digest, expires_at, q_hash)
  SELECT unhex(?1), ?2, unhex(?3)
  WHERE NOT ${isForgotten('?2')} AND NOT EXISTS (SELECT 1 FROM spent_signatures WHERE digest = unhex(?4))
  ON CONFLICT (digest) DO NOTHING`

/**
 * A statement that changes no row when the signature was used before, or may have been (wasForgotten). Empty for an
 * unsigned request. `qHash` is the proof that the text makes.
 */
export const spendSignature = (spent: SpentSignature | undefined, qHash?: string): Statement[] =>
  spent
    ? [
        {
          sql: insertSpent,
          params: [spent.digest, Math.floor(spent.expiresAt), qHash?.slice(2) ?? null, readFormer(spent)],
          must: true,
        },
      ]
    : []

const readFormer = ({ digest, formerDigest = digest }: Digests): string => formerDigest

type Digests = Pick<SpentSignature, 'digest' | 'formerDigest'>

/** Spends a signature, with what else it changes. False when it was used before, true also where nothing was signed. */
export async function trySpendSignature(
  db: Db,
  spent: SpentSignature | undefined,
  {
    qHash,
    purpose,
    others = [],
  }: { readonly qHash?: string; readonly purpose?: WritePurpose; readonly others?: readonly Statement[] } = {},
): Promise<boolean> {
  return spent === undefined || 'changes' in (await db.write([...spendSignature(spent, qHash), ...others], purpose))
}

const selectSpent = query<[digest: string, formerDigest: string]>()`
  SELECT lower(hex(q_hash)) AS ${label('qHash', 'text or null')}
  FROM spent_signatures WHERE digest IN (unhex(?1), unhex(?2))`

/** The id of the proof that a spent text made, or null where it made none. Undefined: the text is not spent. */
export async function findSpent(db: Db, digests: Digests): Promise<{ readonly qHash: string | null } | undefined> {
  const row = await db.read(selectSpent).get(digests.digest, readFormer(digests))
  if (!row) return undefined
  // hex() of null is an empty text.
  return { qHash: row.qHash ? `0x${row.qHash}` : null }
}

/** For a write that was refused at one statement: whether that statement spends a text whose use is unknown. */
export async function wasForgotten(db: Db, statements: Write, refusedAt: number): Promise<boolean> {
  const refused = statements[refusedAt]
  if (refused?.sql !== insertSpent) return false
  const [digest, expiresAt, , formerDigest] = refused.params as [string, number, unknown, string]
  if (await findSpent(db, { digest, formerDigest })) return false
  return (await db.read(selectForgotten).get(expiresAt)) !== null
}

/** In the order of the index, so that both statements mean the same rows. */
const chooseOld = (column: string): string =>
  `SELECT ${column} FROM spent_signatures WHERE expires_at < ?1 ORDER BY expires_at, digest LIMIT ?2`

/** Marks are forgotten by whole hours, so that no later text is refused for them. */
const startHour = (at: number): number => Math.floor(at / hourMs) * hourMs

/** In SQL: when a mark that ends then is forgotten. */
export const writeForgottenSql = (expiresAt: string): string =>
  `((${expiresAt}) / ${hourMs} + 1) * ${hourMs} + ${keptAfterExpiryMs}`

/**
 * Forgets up to `batch` marks that ended before a time, of completed hours, and keeps the hours of their ends. Returns
 * the number.
 */
export async function forgetSpent(db: Db, before: number, batch: number): Promise<number> {
  const params = [startHour(before), batch]
  const result = await db.write([
    {
      sql: `INSERT INTO forgotten_hours (day, hours)
            SELECT expires_at / ${dayMs}, sum(DISTINCT 1 << ${writeHourSql('expires_at')})
            FROM (${chooseOld('expires_at')}) old WHERE true GROUP BY 1
            ON CONFLICT (day) DO UPDATE SET hours = forgotten_hours.hours | excluded.hours`,
      params,
      turns: [nameTurn('sweep', 'spent signatures')],
    },
    { sql: `DELETE FROM spent_signatures WHERE digest IN (${chooseOld('digest')})`, params },
  ])
  return countRowsChanged(result, 1)
}
