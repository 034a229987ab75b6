/** Backups in a folder. A file gets its name when it is whole and on disk. */
import { createReadStream, existsSync } from 'node:fs'
import { link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../db/sync-file.ts'
import { isUnfinished, nameUnfinished, removeAbandoned } from '../../db/unfinished-files.ts'
import { BackupError } from '../fault.ts'
import { type OpenNewFile, openAside } from './open-file.ts'
import type { Kept, Sink, Target } from './target.ts'

const readBytes = 1_048_576

export function openFolderTarget(folder: string, openFile: OpenNewFile = openAside): Target {
  return {
    title: folder,

    async create(name) {
      const file = join(folder, name)
      await explain(folder, () => mkdir(dirname(file), { recursive: true, mode: 0o700 }))
      const aside = nameUnfinished(file)
      const handle = await explain(folder, () => openFile(aside))
      const abandon = async (): Promise<void> => {
        await handle.close().catch(() => {})
        await rm(aside, { force: true })
      }
      return {
        write: (bytes) => explain(folder, () => handle.write(bytes)),
        abandon,
        async finish() {
          await explain(folder, async () => {
            await handle.sync()
            await handle.close()
            // Unlike a move, it replaces no other file.
            await link(aside, file).catch((error) => {
              throw error.code === 'EEXIST' ? makeTaken(file) : error
            })
            await rm(aside)
            syncFolder(dirname(file))
          })
        },
      } satisfies Sink
    },

    async *read(name) {
      try {
        yield* createReadStream(join(folder, name), { highWaterMark: readBytes })
      } catch (error) {
        throw explainReading(error, join(folder, name), 'name the file of a backup, or the folder that holds it')
      }
    },

    readPart: (name, from, bytes) =>
      Bun.file(join(folder, name))
        .slice(from, from + bytes)
        .bytes()
        .catch((error) => {
          throw explainReading(error, join(folder, name), 'see to its disk')
        }),

    async list(prefix) {
      const found: Kept[] = []
      for (const name of await listNames(folder, prefix)) {
        const { size } = await stat(join(folder, name))
        found.push({ name, bytes: size })
      }
      return found
    },

    listNames: (prefix) => listNames(folder, prefix),

    remove: (name) => explain(folder, () => rm(join(folder, name), { force: true })),

    exists: async () => existsSync(folder),

    async clear() {
      return existsSync(folder) ? explain(folder, async () => removeAbandoned(folder)) : []
    },
  }
}

/** Below a folder of the prefix, if it has one. */
async function listNames(folder: string, prefix: string): Promise<string[]> {
  const under = prefix.includes('/') ? dirname(`${prefix}.`) : ''
  try {
    const found = await readdir(join(folder, under), { withFileTypes: true })
    return found
      .filter((entry) => entry.isFile() && !isUnfinished(entry.name))
      .map(({ name }) => (under ? `${under}/${name}` : name))
      .filter((name) => name.startsWith(prefix))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw explainReading(error, folder, 'name a folder that this user may read')
  }
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  ENOTDIR: 'a part of the path is a file',
  EIO: 'its disk answered with an error',
}

function explainReading(error: unknown, path: string, mend: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? error : new BackupError(`${path} cannot be read (${unreadable[code] ?? code})`, mend)
}

const makeTaken = (file: string): BackupError =>
  new BackupError(
    `there is a file ${file} already, and a backup replaces none`,
    'name another file, or move that one away',
  )

async function explain<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explainFault(error, folder)
  }
}

const faults: Readonly<Record<string, readonly [happened: string, mend: string]>> = {
  ENOSPC: ['its disk is full', 'free some space there, or name another place'],
  EDQUOT: ['the disk quota of this user is used up', 'free some space there, or name another place'],
  EACCES: ['no permission', 'make it a folder that this user may write to, or name another place'],
  EPERM: ['no permission', 'make it a folder that this user may write to, or name another place'],
  EROFS: ['its disk is mounted read-only', 'mount it for writing, or name another place'],
  EEXIST: ['there is a file of that name', 'move that file away, or name another one'],
  ENOTDIR: ['a part of the path is a file', 'name another place'],
  ENOENT: ['it is not there', 'see whether its disk is mounted, or name another place'],
  EIO: ['its disk answered with an error', 'see the log of the kernel, or name another place'],
}

function explainFault(error: unknown, folder: string): unknown {
  const known = faults[(error as NodeJS.ErrnoException).code ?? '']
  return known ? new BackupError(`the backup cannot be kept at ${folder} (${known[0]})`, known[1]) : error
}
