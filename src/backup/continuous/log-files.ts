/**
 * Files of the continuous backup at the place of the backups: each holds some chunks of a chain. A chain is the log of
 * one server without a gap. Where one was missed, another chain begins.
 */
import { type Static, Type } from '@sinclair/typebox'
import { BackupError } from '../fault.ts'
import { Header, readJson, type Sealed } from '../format.ts'
import type { FileSealing } from '../journal-files.ts'
import { type BackupSealer, openBackupSealer } from '../sealing.ts'
import type { Target } from '../targets/target.ts'
import { type Chunk, makeDamaged, unpackChunks } from './chunk.ts'

export interface LogFileName {
  readonly name: string
  readonly keyMark: number
  /** When it began, and something random: sorts by time. */
  readonly chain: string
  /** Numbers of its first and last chunk. */
  readonly from: number
  readonly to: number
  /** Unix milliseconds of its first and last transaction. */
  readonly firstAt: number
  readonly lastAt: number
}

const form = /^log-([0-9a-f]{8})-(\d{15}-[0-9a-f]{8})-(\d{10})-(\d{10})-(\d{15})-(\d{15})$/
const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')

const FileHead = Type.Object({
  format: Type.Literal(1),
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  sealed: Header.properties.sealed,
})
const longestHeadBytes = 2_000

export const nameLogFile = ({ keyMark, chain, from, to, firstAt, lastAt }: Omit<LogFileName, 'name'>): string =>
  `log-${keyMark.toString(16).padStart(8, '0')}-${chain}-${pad(from, 10)}-${pad(to, 10)}-${pad(firstAt, 15)}-${pad(lastAt, 15)}`

/** Unix milliseconds. */
export const readChainStart = (chain: string): number => Number(chain.slice(0, chain.indexOf('-')))

/** Of one server, by chain and chunk. Those that a merged file holds as well are left out. */
export const listLogFiles = async (target: Target, keyMark: number): Promise<readonly LogFileName[]> =>
  leaveOutMerged(await listAllLogFiles(target, keyMark))

/** Of one server, by chain and chunk. */
export async function listAllLogFiles(target: Target, keyMark: number): Promise<readonly LogFileName[]> {
  const mark = keyMark.toString(16).padStart(8, '0')
  const all = (await target.listNames(`log-${mark}-`)).flatMap((name) => {
    const [, , chain, from, to, firstAt, lastAt] = form.exec(name) ?? []
    return chain === undefined
      ? []
      : [{ name, keyMark, chain, from: Number(from), to: Number(to), firstAt: Number(firstAt), lastAt: Number(lastAt) }]
  })
  return all.sort((one, other) =>
    one.chain === other.chain ? one.from - other.from || other.to - one.to : one.chain < other.chain ? -1 : 1,
  )
}

/** `sorted`: by chain and chunk. */
export function leaveOutMerged(sorted: readonly LogFileName[]): readonly LogFileName[] {
  const kept: LogFileName[] = []
  for (const file of sorted) {
    const last = kept.at(-1)
    if (last?.chain !== file.chain || file.to > last.to) kept.push(file)
  }
  return kept
}

async function openSealer(
  passphrase: string,
  { id, sealed, name }: Pick<LogFileName, 'name'> & { readonly id: string; readonly sealed: Sealed },
): Promise<BackupSealer> {
  try {
    return await openBackupSealer(passphrase, id, sealed)
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    throw makeDamaged(name, 'it is sealed under another passphrase, or its beginning was changed')
  }
}

export const writeFileHead = ({ id, sealed }: Pick<FileSealing, 'id' | 'sealed'>): Uint8Array =>
  Buffer.from(`${JSON.stringify({ format: 1, id, sealed } satisfies Static<typeof FileHead>)}\n`)

export interface LogReader {
  /** Errors: BackupError for a file that was changed or is gone, and for a wrong passphrase. */
  read(file: LogFileName): AsyncGenerator<Chunk>
  /** Of the file that was read last. */
  readSealing(): FileSealing | undefined
}

/** Reads files of one place. The key of a passphrase is worked out once for all files that were sealed alike. */
export function openLogReader(target: Target, passphrase: string | undefined): LogReader {
  const sealers = new Map<string, Promise<BackupSealer>>()
  let sealing: FileSealing | undefined
  return { read, readSealing: () => sealing }

  async function* read({ name, chain, from }: LogFileName): AsyncGenerator<Chunk> {
    const parts: Uint8Array[] = []
    for await (const part of target.read(name)) parts.push(part)
    const file = Buffer.concat(parts)
    const headEnd = file.subarray(0, longestHeadBytes).indexOf('\n')
    const { id, sealed } = readJson(FileHead, file.toString('utf8', 0, Math.max(0, headEnd)), name)
    if (sealed && passphrase === undefined)
      throw new BackupError(
        'the continuous backup is sealed, and no passphrase was given',
        'set PROOFGATE_BACKUP_PASSPHRASE, or the file that PROOFGATE_BACKUP_PASSPHRASE_FILE names',
      )
    const opening = sealed && (sealers.get(id) ?? openSealer(passphrase!, { id, sealed, name }))
    if (opening) sealers.set(id, opening)
    const sealer = (await opening) ?? undefined
    sealing = { id, sealed, sealer }
    yield* unpackChunks(file, headEnd + 1, name, { sealer, chain, first: from })
  }
}
