/**
 * A mark of the master key that a database was used with: 31 bits of an HMAC under it. It is in the file header (PRAGMA
 * user_version, which backups keep), and reveals nothing about the key. 0: not written yet, as in a database of an
 * older build.
 */
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Db, type Reader, StorageError } from './db.ts'
import { MasterKeyError, requireMasterKey } from './master-key.ts'
import { label, query } from './query.ts'

export const deriveMark = (key: Uint8Array): number => {
  const digest = createHmac('sha256', key).update('proofgate key mark').digest()
  return digest.readUInt32BE(0) & 0x7fffffff || 1
}

/** Whether a database with that mark was used with this key. A mark of 0 says nothing. */
export const fitsMark = (key: Uint8Array, mark: number): boolean => mark === 0 || mark === deriveMark(key)

const selectMark = query<[]>()`SELECT user_version AS ${label('mark', 'number')} FROM pragma_user_version()`

/** 0 where none was written yet. */
export const readMark = async (db: Reader): Promise<number> => (await db.read(selectMark).get())?.mark ?? 0

/** A server that has come to listen has left an operator's link or an account. */
const signsOfUse = ['accounts', 'profiles', 'gates', 'oauth_keys', 'operators', 'operator_link', 'audit_events']

const selectIsUsed = query<[]>()`
  SELECT ${signsOfUse.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')} AS ${label('used', 'number')}`

const isUsed = async (db: Reader): Promise<boolean> =>
  (await readMark(db)) !== 0 || (await db.read(selectIsUsed).get())?.used === 1

/**
 * The key of the configuration or of the folder. Made where nothing was ever used. Throws MasterKeyError where it is
 * missing, or is not the one the database was used with.
 */
export async function findMasterKey(db: Reader, configured: string | undefined, folder: string): Promise<Uint8Array> {
  await requireKeyOfUse(db, configured, folder)
  const key = requireMasterKey(configured, folder)
  const mark = await readMark(db)
  if (mark !== 0 && mark !== deriveMark(key)) throw refuseKey(configured, join(folder, 'master.key'), mark)
  return key
}

/** Undefined where no key is there yet, which the first start makes. Changes nothing. Errors: as findMasterKey. */
export async function lookForKey(
  db: Reader,
  configured: string | undefined,
  folder: string,
): Promise<Uint8Array | undefined> {
  await requireKeyOfUse(db, configured, folder)
  return configured || existsSync(join(folder, 'master.key')) ? await findMasterKey(db, configured, folder) : undefined
}

/** Throws MasterKeyError when a key was used and none is present. */
async function requireKeyOfUse(db: Reader, configured: string | undefined, folder: string): Promise<void> {
  const file = join(folder, 'master.key')
  if (!configured && !existsSync(file) && (await isUsed(db)))
    throw new MasterKeyError(
      `${file} is missing, and the database beside it was used with it: no other key opens its sealed contents`,
      `Restore ${file} from a backup ("proofgate restore" brings it with the data, from a backup that is sealed), or give the key as PROOFGATE_MASTER_KEY if the server was given one. To begin anew, move the database away as well`,
    )
}

export function refuseKey(configured: string | undefined, file: string, mark?: number): MasterKeyError {
  const isInFile =
    configured &&
    mark !== undefined &&
    existsSync(file) &&
    deriveMark(requireMasterKey(undefined, join(file, '..'))) === mark
  const mend = isInFile
    ? `${file} is: leave PROOFGATE_MASTER_KEY (setting "master_key") out`
    : configured
      ? 'set PROOFGATE_MASTER_KEY (setting "master_key") to the key of before, or restore the database that belongs to this one'
      : `restore ${file} from the backup that the database is of, or give the key of before as PROOFGATE_MASTER_KEY`
  const which = configured ? 'the configured master key' : file
  return new MasterKeyError(
    `${which} is not the key of the database in this folder, so it cannot open the sealed contents`,
    `${mend}. Nothing was changed`,
  )
}

/** Whether the key of this database is known from its mark. */
export const hasKeyMark = async (db: Reader): Promise<boolean> => (await readMark(db)) !== 0

/** Notes the key in a database that has no mark yet. A disk without room keeps no start from serving: the next one notes it. */
export async function writeKeyMark(db: Db, key: Uint8Array): Promise<void> {
  if ((await readMark(db)) !== 0) return
  try {
    await db.write([{ sql: `PRAGMA user_version = ${deriveMark(key)}`, params: [] }])
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}
