/**
 * Ships the log of the database to the place of the backups, as it grows. Many small files would be left there, so they
 * are put together after a while.
 */
import type { Taken } from '../../db/log-feed.ts'
import { readFrameBytes } from '../../db/log-frames.ts'
import { type FileSealing, makeFileSealing } from '../journal-files.ts'
import { putFile } from '../put-file.ts'
import type { Target } from '../targets/target.ts'
import { countBytes } from './chunk.ts'
import type { CommitTime } from './commit-times.ts'
import { listLogFiles, nameLogFile, openLogReader, writeFileHead } from './log-files.ts'
import { type ChainNews, type KeptEnd, openPacker, type PackedChunk, type Packer, type ShipNews } from './packer.ts'

export type ShipReport =
  /** It is known what the place holds. */
  | { readonly kind: 'opened' }
  /** The writer need not keep frames before it. */
  | { readonly kind: 'taken'; readonly taken: Taken }
  | ({ readonly kind: 'chain' } & ChainNews)
  /** Everything that was committed until `at`, in Unix milliseconds, is at the place. */
  | { readonly kind: 'shipped'; readonly at: number; readonly bytes: number }

export interface ShipperOptions {
  readonly databaseFile: string
  readonly target: Target
  readonly keyMark: number
  /** Undefined: what is shipped is not sealed. */
  readonly passphrase: string | undefined
  readonly formerTimes: readonly CommitTime[]
  readonly tell: (report: ShipReport) => void
}

export interface Shipper {
  take(news: readonly ShipNews[]): void
  /** Ships what is known. After an error it goes on where it was. Errors: BackupError, those of the place. */
  ship(): Promise<void>
}

/** Chunks of one chain, as one file. */
interface Batch {
  readonly name: string
  readonly chunks: readonly PackedChunk[]
  readonly bytes: number
}

const mostFileBytes = 16 * 1_048_576
const mergeBytes = 8 * 1_048_576
/** A file of more is left as it is: merged, it would be written twice. */
const smallBytes = 1_048_576
const mergeAfterMs = 60_000

export function openShipper(options: ShipperOptions): Shipper {
  const { databaseFile, target, keyMark, tell } = options
  let sealing: FileSealing
  const early: ShipNews[] = []
  let packer: Packer | undefined
  /** Packed, and not at the place yet. */
  let waiting: Batch | undefined
  let tried: Batch | undefined
  let following: PackedChunk | undefined
  let small: { readonly batches: Batch[]; readonly since: number } | undefined

  async function open(): Promise<Packer> {
    const kept = await findKeptEnd(options)
    sealing = kept?.sealing ?? (await makeFileSealing(options.passphrase))
    const opened = openPacker({
      databaseFile,
      sealer: sealing.sealer,
      kept: kept?.end,
      formerTimes: options.formerTimes,
      tellChain: (chain) => tell({ kind: 'chain', ...chain }),
    })
    opened.take(early.splice(0))
    tell({ kind: 'opened' })
    return opened
  }

  function collect(from: Packer): Batch | undefined {
    const chunks: PackedChunk[] = []
    let bytes = 0
    while (bytes < mostFileBytes) {
      const chunk = following ?? from.next()
      following = undefined
      if (!chunk) break
      if (chunks[0] && chunks[0].chain !== chunk.chain) {
        following = chunk
        break
      }
      chunks.push(chunk)
      bytes += chunk.logBytes
      tellTaken(chunk, false)
    }
    return chunks.length > 0 ? makeBatch(chunks) : undefined
  }

  function makeBatch(chunks: readonly PackedChunk[]): Batch {
    const [first, last] = [chunks[0]!, chunks.at(-1)!]
    const range = { from: first.index, to: last.index, firstAt: first.firstAt, lastAt: last.lastAt }
    return {
      name: nameLogFile({ keyMark, chain: first.chain, ...range }),
      chunks,
      bytes: countBytes(chunks.flatMap(({ packed }) => packed)),
    }
  }

  function tellTaken({ end: { salt, frames } }: PackedChunk, isShipped: boolean): void {
    tell({ kind: 'taken', taken: { salt, frames, heldBytes: packer?.countHeldBytes() ?? 0, isShipped } })
  }

  const put = ({ name, chunks }: Batch): Promise<void> =>
    putFile(target, name, writeFileHead(sealing), ...chunks.flatMap(({ packed }) => packed))

  async function merge(batch: Batch): Promise<void> {
    if (small && small.batches[0]!.chunks[0]!.chain !== batch.chunks[0]!.chain) small = undefined
    if (batch.bytes < smallBytes) {
      small ??= { batches: [], since: performance.now() }
      small.batches.push(batch)
    }
    if (!small) return
    const { batches, since } = small
    const isEnough = sum(batches) >= mergeBytes || performance.now() - since >= mergeAfterMs
    if (!isEnough && batch.bytes < smallBytes) return
    small = undefined
    if (batches.length === 1) return
    await put(makeBatch(batches.flatMap(({ chunks }) => chunks)))
    for (const { name } of batches) await target.remove(name)
  }

  return {
    take(news) {
      if (packer) packer.take(news)
      else early.push(...news)
    },

    async ship() {
      packer ??= await open()
      while (true) {
        waiting ??= collect(packer)
        if (!waiting) return
        const shipped = waiting
        // The place may have taken it, and only the answer was lost.
        if (tried === shipped) await target.remove(shipped.name)
        tried = shipped
        await put(shipped)
        waiting = undefined
        const last = shipped.chunks.at(-1)!
        tellTaken(last, true)
        tell({ kind: 'shipped', at: last.lastAt, bytes: shipped.bytes })
        await merge(shipped)
      }
    },
  }
}

const sum = (batches: readonly Batch[]): number => batches.reduce((total, { bytes }) => total + bytes, 0)

/** Undefined where there is none, or where it cannot be read: then another chain begins. */
async function findKeptEnd({ target, keyMark, passphrase }: ShipperOptions): Promise<Kept | undefined> {
  const newest = (await listLogFiles(target, keyMark)).at(-1)
  if (!newest) return undefined
  const reader = openLogReader(target, passphrase)
  let kept: KeptEnd | undefined
  try {
    for await (const { head, bytes, hash } of reader.read(newest)) {
      const { chain, index, salt, to, pageBytes } = head
      const lastFrame = bytes.slice(-readFrameBytes({ pageBytes }))
      kept = { chain, nextIndex: index + 1, hash, at: newest.lastAt, salt, frames: to, lastFrame }
    }
  } catch {
    return undefined
  }
  const sealing = reader.readSealing()
  const isSealedAlike = (sealing?.sealer === undefined) === (passphrase === undefined)
  return kept && sealing && isSealedAlike ? { end: kept, sealing } : undefined
}

/** Files that are sealed alike are opened by one working out of the passphrase, which takes a third of a second. */
interface Kept {
  readonly end: KeptEnd
  readonly sealing: FileSealing
}
