/** Begins the span of a request, where its trace is recorded. */
import type { Sampler } from './otel-settings.ts'
import { type FinishedSpan, makeId, type Span, spanKinds, startSpan } from './span.ts'
import { type RemoteParent, readRemoteParent } from './trace-context.ts'

export interface Tracer {
  /** Undefined where the trace of this request is not recorded. */
  startRequest(request: Request): Span | undefined
  /** Spans since the start: for the page of metrics. */
  figures(): TraceFigures
  /** Sends what waits, for a moment. */
  close(): Promise<void>
}

export interface TraceFigures {
  readonly sent: number
  readonly dropped: number
}

/** Where finished spans go. */
export interface SpanSink {
  take(span: FinishedSpan): void
  figures(): TraceFigures
  close(): Promise<void>
}

interface TracerOptions {
  readonly sampler: Sampler
  readonly readsParent: boolean
  /** Unix milliseconds. */
  readonly now: () => number
  readonly sink: SpanSink
}

export function openTracer({ sampler, readsParent, now, sink }: TracerOptions): Tracer {
  const tools = { now, finish: sink.take }
  return {
    startRequest(request) {
      const parent = readsParent ? readRemoteParent(request.headers) : undefined
      const traceId = parent?.traceId ?? makeId(16)
      if (!isSampled(traceId, parent, sampler)) return undefined
      return startSpan(
        {
          traceId,
          spanId: makeId(8),
          parentSpanId: parent?.spanId,
          traceState: parent?.traceState ?? '',
          isParentRemote: parent !== undefined,
          name: request.method,
          kind: spanKinds.server,
          attributes: {},
        },
        tools,
      )
    },
    figures: sink.figures,
    close: sink.close,
  }
}

/** Random digits of the id decide, so that all services with this ratio record the same traces. */
function isSampled(traceId: string, parent: RemoteParent | undefined, { ratio, followsParent }: Sampler): boolean {
  if (parent && followsParent) return parent.isSampled
  return ratio === 1 || Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13
}
