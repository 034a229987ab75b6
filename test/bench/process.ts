import { readFileSync } from 'node:fs'

/** Reads figures of a process from the operating system. Linux only; elsewhere undefined, printed as "not measured". */

/** Linux counts CPU time in ticks; the kernel shows 100 per second to programs, whatever it uses itself. */
const ticksPerSecond = 100

/** User and system time of all threads. */
export function cpuSeconds(pid: number): number | undefined {
  // The command name, second field, may hold spaces and parentheses: count from the last parenthesis on.
  const fields = readProc(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

export function rssMegabytes(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
