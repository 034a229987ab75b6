/**
 * One server and the history of its clients. It knows the server's address and clock, the refusals allowed at the
 * moment, all events, and all wrong answers.
 */
import { readFileSync } from 'node:fs'
import { type FaultyServer, openStage, type Stage, StartError } from './faulty-server.ts'
import { cutTornEntry } from './power-cut.ts'

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any
  readonly headers: Headers
  /** The server's clock when the answer came, and whether it was moved since the request. */
  readonly at: number
  readonly isClockSteady: boolean
  /**
   * No fault stood meanwhile. Under a fault, an uncertain change is open until the disk settles it: unseen now, it may
   * still appear.
   */
  readonly isSettled: boolean
}

/** `refused` is a certain no; of `unsure` anything may have become. */
export type Outcome = 'done' | 'refused' | 'unsure'

export const outcomeOf = (answer: Answer | undefined): Outcome => {
  if (!answer) return 'unsure'
  if (answer.status >= 200 && answer.status < 400) return 'done'
  return JSON.stringify(answer.body).includes('"uncertain":true') ? 'unsure' : 'refused'
}

export const publicUrl = 'http://localhost:9'
/** Defaults of [signing], with some room for the time that a request takes. */
const maxAgeMs = 300_000
const maxAheadMs = 60_000
const roomMs = 3_000
const oneDayMs = 86_400_000
const answerWithinMs = 20_000

const setting = (name: string): boolean =>
  readFileSync(new URL('../../config.example.toml', import.meta.url), 'utf8').includes(`\n# ${name} = `)
/** How long a write may hang before the server gives up, where it does. */
export const giveUpSeconds = setting('write_timeout_seconds') ? 4 : undefined

const settings: Record<string, string> = {
  // Optimizing code takes a fifth of the start, which a server that lives for a second never earns back.
  BUN_JSC_useDFGJIT: '0',
  PROOFGATE_BASE_URL: publicUrl,
  PROOFGATE_SWEEP_SCHEDULE: '* * * * *',
  // A small log, so that faults meet checkpoints too.
  PROOFGATE_STORAGE_WAL_LIMIT_MB: '1',
  ...(giveUpSeconds ? { PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: String(giveUpSeconds) } : {}),
  // Limits are on, but so wide that no request may meet one.
  ...Object.fromEntries(
    ['API', 'CREATE', 'READS', 'PREPARE', 'OWNER', 'SESSIONS', 'TOKEN', 'HEALTH'].map((rate) => [
      `PROOFGATE_LIMITS_RATES_${rate}`,
      '1000000/1m',
    ]),
  ),
  PROOFGATE_LIMITS_BYTES_NETWORK: '1000000MiB/24h',
  PROOFGATE_LIMITS_BYTES_OWNER: '1000000MiB/24h',
}

/** Whether the server itself is slow: on a busy machine everything is. */
async function isQuick(url: string): Promise<boolean> {
  const began = performance.now()
  const answer = await fetch(`${url}/api/v1/health/live`).catch(() => undefined)
  return answer !== undefined && performance.now() - began < 200
}

export type World = Awaited<ReturnType<typeof openWorld>>

const lastKept = 400

/** `known` matches faults that are expected, and ignored. */
export async function openWorld(folder: string, random: () => number, known?: RegExp) {
  const stage: Stage = openStage(folder)
  const counts = new Map<string, number>()
  const surprises: string[] = []
  const events: string[] = []
  const usedTimes = new Set<number>()
  /** `phase` is the offset of the right clock; `jump` is how far the server's clock is from it. */
  let phase = 0
  let jump = 0
  let clockMoves = 0
  let refusing: string | undefined
  let current: Promise<FaultyServer>
  let waitMs: number | undefined
  /** The minute of the right clock in which a clock set back over a day first signed a text. */
  let signedLongAgo: number | undefined
  let isGone = false
  /** How many servers there were. */
  let runs = 1
  let isOver = false

  const count = (name: string, by = 1): void => void counts.set(name, (counts.get(name) ?? 0) + by)
  const now = (): number => Date.now() + phase + jump
  const note = (event: string): void => {
    events.push(`${new Date().toISOString().slice(11, 23)} ${event}`)
    if (events.length > lastKept) events.shift()
  }
  const surprise = (what: string): void => {
    note(`!! ${what}`)
    if (known?.test(what)) count('known, and looked over')
    else surprises.push(what)
  }

  const start = (env: Record<string, string> = {}): Promise<FaultyServer> => {
    cutTornEntry(stage.folder)
    return stage.start({ env: { ...settings, ...env }, isJournaled: true })
  }
  current = start()
  current.catch(() => {})

  const watch = (server: FaultyServer): void => {
    void server.exited.then((code) => {
      if (!isGone && !isOver) note(`the server ended by itself: ${code}`)
    })
  }

  const minute = (): number => Math.floor((now() - jump) / 60_000)
  /**
   * Used texts are kept for a day of time that has passed for sure. The next sweep forgets only those signed by a clock
   * that was set back by more. Texts signed later by such a clock look the same.
   */
  const mayForget = (movesBefore: number): boolean =>
    signedLongAgo !== undefined && minute() > signedLongAgo && (jump < -oneDayMs || movesBefore !== clockMoves)

  const world = {
    stage,
    faults: stage.faults,
    random,
    counts,
    surprises,
    events,
    count,
    note,
    surprise,
    now,
    pick: <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!,
    /** Picks one of them, the heavier the more often. */
    weigh<T>(items: readonly T[], weightOf: (item: T) => number): T {
      let left = random() * items.reduce((sum, item) => sum + weightOf(item), 0)
      for (const item of items) {
        left -= weightOf(item)
        if (left < 0) return item
      }
      return items.at(-1)!
    },
    chance: (of: number): boolean => random() < of,
    server: () => current,

    /** A moment that no text was signed at yet: a text counts once. */
    newTime(): number {
      let time = now() - 2_000
      while (usedTimes.has(time)) time--
      usedTimes.add(time)
      if (jump < -oneDayMs) signedLongAgo ??= minute()
      return time
    },

    /** Sets how far the clock is wrong from now on; 0 puts it right. */
    setClock(wrongByMs: number): void {
      jump = wrongByMs
      clockMoves++
      stage.faults.set({ clockOffsetMs: phase + jump })
    },
    isClockWrong: () => jump !== 0,
    clockMoves: () => clockMoves,
    runs: () => runs,
    /** Moves the clock to just before the next minute, so that tests need not wait for scheduled work. */
    approachMinute(ms: number): void {
      phase += (2 * 60_000 - ms - (now() % 60_000)) % 60_000
      world.setClock(jump)
    },

    /** Until it is taken back, a write may be refused for this reason. */
    allowRefusals(reason: string | undefined): void {
      refusing = reason
    },
    refusing: () => refusing,
    expectAnswersWithin(ms: number | undefined): void {
      waitMs = ms
    },

    /** Ends the server by `end`, runs `between`, and starts the next server. */
    async replace(
      end: (server: FaultyServer) => Promise<unknown>,
      between: () => void = () => {},
      env: Record<string, string> = {},
    ): Promise<FaultyServer> {
      const old = await current
      const next = Promise.withResolvers<FaultyServer>()
      next.promise.catch(() => {})
      isGone = true
      runs++
      current = next.promise
      await end(old)
      between()
      try {
        const server = await start(env)
        isGone = false
        watch(server)
        next.resolve(server)
        return server
      } catch (error) {
        surprise(`${error instanceof StartError ? `exit code ${error.exitCode}: ` : ''}${error}`)
        next.reject(error)
        throw error
      }
    },

    async close(): Promise<void> {
      isOver = true
      await current.then((server) => server.kill()).catch(() => {})
      stage.faults.close()
    },

    /** Undefined where no answer came. */
    async ask(path: string, init: RequestInit & { readonly what: string }): Promise<Answer | undefined> {
      const server = await current
      const movesBefore = clockMoves
      const couldRefuse = refusing
      const began = performance.now()
      count('requests')
      try {
        const response = await fetch(server.url + path, { ...init, signal: AbortSignal.timeout(answerWithinMs) })
        const text = await response.text()
        const isJson = response.headers.get('content-type')?.includes('json') ?? false
        const answer: Answer = {
          status: response.status,
          body: isJson ? JSON.parse(text) : text,
          headers: response.headers,
          at: now(),
          isClockSteady: movesBefore === clockMoves,
          isSettled: !refusing && !couldRefuse,
        }
        const tookMs = performance.now() - began
        if (waitMs !== undefined && tookMs > waitMs && (await isQuick(server.url)))
          surprise(`${init.what}: took ${Math.round(tookMs)} ms beside a reader`)
        if (answer.status === 429) surprise(`${init.what}: locked out by the limiter: ${text}`)
        if (answer.status === 500) surprise(`${init.what}: ${text}`)
        const isOfClock = answer.body?.error?.details?.reason === 'CLOCK_SET_BACK'
        if (isOfClock) count('refused: the texts of this hour were forgotten')
        if (isOfClock && !mayForget(movesBefore)) surprise(`${init.what}: a used text was forgotten: ${text}`)
        if (answer.status === 503 && !refusing && !couldRefuse && !isGone && !isOfClock)
          surprise(`${init.what}: refused without a fault: ${text}`)
        return answer
      } catch (error) {
        const isLate = error instanceof DOMException && error.name === 'TimeoutError'
        if (isLate) surprise(`${init.what}: no answer within ${answerWithinMs / 1000} s`)
        else if (!isGone && !refusing && !couldRefuse) {
          await Bun.sleep(50)
          if (!isGone) surprise(`${init.what}: no answer, and the server was not stopped: ${error}`)
        }
        count('requests without an answer')
        return undefined
      }
    },

    post(what: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Answer | undefined> {
      return world.ask(`/api/v1${path}`, {
        what,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    },
    get: (what: string, path: string, headers: Record<string, string> = {}): Promise<Answer | undefined> =>
      world.ask(`/api/v1${path}`, { what, headers }),

    /** Whether a text signed at that time may be refused: as too old, or as ahead of the clock. */
    mayBeStale: (signedAt: number, answer: Pick<Answer, 'at' | 'isClockSteady'>): boolean =>
      !answer.isClockSteady || signedAt < answer.at - maxAgeMs + roomMs || signedAt > answer.at + maxAheadMs - roomMs,

    /** A refusal that fits nothing that is known is a surprise. */
    expectRefusal(what: string, answer: Answer, allowed: readonly string[]): void {
      if (answer.status === 429 || answer.status === 500 || answer.status === 503) return
      const code = answer.body?.error?.code ?? answer.body?.error ?? String(answer.status)
      if (!allowed.includes(code)) surprise(`${what}: refused: ${answer.status} ${JSON.stringify(answer.body)}`)
    },
  }
  watch(await current)
  return world
}
