/** `proofgate healthcheck`: asks the server of this configuration, from the same machine, whether it is ready. */
import type { IncomingMessage } from 'node:http'
import { buildPublicAddresses } from '../config/public-addresses.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { commonOptions, loadNamedConfig, readOptions } from './options.ts'

const waitMs = 2000
const mostCharacters = 500
/** More than the largest answer of a server. */
const mostMendCharacters = 2000
const mostMends = 5
const sameSettings =
  'this command has the configuration of the server: its host and port, by --config or PROOFGATE_HOST and PROOFGATE_PORT'

export const healthcheck: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, commonOptions)
    const { host, port } = await loadNamedConfig(values, terminal)
    if (port === 0) throw new UsageError('port is 0, so the server takes any free port: set a fixed port to check it')

    // Without base_url: the listen address, as this machine reaches it.
    const url = `${buildPublicAddresses({ host }, port).baseUrl}/api/v1/health/ready`
    const answer = await ask(url)
    say(terminal, values.json === true, { ...answer, url })
    return answer.ready ? exitCodes.done : exitCodes.negative
  },
}

interface Answer {
  readonly ready: boolean
  readonly message: string
  /** The remedy for each failure. */
  readonly mend?: readonly string[]
}

function say(terminal: Terminal, asJson: boolean, { url, ...answer }: Answer & { readonly url: string }): void {
  const { ready, message, mend = [] } = answer
  if (asJson) terminal.out(`${JSON.stringify({ ready, url, message, ...(mend.length > 0 ? { mend } : {}) })}\n`)
  else if (ready) terminal.out('ready\n')
  else {
    terminal.err(`not ready: ${escapeInvisible(message)} (${url})\n`)
    for (const one of mend) terminal.err(`what to do: ${escapeInvisible(one)}\n`)
  }
}

async function ask(url: string): Promise<Answer> {
  const signal = AbortSignal.timeout(waitMs)
  try {
    const { status, text } = await getDirectly(url, signal)
    const body = JSON.parse(text) as {
      ready?: unknown
      error?: { message?: unknown; details?: { conditions?: unknown } }
    } | null
    if (status === 200 && body?.ready === true) return { ready: true, message: 'ready' }
    const message = String(body?.error?.message ?? `the answer is ${status}`).slice(0, mostCharacters)
    return { ready: false, message, mend: listMends(body?.error?.details?.conditions) }
  } catch (error) {
    if (signal.aborted)
      return {
        ready: false,
        message: `no answer within ${waitMs / 1000} seconds`,
        mend: ['see the log of the server, and whether the machine has processor, memory and disk left for it'],
      }
    if (error instanceof SyntaxError)
      return {
        ready: false,
        message: 'something answers that is not Proofgate',
        mend: [`another program uses this address: end it, or see that ${sameSettings}`],
      }
    return {
      ready: false,
      message: 'nothing answers',
      mend: [`see whether the server is started and what its log says last, and that ${sameSettings}`],
    }
  }
}

/** A server on this machine names remedies (health/routes.ts). The answering service may be another program. */
const listMends = (conditions: unknown): string[] =>
  (Array.isArray(conditions) ? conditions : [])
    .filter((one) => one?.level === 'failing' && typeof one.mend === 'string')
    .slice(0, mostMends)
    .map(({ mend }) => mend.slice(0, mostMendCharacters))

/** Without fetch, which would use the environment's proxy to reach this very machine. */
async function getDirectly(url: string, signal: AbortSignal): Promise<{ status: number | undefined; text: string }> {
  const { get } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { signal, agent: false }, resolve).on('error', reject)
  const response = await promise
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text }
}
