/** Finds the process that still has a deleted file open, where the system reports it: Linux. */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Never throws, and changes nothing. Only root sees processes of other users. */
export function findDeletedHolder(file: string): number | undefined {
  const deleted = `${resolveDeleted(file)} (deleted)`
  const found = listNames('/proc').find(
    (name) => /^\d+$/.test(name) && listNames(`/proc/${name}/fd`).some((fd) => readTarget(name, fd) === deleted),
  )
  return found === undefined ? undefined : Number(found)
}

/** The system names it without links, as the file was when it was opened. */
function resolveDeleted(file: string): string {
  const above = dirname(file)
  try {
    return realpathSync(file)
  } catch {
    return above === file ? file : join(resolveDeleted(above), basename(file))
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readTarget(pid: string, fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    // Closed between the two looks.
    return undefined
  }
}
