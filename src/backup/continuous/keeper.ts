/**
 * The continuous backup while the server runs: passes on what the writer tells of the log to the thread that ships it,
 * sees to a backup that each chain begins with, and tells how far the place is behind.
 */
import type { Condition } from '../../conditions.ts'
import type { FolderDb } from '../../db/db.ts'
import type { LogNews, Taken } from '../../db/log-feed.ts'
import { isExecutable } from '../../executable.ts'
import type { RunJob } from '../../jobs/run-job.ts'
import type { Parts } from '../../parts.ts'
import { listBackups } from '../kept-backups.ts'
import { openPlace } from '../targets/open-target.ts'
import { nameTimesFile, openCommitTimes } from './commit-times.ts'
import type { ContinuousBackup } from './continuous-backup.ts'
import type { ChainNews, ShipNews } from './packer.ts'
import { openPlaceWatch } from './place-watch.ts'
import type { ShipAnswer, ShipQuestion, ShipSettings } from './ship-thread.ts'

interface KeeperParts extends Pick<Parts, 'conditions' | 'log' | 'now'> {
  readonly db: Pick<FolderDb, 'noteTaken'>
}

/** Takes what the writer tells before there is somebody to listen. */
export interface LogRelay {
  readonly note: (news: LogNews) => void
  listen(listener: (news: LogNews) => void): void
}

export function openLogRelay(): LogRelay {
  const early: LogNews[] = []
  let listener = (news: LogNews): void => void early.push(news)
  return {
    note: (news) => listener(news),
    listen(next) {
      listener = next
      for (const news of early.splice(0)) next(news)
    },
  }
}

const threadEntry = new URL(isExecutable ? './backup/continuous/ship-thread.ts' : './ship-thread.ts', import.meta.url)

/** What is told together: a message for each commit costs more than the commit. */
const gatherMs = 50
const lookEveryMs = 1_000
const behindAfterMs = 10_000
const openingMs = 3_000
const closingMs = 5_000
const retryBackupMs = 900_000
const watchEveryMs = 60_000
const sharedForMs = 600_000
const oneSecond = 1_000

export function openContinuousBackup(
  { conditions, db, log, now }: KeeperParts,
  relay: LogRelay,
  { watchMs = watchEveryMs, ...settings }: Omit<ShipSettings, 'formerTimes'> & { readonly watchMs?: number },
): ContinuousBackup {
  const worker = new Worker(threadEntry)
  const { target } = openPlace(settings.backup.to!, settings.cwd, settings)
  const ask = (question: ShipQuestion, transfer: ArrayBuffer[] = []): void => worker.postMessage(question, transfer)
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const times = openCommitTimes(nameTimesFile(settings.databaseFile))
  let lastAt = times.former.at(-1)?.at ?? 0
  let gathered: ShipNews[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  /** Unix milliseconds of the transactions that wait. */
  let waiting: { readonly oldest: number; readonly newest: number } | undefined
  let why: string | undefined
  let runJob: RunJob | undefined
  /** When the chain began that no backup goes on with yet. */
  let unanchoredSince: number | undefined
  let isAnchoring = false
  let triedAt = Number.NEGATIVE_INFINITY
  let shippedBytes = 0
  let chains = 0
  const watchPlace = openPlaceWatch(target, settings.keyMark)
  /** Unix milliseconds: when chains of this process began. The last one goes on. */
  const chainStarts = new Set<number>()
  let presentChain: number | undefined
  let watchedAt = performance.now()
  let sharedAt = Number.NEGATIVE_INFINITY
  let hasGap = false
  let mendedAt = Number.NEGATIVE_INFINITY

  function gather(news: ShipNews): void {
    gathered.push(news)
    gathering ??= setTimeout(sendGathered, gatherMs)
  }

  function sendGathered(): void {
    gathering = undefined
    const news = gathered
    gathered = []
    ask(
      { news },
      news.flatMap((one) => (one.kind === 'rest' ? [one.bytes.buffer as ArrayBuffer] : [])),
    )
  }

  worker.onmessage = ({ data }: MessageEvent<ShipAnswer>) => {
    if (data.kind === 'taken') db.noteTaken(data.taken satisfies Taken)
    else if (data.kind === 'shipped') noteShipped(data.at, data.bytes)
    else if (data.kind === 'chain') noteChain(data)
    else if (data.kind === 'failed') why = data.why
    else if (data.kind === 'opened') opened.resolve()
    else closed.resolve()
  }
  const end = (reason: string): void => {
    why = `the thread that ships the log ended${reason}: restart Proofgate`
    closed.resolve()
  }
  worker.onerror = (event) => end(` (${event.message})`)
  worker.addEventListener('close', () => end(''))

  function noteShipped(at: number, bytes: number): void {
    why = undefined
    shippedBytes += bytes
    times.forget(at)
    waiting =
      waiting && waiting.newest > at ? { oldest: Math.max(waiting.oldest, at), newest: waiting.newest } : undefined
  }

  function noteChain({ startedAt, why: reason }: ChainNews): void {
    chainStarts.add(startedAt)
    presentChain = startedAt
    hasGap = false
    unanchoredSince = startedAt
    triedAt = Number.NEGATIVE_INFINITY
    if (reason === undefined) return
    chains++
    log.info('the continuous backup begins anew, with a backup of the whole', {
      event: 'continuous-begun',
      why: reason,
    })
  }

  /** A backup from before the chain does not reach it. */
  async function anchor(): Promise<void> {
    // It is given at the end of the start.
    if (!runJob || unanchoredSince === undefined || now() - triedAt < retryBackupMs) return
    // The name of a backup tells whole seconds, rounded down.
    if (now() - unanchoredSince < oneSecond) return
    triedAt = now()
    if (!(await hasAnchor(unanchoredSince))) await runJob('backup', stopping.signal)
    if (stopping.signal.aborted) return
    if (await hasAnchor(unanchoredSince)) {
      unanchoredSince = undefined
      conditions.end(unanchored.name)
    } else conditions.begin(unanchored)
  }

  const hasAnchor = async (since: number): Promise<boolean> =>
    (await listBackups(target)).some(({ at, keyMark }) => keyMark === settings.keyMark && at >= since)

  async function watch(): Promise<void> {
    if (presentChain === undefined || performance.now() - watchedAt < watchMs) return
    watchedAt = performance.now()
    const present = presentChain
    const { foreign, isTorn, isWhole } = await watchPlace({ present, all: chainStarts })
    if (foreign !== undefined) {
      sharedAt = performance.now()
      conditions.begin({ ...shared, details: { file: foreign } })
    } else if (performance.now() - sharedAt > sharedForMs) conditions.end(shared.name)
    if (isTorn && present === presentChain)
      gather({ kind: 'lost', why: 'another server ships to the same chain, as a copy of this machine does' })
    // By a clock that was set back since, no backup is as new as the chain.
    if (present !== presentChain || present > now() || unanchoredSince !== undefined) return
    if (performance.now() - mendedAt < retryBackupMs) return
    // Seen twice: a list may be made while files are put together.
    if (!isWhole && hasGap) {
      log.warn('the continuous backup begins anew, with a backup of the whole', {
        event: 'continuous-begun',
        why: 'files that it needs are missing at the place',
        mend: 'see whether backup.to is the place that you mean: a disk that is not mounted looks like this. Somebody may have deleted files there',
      })
      mendedAt = performance.now()
      unanchoredSince = now()
      triedAt = Number.NEGATIVE_INFINITY
    }
    hasGap = !isWhole && !hasGap
  }

  const look = async (): Promise<void> => {
    db.noteTaken(undefined)
    const lagMs = readLagMs()
    if (lagMs > behindAfterMs) conditions.begin({ ...behind, ...(why === undefined ? {} : { details: { why } }) })
    else conditions.end(behind.name)
    if (isAnchoring) return
    isAnchoring = true
    await watch().catch(() => {})
    await anchor().catch(() => {})
    isAnchoring = false
  }
  const looking = setInterval(() => void look(), lookEveryMs)

  function noteCommit(news: LogNews & { kind: 'commits' }): ShipNews {
    // Where the clock was set back, the commits stay in their order.
    lastAt = Math.max(lastAt, now())
    waiting = { oldest: waiting?.oldest ?? lastAt, newest: lastAt }
    times.note({ salt: news.salt, frames: news.frames, at: lastAt })
    return { ...news, at: lastAt }
  }

  const readLagMs = (): number => (waiting ? Math.max(0, now() - waiting.oldest) : 0)

  ask({ open: { ...settings, formerTimes: times.former } })
  relay.listen((news) => gather(news.kind === 'commits' ? noteCommit(news) : news))

  // What the last run left.
  db.noteTaken(undefined)

  return {
    readLagMs,
    readFigures: () => ({ shippedBytes, chains }),
    waitUntilOpen: () => Promise.race([opened.promise, closed.promise, Bun.sleep(openingMs)]),
    setRunner: (run) => {
      runJob = run
    },
    async stop() {
      clearInterval(looking)
      clearTimeout(gathering)
      stopping.abort()
      sendGathered()
      ask({ close: true })
      await Promise.race([closed.promise, Bun.sleep(closingMs)])
      worker.terminate()
      times.close()
    },
  }
}

const behind: Condition = {
  name: 'continuous-behind',
  level: 'warning',
  says: 'what was stored in the last seconds is not at the place of the backups yet',
  mend: 'see whether backup.to can be reached and written, has room, and is fast enough. It ends by itself',
}

const shared: Condition = {
  name: 'place-shared',
  level: 'warning',
  says: 'another server with the same master key keeps its continuous backup at the same place',
  mend: 'give each a place of its own in backup.to, copies of a machine too: of two at one place, a restore takes the state of one alone. It ends ten minutes after the other has stopped',
}

const unanchored: Condition = {
  name: 'continuous-unanchored',
  level: 'warning',
  says: 'the continuous backup began anew, and the backup that it goes on from is not made yet',
  mend: 'it is made by itself. Where this stays, see the log for "a backup could not be made", or run proofgate backup',
}
