/**
 * An import of rows: what each owner of a table makes of the lines that exporting.ts wrote. A statement takes the
 * fields of its line by their names, and rows of other tables by what names them everywhere: ids differ between servers.
 */
import type { SqlValue } from './commit-group.ts'
import type { Line } from './exporting.ts'
import type { Sealer } from './seal.ts'

export type Named = Readonly<Record<string, SqlValue>>

export interface ImportTools {
  readonly sealer: Sealer
  readonly now: number
}

export interface Importer {
  /** The name of the file, without `.jsonl`. */
  readonly name: string
  /**
   * Finds the row of the line that is here already, and the members that show whether it is the same thing. A row that
   * is here is never changed.
   */
  readonly find?: {
    readonly sql: string
    /** In words, for people: `the gate gate_holders`. */
    readonly describe: (line: Line) => string
  }
  /**
   * Adds the rows. Where the first statement changes nothing, the line is left out: what it belongs to is not here, or
   * was here before this import.
   */
  readonly insert: readonly string[]
  /** Finds what the line belongs to. Where it is not here, the line is left out and counted. */
  readonly holder?: string
  /** Only from an export of a whole server. */
  readonly isOfServer?: boolean
  /** Further values for the statements. Errors: ImportedLineError. */
  readonly derive?: (line: Line, tools: ImportTools) => Named
}

/** A line that cannot be used. The message completes "proofs.jsonl, line 7: …". */
export class ImportedLineError extends Error {
  override readonly name = 'ImportedLineError'
}

/** The highest ids before the import: a row above them is new. For statements: `$newProofs`. */
export interface NewAfter {
  readonly newAccounts: number
  readonly newProofs: number
  readonly newGates: number
  readonly newProfiles: number
  readonly newEvents: number
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The first 52 bits of a hash written as `0x…`. */
const shorten = (hash: unknown): SqlValue => (isText(hash) ? Number.parseInt(hash.slice(2, 15), 16) : null)

/** The fields of a line as SQLite takes them. `$q52` and `$link52` find its proof and its link quickly. */
export function writeFields(line: Line): Named {
  const named: Record<string, SqlValue> = { q52: shorten(line.qHash), link52: shorten(line.linkProof) }
  for (const [field, value] of Object.entries(line))
    named[field] = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue)
  return named
}

/** For conditions of statements. */
const isProof = 'p.q52 = $q52 AND p.q_hash = unhex(substr($qHash, 3))'
export const isNewProof = `${isProof} AND p.id > $newProofs`
/** Finds the proof of a line. */
export const proofHolder = `SELECT 1 FROM proofs p WHERE ${isProof}`
export const isNewGate = 'g.gate_id = $gateId AND g.id > $newGates'
/** Also one that is here already, where it is the same. */
export const isSameGate = 'g.gate_id = $gateId AND g.created_at = $gateCreatedAt'
/** The id of the link that the line names, or null. */
export const selectLink =
  '(SELECT l.id FROM proofs l WHERE l.q52 = $link52 AND l.q_hash = unhex(substr($linkProof, 3)))'

/**
 * The sealed text of a line under the key of this server: as it is, or sealed again where the export opened it. Null
 * where there was none. Errors: ImportedLineError.
 */
export function sealAgain(
  { sealed }: Line,
  opened: unknown,
  context: string,
  { sealer }: Pick<ImportTools, 'sealer'>,
): string | null {
  if (sealed === null || sealed === undefined)
    return opened === null || opened === undefined
      ? null
      : sealer.seal(isText(opened) ? opened : JSON.stringify(opened), context)
  const { text } = sealed as { readonly text?: unknown }
  if (!isText(text)) throw new ImportedLineError('"sealed" has no text')
  try {
    sealer.open(text, context)
  } catch {
    throw new ImportedLineError(
      'its sealed text does not open with the master key of this server: it was sealed under another one, or for another row',
    )
  }
  return text
}
