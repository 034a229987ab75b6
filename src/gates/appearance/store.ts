/**
 * How checkouts look, in the database: SQL and nothing else. It belongs to a gate and is no part of its definition, so
 * that versions and differences stay short.
 */
import { type AuditEvent, makeAccountAuditStatement } from '../../audit/log-store.ts'
import type { Db, Statement } from '../../db/db.ts'
import { type ErasureStage, isFound, selectEarlier, standsAppearance } from '../../db/erasing.ts'
import { pick, query, type RowOf } from '../../db/query.ts'
import { noteTrace } from '../../db/traces.ts'
import { nameTurn } from '../../db/turns.ts'
import type { Gate } from '../gate.ts'
import type { PictureShape } from './picture.ts'

const selectAppearance = query<[gate: number]>()`
  SELECT ${pick('gate_appearances ga', 'seller', 'color', 'mediaType', 'width', 'height', 'bytes', 'digest')}
  FROM gate_appearances ga WHERE ga.gate = ?1 AND ${standsAppearance('ga')}`
const selectPicture = query<[gate: number, digest: string]>()`
  SELECT ${pick('gate_appearances ga', 'mediaType', 'picture')}
  FROM gate_appearances ga WHERE ga.gate = ?1 AND ga.digest = ?2 AND ${standsAppearance('ga')}`

export type AppearanceRow = RowOf<typeof selectAppearance>

/** Without the picture itself. */
export const findAppearance = async (db: Db, gate: number): Promise<AppearanceRow | undefined> =>
  (await db.read(selectAppearance).get(gate)) ?? undefined

export interface StoredPicture extends PictureShape {
  /** SHA-256 of the bytes, in hexadecimal digits. */
  readonly digest: string
  readonly bytes: number
  /** Base64. */
  readonly picture: string
}

/** The picture in base64, if the gate has the one of this digest. */
export const findPicture = async (db: Db, gate: number, digest: string) =>
  (await db.read(selectPicture).get(gate, digest)) ?? undefined

/** The limit of pictures of one owner. */
export const mostPictures = 64

/** Undefined members stay as they are; null removes them. */
export interface AppearanceChange {
  readonly seller?: string | null | undefined
  readonly color?: string | null | undefined
  readonly picture?: StoredPicture | null | undefined
}

const selectOwn = `SELECT 1 FROM gates WHERE id = ?1 AND owner = ?2 AND status <> 'deleted'`
const insertRow = `
  INSERT INTO gate_appearances (gate, wallet, created_at) VALUES (?1, ?2, ?3)
  ON CONFLICT (gate) DO UPDATE SET created_at = excluded.created_at`
const updatePicture = `
  UPDATE gate_appearances SET media_type = ?3, width = ?4, height = ?5, bytes = ?6, digest = ?7, picture = ?8
  WHERE gate = ?1 AND (CAST(?7 AS TEXT) IS NULL OR ${mostPictures} >
    (SELECT count(*) FROM gate_appearances others WHERE others.wallet = ?2 AND others.gate <> ?1 AND others.digest IS NOT NULL))`

const changedEvent: AuditEvent = 'gate_appearance_changed'

/** The whole change, or none of it. */
export async function writeAppearance(
  db: Db,
  { id, gateId, owner }: Pick<Gate, 'id' | 'gateId' | 'owner'>,
  { seller, color, picture }: AppearanceChange,
  now: number,
  first: readonly Statement[],
): Promise<'stored' | 'first' | 'gone' | 'too many'> {
  const result = await db.write(
    [
      ...first,
      { sql: selectOwn, params: [id, owner], mustFind: true, holds: 'share' },
      { sql: insertRow, params: [id, owner, now] },
      ...(seller === undefined
        ? []
        : [{ sql: 'UPDATE gate_appearances SET seller = ?2 WHERE gate = ?1', params: [id, seller] }]),
      ...(color === undefined
        ? []
        : [{ sql: 'UPDATE gate_appearances SET color = ?2 WHERE gate = ?1', params: [id, color] }]),
      ...(picture === undefined
        ? []
        : [
            {
              sql: updatePicture,
              params: [
                id,
                owner,
                ...(picture
                  ? [picture.mediaType, picture.width, picture.height, picture.bytes, picture.digest, picture.picture]
                  : [null, null, null, null, null, null]),
              ],
              must: true,
              ...(picture ? { turns: [nameTurn('owner', owner)] } : {}),
            },
          ]),
      makeAccountAuditStatement(changedEvent, owner, { at: now, gateId, by: 'owner' }),
      noteTrace(now),
    ],
    'store',
  )
  if ('changes' in result) return 'stored'
  if (result.refusedAt < first.length) return 'first'
  return result.refusedAt === first.length ? 'gone' : 'too many'
}

/** A deleted gate has no look: nobody sees it any more. The caller notes the trace. */
export const dropAppearance = (gateId: string): Statement => ({
  sql: 'DELETE FROM gate_appearances WHERE gate = (SELECT id FROM gates WHERE gate_id = ?1)',
  params: [gateId],
})

const selectOfWallet = (erasure: Parameters<ErasureStage['slice']>[0]) =>
  selectEarlier(erasure, 'SELECT gate FROM gate_appearances')

/** A person who erases everything takes their name and their picture back. */
export const erasureOfAppearances: ErasureStage = {
  isLeft: (db, erasure) => isFound(db, selectOfWallet(erasure)),
  slice(erasure, rows) {
    const { sql, params } = selectOfWallet(erasure)
    return [{ sql: `DELETE FROM gate_appearances WHERE gate IN (${sql} LIMIT ?)`, params: [...params, rows] }]
  },
}
