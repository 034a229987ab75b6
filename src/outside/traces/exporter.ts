/**
 * Sends finished spans to a collector by OTLP over HTTP, in batches and from a bounded queue. No request waits for it: a
 * collector that does not answer costs spans, which are counted.
 */
import type { TracingSettings } from '../../tracing/otel-settings.ts'
import { writeOtlp } from '../../tracing/otlp.ts'
import type { FinishedSpan } from '../../tracing/span.ts'
import type { SpanSink } from '../../tracing/tracer.ts'
import { OutsideError } from '../failure.ts'
import { makeGuard } from '../http/address-guard.ts'
import { exchange, openConnections } from '../http/exchange.ts'
import type { OutsideAnswer } from '../http/message.ts'
import { readPause } from '../http/status.ts'

interface ExporterOptions extends Pick<TracingSettings, 'endpoint' | 'headers' | 'timeoutMs' | 'resource' | 'queue'> {
  readonly version: string
  /** Tells that spans are lost. The reason holds no address. */
  readonly tellLoss: (loss: { readonly lost: number; readonly why: string }) => void
}

/** The collector is often on the same machine, and its name may lead into a private network. The operator named it. */
const guard = makeGuard(['0.0.0.0/0', '::/0'])
const setting = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const mostAnswerBytes = 65_536
/** The answers after which the same batch may be sent again (OTLP 1.5, "Failures"). */
const retryable = [429, 502, 503, 504]
const mostTries = 5
const mostPauseMs = 60_000
/** How long a stop waits for the last batches. */
const closeWithinMs = 3_000

export function openExporter(options: ExporterOptions): SpanSink {
  const { endpoint, headers, timeoutMs, queue, tellLoss } = options
  const url = new URL(endpoint)
  const connections = openConnections(url)
  let waiting: FinishedSpan[] = []
  let sending: Promise<void> | undefined
  let isClosed = false
  let tries = 0
  let nextAt = 0
  const figures = { sent: 0, dropped: 0 }

  function lose(lost: number, why: string): void {
    figures.dropped += lost
    tellLoss({ lost, why })
  }

  async function sendOnce(): Promise<void> {
    const batch = waiting.slice(0, queue.batch)
    try {
      const answer = await post(batch)
      if (retryable.includes(answer.status))
        return postpone(batch, `the collector answered ${answer.status}`, readPause(answer))
      finishBatch(batch)
      if (answer.status >= 300) return lose(batch.length, `the collector answered ${answer.status}`)
      const rejected = Math.min(batch.length, readRejected(answer))
      figures.sent += batch.length - rejected
      if (rejected > 0) lose(rejected, 'the collector rejected spans')
    } catch (error) {
      postpone(batch, error instanceof OutsideError ? error.happened : 'the spans could not be sent')
    }
  }

  /** The batch stood at the front of the queue until now. */
  function finishBatch(batch: readonly FinishedSpan[]): void {
    waiting = waiting.slice(batch.length)
    tries = 0
    nextAt = 0
  }

  function postpone(batch: readonly FinishedSpan[], why: string, pauseSeconds?: number): void {
    if (++tries >= mostTries) {
      finishBatch(batch)
      lose(batch.length, why)
      return
    }
    const pauseMs = pauseSeconds === undefined ? Math.min(mostPauseMs, 1_000 * 2 ** (tries - 1)) : pauseSeconds * 1_000
    nextAt = performance.now() + pauseMs
  }

  const post = (batch: readonly FinishedSpan[]): Promise<OutsideAnswer> =>
    exchange(
      setting,
      url,
      { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: writeOtlp(batch, options) },
      { maxBytes: mostAnswerBytes, timeoutMs, guard },
      connections,
    )

  /** Until the queue is empty, or the collector wants a pause. */
  async function drain(): Promise<void> {
    while (waiting.length > 0 && performance.now() >= nextAt) await sendOnce()
  }
  function start(): void {
    sending ??= drain().finally(() => {
      sending = undefined
    })
  }
  const timer = setInterval(start, queue.delayMs)
  timer.unref()

  return {
    take(span) {
      if (isClosed) return
      if (waiting.length >= queue.size) return lose(1, 'the queue is full (OTEL_BSP_MAX_QUEUE_SIZE)')
      waiting.push(span)
      if (waiting.length >= queue.batch && performance.now() >= nextAt) start()
    },
    figures: () => ({ ...figures }),
    async close() {
      isClosed = true
      clearInterval(timer)
      nextAt = 0
      start()
      const { promise: patience, resolve } = Promise.withResolvers<void>()
      const force = setTimeout(resolve, closeWithinMs)
      await Promise.race([sending, patience])
      clearTimeout(force)
      if (waiting.length > 0) lose(waiting.length, 'the server stopped before they were sent')
      waiting = []
      connections.destroy()
    },
  }
}

/** The number of spans that a collector did not take out of a batch that it accepted. */
function readRejected({ body }: OutsideAnswer): number {
  try {
    const answer = JSON.parse(new TextDecoder().decode(body)) as { partialSuccess?: { rejectedSpans?: unknown } } | null
    const rejected = Number(answer?.partialSuccess?.rejectedSpans ?? 0)
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0
  } catch {
    return 0
  }
}
