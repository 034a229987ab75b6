/** Maps operations to methods of the client module. All other operations go through `request`. */
import type { Asked } from './asked.ts'
import { writeLiteral } from './literal.ts'

type Values = Readonly<Record<string, string>>

/** The values of a request, by place. */
interface Carried {
  readonly path: Values
  readonly query: Values
  readonly body: Readonly<Record<string, unknown>>
}

/** The arguments of the method, or undefined where the request holds more than the method takes. */
type Arguments = (carried: Carried) => readonly unknown[] | undefined

interface Method {
  readonly name: string
  readonly with: Arguments
}

const hasOnly = (query: Values, ...names: readonly string[]): boolean =>
  Object.keys(query).every((name) => names.includes(name))
const listOptional = (value: object): readonly unknown[] => (Object.keys(value).length > 0 ? [value] : [])

/**
 * By operationId. A method that signs by itself cannot send the signature of the form, so those operations are not
 * listed.
 */
const methods: Readonly<Record<string, Method>> = {
  getHealth: { name: 'health', with: () => [] },
  listVerifiers: { name: 'verifiers', with: () => [] },
  standardize: { name: 'standardize', with: ({ body }) => [body] },
  verify: { name: 'submit', with: ({ body }) => [body] },
  getProof: {
    name: 'proof',
    with: ({ path, query }) => (hasOnly(query, 'latestScope') ? [path.qHash, ...listOptional(query)] : undefined),
  },
  listProofs: { name: 'list', with: ({ path, query }) => [path.address, ...listOptional(query)] },
  checkProofs: { name: 'check', with: ({ query }) => [query] },
  getGate: { name: 'gate', with: ({ path }) => [path.gateId] },
  fulfillGate: { name: 'fulfil', with: ({ path, body }) => [path.gateId, body] },
  revokeProof: {
    name: 'revoke',
    with: ({ path, body }) => (Object.keys(body).length === 0 ? [path.qHash] : undefined),
  },
}

/** The call, from the name of the method on. */
export function writeCall(asked: Asked, body: unknown): string {
  const method = methods[asked.operation.id]
  const isObject = body === undefined || (typeof body === 'object' && body !== null && !Array.isArray(body))
  const carried = {
    path: asked.inPath,
    query: Object.fromEntries(asked.query),
    body: (body ?? {}) as Carried['body'],
  }
  // `request` takes an encoded path; the methods encode by themselves.
  const isPlain = Object.values(asked.inPath).every((value) => encodeURIComponent(value) === value)
  const given = method && isObject && isPlain && asked.headers.length === 0 ? method.with(carried) : undefined
  return given ? `${method!.name}(${given.map((one) => writeLiteral(one)).join(', ')})` : requestCall(asked, body)
}

function requestCall({ operation, path, query, headers }: Asked, body: unknown): string {
  const options = {
    ...(query.length > 0 ? { query: Object.fromEntries(query) } : {}),
    ...(body === undefined ? {} : { body }),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
  }
  return `request(${[operation.method, path, ...listOptional(options)].map((one) => writeLiteral(one)).join(', ')})`
}
