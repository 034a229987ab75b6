/**
 * Contract servers of the cloud providers of proof-of-human, written from their published shapes. Each answers like the
 * real one to the documented path, headers and body, and refuses everything else as the real one does.
 *
 *   worldid   POST /api/v2/verify/{app_id} and POST /api/v4/verify/{rp_id}, JSON
 *   passport  GET /v2/stamps/{scorer_id}/score/{address}, X-API-KEY
 *
 * They show what this server does with those shapes, not that the providers still have them.
 */
import { afterAll } from 'bun:test'
import { keccak256, pad, toBytes } from 'viem'

/** Faults that the provider's side may have. */
export const faults = {
  'its key is refused (401)': () => Response.json({ detail: 'Unauthorized' }, { status: 401 }),
  'its key is refused (403)': () => Response.json({ detail: 'Forbidden' }, { status: 403 }),
  'it wants fewer calls (429)': () =>
    Response.json({ detail: 'Too many requests' }, { status: 429, headers: { 'retry-after': '17' } }),
  'it has a fault of its own (500)': () => new Response('Internal Server Error', { status: 500 }),
  'it does not know the path (404)': () => Response.json({ code: 'not_found', detail: 'Not found.' }, { status: 404 }),
  'it answers 404 with what would be a yes': () => Response.json({ ...scored('50'), success: true }, { status: 404 }),
  'it answers 201 with what would be a yes': () => Response.json({ ...scored('50'), success: true }, { status: 201 }),
  'it answers with HTML': () => new Response('<!doctype html><title>Sign in</title>'),
  'it answers with half a document': () => new Response('{"success": tr'),
  'it answers with nothing': () => new Response(''),
  'it answers with null': () => Response.json(null),
  'it answers with a list': () => Response.json([true]),
  'it answers with a text for true': () => Response.json({ success: 'true', address: 7, score: 'high' }),
  'it answers with other JSON': () => Response.json({ hello: ['world'] }),
  'it answers with 2 MB': () => Response.json({ success: true, padding: 'x'.repeat(2_000_000) }),
  'it redirects': () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
  'it hangs': () => new Promise<Response>(() => undefined),
} as const satisfies Record<string, () => Response | Promise<Response>>

export type Fault = keyof typeof faults

export interface HumanServer {
  readonly url: string
  /** Requests that came: path, and body where there is one. */
  readonly asked: { readonly path: string; readonly body: unknown }[]
  fault: Fault | undefined
}

function serve(answer: (request: Request, url: URL, body: unknown) => Response): HumanServer {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const text = await request.text()
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      said.asked.push({ path: url.pathname + url.search, body })
      return said.fault === undefined ? answer(request, url, body) : faults[said.fault]()
    },
  })
  const said: HumanServer = { url: `http://127.0.0.1:${server.port}`, asked: [], fault: undefined }
  afterAll(() => server.stop(true))
  return said
}

/** IDKit's hash of a signal: text that is hexadecimal stands for its bytes. */
export const signalHashOf = (signal: string): `0x${string}` =>
  pad(
    `0x${(BigInt(keccak256(/^0x([0-9a-f]{2})+$/i.test(signal) ? (signal as `0x${string}`) : toBytes(signal))) >> 8n).toString(16)}`,
  )

/** A proof as the portal knows it: for this signal and action. */
export interface KnownProof {
  readonly nullifier: bigint
  readonly signal: string
  readonly action: string
  readonly credential: string
}

export interface WorldServer extends HumanServer {
  /** Proofs by their root, which the tests make up. */
  readonly known: Map<string, KnownProof>
  /** A refusal that the next answer gives in place of the truth. */
  refuses: { readonly code: string; readonly status?: number } | undefined
  /** Members of the next answer. */
  says: object
}

export const appId = 'app_45068dca85829d2fd90e2dd6f0bff997'
export const rpId = 'rp_45068dca85829d2f'

const invalid = (code: string, status = 400) =>
  Response.json({ code, detail: 'The provided proof is invalid.', attribute: null }, { status })
const is = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)
const hex = /^0x[0-9a-fA-F]+$/
const word = /^0x[0-9a-fA-F]{1,64}$/

// biome-ignore lint/suspicious/noExplicitAny: a body of every shape is looked into
type Body = any

export function startWorldId(): WorldServer {
  const known = new Map<string, KnownProof>()
  const world: WorldServer = Object.assign(
    serve((request, url, body: Body) => {
      const version = { [`/api/v2/verify/${appId}`]: 2, [`/api/v4/verify/${rpId}`]: 4 }[url.pathname]
      if (request.method !== 'POST' || version === undefined || url.search !== '') return invalid('not_found', 404)
      if (request.headers.get('content-type') !== 'application/json') return invalid('invalid_request', 415)
      if (world.refuses) return invalid(world.refuses.code, world.refuses.status)
      return version === 2 ? answerOlder(body) : answerNewer(body)
    }),
    { known, refuses: undefined, says: {} },
  )
  function judged(root: unknown, asked: KnownProof): Response | undefined {
    const proof = known.get(String(root))
    const isRight =
      proof &&
      proof.nullifier === asked.nullifier &&
      signalHashOf(proof.signal) === pad(asked.signal as `0x${string}`) &&
      proof.action === asked.action &&
      proof.credential === asked.credential
    return isRight ? undefined : invalid('invalid_proof')
  }
  function answerOlder(body: Body): Response {
    const members = 'action,merkle_root,nullifier_hash,proof,signal_hash,verification_level'
    if (Object.keys(body).sort().join() !== members) return invalid('invalid')
    const { nullifier_hash, merkle_root, proof, verification_level, action, signal_hash } = body
    if (![nullifier_hash, merkle_root, signal_hash].every((one) => is(one, word)) || !is(proof, hex))
      return invalid('invalid')
    const asked = { nullifier: BigInt(nullifier_hash), signal: signal_hash, action, credential: verification_level }
    return (
      judged(merkle_root, asked) ??
      Response.json({
        success: true,
        action,
        nullifier_hash,
        uses: 1,
        created_at: '2026-01-01T00:00:00.000000+00:00',
        ...world.says,
      })
    )
  }
  function answerNewer(body: Body): Response {
    const [response, ...others] = body.responses ?? []
    if (body.protocol_version !== '4.0' || !response || others.length > 0) return invalid('invalid_request')
    const { identifier, signal_hash, proof, nullifier } = response
    if (!Array.isArray(proof) || proof.length !== 5 || !is(nullifier, word)) return invalid('invalid_request')
    const asked = { nullifier: BigInt(nullifier), signal: signal_hash, action: body.action, credential: identifier }
    return judged(proof[4], asked) ?? Response.json({ success: true, nullifier, ...world.says })
  }
  return world
}

export const passportKey = 'key-of-the-tests'
export const scorerId = '11500'

export const scored = (score: unknown, more: object = {}) => ({
  address: '',
  score,
  passing_score: Number(score) >= 20,
  last_score_timestamp: '2025-12-01T00:00:00+00:00',
  expiration_timestamp: '2026-03-01T00:00:00+00:00',
  threshold: '20.00000',
  error: null,
  stamps: {},
  ...more,
})

export interface PassportServer extends HumanServer {
  /** Answers by wallet in lower case. */
  readonly says: Map<string, object>
}

export function startPassport(): PassportServer {
  const says = new Map<string, object>()
  const server = serve(({ headers, method }, url) => {
    const [, scorer, address] = /^\/v2\/stamps\/([0-9]+)\/score\/(0x[0-9a-fA-F]{40})$/.exec(url.pathname) ?? []
    if (method !== 'GET' || address === undefined || url.search !== '')
      return Response.json({ detail: 'Not Found' }, { status: 404 })
    if (headers.get('x-api-key') !== passportKey) return Response.json({ detail: 'Unauthorized' }, { status: 401 })
    if (scorer !== scorerId) return Response.json({ detail: 'Not Found' }, { status: 404 })
    const wallet = address.toLowerCase()
    return Response.json({ ...scored('0.00000'), address: wallet, ...says.get(wallet) })
  })
  return Object.assign(server, { says })
}
