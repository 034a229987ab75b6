/** The headers of W3C Trace Context, by which a request names the trace that it belongs to. */

export interface RemoteParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  readonly traceState: string
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const mostStateLength = 512
const stateForm = /^[\x20-\x7e]*$/

/** Undefined where the header is missing or not as W3C Trace Context section 3.2 wants it. Then a new trace begins. */
export function readRemoteParent(headers: Headers): RemoteParent | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    form.exec(headers.get('traceparent')?.trim() ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1, traceState: readState(headers) }
}

function readState(headers: Headers): string {
  const state = headers.get('tracestate')?.trim() ?? ''
  return state.length <= mostStateLength && stateForm.test(state) ? state : ''
}
