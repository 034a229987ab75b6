/** The key of a local wallet in its own file: created on first use, and readable only by its owner. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Terminal, UnavailableError, UsageError } from './command.ts'

/** The signature method of a key: EVM wallets use eip191, Solana and its kin ed25519. */
export type KeyKind = 'eip191' | 'ed25519'

export interface LocalWallet {
  /** EIP-55, or base58 of an Ed25519 key. */
  readonly address: string
  /** EIP-191 in hex, or Ed25519 over the bare text in base58. */
  sign(text: string): Promise<string>
  readonly file: string
  /** It was created just now. */
  readonly isNew: boolean
}

const usualNames = { eip191: 'wallet.key', ed25519: 'wallet-ed25519.key' } as const

/** One wallet of each kind for a person, whatever the current folder. Errors: UsageError. */
export function locateKeyFile({ env }: Pick<Terminal, 'env'>, kind: KeyKind = 'eip191'): string {
  const { XDG_CONFIG_HOME, HOME, USERPROFILE } = env
  const home = HOME || USERPROFILE
  const folder = XDG_CONFIG_HOME || (home && join(home, '.config'))
  if (folder) return join(folder, 'proofgate', usualNames[kind])
  throw new UsageError('there is no home folder (HOME is not set): name a file for the key with --key FILE')
}

/** Errors: UsageError, UnavailableError. */
export async function openWallet(
  file: string | undefined,
  terminal: Pick<Terminal, 'env' | 'cwd'>,
  kind: KeyKind = 'eip191',
): Promise<LocalWallet> {
  const path = file === undefined ? locateKeyFile(terminal, kind) : resolve(terminal.cwd, file)
  const existing = readKey(path)
  const key = existing ?? makeKey(path)
  const signer = kind === 'ed25519' ? await openEd25519(key) : await openEip191(key, path)
  return { ...signer, file: path, isNew: existing === undefined }
}

type Signer = Pick<LocalWallet, 'address' | 'sign'>

/** Errors: UsageError. */
async function openEip191(key: string, path: string): Promise<Signer> {
  // Loaded only here: few commands need a wallet.
  const { privateKeyToAccount } = await import('viem/accounts')
  try {
    const account = privateKeyToAccount(`0x${key}`)
    return { address: account.address, sign: (message) => account.signMessage({ message }) }
  } catch {
    throw new UsageError(`${path} does not hold a usable key: it is zero, or not below the order of the curve`)
  }
}

/** The key is the seed of RFC 8032: any 32 bytes are one. */
async function openEd25519(key: string): Promise<Signer> {
  const [{ ed25519 }, { base58 }] = await Promise.all([import('@noble/curves/ed25519.js'), import('@scure/base')])
  const seed = Uint8Array.from(Buffer.from(key, 'hex'))
  return {
    address: base58.encode(ed25519.getPublicKey(seed)),
    sign: async (message) => base58.encode(ed25519.sign(new TextEncoder().encode(message), seed)),
  }
}

const windowsHasNoModes = process.platform === 'win32'

function readKey(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (!stat.isFile()) throw new UsageError(`${path} is not a file: name another one with --key FILE`)
  if (!windowsHasNoModes && (stat.mode & 0o077) !== 0)
    throw new UsageError(
      `others may read the key in ${path}: run "chmod 600 ${path}", or use a new one with --key FILE`,
    )
  const key = /^(?:0x)?([0-9a-fA-F]{64})\r?\n?$/.exec(read(path))?.[1]
  if (key === undefined)
    throw new UsageError(`${path} does not hold a key (64 hexadecimal digits): name another file with --key FILE`)
  return key.toLowerCase()
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1').slice(0, 1024)
  } catch (error) {
    throw new UnavailableError(`the key in ${path} cannot be read (${(error as Error).message})`)
  }
}

function makeKey(path: string): string {
  const key = randomBytes(32).toString('hex')
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    // Lost the race: the other process's wallet is used.
    const theirs = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKey(path) : undefined
    if (theirs !== undefined) return theirs
    throw new UnavailableError(
      `no key can be made in ${path} (${(error as Error).message}): name another file with --key FILE`,
    )
  }
}
