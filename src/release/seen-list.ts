/**
 * The newest list that was seen, by key, in the data folder: a server that shows an older one, or a copy of it, hides
 * newer releases. Without a data folder nothing is remembered.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { locateDatabaseFile } from '../db/db.ts'
import { giveToOwner } from '../db/file-owner.ts'
import { syncFolder } from '../db/sync-file.ts'
import { ReleaseError, type ReleaseList } from './release-list.ts'

const Seen = Type.Record(Type.String(), Type.Object({ serial: Type.Integer(), date: Type.String() }))

export const locateSeenFile = (folder: string): string => join(folder, 'seen-releases.json')

/** Errors: ReleaseError for a list that is older than one that was seen. */
export function requireNotOlder(folder: string, keyId: string, { serial, date }: ReleaseList): void {
  const seen = readSeen(folder)[keyId]
  if (seen && serial < seen.serial)
    throw new ReleaseError(
      `the list of releases is older than one that was seen before: it has the serial ${serial} of ${date}, and ${seen.serial} of ${seen.date} was seen. Its server is behind, or somebody hides newer releases. If its publisher began anew, delete ${locateSeenFile(folder)}`,
    )
}

/** Whether it could be remembered: a user without rights in the folder may look, too. */
export function rememberList(folder: string, keyId: string, { serial, date }: ReleaseList): boolean {
  const seen = readSeen(folder)
  if (seen[keyId]?.serial === serial) return true
  const file = locateSeenFile(folder)
  const aside = `${file}.${process.pid}`
  try {
    const handle = openSync(aside, 'w', 0o600)
    try {
      writeSync(handle, `${JSON.stringify({ ...seen, [keyId]: { serial, date } }, undefined, 2)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    giveToOwner(locateDatabaseFile(folder), aside)
    renameSync(aside, file)
    syncFolder(dirname(file))
    return true
  } catch {
    rmSync(aside, { force: true })
    return false
  }
}

/** A file that is not as it was written says nothing. */
function readSeen(folder: string): Record<string, { serial: number; date: string }> {
  try {
    const seen: unknown = JSON.parse(readFileSync(locateSeenFile(folder), 'utf8'))
    return Value.Check(Seen, seen) ? seen : {}
  } catch {
    return {}
  }
}
