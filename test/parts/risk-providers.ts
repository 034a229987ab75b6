/**
 * Contract servers of the cloud risk providers, written from their published shapes. Each answers like the real one to
 * the documented path, header and query, and refuses everything else as the real one does.
 *
 *   webacy       GET /addresses/{address}?chain={name} and /addresses/sanctioned/{address}?chain={name}, x-api-key
 *   goplus       GET /api/v1/address_security/{address}?chain_id={number}, Authorization: Bearer (or none)
 *   chainalysis  GET /api/v1/address/{address}, X-API-Key
 *
 * They show what this server does with those shapes, not that the providers still have them.
 */
import { afterAll } from 'bun:test'

/** Faults that the provider's side may have. Each is one class of error. */
export const faults = {
  'its key is refused (401)': () => Response.json({ message: 'Unauthorized' }, { status: 401 }),
  'its key is refused (403)': () => Response.json({ message: 'Forbidden' }, { status: 403 }),
  'it wants fewer calls (429)': () =>
    Response.json({ message: 'Too Many Requests' }, { status: 429, headers: { 'retry-after': '17' } }),
  'it has a fault of its own (500)': () => new Response('Internal Server Error', { status: 500 }),
  'it does not know the path (404)': () => Response.json({ message: 'Not Found' }, { status: 404 }),
  'it answers 404 with what would be harmless': () =>
    Response.json({ ...webacySays(0), is_sanctioned: false, ...goplusSays(), identifications: [] }, { status: 404 }),
  'it answers with HTML': () =>
    new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } }),
  'it answers with half a document': () => new Response('{"overallRisk": 3, "iss', asJson),
  'it answers with nothing': () => new Response('', asJson),
  'it answers with null': () => new Response('null', asJson),
  'it answers with an error object and 200': () => Response.json({ error: 'quota exceeded' }),
  'it answers with other JSON': () => Response.json({ hello: ['world'] }),
  'it answers with 2 MB': () => Response.json({ padding: 'x'.repeat(2_000_000) }),
  'it redirects': () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
  'it hangs': () => new Promise<Response>(() => {}),
} as const satisfies Record<string, () => Response | Promise<Response>>

export type Fault = keyof typeof faults

const asJson = { headers: { 'content-type': 'application/json' } }

export interface ProviderServer {
  readonly url: string
  /** Answers about a wallet: the body of each, sent with status 200. */
  readonly says: Map<string, unknown>
  /** Everything it was asked, path and query. */
  readonly asked: string[]
  /** The fault stands until it is set to undefined again. */
  fault: Fault | undefined
}

export interface WebacyServer extends ProviderServer {
  readonly sanctioned: Set<string>
  /** The body of its answer about sanctions, in place of what `sanctioned` makes it say. */
  readonly saysOfSanctions: Map<string, unknown>
  /** A fault of one of its two calls alone. */
  readonly faultOf: { risk?: Fault | undefined; sanctions?: Fault | undefined }
}

export const providerKey = 'key-of-the-tests'

function serve(
  answer: (request: Request, url: URL, server: ProviderServer) => Response | Promise<Response>,
): ProviderServer {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch(request) {
      const url = new URL(request.url)
      provider.asked.push(url.pathname + url.search)
      return provider.fault === undefined ? answer(request, url, provider) : faults[provider.fault]()
    },
  })
  const provider: ProviderServer = {
    url: `http://127.0.0.1:${server.port}`,
    says: new Map(),
    asked: [],
    fault: undefined,
  }
  afterAll(() => server.stop(true))
  return provider
}

const notFound = () => Response.json({ message: 'Not Found' }, { status: 404 })
const badRequest = () => Response.json({ message: 'Bad Request' }, { status: 400 })
const unauthorized = () => Response.json({ message: 'Unauthorized' }, { status: 401 })

/** The query must be exactly this: a name more or less is another question. */
const queryIs = ({ searchParams }: URL, names: readonly string[]): boolean =>
  [...searchParams.keys()].join() === names.join()

const webacyChains = 'eth pol opt arb base bsc sol ton sei sui stellar hedera btc'.split(' ')

export function startWebacy(): WebacyServer {
  const sanctioned = new Set<string>()
  const saysOfSanctions = new Map<string, unknown>()
  const faultOf: WebacyServer['faultOf'] = {}
  const provider = serve(({ headers, method }, url, { says }) => {
    const [, isSanctions, address] = /^\/addresses\/(sanctioned\/)?([^/]+)$/.exec(url.pathname) ?? []
    if (method !== 'GET' || address === undefined) return notFound()
    if (headers.get('x-api-key') !== providerKey) return unauthorized()
    if (!queryIs(url, ['chain']) || !webacyChains.includes(url.searchParams.get('chain')!)) return badRequest()
    const wallet = decodeURIComponent(address)
    const fault = isSanctions ? faultOf.sanctions : faultOf.risk
    if (fault !== undefined) return faults[fault]()
    if (isSanctions)
      return Response.json(saysOfSanctions.get(wallet) ?? { address: wallet, is_sanctioned: sanctioned.has(wallet) })
    return Response.json(says.get(wallet) ?? webacySays(3))
  })
  return Object.assign(provider, { sanctioned, saysOfSanctions, faultOf })
}

export const webacySays = (overallRisk: number, issues: readonly object[] = []) => ({
  count: issues.length,
  medium: 0,
  high: 0,
  overallRisk,
  issues,
  isContract: false,
})

export function startGoplus(): ProviderServer {
  return serve(({ headers, method }, url, { says }) => {
    const address = /^\/api\/v1\/address_security\/(0x[0-9a-f]{40})$/.exec(url.pathname)?.[1]
    if (method !== 'GET' || address === undefined) return notFound()
    const token = headers.get('authorization')
    if (token !== null && token !== `Bearer ${providerKey}`)
      return Response.json(goplusRefuses(4012, 'wrong signature'))
    if (!queryIs(url, ['chain_id'])) return badRequest()
    if (!['1', '10', '56', '137', '8453', '42161'].includes(url.searchParams.get('chain_id')!))
      return Response.json(goplusRefuses(2022, 'chainID not supported'))
    return Response.json(says.get(address) ?? goplusSays())
  })
}

export const goplusRefuses = (code: number, message: string) => ({ code, message, result: null })

export const goplusSays = (flags: Readonly<Record<string, string>> = {}) => ({
  code: 1,
  message: 'ok',
  result: {
    cybercrime: '0',
    money_laundering: '0',
    number_of_malicious_contracts_created: '0',
    gas_abuse: '0',
    financial_crime: '0',
    darkweb_transactions: '0',
    reinit: '0',
    phishing_activities: '0',
    contract_address: '0',
    fake_kyc: '0',
    blacklist_doubt: '0',
    fake_standard_interface: '0',
    data_source: '',
    stealing_attack: '0',
    blackmail_activities: '0',
    sanctioned: '0',
    malicious_mining_activities: '0',
    mixer: '0',
    fake_token: '0',
    honeypot_related_address: '0',
    ...flags,
  },
})

export function startChainalysis(): ProviderServer {
  return serve(({ headers, method }, url, { says }) => {
    const address = /^\/api\/v1\/address\/([^/]+)$/.exec(url.pathname)?.[1]
    if (method !== 'GET' || address === undefined || url.search !== '') return notFound()
    if (headers.get('x-api-key') !== providerKey) return Response.json({ message: 'Forbidden' }, { status: 403 })
    return Response.json(says.get(decodeURIComponent(address)) ?? { identifications: [] })
  })
}
