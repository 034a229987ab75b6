/** Composition root: from a configuration to the parts that every feature works with, and to a listening server. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type App, createApp } from './app.ts'
import { identify } from './auth/identify.ts'
import { type Clock, openClock } from './clock.ts'
import { openConditions } from './conditions.ts'
import { buildPublicAddresses, type PublicAddresses } from './config/public-addresses.ts'
import type { Config } from './config/schema.ts'
import { type DatabaseClock, openDatabaseClock } from './database-clock.ts'
import { makeSealer } from './db/seal.ts'
import { newestTitle } from './envelope/signer-string.ts'
import { resumeErasures, stopErasing } from './erasure/slices.ts'
import { makeClientReaders } from './http/client-address.ts'
import { type RateLimiter, rateLimiter, unlimited } from './http/rate-limit.ts'
import { openTraffic } from './http/traffic.ts'
import type { RunJob } from './jobs/run-job.ts'
import { listLostTimes } from './journal/store.ts'
import { listen } from './listen.ts'
import { type Log, makeLog } from './log.ts'
import { markRun } from './mark-run.ts'
import { openMetrics } from './metrics/metrics.ts'
import { type MetricsPage, openMetricsPage } from './monitoring/page.ts'
import { movedTimes } from './moved-times.ts'
import { openStore } from './open-store.ts'
import { buildClaimLink, linkAtStart } from './operator/link.ts'
import { makeContractWalletAsker } from './outside/chains/contract-wallet.ts'
import { openOutside } from './outside/open.ts'
import { openExporter } from './outside/traces/exporter.ts'
import type { Parts } from './parts.ts'
import { paymentMethods } from './payments/index.ts'
import { type OpenedProcesses, openProcesses } from './processes/open.ts'
import { writeSettingsMark } from './processes/settings-mark.ts'
import { backfillFacts } from './proofs/facts-backfill.ts'
import { updateProofStatus } from './proofs/status-store.ts'
import { openOutbox } from './publishing/outbox.ts'
import { checkClock, startRecurring, storeClock } from './recurring.ts'
import { omitReportedFaults } from './reported-faults.ts'
import { findUncleanEnd } from './running-mark.ts'
import { openSocialToken } from './social/token.ts'
import { openSweepRecord } from './sweep-record.ts'
import type { TracingSettings } from './tracing/otel-settings.ts'
import { openTracer, type Tracer } from './tracing/tracer.ts'
import { type OnFailure, undoOnFailure } from './undo-on-failure.ts'
import { openVerdictFigures } from './verification/verdict-figures.ts'
import { openCatalog } from './verifiers/index.ts'
import { readVerifierTables } from './verifiers/settings.ts'
import type { Verifier } from './verifiers/verifier.ts'
import type { VerifierSettings } from './verifiers/verifier-settings.ts'
import { version } from './version.ts'
import { openSecp256k1, type Secp256k1 } from './wallet/secp256k1.ts'
import { makeSignatureVerifier } from './wallet/signature.ts'

/** The uptime of this process, or, where a test has a clock of its own, what has passed on that. */
function chooseUptime(now: () => number): () => number {
  if (now === Date.now) return () => performance.now()
  let [last, uptime] = [now(), 0]
  return () => {
    const at = now()
    uptime += Math.max(0, at - last)
    last = at
    return uptime
  }
}

export interface OpenedParts {
  readonly parts: Parts
  readonly secp256k1: Secp256k1
  readonly clock: Clock
  readonly processes: OpenedProcesses
  /** The addresses are not known before a port is. */
  setAddresses(addresses: PublicAddresses): void
  /** Resolves when the disk does not answer any more. The process cannot go on, nor close in order. */
  readonly hung: Promise<void>
  close(): Promise<void>
}

export interface OpenOptions {
  /** Milliseconds of a clock that cannot jump. */
  readonly readUptime?: (() => number) | undefined
  readonly log?: Log | undefined
  /** Undefined: nothing is traced. */
  readonly tracing?: TracingSettings | undefined
  /** Goes by the clock of a shared database. The default where `now` is that of the machine. */
  readonly followsDatabase?: boolean | undefined
  /** Another list than that of this build: for tests. */
  readonly verifiers?: readonly Verifier[] | undefined
}

/** `folder` undefined keeps everything in memory. */
export const openParts = (
  config: Config,
  folder: string | undefined,
  now: () => number,
  options: OpenOptions = {},
): Promise<OpenedParts> => undoOnFailure((onFailure) => openEach(config, folder, now, options, onFailure))

async function openEach(
  config: Config,
  folder: string | undefined,
  readMachineTime: () => number,
  {
    readUptime = chooseUptime(readMachineTime),
    log = makeLog({ ...config.log, now: readMachineTime }),
    followsDatabase = readMachineTime === Date.now,
    verifiers,
    tracing,
  }: OpenOptions,
  onFailure: OnFailure,
): Promise<OpenedParts> {
  const { signing } = config
  let databaseClock: DatabaseClock | undefined
  const now = (): number => databaseClock?.now() ?? readMachineTime()
  const outside = openOutside({ ...config, ...readVerifierTables(config) }, now, ({ source, happened, mend }) =>
    log.count({
      level: 'error',
      event: 'provider-key-refused',
      message: 'a provider refuses the key of this server, and judges nothing until that is mended',
      kind: source,
      fields: { source, happened, mend },
    }),
  )
  const catalog = openCatalog(config.verifiers, outside, verifiers)
  const titles = [newestTitle, ...signing.acceptedTitles.filter((title) => title !== newestTitle)]
  let processes: OpenedProcesses | undefined
  const limiter = openLimiter(config, readUptime, () => processes?.countLive() ?? 1)
  const conditions = openConditions({ log, now })
  const secp256k1 = await openSecp256k1(signing.recovery)
  const store = await openStore(config, folder, { now, log, conditions, limiter })
  onFailure(store.close)
  const { db, freeSpace, reserve, storage, damage, hung } = store
  if (db.readTime && followsDatabase)
    databaseClock = await openDatabaseClock({ readTime: db.readTime, readUptime, conditions, readMachineTime })
  const lostTimes = await listLostTimes(db)
  const freshness = {
    maxAgeMs: signing.maxAgeSeconds * 1000,
    maxAheadMs: signing.maxAheadSeconds * 1000,
    restoredAt: lostTimes.at(-1)?.until,
  }
  const clock = await openClock({ db, movedTimes, log, conditions, now, readUptime, shared: databaseClock })
  const quietLog = omitReportedFaults(log, { conditions, storage })
  let addresses: PublicAddresses | undefined
  const run = randomBytes(8).toString('hex')
  processes = openProcesses({
    db,
    log: quietLog,
    conditions,
    readUptime,
    own: {
      id: run,
      startedAt: now(),
      version,
      host: hostname(),
      settings: db.isShared ? writeSettingsMark(config, store.key) : null,
    },
  })
  const tracer = tracing && openTracing(tracing, { now, log: quietLog, run })
  const parts: Parts = {
    config,
    now,
    readUptime,
    readSure: clock.readSure,
    readLatest: clock.readLatest,
    readSteadyClock: clock.readSteadyClock,
    db,
    sealer: makeSealer(store.key),
    log: quietLog,
    conditions,
    storage,
    damage,
    verifySignature: makeSignatureVerifier(secp256k1, makeContractWalletAsker(outside.chains)),
    titles,
    freshness,
    lostTimes,
    outside,
    catalog,
    verifierSettings: readVerifierSettings(config, titles, freshness.restoredAt),
    paymentMethods,
    limiter,
    freeSpace,
    ...makeClientReaders(config),
    reserve,
    identify: (request) => identify(parts, request),
    readSocialToken: (token) => openSocialToken(parts, token),
    run,
    processes,
    metrics: openMetrics({ db, now, log: quietLog, run }),
    traffic: config.metrics.enabled ? openTraffic() : undefined,
    verdicts: openVerdictFigures(catalog.enabled.keys()),
    continuous: store.continuous,
    sweepRecord: openSweepRecord(),
    tracer,
    addresses: () => {
      if (!addresses) throw new Error('the public addresses are asked for before the server listens')
      return addresses
    },
  }
  return {
    parts,
    secp256k1,
    clock,
    processes,
    setAddresses: (known) => {
      addresses = known
    },
    hung,
    async close() {
      await tracer?.close()
      await store.close()
    },
  }
}

const openTracing = (settings: TracingSettings, { now, log, run }: Pick<Parts, 'now' | 'log' | 'run'>): Tracer =>
  openTracer({
    ...settings,
    now,
    sink: openExporter({
      ...settings,
      resource: { 'service.version': version, 'service.instance.id': run, ...settings.resource },
      version,
      tellLoss: ({ lost, why }) =>
        log.count({
          level: 'warn',
          event: 'traces-lost',
          message: 'spans were not taken by the collector of traces',
          kind: why,
          fields: { spans: lost, why, mend: 'see whether the collector runs and takes OTLP in JSON at this address' },
        }),
    }),
  })

const openLimiter = ({ limits }: Config, readUptime: () => number, countLive: () => number): RateLimiter =>
  limits.enabled
    ? rateLimiter(
        { ...limits.rates, written_by_network: limits.bytes.network, written_by_owner: limits.bytes.owner },
        readUptime,
        limits.several === 'divide' ? countLive : undefined,
      )
    : unlimited

const readVerifierSettings = (
  config: Config,
  titles: readonly string[],
  restoredAt: number | undefined,
): VerifierSettings => ({
  tables: config,
  brand: config.brand,
  hubChainId: config.signing.hubChainId,
  titles,
  maxAheadMs: config.signing.maxAheadSeconds * 1000,
  linkMaxAgeMs: config.signing.linkMaxAgeSeconds * 1000,
  restoredAt,
})

export interface RunningServer {
  readonly app: App
  readonly parts: Parts
  readonly secp256k1: Secp256k1
  readonly port: number
  readonly addresses: PublicAddresses
  /** Undefined while metrics.enabled is false. */
  readonly metricsUrl: string | undefined
  /** Makes its visitor the operator, once. Undefined when there is an operator already. */
  readonly operatorLink: string | undefined
  /** Resolves when the disk does not answer any more. The process cannot go on, nor stop in order. */
  readonly hung: Promise<void>
  /** For the next start: the reason why this run ends without a requested stop. */
  noteEnding(why: string): Promise<void>
  /** Lets open requests finish, then closes the store. Called again, it waits for the same end. */
  stop(): Promise<void>
}

export interface StartOptions extends OpenOptions {
  /** Undefined keeps everything in memory. */
  readonly folder: string | undefined
  readonly now?: () => number
  /** Runs a command of this program beside the server. Undefined: no backups are made on a schedule. */
  readonly runJob?: RunJob | undefined
}

export const startServer = (config: Config, options: StartOptions): Promise<RunningServer> =>
  undoOnFailure((onFailure) => startEach(config, options, onFailure))

async function startEach(
  config: Config,
  { folder, now = Date.now, ...options }: StartOptions,
  onFailure: OnFailure,
): Promise<RunningServer> {
  const opened = await openParts(config, folder, now, options)
  onFailure(opened.close)
  const { parts, secp256k1, clock, processes } = opened
  const beating = await processes.join()
  onFailure(beating.stop)
  // Before anything is swept or given up.
  await checkClock(clock, parts.log)
  const lastEnd = folder === undefined ? undefined : findUncleanEnd(folder)
  await backfillFacts(parts)
  const outbox = openOutbox(parts, updateProofStatus)
  const app = createApp(parts)
  const port = await listen(app, parts)
  onFailure(() => app.stop(true))
  const addresses = buildPublicAddresses(config, port)
  opened.setAddresses(addresses)
  const marking = await markRun(parts, folder, lastEnd)
  onFailure(async () => {
    await marking.stop()
    await marking.remove()
  })
  // Not awaited: reads already hide the rows that it still has to delete.
  const resuming = resumeErasures(parts).catch((error) =>
    parts.log.count({
      level: 'error',
      event: 'erasure-failed',
      message: 'an erasure could not be finished: the next sweep goes on with it',
      error,
      fields: { mend: 'look at the disk of the data folder' },
    }),
  )
  onFailure(() => resuming)
  const recurring = startRecurring(parts, clock, outbox, options.runJob)
  onFailure(() => Promise.all([stopErasing(parts), recurring.stop()]))
  const metricsPage = await openPage(opened)
  onFailure(() => metricsPage?.stop())
  const operatorToken = await linkAtStart(parts)
  parts.damage.beginTelling()
  parts.continuous?.setRunner(options.runJob)
  const stop = async (): Promise<void> => {
    parts.conditions.silence()
    await drain(parts)
    // Sweeps and requests that wait for one end with it. The next start goes on.
    await stopErasing(parts)
    await Promise.all([recurring.stop(), marking.stop()])
    await processes.giveBack().catch(() => {})
    const force = setTimeout(() => app.server?.stop(true), config.server.shutdownSeconds * 1000)
    await app.stop()
    clearTimeout(force)
    await resuming
    await parts.metrics.flush()
    await storeClock(clock, parts.log)
    await beating.stop()
    parts.log.tellCounts(true)
    // Last, so that a long stop can be watched.
    await metricsPage?.stop()
    await opened.close()
    await marking.remove()
  }
  let stopped: Promise<void> | undefined
  return {
    app,
    parts,
    secp256k1,
    port,
    addresses,
    metricsUrl: metricsPage?.url,
    operatorLink: operatorToken && buildClaimLink(addresses.authUrl, operatorToken),
    hung: opened.hung,
    noteEnding: marking.noteEnding,
    stop: () => (stopped ??= stop()),
  }
}

/** Requests are still answered, and load balancers send new ones to other servers. */
async function drain({ conditions, config: { server } }: Parts): Promise<void> {
  if (server.drainSeconds === 0) return
  conditions.begin({
    name: 'server-stopping',
    level: 'failing',
    says: 'this server was told to stop, and takes no more requests from load balancers',
    mend: `Nothing: it ends after ${server.drainSeconds} s (server.drain_seconds), and another server takes over`,
  })
  await Bun.sleep(server.drainSeconds * 1000)
}

const openPage = async ({ parts, secp256k1 }: OpenedParts): Promise<MetricsPage | undefined> =>
  parts.config.metrics.enabled ? openMetricsPage(parts, { recovery: secp256k1.backend }) : undefined
