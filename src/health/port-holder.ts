/**
 * Finds the process that holds a port of this machine. Only Linux reports it, and only processes that this user may
 * inspect.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface PortHolder {
  readonly pid: number
  /** As the system calls the program: at most 15 letters. */
  readonly name: string
}

/** State of a socket that listens, in /proc/net/tcp. */
const listening = '0A'

/** Never throws: without an answer the message is only shorter. */
export function findPortHolder(port: number): PortHolder | undefined {
  const sockets = new Set([...listInodes('/proc/net/tcp', port), ...listInodes('/proc/net/tcp6', port)])
  if (sockets.size === 0) return undefined
  const links = new Set([...sockets].map((inode) => `socket:[${inode}]`))
  const pid = listIfAllowed('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .find((name) => listIfAllowed(`/proc/${name}/fd`).some((fd) => links.has(linkIfAllowed(`/proc/${name}/fd/${fd}`))))
  if (pid === undefined) return undefined
  // Printed on a terminal, so nothing but what can be seen.
  const name = readIfAllowed(`/proc/${pid}/comm`)
    .trim()
    .replace(/[^\x20-\x7e]/g, '?')
  return { pid: Number(pid), name }
}

/** `  0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 12345 …` */
function listInodes(file: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readIfAllowed(file)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === listening && local?.endsWith(`:${hex}`))
    .flatMap((fields) => fields[9] ?? [])
}

function readIfAllowed(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function listIfAllowed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkIfAllowed(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
