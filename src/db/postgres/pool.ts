/**
 * The connections to the server that takes writes. Finds it among the servers of database.url, watches it, and finds it
 * again when it is lost, restarted, or followed by another one.
 *
 * Reads share connections, on which they are answered one after another. A write has one for itself.
 */
import { randomInt } from 'node:crypto'
import { writeServer } from '../../config/database-url.ts'
import { limitWait } from '../../limit-wait.ts'
import { type Connection, type Login, openConnection, type Server } from './connection.ts'
import { describeError, isLost, LostError } from './errors.ts'
import { connectMs, findPrimary, requireTables } from './find-primary.ts'
import { isReadOnly } from './own-session.ts'

export interface Pool {
  /** A read may share its connection. Errors: LostError once no server answered for long enough, PostgresError. */
  share<T>(ask: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * For a transaction. A connection that was left inside one must be lost by the work itself. `until`: how long the
   * caller waits for a server, as performance.now() tells it.
   */
  use<T>(work: (connection: Connection) => Promise<T>, until?: number): Promise<T>
  /** From now on a server without our tables is as good as none. */
  needTables(): void
  /** When the server was found that takes writes, or the last one that did, as performance.now() tells it. */
  readArrival(): number
  close(): Promise<void>
}

/** `since`: as performance.now() tells it. */
interface Outage {
  readonly why: string
  readonly since: number
}

export interface PoolOptions {
  readonly servers: readonly Server[]
  readonly login: Login
  /** Most connections: a quarter of them is for reads. */
  readonly connections: number
  /** Told once for each outage, and at its end. */
  readonly events?: { lost?(why: string): void; found?(server: Server, afterMs: number): void }
}

/** A caller gets its answer within so long of an outage; longer outages are answered at once. */
export const patienceMs = 2_500
const pulseEveryMs = 500
const silentMs = 2_000
/** A read waits for nobody but an administrator who locks a table, and its caller must have an answer. */
const readerSettings = `SET lock_timeout = '${patienceMs}ms'`
/** For a connection, where all are busy and the server works. */
const turnMs = 10_000
/** Each is halved or doubled by chance. A server that starts again is found within half a second. */
const pauseMs = { first: 50, last: 200 }

/** One server for as long as it takes writes without an interruption. */
interface Stay {
  readonly server: Server
  readonly pulse: Connection
  readonly readers: Connection[]
  /** Connections for reads that are being opened. */
  readonly opening: Set<Promise<Connection>>
  readonly idle: Connection[]
  /** Those that are idle, busy or being opened. */
  writers: number
  isOver: boolean
  all: Set<Connection>
}

export function openPool({ servers, login, connections, events = {} }: PoolOptions): Pool {
  const mostReaders = Math.max(1, Math.floor(connections / 4))
  const mostWriters = Math.max(1, connections - mostReaders - 1)
  let stay: Stay | undefined
  let arrivedAt = Number.NEGATIVE_INFINITY
  let leastTimeline = 0
  let outage: Outage | undefined = { why: 'it was not reached yet', since: performance.now() }
  let isClosed = false
  let needsTables = false
  let arrival = Promise.withResolvers<Stay>()
  arrival.promise.catch(() => {})
  const queue: { readonly resolve: () => void }[] = []

  function end(over: Stay, why: string): void {
    if (over.isOver) return
    over.isOver = true
    for (const connection of over.all) connection.lose(why)
    over.all.clear()
    if (stay !== over) return
    stay = undefined
    outage = { why, since: performance.now() }
    if (isClosed) return
    events.lost?.(why)
    arrival = Promise.withResolvers()
    arrival.promise.catch(() => {})
    for (const { resolve } of queue.splice(0)) resolve()
    void find()
  }

  async function find(): Promise<void> {
    for (let pause = pauseMs.first; !isClosed; pause = Math.min(pause * 2, pauseMs.last)) {
      const found = await tryServers()
      if (isClosed) return void found?.pulse.close()
      if (found) return arrive(found)
      // Jitter: many processes lose one server at the same moment.
      await Bun.sleep(randomInt(pause / 2, 2 * pause))
    }
  }

  async function tryServers(): Promise<Stay | undefined> {
    try {
      const { server, connection, timeline } = await findPrimary({ servers, login, leastTimeline, needsTables })
      leastTimeline = Math.max(leastTimeline, timeline)
      return {
        server,
        pulse: connection,
        readers: [],
        opening: new Set(),
        idle: [],
        writers: 0,
        isOver: false,
        all: new Set([connection]),
      }
    } catch (error) {
      if (outage) outage = { why: describeError(error), since: outage.since }
      return undefined
    }
  }

  function arrive(found: Stay): void {
    const afterMs = performance.now() - (outage?.since ?? performance.now())
    stay = found
    arrivedAt = performance.now()
    outage = undefined
    events.found?.(found.server, afterMs)
    arrival.resolve(found)
    watch(found)
  }

  /** Asks again and again whether the server still takes writes. Counts only the time in which this process ran. */
  function watch(watched: Stay): void {
    let waitedMs = 0
    let isAsking = false
    let tickedAt = performance.now()
    const ticking = setInterval(() => {
      const at = performance.now()
      waitedMs = isAsking ? waitedMs + Math.min(at - tickedAt, 2 * pulseEveryMs) : 0
      tickedAt = at
      if (watched.isOver || isClosed) return clearInterval(ticking)
      if (waitedMs >= silentMs) end(watched, `${writeServer(watched.server)} has not answered for ${silentMs / 1000} s`)
      if (isAsking || watched.isOver) return
      isAsking = true
      askWhetherItServes(watched.pulse).then(
        () => {
          isAsking = false
        },
        (error) => end(watched, describeError(error)),
      )
    }, pulseEveryMs)
    ticking.unref()
  }

  /** Errors: LostError with the reason, where it does not any more. */
  async function askWhetherItServes(pulse: Connection): Promise<void> {
    if (await isReadOnly(pulse)) throw new LostError(`${writeServer(pulse.server)} takes no writes any more`)
    if (needsTables) await requireTables(pulse)
  }

  /** Errors: LostError, when none arrives in time. */
  async function waitForStay(until: number): Promise<Stay> {
    if (stay) return stay
    const makeError = (): LostError =>
      new LostError(`no server of the database takes writes: ${outage?.why ?? 'closed'}`)
    if (isClosed || (outage && performance.now() - outage.since > patienceMs)) throw makeError()
    return limitWait(arrival.promise, until - performance.now(), makeError)
  }

  async function open(at: Stay): Promise<Connection> {
    const connection = await openConnection({ server: at.server, login, timeoutMs: connectMs })
    if (at.isOver) {
      void connection.close()
      throw new LostError('the server was lost while a connection was opened')
    }
    at.all.add(connection)
    return connection
  }

  /** The one with the least to do. Opens another while all have something to do and there may be more. */
  async function pickReader(at: Stay): Promise<Connection> {
    for (const lost of at.readers.filter((one) => one.isLost())) {
      at.readers.splice(at.readers.indexOf(lost), 1)
      at.all.delete(lost)
    }
    const least = at.readers.toSorted((one, other) => one.countOpen() - other.countOpen())[0]
    if (least?.countOpen() !== 0 && at.readers.length + at.opening.size < mostReaders) openReader(at)
    const [first] = at.opening
    return least ?? first!
  }

  /** It waits for nobody: reads go on with the others. */
  function openReader(at: Stay): void {
    const opening = open(at).then(async (opened) => {
      await opened.runPlain(readerSettings)
      return opened
    })
    at.opening.add(opening)
    opening
      .then(
        (opened) => at.readers.push(opened),
        () => {},
      )
      .finally(() => at.opening.delete(opening))
  }

  async function takeWriter(at: Stay): Promise<Connection> {
    const until = performance.now() + turnMs
    for (;;) {
      if (at.isOver) throw new LostError('the server was lost')
      const idle = at.idle.pop()
      if (idle?.isLost()) {
        forget(at, idle)
        continue
      }
      if (idle) return idle
      if (at.writers < mostWriters) {
        at.writers++
        try {
          return await open(at)
        } catch (error) {
          at.writers--
          queue.shift()?.resolve()
          throw error
        }
      }
      const turn = Promise.withResolvers<void>()
      queue.push(turn)
      await limitWait(turn.promise, until - performance.now(), () => {
        if (queue.includes(turn)) queue.splice(queue.indexOf(turn), 1)
        return new LostError(`all ${connections} connections to the database were busy for ${turnMs / 1000} s`)
      })
    }
  }

  const forget = (at: Stay, connection: Connection): void => {
    at.writers--
    at.all.delete(connection)
  }

  function giveBack(at: Stay, connection: Connection): void {
    if (connection.isLost()) forget(at, connection)
    else at.idle.push(connection)
    queue.shift()?.resolve()
  }

  /** A new try follows where the server was lost, until the caller's time is over. */
  async function keepTrying<T>(
    work: (at: Stay) => Promise<T>,
    until: number = performance.now() + patienceMs,
  ): Promise<T> {
    for (;;)
      try {
        return await work(await waitForStay(until))
      } catch (error) {
        if (!isLost(error) || performance.now() >= until || isClosed) throw error
        // One connection may end while its server goes on.
        await Bun.sleep(randomInt(5, 25))
      }
  }

  void find()

  return {
    share: (ask) => keepTrying(async (at) => ask(await pickReader(at))),
    async use(work, until) {
      const [at, connection] = await keepTrying(async (chosen) => [chosen, await takeWriter(chosen)] as const, until)
      try {
        return await work(connection)
      } finally {
        giveBack(at, connection)
      }
    },
    needTables() {
      needsTables = true
    },
    readArrival: () => arrivedAt,
    async close() {
      isClosed = true
      arrival.reject(new LostError('the database is closed'))
      const open = [...(stay?.all ?? [])]
      if (stay) stay.isOver = true
      await Promise.all(open.map((connection) => connection.close()))
    },
  }
}
