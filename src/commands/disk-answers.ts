/**
 * Checks that the disk of the data folder answers before a command reads it. A process of its own asks. A thread that
 * waits for a disk often cannot be ended, and keeps its process alive.
 */

import type { Config } from '../config/schema.ts'
import { locateDatabaseFile } from '../db/file-names.ts'

export class SilentDiskError extends Error {
  override readonly name = 'SilentDiskError'
}

const startedWithinMs = 30_000

export interface Asked {
  /** The command will write. */
  readonly forWriting?: boolean
}

/** Throws SilentDiskError after storage.write_timeout_seconds. Any answer suffices, even an error. */
export async function requireAnswer(
  { data: folder, storage: { writeTimeoutSeconds } }: Pick<Config, 'data' | 'storage'>,
  { forWriting = false }: Asked = {},
): Promise<void> {
  const asking = ask(folder, forWriting)
  // On a busy machine the start alone takes time, which says nothing about the disk.
  const started = asking.stdout.getReader()
  await awaitAnswer(Promise.race([asking.exited, started.read()]), startedWithinMs)
  void started.cancel()
  const hasAnswered = await awaitAnswer(asking.exited, writeTimeoutSeconds * 1_000)
  if (hasAnswered) return
  // It ends when the disk answers; no code waits for that.
  asking.kill('SIGKILL')
  asking.unref()
  throw new SilentDiskError(
    `the disk of the data folder ${folder} has not answered for ${writeTimeoutSeconds} s (storage.write_timeout_seconds): see whether it hangs or is frozen (dmesg, fsfreeze), or the network where it is mounted over one, and run this again when it answers`,
  )
}

async function awaitAnswer(ended: Promise<unknown>, ms: number): Promise<boolean> {
  const patience = Promise.withResolvers<false>()
  const timer = setTimeout(() => patience.resolve(false), ms)
  const hasEnded = await Promise.race([ended.then(() => true), patience.promise])
  clearTimeout(timer)
  return hasEnded
}

/** The executable also runs a text when it is told to be Bun. The rest of the environment is not passed on. */
const ask = (folder: string, forWriting: boolean) =>
  Bun.spawn([process.execPath, '-e', writeQuestion(folder, forWriting)], {
    cwd: '/',
    env: { BUN_BE_BUN: '1' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })

/**
 * The same calls as the commands make, without a change: the folder's times are set to their present values. The
 * database is opened as in db/look.ts.
 */
const writeQuestion = (folder: string, forWriting: boolean): string => `
  const fs = require('node:fs')
  const { Database, constants } = require('bun:sqlite')
  const [folder, file, forWriting] = ${JSON.stringify([folder, locateDatabaseFile(folder), forWriting])}
  fs.writeSync(1, 'started')
  fs.statfsSync(folder)
  for (const name of fs.readdirSync(folder)) fs.accessSync(folder + '/' + name)
  if (forWriting) {
    const { atime, mtime } = fs.statSync(folder)
    fs.utimesSync(folder, atime, mtime)
  }
  const address = require('node:url').pathToFileURL(file).href
  const mode = fs.existsSync(file + '-shm') ? '?mode=ro' : '?immutable=1'
  const db = new Database(address + mode, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  db.query('SELECT count(*) FROM sqlite_schema').get()
`
