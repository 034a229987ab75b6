/**
 * conforms() checks an answer of the server against its own API description. Every answer in every test goes through it
 * by test/app.ts, so the description cannot drift from the server.
 *
 * It is stricter than clients may be: they must tolerate unknown members, we must describe every member that we send.
 * An object that is described without members, or says additionalProperties itself, stays open.
 */
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { listRoutes } from '../src/app.ts'
import { loadConfig } from '../src/config/load.ts'
import { makeRouteTable, type RouteTable } from '../src/http/route-table.ts'
import { type ApiDocument, describeApi } from '../src/openapi/document.ts'
import type { Operation, Schema } from '../src/openapi/operation.ts'
import { openParts } from '../src/start.ts'

export interface SeenAnswer {
  readonly status: number
  /** Parsed JSON; undefined where there is no body. */
  readonly body: unknown
  readonly headers: Headers
}

let publishing: Promise<Contract> | undefined

/** Throws with the path, the status and the JSON pointer at which answer and description part. */
export async function conforms(answer: SeenAnswer, method: string, path: string): Promise<void> {
  publishing ??= publish()
  const fault = (await publishing).faultOf(answer, method.toUpperCase(), path)
  if (fault) throw new Error(`${method} ${path} → ${answer.status} is not what the API description says: ${fault}`)
}

/** The description as a server with default settings publishes it. */
async function publish(): Promise<Contract> {
  const opened = await openParts(await loadConfig({ env: {}, cwd: '/nonexistent' }), undefined, Date.now)
  try {
    const routes = listRoutes(opened.parts)
    const document = await describeApi(routes, {
      baseUrl: 'http://localhost:8787',
      authUrl: 'http://localhost:8787',
      brand: 'svc',
      verifiers: opened.parts.catalog.enabled.values(),
    })
    const undescribed = routes.filter(({ operation }) => typeof operation === 'string')
    return contractOf(
      document,
      undescribed.map(({ path }) => path),
      makeRouteTable(routes),
    )
  } finally {
    await opened.close()
  }
}

export interface Contract {
  faultOf(answer: SeenAnswer, method: string, path: string): string | undefined
}

/** `pages` are the paths that the description leaves out on purpose. */
export function contractOf(
  { paths, components }: ApiDocument,
  pages: readonly string[],
  { findRefusalFormat }: Pick<RouteTable, 'findRefusalFormat'>,
): Contract {
  const ajv = new Ajv({ strict: false, formats: { 'date-time': isTimestamp } })
  for (const [name, schema] of Object.entries(components.schemas))
    ajv.addSchema({ ...closed(schema), $id: `https://contract.test/${name}` })
  const validators = new Map<string, ValidateFunction>()
  const templates = Object.keys(paths)
    // `{` comes after every letter: a literal segment wins over a parameter.
    .sort()
    .map((template) => ({ template, pattern: patternOf(template, /\{\w+\}/g) }))
  const pagePatterns = pages.map((page) => patternOf(page, /:\w+|(?<=\/)\*/g, '.+'))

  function bodyFault(key: string, schema: Schema, body: unknown): string | undefined {
    let validate = validators.get(key)
    if (!validate) {
      validate = ajv.compile(closed(schema))
      validators.set(key, validate)
    }
    return validate(body) ? undefined : worded(validate.errors?.[0])
  }
  const refusalFault = ({ status, body }: SeenAnswer): string | undefined =>
    status < 400 ? 'it says nothing of this path' : bodyFault('refusal', refusal, body)

  return {
    faultOf(answer, method, address) {
      const { status, body, headers } = answer
      if (method === 'OPTIONS' && status === 204) return body === undefined ? undefined : 'a body where none is due'
      const path = pathOf(address)
      const found = templates.find(({ pattern }) => pattern.test(path))
      const operation = found && paths[found.template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
      if (!operation) {
        // Another method, or another path of what is described.
        if (path === '/mcp' && status >= 400) return bodyFault('mcp', jsonRpcError, body)
        if (findRefusalFormat(path) === 'oauth' && status >= 400)
          return isPage(headers) ? undefined : bodyFault('oauth', oauthError, body)
        if (pagePatterns.some((pattern) => pattern.test(path)))
          return status < 400 || isPage(headers) ? undefined : refusalFault(answer)
        return isPage(headers) && !path.startsWith('/api/') ? undefined : refusalFault(answer)
      }

      const described = operation.responses[status]
      // With other settings the path does not exist.
      if (!described && status === 404 && isNothingThere(body)) return refusalFault(answer)
      if (!described) return `${operation.operationId} has no such status (it has ${statusesOf(operation)})`
      if (described.content?.['text/html'] && isPage(headers)) return undefined
      const json = described.content?.['application/json']
      if (method === 'HEAD' || !json) return body === undefined ? undefined : 'a body where none is due'
      const contentType = headers.get('content-type') ?? 'none'
      if (!contentType.startsWith('application/json')) return `the content type is ${contentType}`
      const at = `${operation.operationId} ${status}`
      if (status === 401 && described.headers?.['WWW-Authenticate'] && !headers.has('www-authenticate'))
        return 'the header WWW-Authenticate is missing'
      return bodyFault(at, json.schema, body) ?? codeFault(operation, status, body)
    },
  }
}

/** A refusal holds one of the codes that the operation has for its status. */
function codeFault({ operationId, responses }: Operation, status: number, body: unknown): string | undefined {
  const { code } = (body as { readonly error?: { readonly code?: unknown } }).error ?? {}
  if (typeof code !== 'string' || responses[status]?.['x-codes']?.includes(code)) return undefined
  return `${operationId} does not list ${code} for ${status} (codes, in the description of its route)`
}

/** Pages that refuse say so to a person. */
const isPage = (headers: Headers): boolean => headers.get('content-type')?.startsWith('text/html') ?? false

const isNothingThere = (body: unknown): boolean => JSON.stringify(body)?.includes('"there is nothing at ') ?? false

const refusal: Schema = { $ref: '#/components/schemas/ErrorAnswer' }
const oauthError: Schema = { $ref: '#/components/schemas/OAuthErrorAnswer' }
const jsonRpcError: Schema = { $ref: '#/components/schemas/JsonRpcError' }

const statusesOf = ({ responses }: Operation): string => Object.keys(responses).join(', ')

const pathOf = (address: string): string => new URL(address, 'http://localhost').pathname.replace(/(?<=.)\/$/, '')

const patternOf = (path: string, parameter: RegExp, rest = '[^/]+'): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(parameter, (found) => (found === '*' ? rest : '[^/]+'))}$`)

/** A copy that allows the described members only, and whose references lead to such copies. */
export function closed(schema: Schema): Schema {
  const copy: Schema = { ...schema }
  if (copy.$ref) copy.$ref = copy.$ref.replace('#/components/schemas/', 'https://contract.test/')
  if (copy.properties) {
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties).map(([name, member]) => [name, closed(member)]),
    )
    if (copy.additionalProperties === undefined) copy.additionalProperties = false
  }
  if (typeof copy.additionalProperties === 'object') copy.additionalProperties = closed(copy.additionalProperties)
  if (copy.items) copy.items = closed(copy.items)
  if (copy.anyOf) copy.anyOf = copy.anyOf.map(closed)
  return copy
}

function worded(error: ErrorObject | undefined): string {
  const { instancePath = '', message = 'does not fit', params = {} } = error ?? {}
  const member = (params as { additionalProperty?: string }).additionalProperty
  return `${instancePath || '/'} ${message}${member === undefined ? '' : ` ("${member}" is not described)`}`
}

/** Every timestamp in an answer has this form: ISO 8601 with milliseconds, UTC. */
const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
