/**
 * The operator's list of sanctioned wallets: a file with an address in each line, read again when it changes. An
 * unreadable list, or one with an invalid line, answers no question. It never counts as empty.
 *
 * Replace the file in one step (mv): a list that is written slowly may be read half.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { OutsideError } from '../failure.ts'
import { makeWalletKey } from './chains.ts'

export interface DenyList {
  /** Accepts every spelling of the wallet. Errors: OutsideError. */
  has(address: string): Promise<boolean>
  /** Errors: OutsideError. */
  state(): Promise<{ readonly entries: number /** Unix milliseconds. */; readonly changedAt: number }>
}

export const denyListSetting = 'risk.deny_list'

/** About 1.5 million addresses. */
const largestBytes = 64 * 1024 * 1024
/** The number of reads when the file changes during a read. */
const reads = 3
/** Other requests are served in between. */
const linesAtOnce = 50_000

interface Loaded {
  readonly version: string
  readonly changedAt: number
  readonly wallets: ReadonlySet<string>
}

export function openDenyList(path: string): DenyList {
  let loaded: Loaded | undefined
  let underWay: Promise<Loaded> | undefined

  const readCurrentList = (): Promise<Loaded> => {
    underWay ??= readFreshest(path, loaded)
      .then((list) => (loaded = list))
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }
  return {
    has: async (address) => (await readCurrentList()).wallets.has(makeWalletKey(address)),
    async state() {
      const { wallets, changedAt } = await readCurrentList()
      return { entries: wallets.size, changedAt }
    },
  }
}

async function readFreshest(path: string, known: Loaded | undefined): Promise<Loaded> {
  // Does not wait for a writer, in case it is a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(throwUnreadable)
  try {
    for (let read = 0; read < reads; read++) {
      const before = await readVersion(file)
      if (before.version === known?.version) return known
      const bytes = await file.readFile().catch(throwUnreadable)
      if ((await readVersion(file)).version === before.version) return { ...before, wallets: await readWallets(bytes) }
    }
    throw makeUnusableError('is being written', 'put a new file in its place (mv) instead of writing into it')
  } finally {
    await file.close()
  }
}

async function readVersion(file: FileHandle): Promise<{ readonly version: string; readonly changedAt: number }> {
  const seen = await file.stat({ bigint: true }).catch(throwUnreadable)
  if (!seen.isFile()) throw makeUnusableError('is not a file', 'give the name of a file')
  if (seen.size > largestBytes) throw makeUnusableError(`is larger than ${largestBytes} bytes`, 'shorten the list')
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs } = seen
  return { version: [dev, ino, size, mtimeNs, ctimeNs].join(' '), changedAt: Number(mtimeMs) }
}

async function readWallets(bytes: Uint8Array): Promise<ReadonlySet<string>> {
  const wallets = new Set<string>()
  let number = 0
  for (const line of iterateLines(bytes)) {
    if (++number % linesAtOnce === 0) await setImmediate()
    const entry = line.replace(/#.*/, '').trim()
    if (entry === '') continue
    if (!isAddress(entry))
      throw makeUnusableError(`holds something else than an address in line ${number}`, 'give one address in each line')
    wallets.add(makeWalletKey(entry))
  }
  return wallets
}

function* iterateLines(bytes: Uint8Array): Generator<string> {
  const text = decodeText(bytes)
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    yield text.slice(start, end === -1 ? undefined : end)
    start = end === -1 ? text.length + 1 : end + 1
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw makeUnusableError('is not UTF-8 text', 'save it as text, one address in each line')
  }
}

/**
 * Any network, also those that wallet-risk does not know: published lists hold many. A truncated 0x address is
 * rejected.
 */
const isAddress = (entry: string): boolean =>
  /^0x/i.test(entry) ? /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i.test(entry) : /^[A-Za-z0-9_+/=:-]{20,128}$/.test(entry)

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
}

function throwUnreadable(error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const happened = reasons[code] ?? `cannot be read (${code || 'unknown reason'})`
  throw new OutsideError(
    'unreachable',
    denyListSetting,
    happened,
    'see whether it is there and this server may read it',
  )
}

const makeUnusableError = (happened: string, mend: string): OutsideError =>
  new OutsideError('malformed', denyListSetting, happened, mend)
