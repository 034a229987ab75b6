/** `proofgate healthcheck`: asks the server of this configuration, from the same machine, whether it is ready. */
import type { IncomingMessage } from 'node:http'
import { loadConfig } from '../config/load.ts'
import { publicAddresses } from '../config/public-addresses.ts'
import { type Command, exitCodes, type Terminal, UsageError } from './command.ts'
import { readOptions } from './options.ts'
import { visible } from './visible.ts'

const patienceMs = 2000

export const healthcheck: Command = {
  name: 'healthcheck',
  usage: '[--config FILE] [--json]',
  summary: 'Ask the server on this machine whether it is ready; for containers and supervisors.',
  help: [
    '  --config FILE   the configuration that the server was started with; host and port are taken from it',
    '  --json          one line of JSON',
    '',
    `Waits for at most ${patienceMs / 1000} seconds.`,
    'Exit codes: 0 ready, 1 not ready or no answer, 2 port is 0, 78 wrong configuration.',
  ],

  async run(args, terminal) {
    const { values } = readOptions(args, { config: { type: 'string' }, json: { type: 'boolean' } })
    const { host, port } = await loadConfig({ file: values.config, env: terminal.env, cwd: terminal.cwd })
    if (port === 0)
      throw new UsageError('port is 0, which means any free one: give the server a fixed port to check it')

    // Without base_url: the address to listen on, as this machine calls it.
    const url = `${publicAddresses({ host }, port).baseUrl}/api/v1/health/ready`
    const { ready, message } = await ask(url)
    say(terminal, values.json === true, { ready, url, message })
    return ready ? exitCodes.done : exitCodes.negative
  },
}

function say(terminal: Terminal, asJson: boolean, answer: { ready: boolean; url: string; message: string }): void {
  if (asJson) terminal.out(`${JSON.stringify(answer)}\n`)
  else if (answer.ready) terminal.out('ready\n')
  else terminal.err(`not ready: ${visible(answer.message)} (${answer.url})\n`)
}

async function ask(url: string): Promise<{ ready: boolean; message: string }> {
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const { status, text } = await getDirectly(url, signal)
    const body = JSON.parse(text) as { ready?: unknown; error?: { message?: unknown } } | null
    if (status === 200 && body?.ready === true) return { ready: true, message: 'ready' }
    return { ready: false, message: String(body?.error?.message ?? `the answer is ${status}`).slice(0, 500) }
  } catch (error) {
    if (signal.aborted) return { ready: false, message: `no answer within ${patienceMs / 1000} seconds` }
    if (error instanceof SyntaxError) return { ready: false, message: 'something answers that is not Proofgate' }
    return { ready: false, message: 'nothing answers' }
  }
}

/** Without fetch, which would ask the proxy of the environment for the way to this very machine. */
async function getDirectly(url: string, signal: AbortSignal): Promise<{ status: number | undefined; text: string }> {
  const { get } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { signal, agent: false }, resolve).on('error', reject)
  const response = await promise
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text }
}
