/**
 * A collector of traces, as strict as OTLP 1.5 over HTTP in JSON: it takes only the fields of the protocol, in the forms of
 * the JSON mapping. What it refuses it remembers.
 */

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly flags?: number
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code?: number; readonly message?: string }
  readonly resource: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Objections to requests. */
  readonly objections: readonly string[]
  readonly requests: readonly { readonly path: string; readonly headers: Headers }[]
  /** How the next requests are answered, in place of 200. */
  answerNext(...answers: readonly (() => Response | Promise<Response>)[]): void
  stop(): void
}

type Members = Readonly<Record<string, (value: unknown, at: string) => void>>

class Objection extends Error {}

const object = (value: unknown, at: string): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Objection(`${at} is no object`)
  return value as Record<string, unknown>
}
/** Refuses members that the protocol does not have. */
function check(value: unknown, at: string, members: Members, required: readonly string[] = []): void {
  const found = object(value, at)
  for (const name of required) if (!(name in found)) throw new Objection(`${at}.${name} is missing`)
  for (const [name, member] of Object.entries(found)) {
    const take = members[name]
    if (!take) throw new Objection(`${at}.${name} is not of the protocol`)
    take(member, `${at}.${name}`)
  }
}
const list = (each: (value: unknown, at: string) => void) => (value: unknown, at: string) => {
  if (!Array.isArray(value)) throw new Objection(`${at} is no list`)
  for (const [index, item] of value.entries()) each(item, `${at}[${index}]`)
}
const text = (form?: RegExp) => (value: unknown, at: string) => {
  if (typeof value !== 'string' || (form && !form.test(value))) throw new Objection(`${at} is ${JSON.stringify(value)}`)
}
const whole = (most: number) => (value: unknown, at: string) => {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > most)
    throw new Objection(`${at} is ${JSON.stringify(value)}`)
}
const id = (digits: number) => (value: unknown, at: string) => {
  text(new RegExp(`^[0-9a-f]{${digits}}$`))(value, at)
  if (/^0+$/.test(String(value))) throw new Objection(`${at} is zero`)
}
const nanoseconds = text(/^[1-9][0-9]{18}$/)

const anyValue = (value: unknown, at: string): void => {
  check(value, at, {
    stringValue: text(),
    boolValue: (member, where) => {
      if (typeof member !== 'boolean') throw new Objection(`${where} is no boolean`)
    },
    intValue: text(/^-?[0-9]{1,19}$/),
    doubleValue: (member, where) => {
      if (typeof member !== 'number') throw new Objection(`${where} is no number`)
    },
  })
  if (Object.keys(object(value, at)).length !== 1) throw new Objection(`${at} has not one value`)
}
const attributes = (value: unknown, at: string): void => {
  list((one, where) => check(one, where, { key: text(/^.+$/), value: anyValue }, ['key', 'value']))(value, at)
  const keys = (value as { key: string }[]).map(({ key }) => key)
  if (new Set(keys).size < keys.length) throw new Objection(`${at} has a key twice`)
}
const span = (value: unknown, at: string): void => {
  check(
    value,
    at,
    {
      traceId: id(32),
      spanId: id(16),
      parentSpanId: id(16),
      traceState: text(/^[\x20-\x7e]{1,512}$/),
      flags: whole(0xffff_ffff),
      name: text(/^.+$/),
      kind: whole(5),
      startTimeUnixNano: nanoseconds,
      endTimeUnixNano: nanoseconds,
      attributes,
      droppedAttributesCount: whole(0xffff_ffff),
      status: (one, where) => check(one, where, { code: whole(2), message: text() }),
    },
    ['traceId', 'spanId', 'name', 'startTimeUnixNano', 'endTimeUnixNano'],
  )
  const { startTimeUnixNano, endTimeUnixNano } = value as CollectedSpan
  if (BigInt(endTimeUnixNano) < BigInt(startTimeUnixNano)) throw new Objection(`${at} ends before it starts`)
}
const request = (value: unknown): void =>
  check(value, 'request', {
    resourceSpans: list((one, at) =>
      check(one, at, {
        resource: (resource, where) =>
          check(resource, where, { attributes, droppedAttributesCount: whole(0xffff_ffff) }),
        schemaUrl: text(),
        scopeSpans: list((spans, where) =>
          check(spans, where, {
            scope: (scope, place) => check(scope, place, { name: text(), version: text(), attributes }),
            spans: list(span),
            schemaUrl: text(),
          }),
        ),
      }),
    ),
  })

const readAttributes = (written: readonly { key: string; value: Record<string, unknown> }[] = []) =>
  Object.fromEntries(written.map(({ key, value }) => [key, Object.values(value)[0]]))

export function startCollector(path = '/v1/traces'): Collector {
  const spans: CollectedSpan[] = []
  const objections: string[] = []
  const requests: { path: string; headers: Headers }[] = []
  const answers: (() => Response | Promise<Response>)[] = []

  async function take(asked: Request): Promise<Response> {
    const url = new URL(asked.url)
    requests.push({ path: url.pathname, headers: asked.headers })
    const next = answers.shift()
    if (next) return next()
    if (url.pathname !== path) throw new Objection(`the path is ${url.pathname}`)
    if (asked.method !== 'POST') throw new Objection(`the method is ${asked.method}`)
    if (asked.headers.get('content-type') !== 'application/json')
      throw new Objection(`the content type is ${asked.headers.get('content-type')}`)
    const body = (await asked.json()) as {
      resourceSpans: { resource: { attributes: never[] }; scopeSpans: { spans: never[] }[] }[]
    }
    request(body)
    for (const { resource, scopeSpans } of body.resourceSpans)
      for (const one of scopeSpans.flatMap((scope) => scope.spans) as (CollectedSpan & { attributes: never[] })[])
        spans.push({
          ...one,
          attributes: readAttributes(one.attributes),
          resource: readAttributes(resource.attributes),
        })
    return Response.json({})
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (asked) =>
      take(asked).catch((error) => {
        objections.push(error instanceof Error ? error.message : String(error))
        return Response.json({ code: 3, message: String(error) }, { status: 400 })
      }),
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    objections,
    requests,
    answerNext: (...next) => void answers.push(...next),
    stop: () => void server.stop(true),
  }
}
