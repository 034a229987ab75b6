/** Composition root: from a configuration to the parts that every feature works with, and to a listening server. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type App, createApp } from './app.ts'
import type { Config } from './config/load.ts'
import { type PublicAddresses, publicAddresses } from './config/public-addresses.ts'
import { chooseWriter } from './db/choose-writer.ts'
import { openDb } from './db/db.ts'
import { openFreeSpace } from './db/free-space.ts'
import { masterKey } from './db/master-key.ts'
import { sealer } from './db/seal.ts'
import { newestTitle } from './envelope/signer-string.ts'
import { openPurchases } from './gates/claim-purchase.ts'
import { openConclusions } from './gates/conclude-settlement.ts'
import { findProofgateVersion } from './health/find-listener.ts'
import { admitWrites } from './http/admit-writes.ts'
import { clientAddressFrom } from './http/client-address.ts'
import { letHeadersThrough } from './http/header-size.ts'
import { rateLimiter, unlimited } from './http/rate-limit.ts'
import { logTo } from './log.ts'
import { openNumbers } from './numbers/numbers.ts'
import { linkAtStart, linkOf } from './operator/link.ts'
import { contractWalletsOn } from './outside/chains/contract-wallet.ts'
import { humanScopesOf } from './outside/human/open.ts'
import { openOutside } from './outside/open.ts'
import type { Parts } from './parts.ts'
import { paymentMethods } from './payments/index.ts'
import { watchRefunds } from './payments/refund.ts'
import { openSettlementWatch } from './payments/settlement-watch.ts'
import { openWatch, runWatch } from './payments/watch.ts'
import { watchCheckouts } from './payments/watch-checkouts.ts'
import { watchOwed } from './payments/watch-owed.ts'
import { resumeErasures } from './proofs/erase-slices.ts'
import { backfillFacts } from './proofs/facts-backfill.ts'
import { openFollow, runFollow } from './proofs/follow.ts'
import { openOutbox } from './publishing/outbox.ts'
import { runOutbox } from './publishing/run-outbox.ts'
import { repeat } from './repeat.ts'
import { identify } from './sessions/identify.ts'
import { socialEvidenceIn } from './social/token.ts'
import { startSweep } from './sweep.ts'
import { catalogOf } from './verifiers/index.ts'
import { openSecp256k1, type Secp256k1 } from './wallet/secp256k1.ts'
import { signatureVerifier } from './wallet/signature.ts'

const oneMiB = 1024 * 1024
const oneDayMs = 86_400_000
const numbersEveryMs = 10_000

export interface OpenedParts {
  readonly parts: Parts
  readonly secp256k1: Secp256k1
  /** The addresses are not known before a port is. */
  setAddresses(addresses: PublicAddresses): void
  close(): Promise<void>
}

/** `folder` undefined keeps everything in memory. */
export async function openParts(config: Config, folder: string | undefined, now: () => number): Promise<OpenedParts> {
  const { signing, verifiers, limits, storage } = config
  const log = logTo({ level: config.log.level, format: config.log.format, now })
  const outside = openOutside(config, now, ({ source, happened, mend }) =>
    log.error('a provider refuses the key of this server, and judges nothing until that is mended', {
      source,
      happened,
      mend,
    }),
  )
  const catalog = catalogOf(verifiers.enabled, verifiers.access, outside)
  const titles = [newestTitle, ...signing.acceptedTitles.filter((title) => title !== newestTitle)]
  const freshness = { maxAgeMs: signing.maxAgeSeconds * 1000, maxAheadMs: signing.maxAheadSeconds * 1000 }
  if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const freeSpace = openFreeSpace(folder, storage.minFreeMb * oneMiB)
  const limiter = limits.enabled
    ? rateLimiter({ ...limits.rates, written_by_network: limits.bytes.network, written_by_owner: limits.bytes.owner })
    : unlimited
  const [openedDb, secp256k1] = await Promise.all([
    openDb({
      folder,
      writer: storage.writer === 'auto' ? chooseWriter(folder) : storage.writer,
      cacheBytes: storage.cacheMb * oneMiB,
      walLimitBytes: storage.walLimitMb * oneMiB,
      now: now(),
    }),
    openSecp256k1(signing.recovery),
  ])

  const db = admitWrites(openedDb, { freeSpace, limiter, now })
  let addresses: PublicAddresses | undefined
  const run = randomBytes(8).toString('hex')
  const parts: Parts = {
    config,
    now,
    db,
    sealer: sealer(masterKey(config.masterKey, folder)),
    log,
    verifySignature: signatureVerifier(secp256k1, contractWalletsOn(outside.chains)),
    titles,
    freshness,
    outside,
    catalog,
    verifierSettings: {
      hubChainId: signing.hubChainId,
      titles,
      maxAheadMs: freshness.maxAheadMs,
      linkMaxAgeMs: signing.linkMaxAgeSeconds * 1000,
      pseudonymNamespace: verifiers.pseudonymNamespace ?? config.brand,
      personhoodName: `${config.brand}PersonhoodId`,
      pseudonymTtlMs: verifiers.pseudonymTtlDays * oneDayMs,
      dnsLabel: `_${config.brand}`,
      riskMaxLevel: config.risk.maxLevel,
      humanScopes: humanScopesOf(config),
      humanTtlMs: config.human.validDays * oneDayMs,
      walletsPerPerson: config.human.walletsPerPerson,
    },
    paymentMethods,
    limiter,
    freeSpace,
    clientAddress: clientAddressFrom(config.proxy.trusted),
    identify: (request) => identify(parts, request),
    readSocialToken: (token) => socialEvidenceIn(parts, token),
    run,
    numbers: openNumbers({ db, now, log, run }),
    addresses: () => {
      if (!addresses) throw new Error('the public addresses are asked for before the server listens')
      return addresses
    },
  }
  return {
    parts,
    secp256k1,
    setAddresses: (known) => {
      addresses = known
    },
    close: () => db.close(),
  }
}

export interface RunningServer {
  readonly app: App
  readonly parts: Parts
  readonly secp256k1: Secp256k1
  readonly port: number
  readonly addresses: PublicAddresses
  /** Makes whoever opens it operator, once. Undefined where somebody is operator already. */
  readonly operatorLink: string | undefined
  /** Lets open requests finish, then closes the store. Called again, it waits for the same end. */
  stop(): Promise<void>
}

/** The port is taken by another program, or may not be opened. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export async function startServer(
  config: Config,
  { folder, now = Date.now }: { readonly folder: string | undefined; readonly now?: () => number },
): Promise<RunningServer> {
  const opened = await openParts(config, folder, now)
  const { parts, secp256k1 } = opened
  try {
    await backfillFacts(parts)
    const outbox = openOutbox(parts)
    const app = createApp(parts)
    const port = await listen(app, config)
    const addresses = publicAddresses(config, port)
    opened.setAddresses(addresses)
    // Not waited for: nobody finds what they still have to delete.
    const resuming = resumeErasures(parts).catch((error) =>
      parts.log.error('an erasure could not be finished', { error: String(error) }),
    )
    const sweep = startSweep(parts)
    const publishing = runOutbox(outbox, parts)
    const purchases = openPurchases(parts)
    const watches = [
      openWatch(parts),
      openSettlementWatch(parts, openConclusions(parts)),
      watchCheckouts(parts, purchases),
      watchRefunds(parts, purchases),
      watchOwed(parts),
    ]
    const following = runFollow(openFollow(parts), parts)
    const watching = watches.map((watch) => runWatch(watch, parts))
    const counting = repeat({ everyMs: numbersEveryMs, patienceMs: 0, look: () => parts.numbers.flush() })
    const operatorToken = await linkAtStart(parts)
    const stop = async (): Promise<void> => {
      await Promise.all([sweep, publishing, following, counting, ...watching].map((running) => running.stop()))
      const force = setTimeout(() => app.server?.stop(true), config.server.shutdownSeconds * 1000)
      await app.stop()
      clearTimeout(force)
      await resuming
      await parts.numbers.flush()
      await opened.close()
    }
    let stopped: Promise<void> | undefined
    return {
      app,
      parts,
      secp256k1,
      port,
      addresses,
      operatorLink: operatorToken && linkOf(addresses.authUrl, operatorToken),
      stop: () => (stopped ??= stop()),
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Answers too large a body itself (http/body.ts); this is only the backstop of the socket layer. */
const socketBodyLimit = 1024 * oneMiB

async function listen(app: App, { host, port }: Config): Promise<number> {
  letHeadersThrough()
  try {
    // Without reusePort, which Elysia sets: two servers would share the port, and each would get some of the requests.
    app.listen({ hostname: host, port, reusePort: false, maxRequestBodySize: socketBodyLimit, idleTimeout: 30 })
  } catch (error) {
    throw new ListenError(`cannot listen on ${host}:${port}${await explainListenFault(error, host, port)}`)
  }
  const actual = app.server?.port
  if (actual === undefined) throw new ListenError(`cannot listen on ${host}:${port}`)
  return actual
}

async function explainListenFault(error: unknown, host: string, port: number): Promise<string> {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    const version = await findProofgateVersion(publicAddresses({ host }, port).baseUrl)
    return version === undefined
      ? ': another program uses this port. Stop it, or choose another port with PROOFGATE_PORT (setting "port")'
      : `: another Proofgate (version ${version}) answers there. Stop it, or give this one another port with PROOFGATE_PORT (setting "port")`
  }
  return ` (${message}): choose another port with PROOFGATE_PORT (setting "port"), or another address with PROOFGATE_HOST (setting "host")`
}
