/**
 * Everything here relies on file locks: one process for each folder, and SQLite itself. Some file systems accept a lock
 * and keep none. So before a folder's first use, a second process tries to take a lock that this one holds. It is a
 * separate process, because file locks do not exclude their own process. The folder remembers the proof, for this
 * folder on this mount: a copy elsewhere is proved again.
 */
import { Database } from 'bun:sqlite'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveToOwner } from './file-owner.ts'
import { DataFolderError } from './folder-state.ts'
import { explainUnshared, findMount } from './mounts.ts'

/** Longer than any machine needs to start a process that does nothing. */
const waitMs = 10_000

/** Comes to its end when it gets the lock, and else with the error of SQLite. */
const writeAttempt = (file: string): string =>
  `new (require('bun:sqlite').Database)(${JSON.stringify(file)}, { readwrite: true, create: false }).run('BEGIN EXCLUSIVE')`

/** Throws DataFolderError when locks do not work. It passes when that cannot be determined. */
export async function requireLocks(folder: string, { trustLocks = false } = {}): Promise<void> {
  if (trustLocks) return
  requireSharedLocks(folder)
  const mount = findMount(folder)
  const place = identifyPlace(folder, mount)
  const memory = join(folder, 'proofgate.sqlite.locks')
  if (place === undefined || readIfThere(memory) === place) return
  const proof = await proveHolding(folder)
  if (proof === 'broken')
    throw makeWithoutLocksError(folder, 'a second process was given a lock that the first one held')
  if (proof === 'refused') throw makeWithoutLocksError(folder, 'it has no locks')
  if (proof === 'hold') keepProof(folder, memory, place)
}

/** Throws DataFolderError where the mount says that locks are not shared. Writes nothing. */
export function requireSharedLocks(folder: string, { trustLocks = false } = {}): void {
  const mount = trustLocks ? undefined : findMount(folder)
  const notShared = mount && explainUnshared(mount)
  if (notShared) throw makeWithoutLocksError(folder, notShared)
}

const makeWithoutLocksError = (folder: string, why: string): DataFolderError => {
  const type = findMount(folder)?.type
  return new DataFolderError(
    `the file system of ${folder}${type ? ` (${type})` : ''} does not keep file locks: ${why}. Without them two servers, or a command beside the server, would destroy the database`,
    `Put the data folder on a local disk, or mount it with locks. Where this process alone can reach the folder, PROOFGATE_STORAGE_TRUST_LOCKS=true (setting storage.trust_locks) starts anyway`,
  )
}

function identifyPlace(folder: string, mount: ReturnType<typeof findMount>): string | undefined {
  try {
    const { dev, ino } = statSync(folder)
    return Bun.SHA256.hash(JSON.stringify([dev, ino, mount]), 'hex')
  } catch {
    return undefined
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

function keepProof(folder: string, memory: string, place: string): void {
  try {
    writeFileSync(memory, `${place}\n`, { mode: 0o600 })
    giveToOwner(join(folder, 'proofgate.sqlite'), memory)
  } catch {
    // On a full disk, for one: the next start proves it again.
  }
}

async function proveHolding(folder: string): Promise<'hold' | 'broken' | 'refused' | 'unknown'> {
  const file = join(folder, `.locks-${crypto.randomUUID()}`)
  let held: Database | undefined
  try {
    held = new Database(file, { create: true, readwrite: true })
    held.run('BEGIN EXCLUSIVE')
    return await askSecond(file)
  } catch (error) {
    // No other process knows this file, so "busy" means that the file system has no locks.
    return (error as { code?: string }).code === 'SQLITE_BUSY' ? 'refused' : 'unknown'
  } finally {
    held?.close()
    if (held) for (const end of ['', '-journal']) rmSync(`${file}${end}`, { force: true })
  }
}

/** The executable also runs a text when it is told to be Bun. The rest of the environment is not passed on. */
async function askSecond(file: string): Promise<'hold' | 'broken' | 'unknown'> {
  const child = Bun.spawn([process.execPath, '-e', writeAttempt(file)], {
    cwd: '/',
    env: { BUN_BE_BUN: '1' },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: waitMs,
    killSignal: 'SIGKILL',
  })
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code === 0) return 'broken'
  return /database is locked|SQLITE_BUSY/.test(said) ? 'hold' : 'unknown'
}
