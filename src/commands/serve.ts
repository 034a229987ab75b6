/** `proofgate serve`: the server, until a stop signal. */

import type { ConfigInput } from '../config/config-input.ts'
import { describeDatabase } from '../config/database-url.ts'
import { type Config, loadConfig, readConfig } from '../config/load.ts'
import { readValue } from '../config/outline.ts'
import { type Log, makeLog } from '../log.ts'
import { describeError } from '../log-event.ts'
import { endingOfSilentDisk } from '../running-mark.ts'
import { type RunningServer, type StartOptions, startServer } from '../start.ts'
import { readTracing } from '../tracing/otel-settings.ts'
import { tellSwitchedOff } from '../verifiers/choice.ts'
import { version } from '../version.ts'
import { captureOutput } from './capture-output.ts'
import { type Command, exitCodes, type Terminal } from './command.ts'
import { endProcess } from './end-process.ts'
import { explainFault } from './explain.ts'
import { explainFolderFault, requireUsableFolder } from './folder-fault.ts'
import { makeJobRunner } from './job-runs.ts'
import { watchProcess } from './last-words.ts'
import { openLogOutput } from './log-output.ts'
import { commonOptions, readOptions } from './options.ts'
import { makePalette } from './palette.ts'
import { writeCall } from './program.ts'
import { openSupervisor } from './supervisor.ts'
import { startWatchdog } from './watchdog.ts'
import { wrapText } from './wrap.ts'

export const serve: Command = {
  async run(args, terminal) {
    const { values } = readOptions(args, { ...commonOptions, 'ready-fd': { type: 'string' } })
    const input = { file: values.config, env: terminal.env, cwd: terminal.cwd }
    let config: Config
    try {
      config = await loadConfig(input)
    } catch (error) {
      return tellWrongConfig(error, input, terminal)
    }
    const { log, reopen, flush } = openLogOutput(config.log, terminal.now)
    const supervisor = openSupervisor({ env: terminal.env, readyFd: values['ready-fd'], log })
    const stopSeconds = config.server.drainSeconds + config.server.shutdownSeconds + stopGraceSeconds
    let server: RunningServer | undefined
    let watchdog: ReturnType<typeof startWatchdog> | undefined
    // Before the start: a stop that arrives right after the ready line, or during the start, is heard too.
    const watch = watchProcess({
      log,
      waitMs: stopSeconds * 1000,
      noteEnding: async (why) => server?.noteEnding(why),
      flushLog: flush,
      reopenLog: reopen,
    })
    const release = captureOutput(log)
    try {
      const tracing = readTracing(terminal.env)
      for (const problem of tracing.problems)
        log.warn(problem, {
          event: 'tracing-misconfigured',
          mend: 'see the guide on monitoring for the variables that are read',
        })
      const runJob = makeJobRunner(values.config, terminal)
      server = await startExplained(config, { log, tracing: tracing.settings, runJob })
      // A server of the database that hangs is left by the process itself: its main thread reads no disk.
      if (config.database.url === undefined) watchdog = startWatchdog(config, log)
      terminal.out(values.json ? `${JSON.stringify(describeReady(server))}\n` : writeBanner(server, terminal))
      supervisor.tellReady(server)
      const { hung, noteEnding } = server
      void hung.then(() => endAtOnce(noteEnding))
      const { exitCode, why } = await watch.ending
      watchdog?.stop()
      supervisor.tellStopping(stopSeconds)
      if (why !== undefined) await Promise.race([server.noteEnding(why).catch(() => {}), Bun.sleep(1000)])
      await server.stop()
      log.info('the server stopped', { event: 'server-stopped', exitCode })
      return await watch.end(exitCode)
    } catch (error) {
      const exitCode = tellFault(error, { log, config, server })
      await flush()
      return server ? await watch.end(exitCode) : exitCode
    } finally {
      watchdog?.stop()
      supervisor.release()
      release()
      watch.release()
    }
  },
}

/** For the store to close after the last request: longer than a checkpoint of a large log takes. */
const stopGraceSeconds = 10

/** Before the server runs, a person who reads text gets the sentence of main.ts. Errors: those. */
function tellFault(
  error: unknown,
  { log, config, server }: { readonly log: Log; readonly config: Config; readonly server: RunningServer | undefined },
): number {
  if (server) {
    server.parts.log.count({
      level: 'error',
      event: 'stop-failed',
      message: 'the server could not stop in an orderly way',
      error,
      fields: { mend: 'look at the disk of the data folder; nothing that was acknowledged is lost' },
    })
    return exitCodes.storage
  }
  if (config.log.format === 'text') throw error
  return tellFailedStart(error, log)
}

/** Collectors that were promised JSON get it also where another setting is wrong. Errors: that of the configuration. */
async function tellWrongConfig(error: unknown, input: ConfigInput, { now }: Terminal): Promise<number> {
  const { values } = await readConfig(input)
  if (readValue(values, ['log', 'format']) !== 'json') throw error
  return tellFailedStart(error, makeLog({ level: 'error', format: 'json', now }))
}

function tellFailedStart(error: unknown, log: Log): number {
  const explained = explainFault(error, 'serve')
  log.error('the server could not start', {
    event: 'start-failed',
    exitCode: explained?.exitCode ?? exitCodes.fault,
    error: explained?.says ?? describeError(error),
  })
  return explained?.exitCode ?? exitCodes.fault
}

async function startExplained(
  config: Config,
  options: Pick<StartOptions, 'log' | 'tracing' | 'runJob'>,
): Promise<RunningServer> {
  if (config.database.url !== undefined) return startServer(config, { folder: undefined, ...options })
  requireUsableFolder(config.data)
  try {
    return await startServer(config, { folder: config.data, ...options })
  } catch (error) {
    throw explainFolderFault(error, config.data) ?? error
  }
}

/** Long enough for the answers that were just given to leave. */
const partingMs = 250

async function endAtOnce(noteEnding: RunningServer['noteEnding']): Promise<never> {
  // The note may hang like the disk, so no code waits for it.
  noteEnding(endingOfSilentDisk).catch(() => {})
  await Bun.sleep(partingMs)
  return endProcess(exitCodes.storage)
}

const describeReady = ({ port, addresses, metricsUrl, parts, secp256k1, operatorLink }: RunningServer) => ({
  ready: true,
  version,
  port,
  ...addresses,
  ...(metricsUrl ? { metricsUrl } : {}),
  ...(parts.config.database.url === undefined
    ? { data: parts.config.data }
    : { database: describeDatabase(parts.config.database.url) }),
  verifiers: [...parts.catalog.enabled.keys()],
  ...(parts.catalog.switchedOff.length > 0 ? { switchedOff: parts.catalog.switchedOff } : {}),
  recovery: secp256k1.backend,
  recoveryLibrary: secp256k1.library,
  ...(operatorLink ? { operatorLink } : {}),
})

function writeBanner(
  { addresses, metricsUrl, parts, secp256k1, operatorLink }: RunningServer,
  terminal: Terminal,
): string {
  const { bold, dim } = makePalette(terminal.isPerson)
  const { config, catalog } = parts
  const lines = [
    `${bold('Proofgate')} ${version} is running at ${bold(addresses.baseUrl)}`,
    '',
    `  Guides          ${config.docs.enabled ? `${addresses.baseUrl}/docs/guides` : writeCall('guide')}`,
    `  API reference   ${config.docs.enabled ? `${addresses.baseUrl}/docs` : 'switched off (docs.enabled)'}`,
    `  Sign in         ${addresses.authUrl}/login`,
    ...(config.mcp.enabled ? [`  Assistants      ${addresses.mcpUrl}/mcp`] : []),
    ...(operatorLink ? [`  Operator        ${operatorLink}`] : []),
    ...(metricsUrl ? [`  Metrics         ${metricsUrl}`] : []),
    config.database.url === undefined
      ? `  Data folder     ${config.data}`
      : `  Database        ${describeDatabase(config.database.url)}`,
    `  Verifiers       ${wrapText([...catalog.enabled.keys()].join(', ') || 'none', { hang: 18 })}`,
    ...catalog.switchedOff.map((one) => `  Switched off    ${wrapText(tellSwitchedOff(one), { hang: 18 })}`),
    `  Signatures      ${secp256k1.backend}, ${secp256k1.library}${secp256k1.fallbackReason ? ` (${secp256k1.fallbackReason})` : ''}`,
    '',
    'Try next:',
    `  curl ${addresses.baseUrl}/api/v1/health`,
    `  ${writeCall(`demo --url ${addresses.baseUrl}`)}   ${dim('the whole way of a proof, step by step')}`,
    '',
    dim('Stop with Ctrl+C.'),
    '',
  ]
  return lines.join('\n')
}
