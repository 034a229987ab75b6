/**
 * Restores a backup: it is verified as a whole in a folder beside the data folder, brought to the form of this build,
 * and freed of what was taken away since. Only then does it take the place of the data folder, which keeps everything
 * under another name.
 */
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locateDatabaseFile } from '../db/db.ts'
import { findOwner } from '../db/file-owner.ts'
import { followLink } from '../db/folder-state.ts'
import { fitsMark } from '../db/key-mark.ts'
import { LockedError, takeLock } from '../db/lock.ts'
import { isKnownMigration } from '../db/migrate.ts'
import { syncFile, syncFolder } from '../db/sync-file.ts'
import { findRunningRestore, removeLeftovers } from '../db/work-folder.ts'
import type { Parts } from '../parts.ts'
import { requireNoFaults } from './check-unpacked.ts'
import type { Rolled } from './continuous/roll-forward.ts'
import { BackupError } from './fault.ts'
import type { Header, Manifest } from './format.ts'
import { readKeptJournal } from './journal-files.ts'
import { findLatest } from './known-time.ts'
import { type FoundJournal, type JournalNeed, readOldJournal } from './old-journal.ts'
import { choosePlace, findFormerFolder, finishMoving } from './put-in-place.ts'
import { replayJournal } from './replay.ts'
import { keepEntries, noteRestore } from './restore-store.ts'
import type { Target } from './targets/target.ts'
import { type State, type StateSource, unpackState } from './unpack-state.ts'

export interface RestoreOptions extends StateSource {
  /** Where the journal may be: beside the backup, and where backup.to says. */
  readonly journalPlaces: readonly Target[]
  /** The data folder that is replaced. */
  readonly folder: string
  /** 64 hexadecimal digits, where the server is given its key. */
  readonly masterKey: string | undefined
  readonly now: () => number
  /** Opens the restored folder, brought to the form of this build. */
  readonly useFolder: <Result>(folder: string, work: (parts: Parts) => Promise<Result>) => Promise<Result>
  /** Tells the steps. */
  readonly tell: (says: string) => void
}

export interface Restored {
  readonly manifest: Manifest
  /** Unix milliseconds: the moment of which the state is again. */
  readonly at: number
  /** What a continuous backup added. Undefined: it was not looked for. */
  readonly rolled: Rolled | undefined
  /** Where everything of the old folder is. */
  readonly keptFolder: string | undefined
  /** Folders of runs that were killed. */
  readonly removed: readonly string[]
  readonly journal: 'replayed' | 'gone'
  /** Until when it is known what was taken away. */
  readonly knownUntil: number
  /** Rows of the journal that were replayed, by kind. */
  readonly replayed: Readonly<Record<string, number>>
  /** The configuration of before, where it now is. */
  readonly configFile: string | undefined
}

const writeTime = (at: number): string => new Date(at).toISOString()

const configName = 'restored-proofgate.toml'

/** Errors: BackupError, LockedError, those of the store and of the file system. The old folder stays as it is then. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { now } = options
  const folder = followLink(options.folder)
  refuseSecond(folder)
  const file = locateDatabaseFile(folder)
  // A server that runs on it would go on writing to the files of before.
  let lock = existsSync(file) ? takeLock(file) : undefined
  try {
    finishMoving(folder)
    // Before there is a folder of this restore, which would look like one that was cut off.
    const former = findFormerFolder(folder)
    const place = choosePlace(folder, now())
    try {
      const restored = await prepare({ ...options, folder }, place.workFolder, former)
      giveToOwnerOf(folder, place.workFolder)
      // A server that was started in the meantime has made a database.
      if (!lock && existsSync(file)) lock = takeLock(file)
      const moved = place.swap()
      // After a restore that was cut off, the files of before are where that one put them.
      const keptFolder = former === folder ? moved : former
      return { ...restored, keptFolder, removed: removeLeftovers(folder, now()) }
    } catch (error) {
      place.abandon()
      throw error
    }
  } catch (error) {
    // It may have begun in the meantime.
    if (error instanceof LockedError) refuseSecond(folder)
    throw error
  } finally {
    lock?.release()
  }
}

/** Errors: BackupError. */
function refuseSecond(folder: string): void {
  const running = findRunningRestore(folder)
  if (running !== undefined)
    throw new BackupError(
      `another restore into ${folder} is under way, in ${running}`,
      'wait until it ends, and read what it says. This one has changed nothing',
    )
}

async function prepare(
  options: RestoreOptions,
  work: string,
  former: string,
): Promise<Omit<Restored, 'keptFolder' | 'removed'>> {
  const { journalPlaces, passphrase, folder, masterKey, now, useFolder, tell } = options
  const state = await unpackState(options, work, requireKnownSchema)
  const { manifest, rolled } = state
  tell('The backup is whole: every hash is right.')
  if (rolled?.commits) tell(`The continuous backup adds ${rolled.commits} commits, until ${writeTime(rolled.at!)}.`)
  const key = chooseKey(state, former, masterKey)
  if (masterKey === undefined) putFile(join(work, 'master.key'), `${Buffer.from(key).toString('hex')}\n`)
  const config = state.secrets['proofgate.toml']
  if (config) putFile(join(work, configName), config)
  requireNoFaults(state.faults)
  tell('The database in it is sound: pages, constraints, references, rows and counters.')
  const backupAt = Date.parse(manifest.header.createdAt)
  const known = { keyMark: manifest.header.keyMark, after: state.journalUpTo, backupAt, now: now() }
  // That of the old folder is complete. That of the place lacks its last seconds.
  const journal = (await readOldJournal(former, known)) ?? (await findKeptJournal(journalPlaces, passphrase, known))
  // The state itself tells what was taken away before it. One of a clock that was ahead tells nothing: then the lost
  // time begins with everything.
  const knownUntil = findLatest([state.at, journal?.knownUntil ?? 0], now())
  const replayed = await useFolder(work, (parts) => settle(parts, { state, journal, knownUntil, restoredAt: now() }))
  return {
    manifest,
    at: state.at,
    rolled,
    journal: journal ? 'replayed' : 'gone',
    knownUntil,
    replayed,
    configFile: config ? join(folder, configName) : undefined,
  }
}

/** The one that knows most. Errors: BackupError. */
async function findKeptJournal(
  places: readonly Target[],
  passphrase: string | undefined,
  need: JournalNeed,
): Promise<FoundJournal | undefined> {
  let best: FoundJournal | undefined
  for (const place of places) {
    const found = await readKeptJournal(place, passphrase, need)
    if (found && found.knownUntil >= (best?.knownUntil ?? 0)) best = found
  }
  return best
}

interface Settling {
  readonly state: State
  readonly journal: FoundJournal | undefined
  readonly knownUntil: number
  readonly restoredAt: number
}

async function settle(
  parts: Parts,
  { state, journal, knownUntil, restoredAt }: Settling,
): Promise<Readonly<Record<string, number>>> {
  const replayed = journal ? await replayJournal(parts, journal.rows) : {}
  await noteRestore(parts.db, {
    newestEntry: journal?.rows.reduce((newest, { id }) => Math.max(newest, id), 0) ?? 0,
    restoredAt,
    backupId: state.manifest.header.id,
    backupAt: state.at,
    journal: journal ? 'replayed' : 'gone',
    knownUntil,
  })
  if (journal) await keepEntries(parts.db, journal.rows)
  return replayed
}

/** Errors: BackupError. */
function requireKnownSchema({ schema, version }: Header): void {
  if (schema === '' || isKnownMigration(schema)) return
  throw new BackupError(
    `the backup was made by Proofgate ${version}, whose database is newer than this one knows (it holds migration "${schema}")`,
    'restore it with that version or a newer one. Nothing was changed',
  )
}

/** The key that opens what the database has sealed. Errors: BackupError. */
function chooseKey({ manifest, secrets }: State, folder: string, configured: string | undefined): Uint8Array {
  const { keyMark } = manifest.header
  const kept = join(folder, 'master.key')
  const candidates = [
    configured,
    secrets['master.key'] && Buffer.from(secrets['master.key']).toString().trim(),
    existsSync(kept) ? readFileSync(kept, 'utf8').trim() : undefined,
  ].flatMap((text) => (text !== undefined && /^[0-9a-fA-F]{64}$/.test(text) ? [Buffer.from(text, 'hex')] : []))
  const found = candidates.find((key) => fitsMark(key, keyMark))
  if (configured !== undefined && found !== candidates[0])
    throw new BackupError(
      'the configured master key is not the one that the database in the backup was used with',
      'set PROOFGATE_MASTER_KEY to the key of before, or leave it out where the backup holds it. Nothing was changed',
    )
  if (!found)
    throw new BackupError(
      candidates.length === 0
        ? 'the backup holds no master key, and none is here'
        : `no master key that is here belongs to the database in the backup, which may be of another server`,
      'give the key of before as PROOFGATE_MASTER_KEY. Without it, sealed contents cannot be read. Nothing was changed',
    )
  return found
}

function putFile(file: string, content: string | Uint8Array): void {
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' })
  syncFile(file)
}

/** Run by root, a restore must not take the folder from the user of the server. */
function giveToOwnerOf(folder: string, work: string): void {
  const owner = existsSync(folder) ? findOwner(folder) : undefined
  if (!owner) return
  for (const name of readdirSync(work)) chownSync(join(work, name), owner.uid, owner.gid)
  chownSync(work, owner.uid, owner.gid)
  syncFolder(work)
}
