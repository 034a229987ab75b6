/**
 * Computes the disk's content after a power cut from the system calls that strace recorded. After a failed fsync, the
 * simulated system keeps pages in memory as clean. These never reach the disk unless they are written again.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const pageBytes = 4_096

class TracedFile {
  memory = Buffer.alloc(0)
  disk = Buffer.alloc(0)
  private dirty = new Set<number>()

  write(at: number, bytes: Buffer): void {
    const end = at + bytes.length
    if (end > this.memory.length) this.memory = Buffer.concat([this.memory, Buffer.alloc(end - this.memory.length)])
    bytes.copy(this.memory, at)
    for (let page = Math.floor(at / pageBytes); page * pageBytes < end; page++) this.dirty.add(page)
  }
  /** The new length reaches the disk at once, because this test is not about shorter files. */
  truncate(length: number): void {
    const grown = Buffer.alloc(length)
    this.memory.copy(grown)
    this.memory = grown
    this.disk = Buffer.from(this.disk.subarray(0, length))
  }
  sync(): void {
    const disk = Buffer.alloc(this.memory.length)
    this.disk.copy(disk)
    for (const page of this.dirty) this.memory.copy(disk, page * pageBytes, page * pageBytes, (page + 1) * pageBytes)
    this.disk = disk
    this.dirty.clear()
  }
  failSync(): void {
    this.dirty.clear()
  }
}

const decode = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex')
const nameIn = (text: string): string => basename(decode(text).toString())

/**
 * Writes the database and its log as the disk has them into `target`, and returns that. `cut: 'at the copy'` stops
 * where the last trace first writes to the database; the disk may have that write.
 */
export function diskAfterPowerCut(
  traces: readonly string[],
  target: string,
  cut: 'at the copy' | 'at the end' = 'at the end',
): string {
  const files = new Map<string, TracedFile>()
  const fileOf = (name: string): TracedFile => {
    const file = files.get(name) ?? new TracedFile()
    files.set(name, file)
    return file
  }
  for (const [index, trace] of traces.entries())
    for (const line of joinInterrupted(readFileSync(trace, 'latin1').split('\n'))) {
      const written = /pwrite64\(\d+<([^>]*)>, "([^"]*)", \d+, (\d+)\) += \d+/.exec(line)
      if (written) {
        const file = fileOf(nameIn(written[1]!))
        file.write(Number(written[3]), decode(written[2]!))
        const isCopy = nameIn(written[1]!) === 'proofgate.sqlite'
        if (isCopy && index === traces.length - 1 && cut === 'at the copy') {
          file.sync()
          break
        }
      }
      const synced = /f(?:data)?sync\(\d+<([^>]*)>\) += 0/.exec(line)
      if (synced) fileOf(nameIn(synced[1]!)).sync()
      const shortened = /ftruncate\(\d+<([^>]*)>, (\d+)\) += 0/.exec(line)
      if (shortened) fileOf(nameIn(shortened[1]!)).truncate(Number(shortened[2]))
      const renamed = /rename(?:at2?)?\((?:[^"]*, )?"([^"]*)", (?:[^"]*, )?"([^"]*)"[^)]*\) += 0/.exec(line)
      if (renamed) {
        files.set(nameIn(renamed[2]!), fileOf(nameIn(renamed[1]!)))
        files.delete(nameIn(renamed[1]!))
      }
      const removed = /unlink\("([^"]*)"\) += 0/.exec(line)
      if (removed) files.delete(nameIn(removed[1]!))
      const failed = /access\("([^"]*)"/.exec(line)
      if (failed && decode(failed[1]!).toString().startsWith('/failed-fsync')) fileOf(nameIn(failed[1]!)).failSync()
    }
  mkdirSync(target)
  for (const name of ['proofgate.sqlite', 'proofgate.sqlite-wal'])
    if (files.has(name)) writeFileSync(join(target, name), files.get(name)!.disk)
  return target
}

/** strace writes a call that another thread came between in two halves. */
function* joinInterrupted(lines: readonly string[]): Generator<string> {
  const begun = new Map<string, string>()
  for (const line of lines) {
    const [thread = ''] = line.split(' ', 1)
    const resumed = /<\.\.\. \w+ resumed>(.*)$/.exec(line)
    if (line.endsWith('<unfinished ...>')) begun.set(thread, line.slice(0, -'<unfinished ...>'.length).trimEnd())
    else if (resumed) yield `${begun.get(thread) ?? ''}${resumed[1]}`
    else yield line
  }
}
