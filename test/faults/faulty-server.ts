/**
 * Runs Proofgate as its own process on a machine that fails on command (see faults.c for the possible faults). Needs a
 * C compiler (Debian: gcc, libc6-dev) and Linux.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../parts/program.ts'

/** In the order of `struct control` in faults.c. */
const fields = [
  'clockOffsetMs',
  'syncErrno',
  'syncLies',
  'syncDelayMs',
  'writeErrno',
  'readErrno',
  'locksLie',
  'syncs',
  'failedSyncs',
  'liedSyncs',
  'delayedSyncs',
  'failedWrites',
  'failedReads',
  'liedLocks',
] as const
type Field = (typeof fields)[number]

export const { EIO, ENOSPC, EROFS } = constants.errno as Record<'EIO' | 'ENOSPC' | 'EROFS', number>

export interface Faults {
  /** Values stay set until they are changed, also over a restart of the process. */
  set(values: Partial<Record<Field, number>>): void
  get(field: Field): number
  /** The disk is whole again. The clock stays as it is. */
  mendDisk(): void
  close(): void
}

const healthy = { syncErrno: 0, syncLies: 0, syncDelayMs: 0, writeErrno: 0, readErrno: 0, locksLie: 0 }

function openFaults(file: string): Faults {
  if (!existsSync(file)) writeFileSync(file, Buffer.alloc(fields.length * 8))
  const descriptor = openSync(file, 'r+')
  const cell = Buffer.alloc(8)
  const set: Faults['set'] = (values) => {
    for (const [field, value] of Object.entries(values)) {
      cell.writeBigInt64LE(BigInt(Math.round(value)))
      writeSync(descriptor, cell, 0, 8, fields.indexOf(field as Field) * 8)
    }
  }
  return {
    set,
    get(field) {
      readSync(descriptor, cell, 0, 8, fields.indexOf(field) * 8)
      return Number(cell.readBigInt64LE())
    },
    mendDisk: () => set(healthy),
    close: () => closeSync(descriptor),
  }
}

let library: string | undefined
/** Compiled once per run, into a folder that goes with the process. */
export function faultLibrary(): string {
  if (library) return library
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-faults-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'faults.so')
  const source = new URL('faults.c', import.meta.url).pathname
  const { exitCode, stderr } = Bun.spawnSync(['cc', '-shared', '-fPIC', '-O2', '-o', file, source, '-ldl', '-lpthread'])
  if (exitCode !== 0) throw new Error(`faults.c was not compiled (Debian: apt-get install gcc libc6-dev): ${stderr}`)
  library = file
  return file
}

/** Paths of a stage's parts, below its folder. */
export const dataFolder = (folder: string): string => join(folder, 'data')
export const journalFile = (folder: string): string => join(folder, 'journal')

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

export interface FaultyServer {
  readonly url: string
  readonly faults: Faults
  /** Lines that the server has logged so far, in order. A line that is no JSON has the level `raw`. */
  readonly log: LogLine[]
  readonly exited: Promise<number>
  /**
   * SIGKILL: no handler runs. Writes in the system's memory still reach the disk; power-cut.ts simulates their loss.
   */
  kill(): Promise<void>
  /** SIGTERM; the exit code. */
  stop(): Promise<number>
  signal(signal: NodeJS.Signals): void
}

export interface FaultyOptions {
  readonly env?: Record<string, string>
  /** Keeps a journal for the simulation of a power cut. */
  readonly isJournaled?: boolean
}

export class StartError extends Error {
  override readonly name = 'StartError'
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message)
  }
}

/** Faults can be set before the start: `openStage` gives them. */
export interface Stage {
  readonly folder: string
  readonly faults: Faults
  start(options?: FaultyOptions): Promise<FaultyServer>
}

/** A folder with `data`, and beside it the file that controls the faults. */
export function openStage(folder: string): Stage {
  mkdirSync(dataFolder(folder), { recursive: true })
  const control = join(folder, 'control')
  const faults = openFaults(control)
  return {
    folder,
    faults,
    async start({ env = {}, isJournaled = false } = {}) {
      const child = Bun.spawn([...program, 'serve', '--json'], {
        cwd: folder,
        env: {
          PATH: process.env.PATH ?? '',
          PROOFGATE_DATA: dataFolder(folder),
          PROOFGATE_PORT: '0',
          PROOFGATE_LOG_FORMAT: 'json',
          ...env,
          LD_PRELOAD: faultLibrary(),
          FAULTS_CONTROL: control,
          FAULTS_FOLDER: dataFolder(folder),
          FAULTS_JOURNAL: isJournaled ? journalFile(folder) : '',
        },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const log: LogLine[] = []
      const logEnded = readLines(child.stderr, (line) => log.push(parseLine(line)))
      const ready = Promise.withResolvers<string | undefined>()
      void readLines(child.stdout, (line) => ready.resolve(line)).then(() => ready.resolve(undefined))
      const line = await ready.promise
      if (!line?.includes('"port":')) {
        const code = await child.exited
        await logEnded
        throw new StartError(
          `the server did not start: ${line ?? ''} ${log.map(({ message, error = '' }) => `${message} ${error}`).join('\n')}`,
          code,
        )
      }
      return {
        url: `http://127.0.0.1:${JSON.parse(line).port}`,
        faults,
        log,
        exited: child.exited,
        async kill() {
          child.kill('SIGKILL')
          await child.exited
          await logEnded
        },
        async stop() {
          child.kill('SIGTERM')
          const code = await child.exited
          await logEnded
          return code
        },
        signal: (signal) => child.kill(signal),
      }
    },
  }
}

export const startFaultyServer = (folder: string, options?: FaultyOptions): Promise<FaultyServer> =>
  openStage(folder).start(options)

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line)
  } catch {
    return { level: 'raw', message: line }
  }
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
  if (rest !== '') take(rest)
}
