/**
 * One timed piece of work, as OpenTelemetry describes it. A request that is not traced has no span, and its work finds
 * none: it makes no object for tracing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** As OTLP numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const

export type AttributeValue = string | number | boolean

export interface FinishedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** The header tracestate of the request, as it came. */
  readonly traceState: string
  readonly isParentRemote: boolean
  readonly name: string
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds]
  /** Unix milliseconds with a fraction. */
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: Readonly<Record<string, AttributeValue>>
  /** Why it failed. Undefined: it did not. */
  readonly failure: string | undefined
}

export interface SpanEnd {
  readonly name?: string
  readonly attributes?: Readonly<Record<string, AttributeValue>>
  readonly failure?: string | undefined
}

export interface Span {
  /** Work within it finds it, and makes its children. */
  run<Answer>(work: () => Answer): Answer
  startChild(name: string, kind: FinishedSpan['kind'], attributes?: Readonly<Record<string, AttributeValue>>): Span
  end(end?: SpanEnd): void
}

type SpanStart = Omit<FinishedSpan, 'startedAt' | 'endedAt' | 'failure'>

interface SpanTools {
  readonly now: () => number
  readonly finish: (span: FinishedSpan) => void
}

const active = new AsyncLocalStorage<Span>()

/** Undefined where nothing is traced. */
export const findSpan = (): Span | undefined => active.getStore()

export const makeId = (bytes: 8 | 16): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex()

export function startSpan(start: SpanStart, tools: SpanTools): Span {
  const startedAt = tools.now()
  const uptime = performance.now()
  let isEnded = false
  const span: Span = {
    run: (work) => active.run(span, work),
    startChild: (name, kind, attributes = {}) =>
      startSpan(
        {
          traceId: start.traceId,
          spanId: makeId(8),
          parentSpanId: start.spanId,
          traceState: start.traceState,
          isParentRemote: false,
          name,
          kind,
          attributes,
        },
        tools,
      ),
    end({ name = start.name, attributes, failure } = {}) {
      if (isEnded) return
      isEnded = true
      tools.finish({
        ...start,
        name,
        startedAt,
        endedAt: startedAt + (performance.now() - uptime),
        attributes: attributes ? { ...start.attributes, ...attributes } : start.attributes,
        failure,
      })
    },
  }
  return span
}

/** Runs the call in a span of its own. Errors: those of the call. */
export async function traceCall<Answer>(span: Span, call: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await span.run(call)
    span.end()
    return answer
  } catch (error) {
    // The message may hold what a caller sent.
    span.end({ failure: error instanceof Error ? error.name : 'Error', attributes: { 'error.type': nameFault(error) } })
    throw error
  }
}

/** The fault of an OutsideError, which is a word of a list. */
function nameFault(error: unknown): string {
  if (error instanceof Error && 'fault' in error && typeof error.fault === 'string') return error.fault
  return error instanceof Error ? error.name : 'Error'
}
