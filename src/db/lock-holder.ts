/** Finds the process that holds a lock on a file, where the system reports it: Linux. */
import { readFileSync, statSync } from 'node:fs'

/** Never throws: without an answer the message is only shorter. */
export function findLockHolder(file: string): number | undefined {
  try {
    const { dev, ino } = statSync(file)
    const name = `${nameDevice(dev)}:${ino}`
    // "1: POSIX  ADVISORY  WRITE 4711 08:01:131090 1073741824 1073742335". Processes outside a container are 0 in it.
    const held = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find((fields) => fields[1] === 'POSIX' && fields[3] === 'WRITE' && fields[5] === name)
    const pid = Number(held?.[4])
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** As makedev(3) puts the two numbers together, for the low bits that disks use. */
function nameDevice(dev: number): string {
  const writeHex = (number: number): string => number.toString(16).padStart(2, '0')
  return `${writeHex((dev >>> 8) & 0xfff)}:${writeHex((dev & 0xff) | ((dev >>> 12) & 0xfff00))}`
}
