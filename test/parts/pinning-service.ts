/**
 * A stand-in for a pinning service, written from the IPFS Pinning Service API 1.0.0
 * (ipfs.github.io/pinning-services-api-spec). It has bearer tokens, error bodies, filters and the life of a pin. It
 * fetches what it keeps from the node it is given, and takes only what the specification allows.
 */
import { CID } from 'multiformats/cid'

interface PinStatus {
  readonly requestid: string
  status: 'queued' | 'pinning' | 'pinned' | 'failed'
  readonly created: string
  readonly pin: { cid: string; readonly name?: string }
  readonly delegates: readonly string[]
}

export interface PinningServer {
  readonly url: string
  readonly token: string
  readonly pins: readonly PinStatus[]
  /** Method and path of every call, in order. */
  readonly calls: readonly string[]
  /** Sets its answer from now on. Undefined: as it should. */
  answerWith(answer: ((request: Request) => Response | Promise<Response> | undefined) | undefined): void
  stop(): Promise<void>
}

/** Whether the network holds a CID, so that the service can fetch it. */
export type Network = (cid: string) => Promise<boolean>

const refused = (status: number, reason: string, details: string): Response =>
  Response.json({ error: { reason, details } }, { status })

const isCid = (text: unknown): text is string => {
  try {
    return typeof text === 'string' && CID.parse(text) !== undefined
  } catch {
    return false
  }
}

const words = new Set(['queued', 'pinning', 'pinned', 'failed'])

export function startPinningService(network: Network): PinningServer {
  const token = 'token-of-the-pinning-service'
  const pins: PinStatus[] = []
  const calls: string[] = []
  let instead: ((request: Request) => Response | Promise<Response> | undefined) | undefined

  async function create(request: Request): Promise<Response> {
    if (request.headers.get('content-type') !== 'application/json')
      return refused(400, 'BAD_REQUEST', 'the body must be application/json')
    const body = await request.json().catch(() => undefined)
    const { cid, name, origins, meta, ...more } = (body ?? {}) as Record<string, unknown>
    if (!isCid(cid)) return refused(400, 'BAD_REQUEST', 'cid is required')
    if (name !== undefined && (typeof name !== 'string' || name.length > 255))
      return refused(400, 'BAD_REQUEST', 'name must have at most 255 characters')
    if (origins !== undefined || meta !== undefined || Object.keys(more).length > 0)
      return refused(400, 'BAD_REQUEST', 'unexpected members')
    const pin: PinStatus = {
      requestid: `request/${pins.length + 1}`,
      status: 'queued',
      created: '2026-01-01T00:00:00.000Z',
      pin: { cid, ...(name === undefined ? {} : { name }) },
      delegates: ['/ip4/203.0.113.1/tcp/4001/p2p/QmServicePeerId'],
    }
    pins.unshift(pin)
    return Response.json(pin, { status: 202 })
  }

  function list(query: URLSearchParams): Response {
    const cids = query.get('cid')?.split(',')
    const statuses = (query.get('status') ?? 'pinned').split(',')
    const limit = Number(query.get('limit') ?? 10)
    if (cids?.some((cid) => !isCid(cid)) || statuses.some((status) => !words.has(status)))
      return refused(400, 'BAD_REQUEST', 'a filter is malformed')
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000) return refused(400, 'BAD_REQUEST', 'limit: 1 to 1000')
    const found = pins.filter(({ pin, status }) => (!cids || cids.includes(pin.cid)) && statuses.includes(status))
    return Response.json({ count: found.length, results: found.slice(0, limit) })
  }

  /** Each look at a pin finds it one step further, and the last step needs the content. */
  async function look(requestid: string): Promise<Response> {
    const pin = pins.find((one) => one.requestid === requestid)
    if (!pin) return refused(404, 'NOT_FOUND', 'no such request')
    if (pin.status === 'queued') pin.status = 'pinning'
    else if (pin.status === 'pinning' && (await network(pin.pin.cid))) pin.status = 'pinned'
    return Response.json(pin)
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url)
      calls.push(`${request.method} ${pathname}${search}`)
      const answer = await instead?.(request)
      if (answer) return answer
      if (request.headers.get('authorization') !== `Bearer ${token}`)
        return refused(401, 'UNAUTHORIZED', 'access token is missing or invalid')
      if (pathname === '/psa/pins' && request.method === 'POST') return create(request)
      if (pathname === '/psa/pins' && request.method === 'GET') return list(searchParams)
      const [, requestid] = /^\/psa\/pins\/([^/]+)$/.exec(pathname) ?? []
      if (requestid && request.method === 'GET') return look(decodeURIComponent(requestid))
      return refused(404, 'NOT_FOUND', 'no such path')
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/psa`,
    token,
    pins,
    calls,
    answerWith: (answer) => {
      instead = answer
    },
    stop: () => server.stop(true),
  }
}
