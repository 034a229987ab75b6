/** `proofgate serve`: the server, until a stop signal. */
import { SQLiteError } from 'bun:sqlite'
import { type Config, loadConfig } from '../config/load.ts'
import { type RunningServer, startServer } from '../start.ts'
import { version } from '../version.ts'
import { type Command, exitCodes, type Terminal, UnavailableError } from './command.ts'
import { readOptions } from './options.ts'
import { palette } from './palette.ts'
import { callOf } from './program.ts'

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
    // Before the start: a stop that arrives right after the ready line, or during the start, is heard too.
    const stop = stopSignal()
    const server = await startOn(config)
    terminal.out(values.json ? `${JSON.stringify(readyLine(server))}\n` : banner(server, terminal))
    await stop
    await server.stop()
    return exitCodes.done
  },
}

async function startOn(config: Config): Promise<RunningServer> {
  try {
    return await startServer(config, { folder: config.data })
  } catch (error) {
    throw folderFault(error, config.data) ?? error
  }
}

/** What the system or SQLite says about a folder it cannot use, as a sentence with what to do. */
function folderFault(error: unknown, folder: string): UnavailableError | undefined {
  if (error instanceof SQLiteError)
    return error.code === 'SQLITE_NOTADB' || error.code === 'SQLITE_CORRUPT'
      ? new UnavailableError(
          `the database in ${folder} is damaged or not a database (${error.message}): put a backup in its place, or name another folder with PROOFGATE_DATA`,
        )
      : cannotUse(folder, error.message)
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException
  return syscall !== undefined && Object.hasOwn(folderProblems, code)
    ? cannotUse(folder, folderProblems[code]!)
    : undefined
}

const cannotUse = (folder: string, problem: string): UnavailableError =>
  new UnavailableError(
    `the data folder ${folder} cannot be used (${problem}): make it a folder that this user may write to, or name another one with PROOFGATE_DATA`,
  )

const folderProblems: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of that name',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })

const readyLine = ({ port, addresses, parts, secp256k1, operatorLink }: RunningServer) => ({
  ready: true,
  version,
  port,
  ...addresses,
  data: parts.config.data,
  verifiers: [...parts.catalog.enabled.keys()],
  recovery: secp256k1.backend,
  ...(operatorLink ? { operatorLink } : {}),
})

function banner({ addresses, parts, secp256k1, operatorLink }: RunningServer, terminal: Terminal): string {
  const { bold, dim } = palette(terminal.isPerson)
  const { config, catalog } = parts
  const lines = [
    `${bold('Proofgate')} ${version} is running at ${bold(addresses.baseUrl)}`,
    '',
    `  API reference   ${config.docs.enabled ? `${addresses.baseUrl}/docs` : 'switched off (docs.enabled)'}`,
    `  Sign in         ${addresses.authUrl}/login`,
    ...(config.mcp.enabled ? [`  Assistants      ${addresses.mcpUrl}/mcp`] : []),
    ...(operatorLink ? [`  Operator        ${operatorLink}`] : []),
    `  Data folder     ${config.data}`,
    `  Verifiers       ${[...catalog.enabled.keys()].join(', ')}`,
    `  Signatures      ${secp256k1.backend}${secp256k1.fallbackReason ? ` (${secp256k1.fallbackReason})` : ''}`,
    '',
    'Try next:',
    `  curl ${addresses.baseUrl}/api/v1/health`,
    `  ${callOf(`demo --url ${addresses.baseUrl}`)}   ${dim('the whole way of a proof, step by step')}`,
    '',
    dim('Stop with Ctrl+C.'),
    '',
  ]
  return lines.join('\n')
}
