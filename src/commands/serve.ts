import { loadConfig } from '../config/load.ts'
import { isExecutable } from '../executable.ts'
import { type RunningServer, startServer } from '../start.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { readOptions } from './options.ts'
import { palette } from './palette.ts'

export const serve: Command = {
  name: 'serve',
  usage: '[--config FILE] [--json]',
  summary: 'Run the server. This is also what no command means.',
  help: [
    '  --config FILE   configuration; without it proofgate.toml beside the data folder, if there is one',
    '  --json          print one line of JSON when ready, in place of the banner',
    '',
    'Stops on SIGTERM and SIGINT: open requests finish first.',
    'Exit codes: 0 stopped, 69 data folder or port not available, 78 wrong configuration.',
  ],

  async run(args, terminal) {
    const { values } = readOptions(args, { config: { type: 'string' }, json: { type: 'boolean' } })
    const config = await loadConfig({ file: values.config, env: terminal.env, cwd: terminal.cwd })
    const server = await startServer(config, { folder: config.data })
    terminal.out(values.json ? `${JSON.stringify(readyLine(server))}\n` : banner(server, terminal))
    await stopSignal()
    await server.stop()
    return exitCodes.done
  },
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })

const readyLine = ({ port, addresses, parts, secp256k1 }: RunningServer) => ({
  ready: true,
  version,
  port,
  ...addresses,
  data: parts.config.data,
  verifiers: [...parts.catalog.enabled.keys()],
  recovery: secp256k1.backend,
})

function banner({ addresses, parts, secp256k1 }: RunningServer, terminal: Terminal): string {
  const { bold, dim } = palette(terminal.isPerson)
  const { config, catalog } = parts
  const lines = [
    `${bold('Proofgate')} ${version} is running at ${bold(addresses.baseUrl)}`,
    '',
    `  API reference   ${config.docs.enabled ? `${addresses.baseUrl}/docs` : 'switched off (docs.enabled)'}`,
    `  Data folder     ${config.data}`,
    `  Verifiers       ${[...catalog.enabled.keys()].join(', ')}`,
    `  Signatures      ${secp256k1.backend}${secp256k1.fallbackReason ? ` (${secp256k1.fallbackReason})` : ''}`,
    '',
    'Try next:',
    `  curl ${addresses.baseUrl}/api/v1/health`,
    `  ${demoCall()} --url ${addresses.baseUrl}   ${dim('the whole way of a proof, step by step')}`,
    '',
    dim('Stop with Ctrl+C.'),
    '',
  ]
  return lines.join('\n')
}

/** How this program was started tells how to start its demo. */
const demoCall = (): string => (isExecutable ? 'proofgate demo' : 'npm run demo --')
