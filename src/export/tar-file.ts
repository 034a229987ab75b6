/** An export as a tar file: of the same plain files, and nothing else. */
import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Header } from 'tar-stream'
import { nameUnfinished } from '../db/unfinished-files.ts'
import { makeWorkFolder, nameExchangeFolder, removeExchangeLeftovers } from '../db/work-folder.ts'
import { feedTar } from '../feed-tar.ts'
import { copyAgain, ImportError } from './fault.ts'
import { exporters } from './index.ts'
import { manifestFile } from './manifest.ts'

/** Loads with the first file. */
const loadTar = () => require('tar-stream') as typeof import('tar-stream')

/** Writes the files of a folder, the manifest first. Errors: those of the file system and of the sink. */
export async function packFolder(
  folder: string,
  mtime: Date,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const tar = loadTar().pack()
  const flowing = (async () => {
    for await (const chunk of tar) await write(chunk as Uint8Array)
  })()
  // Told to whoever writes next.
  flowing.catch((error) => tar.destroy(error))
  const names = [
    manifestFile,
    ...readdirSync(folder)
      .filter((name) => name !== manifestFile)
      .toSorted(),
  ]
  try {
    for (const name of names) {
      const path = join(folder, name)
      const entry = tar.entry({ name, size: statSync(path).size, mode: 0o600, mtime })
      await pipeline(createReadStream(path), entry)
    }
  } catch (error) {
    // The stream says only that it was closed. The sink says why.
    await flowing
    throw error
  }
  tar.finalize()
  await flowing
}

/** Errors: those of the file system, also where the file is there. */
export async function packIntoFile(folder: string, file: string, mtime: Date): Promise<void> {
  const unfinished = nameUnfinished(file)
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await packFolder(folder, mtime, (chunk) => handle.writeFile(chunk))
    await handle.sync()
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  renameSync(unfinished, file)
}

const known: ReadonlySet<string> = new Set([manifestFile, ...exporters.map(({ name }) => `${name}.jsonl`)])

/** `mine/proofs.jsonl`, as tar names the files of a folder. Undefined for every other name. */
const readName = (name: string): string | undefined => {
  const found = /^(?:\.\/)?(?:[^/\\]+\/)?([a-z-]+\.jsonl?)$/.exec(name)
  const [, file] = found ?? []
  return name.includes('..') || file === undefined || !known.has(file) ? undefined : file
}

export interface Unpacked {
  readonly folder: string
  remove(): void
}

/**
 * Writes the files of a tar into a new folder, which only this user can read: inside the data folder, or beside it where
 * there is none yet. Errors: ImportError, those of the file system. Nothing is left then.
 */
export async function unpackTar(source: AsyncIterable<Uint8Array>, data: string, now: number): Promise<Unpacked> {
  const isThere = existsSync(data)
  if (!isThere) mkdirSync(dirname(data), { recursive: true, mode: 0o700 })
  removeExchangeLeftovers(data, now)
  const work = makeWorkFolder(nameExchangeFolder(isThere ? join(data, 'import') : `${data}.import`))
  try {
    const folder = join(work.path, 'unpacked')
    mkdirSync(folder, { mode: 0o700 })
    await unpackMembers(folder, source)
    return { folder, remove: work.remove }
  } catch (error) {
    work.remove()
    if (error instanceof Error && /^(Invalid tar|Unexpected end|Stream was destroyed)/i.test(error.message))
      throw new ImportError(`the tar file cannot be read (${error.message}): it was cut off or is none`, copyAgain)
    throw error
  }
}

async function unpackMembers(folder: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const tar = loadTar().extract()
  let failed: unknown
  const feeding = feedTar(tar, source).catch((error) => {
    failed = error
    tar.destroy(error as Error)
  })
  const seen = new Set<string>()
  try {
    for await (const entry of tar) {
      const file = readFile(entry.header)
      if (file === undefined) {
        entry.resume()
        continue
      }
      if (seen.has(file))
        throw new ImportError(`the tar file holds ${file} twice`, 'pack the folder of one export, and nothing else')
      seen.add(file)
      const handle = await open(join(folder, file), 'wx', 0o600)
      try {
        for await (const chunk of entry) await handle.writeFile(chunk as Uint8Array)
      } finally {
        await handle.close()
      }
    }
  } catch (error) {
    throw failed ?? error
  } finally {
    tar.destroy()
    await feeding
  }
  if (seen.size === 0) throw new ImportError('the tar file is empty, or is none', copyAgain)
}

/** The file of an export that a member is; undefined for its folder. Errors: ImportError for everything else. */
function readFile({ name, type }: Header): string | undefined {
  if (type === 'directory' && !name.includes('..')) return undefined
  const file = type === 'file' || type === 'contiguous-file' ? readName(name) : undefined
  if (file !== undefined) return file
  throw new ImportError(
    `the tar file holds ${JSON.stringify(name.slice(0, 200))}${type === 'file' ? '' : ` (${type})`}, which is no file of an export`,
    'pack the folder of an export alone',
  )
}
