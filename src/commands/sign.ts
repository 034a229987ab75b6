/** `proofgate sign`: a local key for people without a wallet. Nothing of a server's data is touched. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseMessage } from '../sessions/message.ts'
import { pastedToken } from '../sessions/pasted-token.ts'
import { isStreamSafe, unsafeTextFault } from '../stream-safe.ts'
import { callsTo, RefusedError } from './client.ts'
import { type Command, exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { readOptions } from './options.ts'
import { serverUrlIn } from './server-url.ts'
import { visible } from './visible.ts'
import { type LocalWallet, openWallet } from './wallet-key.ts'

export const sign: Command = {
  name: 'sign',
  usage: '--url URL | --text FILE|- | --address  [--key FILE] [--json]',
  summary: 'Sign in, or sign a text, with a key in a file: for people and scripts without a wallet.',
  help: [
    '  --url URL      print a token to paste at the sign-in page of that server (for example http://127.0.0.1:8787)',
    '  --text FILE|-  sign a text, such as the signerString of a claim, and print the signature (EIP-191); - reads',
    '                 standard input. A line feed at its very end is not signed.',
    '  --address      print the address of the key',
    '',
    '  --key FILE     the key, 64 hexadecimal digits; made on first use, readable by you only. Without it',
    '                 ~/.config/proofgate/wallet.key, so that you are the same person in every folder.',
    '  --json         one line of JSON',
    '',
    'The token is good for one sign-in within ten minutes, at that server only: whoever has it until then can sign in',
    'as you. Whoever has the key file is you: keep a copy of it, and do not send money to its address.',
    'Exit codes: 0 done, 1 the server refused, 2 wrong call or key file, 69 the server does not answer.',
  ],

  async run(args, terminal) {
    const { values } = readOptions(args, {
      url: { type: 'string' },
      text: { type: 'string' },
      address: { type: 'boolean' },
      key: { type: 'string' },
      json: { type: 'boolean' },
    })
    const wishes = [values.url, values.text, values.address].filter((wish) => wish !== undefined)
    if (wishes.length !== 1) throw new UsageError('say one of --url URL, --text FILE|- and --address')
    const url = values.url === undefined ? undefined : serverUrlIn(values.url)
    const text = values.text === undefined ? undefined : await textIn(values.text, terminal)
    const wallet = await openWallet(values.key, terminal)
    if (wallet.isNew) terminal.err(`Made a new key for ${wallet.address} in ${wallet.file}\n`)

    if (url !== undefined) return signInTo(url, wallet, values.json === true, terminal)
    const { address } = wallet
    if (text === undefined) terminal.out(values.json ? `${JSON.stringify({ address })}\n` : `${address}\n`)
    else {
      const signature = await wallet.sign(text)
      terminal.out(values.json ? `${JSON.stringify({ address, signature })}\n` : `${signature}\n`)
    }
    return exitCodes.done
  },
}

async function signInTo(url: string, wallet: LocalWallet, asJson: boolean, terminal: Terminal): Promise<number> {
  const { address } = wallet
  const { client, told } = callsTo(url, { otherwise: '' })
  try {
    const body = { walletAddress: address }
    const { data } = await client.request<{ data?: SignInText }>('POST', '/api/v1/auth/nonce', { body })
    const { message, expiresAt } = data ?? {}
    if (typeof message !== 'string') throw new RefusedError(`what ${url} answered is no sign-in message`)
    requireHarmless(message, url, address)
    const token = pastedToken({ message, signature: await wallet.sign(message) })
    if (asJson) terminal.out(`${JSON.stringify({ token, address, url, expiresAt })}\n`)
    else {
      terminal.err(`Paste this at ${url}/login within ten minutes. It signs in ${address}, once.\n`)
      terminal.out(`${token}\n`)
    }
    return exitCodes.done
  } catch (thrown) {
    const error = told(thrown)
    if (!(error instanceof RefusedError)) throw error
    terminal.err(`${error.message}\n`)
    return exitCodes.negative
  }
}

/** As far as it can be believed. */
interface SignInText {
  readonly message?: unknown
  readonly expiresAt?: unknown
}

/** The server chose the text: it must sign in to that server and do nothing else. Errors: RefusedError. */
function requireHarmless(text: string, url: string, address: string): void {
  const message = readable(text)
  if (!message || !isSamePlace(message.domain, new URL(url)))
    throw new RefusedError(
      message
        ? `${url} asks to sign in at ${visible(message.domain)}, so nothing was signed: give that address with --url, if you trust it`
        : `what ${url} asks to sign is no sign-in message, so nothing was signed`,
    )
  const isElsewhere = URL.parse(message.uri)?.host !== message.domain
  if (isElsewhere || message.address !== address || (message.resources ?? []).length > 0)
    throw new RefusedError(`what ${url} asks to sign is more than a sign-in of ${address}, so nothing was signed`)
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** A server on this machine has several names. */
function isSamePlace(domain: string, { host, hostname, port, protocol }: URL): boolean {
  if (domain === host) return true
  const named = URL.parse(`${protocol}//${domain}`)
  return named !== null && loopback.test(named.hostname) && loopback.test(hostname) && named.port === port
}

function readable(text: string) {
  try {
    return parseMessage(text)
  } catch {
    return undefined
  }
}

const textLimit = 1_048_576

/** Errors: UsageError, UnavailableError. */
async function textIn(source: string, terminal: Terminal): Promise<string> {
  const bytes = source === '-' ? await readInput(terminal) : readFile(resolve(terminal.cwd, source))
  if (bytes.length > textLimit) throw new UsageError('the text is longer than 1 MiB')
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).replace(/\r?\n$/, '')
    if (text !== '') return requireSafe(text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('the text is not UTF-8')
  }
  throw new UsageError('there is no text to sign: it is empty')
}

/** No server accepts a signature over such a text. Errors: UsageError. */
function requireSafe(text: string): string {
  if (isStreamSafe(text)) return text
  throw new UsageError(`the text ${unsafeTextFault}`)
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
