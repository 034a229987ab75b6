/** The text that `proofgate sign` signs: from a file, from standard input, or from an answer of standardize. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isStreamSafe, unsafeTextFault } from '../stream-safe.ts'
import { RefusedError } from './client.ts'
import { type Terminal, UnavailableError, UsageError } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'

const textLimit = 1_048_576

/**
 * `-` is standard input. Without `isExact`, one line feed at the very end is removed. Errors: UsageError,
 * UnavailableError.
 */
export async function readText(source: string, isExact: boolean, terminal: Terminal): Promise<string> {
  const read = await readUtf8(source, terminal)
  const text = isExact ? read : read.replace(/\r?\n$/, '')
  if (text === '') throw new UsageError('there is no text to sign: it is empty')
  if (isStreamSafe(text)) return text
  // No server accepts a signature over such a text.
  throw new UsageError(`the text ${unsafeTextFault}`)
}

/** As far as it can be believed. */
interface Prepared {
  readonly data?: { readonly signerString?: unknown }
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

/** `address` is the only wallet that the text may be for. Errors: RefusedError, UsageError, UnavailableError. */
export async function readPreparedText(source: string, address: string, terminal: Terminal): Promise<string> {
  const { data, error } = parsePrepared(await readUtf8(source, terminal))
  if (error) throw new RefusedError(`standardize was refused, ${escapeInvisible(`${error.code}: ${error.message}`)}`)
  const text = data?.signerString
  if (typeof text !== 'string') throw makeNoAnswerError()
  const wallet = sixLines.exec(text)?.[1]
  if (wallet === undefined || !isStreamSafe(text))
    throw new RefusedError('the signerString of the answer is not the text of a claim, so nothing was signed')
  if (wallet === address || (address.startsWith('0x') && wallet === address.toLowerCase())) return text
  throw new RefusedError(
    `the text is for the wallet ${escapeInvisible(wallet)}, and the key is that of ${address}, so nothing was signed: give the address of "proofgate sign --address" as walletAddress`,
  )
}

/** Under any title. */
const sixLines =
  /^[^\n]{1,200}\nWallet: ([^\n]{1,200})\nChain: [^\n]+\nVerifiers: [^\n]+\nData: [^\n]*\nTimestamp: [0-9]+$/

const makeNoAnswerError = (): RefusedError =>
  new RefusedError('this is not an answer of standardize, which is JSON with data.signerString. Nothing was signed')

function parsePrepared(json: string): Prepared {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // As below.
  }
  throw makeNoAnswerError()
}

async function readUtf8(source: string, terminal: Terminal): Promise<string> {
  const bytes = source === '-' ? await readInput(terminal) : readFile(resolve(terminal.cwd, source))
  if (bytes.length > textLimit) throw new UsageError('the text is longer than 1 MiB')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UsageError('the text is not UTF-8')
  }
}

async function readInput({ input }: Terminal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of input()) {
    chunks.push(chunk)
    size += chunk.length
    if (size > textLimit) break
  }
  return Buffer.concat(chunks)
}

function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EISDIR') throw new UsageError(`there is no file ${path}`)
    throw new UnavailableError(`${path} cannot be read (${message})`)
  }
}
