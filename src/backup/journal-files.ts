/**
 * The journal of what was taken away, kept at the place of the backups as it happens: apart from the machine, and newer
 * than every backup. A file holds the rows that came since the file before it, and its name says which.
 */
import { randomBytes } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import type { JournalRow } from '../journal/store.ts'
import { BackupError } from './fault.ts'
import { Header, readJson } from './format.ts'
import { findLatest } from './known-time.ts'
import type { FoundJournal, JournalNeed } from './old-journal.ts'
import { type BackupSealer, makeBackupSealer, openBackupSealer } from './sealing.ts'
import type { Target } from './targets/target.ts'

const JournalFile = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  sealed: Header.properties.sealed,
  /** Base64 of a zstd frame of JSON, which is sealed where `sealed` says so. */
  rows: Type.String(),
})
type JournalFile = Static<typeof JournalFile>

export interface FileSealing {
  readonly id: string
  readonly sealed: Static<typeof Header>['sealed']
  readonly sealer: BackupSealer | undefined
}

export interface JournalName {
  readonly name: string
  /** Of the master key of the server. */
  readonly keyMark: number
  /** taken_away.id: of the first row that may be in it, and of the last one that is. */
  readonly from: number
  readonly to: number
  /** Unix milliseconds: everything until then is in it and in those before it. */
  readonly at: number
}

const form = /^journal-([0-9a-f]{8})-(\d{16})-(\d{16})-(\d{15})$/
const headForm = /^journal-head-([0-9a-f]{8})-(\d{15})$/
const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')
const writeMark = (keyMark: number): string => keyMark.toString(16).padStart(8, '0')

export const nameJournalFile = ({ keyMark, from, to, at }: Omit<JournalName, 'name'>): string =>
  `journal-${writeMark(keyMark)}-${pad(from, 16)}-${pad(to, 16)}-${pad(at, 15)}`

/** A file without content: at that time nothing was missing. */
export const nameHead = (keyMark: number, at: number): string => `journal-head-${writeMark(keyMark)}-${pad(at, 15)}`

export interface KeptJournal {
  /** In the order of their rows. */
  readonly files: readonly JournalName[]
  readonly heads: readonly { readonly name: string; readonly at: number }[]
}

/** Those of one server: others may keep theirs at the same place. */
export async function listJournalFiles(target: Target, keyMark: number): Promise<KeptJournal> {
  const names = await target.listNames('journal-')
  return {
    files: names
      .flatMap((name) => {
        const [, mark, from, to, at] = form.exec(name) ?? []
        return mark === writeMark(keyMark)
          ? [{ name, keyMark, from: Number(from), to: Number(to), at: Number(at) }]
          : []
      })
      .sort((one, other) => one.from - other.from),
    heads: names.flatMap((name) => {
      const [, mark, at] = headForm.exec(name) ?? []
      return mark === writeMark(keyMark) ? [{ name, at: Number(at) }] : []
    }),
  }
}

export async function makeFileSealing(passphrase: string | undefined): Promise<FileSealing> {
  const id = randomBytes(16).toString('hex')
  const made = passphrase === undefined ? undefined : await makeBackupSealer(passphrase, id)
  return { id, sealed: made?.sealed ?? null, sealer: made?.sealer }
}

export function packRows(rows: readonly JournalRow[], name: string, { id, sealed, sealer }: FileSealing): Uint8Array {
  const packed = Bun.zstdCompressSync(Buffer.from(JSON.stringify(rows)))
  const content = sealer?.seal(packed, name) ?? packed
  const file: JournalFile = { id, sealed, rows: Buffer.from(content).toString('base64') }
  return Buffer.from(JSON.stringify(file))
}

/**
 * The rows after `after`, where the files at the place tell all of them. Undefined where there are none, or where one is
 * missing. Errors: BackupError for a file that was changed, and for a wrong passphrase.
 */
export async function readKeptJournal(
  target: Target,
  passphrase: string | undefined,
  { keyMark, after, backupAt, now }: JournalNeed,
): Promise<FoundJournal | undefined> {
  const { files, heads } = await listJournalFiles(target, keyMark)
  const needed = files.filter(({ to }) => to > after)
  const isWhole = needed.every(({ from }, place) => from <= (place === 0 ? after : needed[place - 1]!.to) + 1)
  const knownUntil = findLatest(
    [...heads, ...files].map(({ at }) => at),
    now,
  )
  if (!isWhole || knownUntil < backupAt) return undefined
  const sealers = new Map<string, Promise<BackupSealer>>()
  const rows = new Map<string, JournalRow>()
  for (const { name } of needed) {
    const file = readFile(await readText(target, name), name)
    for (const row of await unpackRows(file, name, passphrase, sealers))
      if (row.id > after) rows.set(`${row.kind}\n${row.thing}`, row)
  }
  return { rows: [...rows.values()], knownUntil }
}

/** The backup is good where a file of the journal is not: another backup would not help. */
function readFile(text: string, name: string): JournalFile {
  try {
    return readJson(JournalFile, text, name)
  } catch {
    throw makeChanged(name)
  }
}

async function unpackRows(
  { id, sealed, rows }: JournalFile,
  name: string,
  passphrase: string | undefined,
  sealers: Map<string, Promise<BackupSealer>>,
): Promise<readonly JournalRow[]> {
  let packed: Uint8Array = Buffer.from(rows, 'base64')
  if (sealed) {
    if (passphrase === undefined)
      throw new BackupError(
        'the journal beside the backup is sealed, and no passphrase was given',
        'set PROOFGATE_BACKUP_PASSPHRASE',
      )
    const opening = sealers.get(id) ?? openSealer(passphrase, id, sealed)
    sealers.set(id, opening)
    const sealer = await opening
    try {
      packed = sealer.open(packed, name)
    } catch {
      throw makeChanged(name)
    }
  }
  try {
    return JSON.parse(Buffer.from(Bun.zstdDecompressSync(packed)).toString())
  } catch {
    throw makeChanged(name)
  }
}

/** The backup was opened with the passphrase: then it is that of the journal that is another. */
async function openSealer(
  passphrase: string,
  id: string,
  sealed: NonNullable<JournalFile['sealed']>,
): Promise<BackupSealer> {
  try {
    return await openBackupSealer(passphrase, id, sealed)
  } catch (error) {
    throw error instanceof BackupError
      ? new BackupError(
          'the journal beside the backup is sealed under another passphrase than the backup',
          'restore a backup that was made since the passphrase was changed, or restore without the journal: move the files that begin with journal- away. Then it is not known what was taken away since the backup',
        )
      : error
  }
}

const makeChanged = (name: string): BackupError =>
  new BackupError(
    `${name} of the journal was changed or cut off, or is another file`,
    'restore without it: move the files that begin with journal- away. Then it is not known what was taken away since the backup',
  )

async function readText(target: Target, name: string): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of target.read(name)) parts.push(part)
  return Buffer.concat(parts).toString()
}
