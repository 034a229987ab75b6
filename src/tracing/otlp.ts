/** Spans as OTLP in JSON: the mapping of proto3, with ids in hexadecimal digits and 64-bit numbers as text. */
import type { AttributeValue, FinishedSpan } from './span.ts'

export interface Described {
  readonly resource: Readonly<Record<string, AttributeValue>>
  readonly version: string
}

export const writeOtlp = (spans: readonly FinishedSpan[], { resource, version }: Described): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: writeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'proofgate', version }, spans: spans.map(writeSpan) }],
      },
    ],
  })

const writeSpan = (span: FinishedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
  ...(span.traceState === '' ? {} : { traceState: span.traceState }),
  flags: sampledFlag | hasRemoteFlag | (span.isParentRemote ? remoteFlag : 0),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: writeNanoseconds(span.startedAt),
  endTimeUnixNano: writeNanoseconds(span.endedAt),
  attributes: writeAttributes(span.attributes),
  status: span.failure === undefined ? {} : { code: errorCode, message: span.failure },
})

/** The flags of W3C, and those of OTLP that say whether the parent is known to be remote. */
const sampledFlag = 0x1
const hasRemoteFlag = 0x100
const remoteFlag = 0x200
const errorCode = 2

/** Milliseconds with six digits behind them: a number would lose the last ones. */
const writeNanoseconds = (ms: number): string =>
  `${Math.floor(ms)}${String(Math.floor((ms % 1) * 1e6)).padStart(6, '0')}`

const writeAttributes = (attributes: Readonly<Record<string, AttributeValue>>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: writeValue(value) }))

const writeValue = (value: AttributeValue) =>
  typeof value === 'boolean'
    ? { boolValue: value }
    : typeof value === 'string'
      ? { stringValue: value }
      : Number.isInteger(value)
        ? { intValue: String(value) }
        : { doubleValue: value }
