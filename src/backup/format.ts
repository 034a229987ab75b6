/**
 * The form of a backup: a tar file with these members, in this order.
 *
 * `header.json`, the log of the database and the database in pieces (each a frame of zstd, so that `tar` and `zstd`
 * alone restore an unsealed one), what is secret, `manifest.json`, and `manifest.check`. The manifest comes last,
 * because only then its counts and hashes are known: a backup that was cut off has none.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { BackupError, DamagedBackupError } from './fault.ts'

export const formatNumber = 1

const Hex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${bytes * 2}}$` })
const Whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

/** How the members are sealed. `key` is the key of the backup, sealed under the one that scrypt makes of the passphrase. */
export const Sealed = Type.Object({
  kdf: Type.Literal('scrypt'),
  n: Type.Integer({ minimum: 16_384, maximum: 1_048_576 }),
  r: Type.Integer({ minimum: 1, maximum: 32 }),
  p: Type.Integer({ minimum: 1, maximum: 16 }),
  salt: Hex(16),
  cipher: Type.Literal('aes-256-gcm'),
  key: Type.String({ maxLength: 200 }),
})
export type Sealed = Static<typeof Sealed>

export const Header = Type.Object({
  format: Type.Literal(formatNumber),
  /** Names this backup: random. */
  id: Hex(16),
  createdAt: Time,
  /** Of the Proofgate that made it. */
  version: Type.String({ maxLength: 100 }),
  /** The newest migration of the database. */
  schema: Type.String({ maxLength: 200 }),
  /** Of the master key that sealed contents need (db/key-mark.ts). */
  keyMark: Whole,
  /** Bytes of the database and of its log, before compression. */
  databaseBytes: Whole,
  logBytes: Whole,
  sealed: Type.Union([Sealed, Type.Null()]),
})
export type Header = Static<typeof Header>

export const MemberEntry = Type.Object({
  name: Type.String({ maxLength: 200 }),
  /** As it is in the archive. */
  bytes: Whole,
  sha256: Hex(32),
})
export type MemberEntry = Static<typeof MemberEntry>

export const Manifest = Type.Object({
  header: Header,
  /** Rows of each table. */
  counts: Type.Record(Type.String({ maxLength: 200 }), Whole),
  /** The newest row of the journal of what was taken away. */
  journalUpTo: Whole,
  /** What is left out on purpose. */
  without: Type.Array(Type.Union([Type.Literal('master.key'), Type.Literal('proofgate.toml')])),
  members: Type.Array(MemberEntry),
})
export type Manifest = Static<typeof Manifest>

export const headerName = 'header.json'
export const manifestName = 'manifest.json'
export const checkName = 'manifest.check'

/** Size of a piece before compression: what one write and one read hold in memory. */
export const pieceBytes = 4 * 1_048_576

/** The members that come in pieces, in this order. The log first: a running server may begin it anew later. */
export const piecedFiles = ['proofgate.sqlite-wal', 'proofgate.sqlite'] as const
export type PiecedFile = (typeof piecedFiles)[number]

/** What a backup holds of the secrets, where a passphrase seals it. */
export const secretFiles = ['master.key', 'proofgate.toml'] as const
export type SecretFile = (typeof secretFiles)[number]

export const nameMember = (file: PiecedFile, index: number, isSealed: boolean): string =>
  `${file}/${String(index).padStart(8, '0')}.zst${isSealed ? '.sealed' : ''}`

export const nameSecret = (file: SecretFile): string => `${file}.sealed`

/** Errors: BackupError for text of another form. */
export function readJson<Shape extends TSchema>(shape: Shape, text: string, name: string): Static<Shape> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw makeUnreadable(name, 'it is not JSON')
  }
  const { format } = (typeof value === 'object' && value ? value : {}) as { format?: unknown }
  if (name === headerName && typeof format === 'number' && format > formatNumber)
    throw new BackupError(
      `the backup has format ${format}, and this Proofgate reads format ${formatNumber}`,
      'restore it with the version that made it, or a newer one',
    )
  const wrong = Value.Errors(shape, value).First()
  if (wrong) throw makeUnreadable(name, `${wrong.path || 'all of it'}: ${wrong.message.toLowerCase()}`)
  return value as Static<Shape>
}

const makeUnreadable = (name: string, why: string): DamagedBackupError =>
  new DamagedBackupError(`${name} of the backup cannot be read (${why})`, 'use another backup: this one is damaged')

/** A name from a file never reaches what an object inherits. */
export const readCount = (counts: Manifest['counts'], table: string): number | undefined =>
  Object.hasOwn(counts, table) ? counts[table] : undefined
