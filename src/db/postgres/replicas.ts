/**
 * Servers that follow the one that takes writes, for reads that may be some seconds old (old-reads.ts).
 *
 * Clocks say nothing about how old a replica is, and an idle database looks like one that lags. So this process stores
 * marks, and looks for them on the replica: one that is there proves that everything is there that was stored before it
 * was asked for. This holds for a replica of a replica, for one that follows a server that was replaced, and for one that
 * was promoted.
 */
import { randomInt } from 'node:crypto'
import { writeServer } from '../../config/database-url.ts'
import { limitWait } from '../../limit-wait.ts'
import type { SqlValue } from '../commit-group.ts'
import type { ReplicaFigures } from '../db.ts'
import { type Connection, type Login, openConnection, type Server } from './connection.ts'
import { describeError, LostError } from './errors.ts'
import type { Pool } from './pool.ts'

export interface Replica {
  /** Whether it is new enough now. */
  isNew(): boolean
  /** Undefined where it gives no answer in time, whatever the reason. */
  ask(sql: string, params: readonly SqlValue[]): Promise<readonly unknown[] | undefined>
}

export interface Replicas {
  /** The one with the least to do among those that are new enough. */
  choose(): Replica | undefined
  list(): readonly ReplicaFigures[]
  close(): Promise<void>
}

export interface ReplicaEvents {
  /** Told once it was of no use for some seconds, and once it is again. */
  lost?(server: string, why: string): void
  found?(server: string): void
}

interface ReplicasOptions {
  /** Of the server that takes writes. */
  readonly primary: Pool
  readonly servers: readonly Server[]
  readonly login: Login
  readonly lagMs: number
  /** Most connections for reads to each of them. */
  readonly connections: number
  readonly events?: ReplicaEvents
}

const markEveryMs = 500
const lookEveryMs = 250
const connectMs = 2_000
const silentMs = 2_000
/** The other server is asked then. */
const answerMs = 1_000
const pauseMs = { first: 100, last: 5_000 }
/** A restart is no news. */
const toldAfterMs = 10_000

interface Mark {
  readonly id: string
  /** As performance.now() tells it: before it was stored. */
  readonly askedAt: number
}

export function openReplicas({ primary, servers, login, lagMs, connections, events = {} }: ReplicasOptions): Replicas {
  const keptMarks = Math.ceil(lagMs / markEveryMs) + 4
  let marks: readonly Mark[] = []
  let isMarking = false
  let isClosed = false

  const marking = setInterval(() => {
    if (isMarking) return
    isMarking = true
    const mark = { id: Bun.randomUUIDv7(), askedAt: performance.now() }
    primary
      .use((connection) => connection.run('INSERT INTO write_marks (id) VALUES (?1)', [mark.id]))
      .then(() => {
        marks = [...marks, mark].slice(-keptMarks)
      })
      .catch(() => {})
      .finally(() => {
        isMarking = false
      })
  }, markEveryMs)
  marking.unref()

  const followed = servers.map((server) => followServer(server))

  function followServer(server: Server) {
    const name = writeServer(server)
    let pulse: Connection | undefined
    let readers: Connection[] = []
    let isOpening = false
    let newAsOf = Number.NEGATIVE_INFINITY
    let isPrimary = false
    let answered = 0
    let failed = 0
    let usefulAt = performance.now()
    let isToldLost = false
    let why = 'it was not reached yet'
    let wake = (): void => {}

    const follows = (): boolean => pulse !== undefined && performance.now() - newAsOf <= lagMs
    const isNew = (): boolean => follows() && !isPrimary

    function tell(): void {
      const at = performance.now()
      if (follows()) {
        usefulAt = at
        if (isToldLost) events.found?.(name)
        isToldLost = false
      } else if (!isToldLost && at - usefulAt > toldAfterMs) {
        events.lost?.(name, pulse ? `it is more than ${lagMs / 1000} s behind` : why)
        isToldLost = true
      }
    }

    function drop(reason: string): void {
      why = reason
      for (const one of [pulse, ...readers]) one?.lose(reason)
      pulse = undefined
      readers = []
      newAsOf = Number.NEGATIVE_INFINITY
    }

    async function look(connection: Connection): Promise<void> {
      const wanted = marks.filter(({ askedAt }) => askedAt > newAsOf)
      const ids = wanted.map(({ id }) => `'${id}'`).join(', ')
      const asked = connection.runPlain(
        `SELECT pg_is_in_recovery() AS standby, ARRAY(
           SELECT id::text FROM write_marks WHERE ${ids === '' ? 'false' : `id IN (${ids})`}) AS seen`,
      )
      const { rows } = await limitWait(
        asked,
        silentMs,
        () => new LostError(`it has not answered for ${silentMs / 1000} s`),
      )
      const { standby, seen } = rows[0] as { readonly standby: boolean; readonly seen: readonly string[] }
      isPrimary = !standby
      const there = new Set(seen)
      for (const { id, askedAt } of wanted) if (there.has(id)) newAsOf = Math.max(newAsOf, askedAt)
    }

    async function follow(): Promise<void> {
      let pause = pauseMs.first
      while (!isClosed) {
        try {
          const connection = await openConnection({ server, login, timeoutMs: connectMs })
          pulse = connection
          while (!isClosed) {
            await look(connection)
            pause = pauseMs.first
            tell()
            await rest(lookEveryMs)
          }
        } catch (error) {
          drop(describeError(error))
        }
        tell()
        if (!isClosed) await rest(randomInt(pause / 2, 2 * pause))
        pause = Math.min(pause * 2, pauseMs.last)
      }
    }

    const rest = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })

    /** Nobody waits for it: the other server is asked meanwhile. */
    function openReader(): void {
      if (isOpening) return
      isOpening = true
      openConnection({ server, login, timeoutMs: connectMs })
        .then((opened) => {
          if (pulse && !isClosed) readers.push(opened)
          else void opened.close()
        })
        .catch(() => {})
        .finally(() => {
          isOpening = false
        })
    }

    function pickReader(): Connection | undefined {
      readers = readers.filter((one) => !one.isLost())
      const least = readers.toSorted((one, other) => one.countOpen() - other.countOpen())[0]
      if (least?.countOpen() !== 0 && readers.length < connections) openReader()
      return least
    }

    async function ask(sql: string, params: readonly SqlValue[]): Promise<readonly unknown[] | undefined> {
      const reader = pickReader()
      if (!reader) return undefined
      try {
        const { rows } = await limitWait(
          reader.run(sql, params),
          answerMs,
          () => new LostError('the replica gave no answer in time'),
        )
        answered++
        return rows
      } catch {
        failed++
        return undefined
      }
    }

    const following = follow()
    return {
      isNew,
      ask,
      countOpen: () => readers.reduce((sum, one) => sum + one.countOpen(), 0),
      readFigures: (): ReplicaFigures => ({
        server: name,
        state: pulse === undefined ? 'away' : !follows() ? 'behind' : isPrimary ? 'primary' : 'used',
        lagMs: Number.isFinite(newAsOf) ? performance.now() - newAsOf : undefined,
        answered,
        failed,
      }),
      async close() {
        wake()
        await Promise.all([pulse, ...readers].map((one) => one?.close()))
        await following
      },
    }
  }

  return {
    choose: () =>
      followed.filter((one) => one.isNew()).toSorted((one, other) => one.countOpen() - other.countOpen())[0],
    list: () => followed.map((one) => one.readFigures()),
    async close() {
      isClosed = true
      clearInterval(marking)
      await Promise.all(followed.map((one) => one.close()))
    },
  }
}
