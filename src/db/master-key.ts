/** The key that seals secrets at rest: given by the configuration, else made once in the data folder. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { giveToOwner } from './file-owner.ts'
import { MendableError } from './folder-state.ts'
import { syncFolder } from './sync-file.ts'

export class MasterKeyError extends MendableError {
  override readonly name = 'MasterKeyError'
}

const form = /^[0-9a-fA-F]{64}$/

/** 32 bytes. A folder of `undefined` (memory only) gets a key that dies with the process. */
export function requireMasterKey(configured: string | undefined, folder: string | undefined): Uint8Array {
  if (configured) return Buffer.from(configured, 'hex')
  if (folder === undefined) return randomBytes(32)
  const file = join(folder, 'master.key')
  const text = readKey(file) ?? makeKey(file)
  if (!form.test(text))
    throw new MasterKeyError(
      `${file} does not hold 64 hexadecimal digits`,
      `restore it from a backup. Sealed contents cannot be read without it`,
    )
  return Buffer.from(text, 'hex')
}

/** Writes a key that is in use into a new folder. Errors: MasterKeyError where another one is there. */
export function placeMasterKey(folder: string, key: Uint8Array): void {
  const file = join(folder, 'master.key')
  const text = Buffer.from(key).toString('hex')
  if ((readKey(file) ?? makeKey(file, text)).toLowerCase() !== text)
    throw new MasterKeyError(`${file} holds another key`, 'move it away, or name another folder')
}

function readKey(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new MasterKeyError(
      `cannot read ${file}: ${(error as Error).message}`,
      'make it a file that this user may read, or restore it from a backup',
    )
  }
}

/**
 * The key is written aside, flushed and then linked into place. A crash leaves either no key or a whole one. Two
 * simultaneous starts both get the first one's key.
 */
function makeKey(file: string, text = randomBytes(32).toString('hex')): string {
  const aside = `${file}.${randomBytes(8).toString('hex')}`
  const handle = openSync(aside, 'wx', 0o600)
  try {
    writeSync(handle, `${text}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  giveToOwner(join(dirname(file), 'proofgate.sqlite'), aside)
  try {
    linkSync(aside, file)
    // Before anything is sealed by it.
    syncFolder(dirname(file))
    return text
  } catch (error) {
    const winner = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKey(file) : undefined
    if (winner === undefined) throw error
    return winner
  } finally {
    rmSync(aside)
  }
}
