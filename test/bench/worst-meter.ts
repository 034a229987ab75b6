/** Measures what one request costs: CPU time of the whole process, elapsed time, and the size of its answer. */
import type { HardRequest } from '../fuzz/hard-request.ts'
import { cpuSeconds } from './process.ts'
import { type Launch, launch, listening, type RunningServer } from './server.ts'

/** A slower request is far above the rule: the server is restarted, and continues with the next request. */
const giveUpMs = 2_000
/** The kernel tells CPU time in steps of 10 ms: requests are repeated until a step is a small part. */
const wantedMs = 150
const mostRepeats = 20

export interface Sent {
  readonly status: number
  readonly bytes: number
  readonly wallMs: number
}

export interface Measured extends Sent {
  readonly cpuMs: number
  /** The server was stopped before it answered: the times are lower bounds. */
  readonly isCutOff: boolean
}

export class Meter {
  #server: RunningServer
  /** CPU time that an idle server takes, in ms each second. */
  #idle = 0

  private constructor(
    private readonly launchable: Launch,
    private readonly folder: string,
    server: RunningServer,
  ) {
    this.#server = server
  }

  static async start(launchable: Launch, folder: string): Promise<Meter> {
    const server = launch(launchable, folder)
    await listening(server, 60_000)
    return new Meter(launchable, folder, server)
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  async measureIdle(): Promise<void> {
    const before = cpuSeconds(this.#server.pid) ?? 0
    await Bun.sleep(2_000)
    this.#idle = ((cpuSeconds(this.#server.pid) ?? 0) - before) * 500
  }

  /** Undefined when no answer came in time; the server is then another one. */
  async send({ method, path, headers, body }: HardRequest): Promise<Sent | undefined> {
    const startedAt = performance.now()
    try {
      const answer = await fetch(this.origin + path, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(giveUpMs),
        ...(body === undefined ? {} : { body }),
      })
      const bytes = (await answer.arrayBuffer()).byteLength
      return { status: answer.status, bytes, wallMs: performance.now() - startedAt }
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') {
        await this.restart()
        return undefined
      }
      // The server closed the connection in place of an answer: a header or an address that it does not parse.
      return { status: 0, bytes: 0, wallMs: performance.now() - startedAt }
    }
  }

  async measure(make: (round: number) => HardRequest, isFinal: boolean): Promise<Measured> {
    const first = isFinal ? undefined : await this.send(make(0))
    if (!isFinal && first === undefined) return cutOff
    const repeats = isFinal ? 1 : Math.max(2, Math.min(mostRepeats, Math.ceil(wantedMs / first!.wallMs)))
    const startedAt = performance.now()
    const before = cpuSeconds(this.#server.pid)
    let last = first
    for (let round = 1; round <= repeats; round++) {
      last = await this.send(make(round))
      if (last === undefined) return cutOff
    }
    const spentMs = ((cpuSeconds(this.#server.pid) ?? 0) - (before ?? 0)) * 1_000
    const tookMs = performance.now() - startedAt
    const cpuMs = before === undefined ? tookMs : Math.max(0, spentMs - (this.#idle * tookMs) / 1_000)
    return { ...last!, cpuMs: cpuMs / repeats, isCutOff: false }
  }

  /** The longest time that another request waits while this one is worked on. */
  async measureWaits(request: HardRequest): Promise<Sent & { readonly longestWaitMs: number }> {
    let isDone = false
    let longestWaitMs = 0
    const probing = (async () => {
      while (!isDone) {
        const askedAt = performance.now()
        await fetch(`${this.origin}/api/v1/health/live`).then((answer) => answer.arrayBuffer())
        longestWaitMs = Math.max(longestWaitMs, performance.now() - askedAt)
      }
    })()
    const startedAt = performance.now()
    const answer = await fetch(this.origin + request.path, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
    })
    const bytes = (await answer.arrayBuffer()).byteLength
    const wallMs = performance.now() - startedAt
    isDone = true
    await probing
    return { status: answer.status, bytes, wallMs, longestWaitMs }
  }

  async restart(): Promise<void> {
    const { port } = this.#server
    await this.#server.stop('SIGKILL')
    // Keeps the port, because it is in the resource of the access tokens.
    this.#server = launch({ ...this.launchable, env: (_, folder) => this.launchable.env(port, folder) }, this.folder)
    const server = this.#server
    this.#server = { ...server, port }
    await listening(this.#server, 60_000)
  }

  stop(): Promise<void> {
    return this.#server.stop('SIGKILL')
  }
}

const cutOff: Measured = { status: 0, bytes: 0, wallMs: giveUpMs, cpuMs: giveUpMs, isCutOff: true }
