/**
 * The environment variables of OpenTelemetry, under their own names. Without an endpoint nothing is traced, though the
 * specification names a default: this server calls only what it was told to.
 */

export interface TracingSettings {
  /** Where POST goes: the path is part of it. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Attributes of the resource, service.name among them. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: Sampler
  /** Whether the headers of W3C Trace Context are read. */
  readonly readsParent: boolean
  readonly queue: { readonly size: number; readonly batch: number; readonly delayMs: number }
}

export interface Sampler {
  /** Share of the traces that begin here. */
  readonly ratio: number
  /** Whether a request that names its trace decides itself. */
  readonly followsParent: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** `problems` says which variables are not used, and why. */
export interface ReadTracing {
  readonly settings: TracingSettings | undefined
  readonly problems: readonly string[]
}

export function readTracing(env: Environment): ReadTracing {
  const problems: string[] = []
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const readOfTraces = (name: string): string | undefined =>
    read(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? read(`OTEL_EXPORTER_OTLP_${name}`)

  const endpoint = readEndpoint(read)
  if (endpoint === undefined || read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true')
    return { settings: undefined, problems }
  const exporters = read('OTEL_TRACES_EXPORTER') ?? 'otlp'
  if (exporters === 'none') return { settings: undefined, problems }
  if (exporters !== 'otlp')
    return refuse(`OTEL_TRACES_EXPORTER is ${exporters}: this server has otlp and none, and traces nothing`)
  const protocol = readOfTraces('PROTOCOL') ?? 'http/json'
  if (protocol !== 'http/json')
    return refuse(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}: this server sends http/json alone, and traces nothing. Set it to http/json, which collectors take at the same port as http/protobuf`,
    )
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol))
    return refuse(
      'OTEL_EXPORTER_OTLP_ENDPOINT is no http(s) address, so nothing is traced: http://127.0.0.1:4318 is one',
    )

  const readCount = (name: string, fallback: number, most: number): number => {
    const text = read(name)
    if (text === undefined) return fallback
    if (/^[1-9][0-9]{0,8}$/.test(text) && Number(text) <= most) return Number(text)
    problems.push(`${name} is no whole number from 1 to ${most}: ${fallback} is used`)
    return fallback
  }
  const size = readCount('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 100_000)
  const settings: TracingSettings = {
    endpoint: url.href,
    headers: readPairs(readOfTraces('HEADERS'), 'OTEL_EXPORTER_OTLP_HEADERS', problems),
    timeoutMs: readOfTraces('TIMEOUT') === undefined ? 10_000 : readCount(nameTimeout(env), 10_000, 600_000),
    resource: {
      'service.name': 'proofgate',
      ...readPairs(read('OTEL_RESOURCE_ATTRIBUTES'), 'OTEL_RESOURCE_ATTRIBUTES', problems),
      ...(read('OTEL_SERVICE_NAME') ? { 'service.name': read('OTEL_SERVICE_NAME')! } : {}),
    },
    sampler: readSampler(read, problems),
    readsParent: (read('OTEL_PROPAGATORS') ?? 'tracecontext').split(',').some((name) => name.trim() === 'tracecontext'),
    queue: {
      size,
      batch: Math.min(size, readCount('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 10_000)),
      delayMs: readCount('OTEL_BSP_SCHEDULE_DELAY', 5_000, 600_000),
    },
  }
  return { settings, problems }
}

const refuse = (problem: string): ReadTracing => ({ settings: undefined, problems: [problem] })

const nameTimeout = (env: Environment): string =>
  env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ? 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT' : 'OTEL_EXPORTER_OTLP_TIMEOUT'

/** The one for traces is used as it is. The path of the signal is added to the other one. */
function readEndpoint(read: (name: string) => string | undefined): string | undefined {
  const ofTraces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  if (ofTraces !== undefined) return ofTraces
  return read('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/?$/, '/v1/traces')
}

/** `one=1,two=2`, with values in percent-encoding (W3C Baggage). The texts are not repeated: they may be secrets. */
function readPairs(text: string | undefined, name: string, problems: string[]): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const part of (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const [key = '', ...rest] = part.split('=')
    const value = decodePercents(rest.join('=').trim())
    if (/^[\x21-\x7e]+$/.test(key.trim()) && rest.length > 0 && value !== undefined) pairs[key.trim()] = value
    else problems.push(`a part of ${name} has not the form key=value, and is left out`)
  }
  return pairs
}

function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function readSampler(read: (name: string) => string | undefined, problems: string[]): Sampler {
  const name = read('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const [, parent, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? []
  if (kind === undefined) {
    problems.push(`OTEL_TRACES_SAMPLER is ${name}, which is not known here: parentbased_always_on is used`)
    return { ratio: 1, followsParent: true }
  }
  const ratio =
    kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : readRatio(read('OTEL_TRACES_SAMPLER_ARG'), problems)
  return { ratio, followsParent: parent !== undefined }
}

function readRatio(text: string | undefined, problems: string[]): number {
  if (text === undefined) return 1
  const ratio = Number(text)
  if (ratio >= 0 && ratio <= 1) return ratio
  problems.push('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: 1 is used')
  return 1
}
