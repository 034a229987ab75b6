/** `proofgate sign`: a local key for people without a wallet. It touches no data of a server. */
import { parseMessage } from '../auth/sign-in/message.ts'
import { packToken } from '../auth/sign-in/pasted-token.ts'
import { makeCalls, RefusedError } from './client.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { readOptions } from './options.ts'
import { writeFailure } from './run-command.ts'
import { parseServerUrl } from './server-url.ts'
import { readPreparedText, readText } from './signed-text.ts'
import { type LocalWallet, openWallet } from './wallet-key.ts'

export const sign: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, {
      url: { type: 'string' },
      text: { type: 'string' },
      'text-of': { type: 'string' },
      exact: { type: 'boolean' },
      ed25519: { type: 'boolean' },
      address: { type: 'boolean' },
      key: { type: 'string' },
      json: { type: 'boolean' },
    })
    const { 'text-of': answer, exact = false, ed25519 = false } = values
    const wishes = [values.url, values.text, answer, values.address].filter((wish) => wish !== undefined)
    if (wishes.length !== 1)
      throw new UsageError('give one of --url URL, --text FILE|-, --text-of FILE|- and --address')
    if (exact && values.text === undefined) throw new UsageError('--exact works only with --text')
    if (ed25519 && values.url !== undefined)
      throw new UsageError('proofgate signs in with an EVM key: leave --ed25519 out')
    const url = values.url === undefined ? undefined : parseServerUrl(values.url)
    const text = values.text === undefined ? undefined : await readText(values.text, exact, terminal)
    const wallet = await openWallet(values.key, terminal, ed25519 ? 'ed25519' : 'eip191')
    if (wallet.isNew) terminal.err(`Made a new key for ${wallet.address} in ${wallet.file}\n`)

    if (url !== undefined) return signInTo(url, wallet, values.json === true, terminal)
    if (answer !== undefined) return signPrepared(answer, wallet, values.json === true, terminal)
    if (text !== undefined) return printSignature(text, wallet, values.json === true, terminal)
    const { address } = wallet
    terminal.out(values.json ? `${JSON.stringify({ address })}\n` : `${address}\n`)
    return exitCodes.done
  },
}

async function printSignature(
  text: string,
  { address, sign }: LocalWallet,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const signature = await sign(text)
  terminal.out(asJson ? `${JSON.stringify({ address, signature })}\n` : `${signature}\n`)
  return exitCodes.done
}

/** The server chose the text, so it is shown to the user. */
async function signPrepared(source: string, wallet: LocalWallet, asJson: boolean, terminal: Terminal): Promise<number> {
  try {
    const text = await readPreparedText(source, wallet.address, terminal)
    terminal.err(`Signed by ${wallet.address}:\n${text.split('\n').map(escapeInvisible).join('\n')}\n`)
    return await printSignature(text, wallet, asJson, terminal)
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    terminal.err(`${error.message}\n`)
    if (asJson) terminal.out(writeFailure(exitCodes.negative, error.message))
    return exitCodes.negative
  }
}

async function signInTo(url: string, wallet: LocalWallet, asJson: boolean, terminal: Terminal): Promise<number> {
  const { address } = wallet
  const { client, told } = makeCalls(url, { otherwise: '' })
  try {
    const body = { walletAddress: address }
    const { data } = await client.request<{ data?: SignInText }>('POST', '/api/v1/auth/nonce', { body })
    const { message, expiresAt } = data ?? {}
    if (typeof message !== 'string')
      throw new RefusedError(
        `the answer of ${url} is not a sign-in message: give the address of a Proofgate server with --url`,
      )
    requireHarmless(message, url, address)
    const token = packToken({ message, signature: await wallet.sign(message) })
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
    if (asJson) terminal.out(writeFailure(exitCodes.negative, error.message))
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
  const message = describeReadable(text)
  if (!message || !isSamePlace(message.domain, new URL(url)))
    throw new RefusedError(
      message
        ? `${url} asks to sign in at ${escapeInvisible(message.domain)}, so nothing was signed: give that address with --url, if you trust it`
        : `the text that ${url} wants signed is not a sign-in message, so nothing was signed`,
    )
  const isElsewhere = URL.parse(message.uri)?.host !== message.domain
  if (isElsewhere || message.address !== address || (message.resources ?? []).length > 0)
    throw new RefusedError(
      `the text that ${url} wants signed is more than a sign-in of ${address}, so nothing was signed`,
    )
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** A server on this machine has several names. */
function isSamePlace(domain: string, { host, hostname, port, protocol }: URL): boolean {
  if (domain === host) return true
  const named = URL.parse(`${protocol}//${domain}`)
  return named !== null && loopback.test(named.hostname) && loopback.test(hostname) && named.port === port
}

function describeReadable(text: string) {
  try {
    return parseMessage(text)
  } catch {
    return undefined
  }
}
