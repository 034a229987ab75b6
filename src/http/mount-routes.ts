/** Gives described routes to Elysia, each with the steps before its handler: caller, rate, body and shapes. */
import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { noteRoute } from '../request-scope.ts'
import { compileCheck } from '../shape.ts'
import { type BodyLimits, readFormBody, readJsonBody, readJsonBytes, tightenLimits } from './body.ts'
import { makeQueryCheck, readParameters, simplifyName } from './clear-query.ts'
import { countByBody, isSmallBody } from './count-body.ts'
import { limitRate, type RequestContext } from './limits.ts'
import { makeInvalidInputError } from './refusal.ts'
import { type BodyFormat, type Route, type RouteContext, takesSignedBody } from './route.ts'

type Params = Readonly<Record<string, unknown>>

/** The parts of a server, and its check of callers for routes that are no place for strangers. */
interface MountTools extends Parts {
  /** `params` are those of the path, where they have their shape. */
  readonly requireKnownCaller: (request: Request, route: Route, params: Params) => Promise<void>
}

export function mountRoutes(app: AnyElysia, routes: readonly Route[], tools: MountTools): void {
  for (const one of routes) if (one.isOffered) app.route(one.method, one.path, makeHandler(app, one, tools) as never)
}

/** The members of Elysia's context that a route needs. */
type Given = Pick<RouteContext<Params, Record<string, unknown>>, 'request' | 'set' | 'params' | 'query'>

interface Served extends Given, Pick<RequestContext, 'server'> {
  body: unknown
}

type Step = (context: Served) => Promise<void> | void

/**
 * One function with every step of a route. Elysia prepares what the text of a handler names. The four members here keep
 * it from parsing cookies and headers, and from checking shapes twice: 41 of 406 us of a created proof.
 */
function makeHandler(app: AnyElysia, route: Route, tools: MountTools): (given: Given) => Promise<unknown> {
  const steps = listSteps(route, tools)
  const handle = route.handler as (context: Served) => unknown
  return async ({ request, set, params, query }) => {
    const context: Served = { request, set, params, query, server: app.server, body: undefined }
    for (const step of steps) {
      const waiting = step(context)
      if (waiting) await waiting
    }
    const answer = await handle(context)
    noteRoute(route.path)
    return answer
  }
}

function listSteps(route: Route, tools: MountTools): readonly Step[] {
  const { shapes, bodyFormat, rate, rateTakenIn, prepare, countBody, guard } = route
  // The bucket of `api` is taken from before a route is found.
  const counts: Step[] = rateTakenIn === 'step' && rate !== 'api' ? [limitRate(tools, rate)] : []
  // Small bodies are counted while they are read.
  const countLarge: Step[] = counts.map((count) => (one) => (isSmallBody(one.request) ? undefined : count(one)))
  const check = makeCallerStep(route, tools)
  return [
    // Attempts of strangers count too, so the rate comes first.
    ...(check ? [...counts, check] : []),
    ...(bodyFormat === 'none' || bodyFormat === 'handler' ? [] : [makeBodyStep(route, bodyFormat, tools)]),
    ...(prepare ? [prepare] : []),
    ...(shapes.query ? [makeQueryCheck(shapes.query)] : []),
    ...(mayChange(route) ? [requireNoPlan] : []),
    ...(shapes.body ? [requireBodyShape(shapes.body)] : []),
    ...(shapes.params ? [requireTextShape('params', shapes.params)] : []),
    ...(shapes.query ? [requireTextShape('query', shapes.query)] : []),
    ...(check ? [] : countBody ? countLarge : counts),
    ...(guard ? [guard] : []),
  ]
}

/** Reads the body. Errors: those of its reader, VALIDATION_ERROR where the connection ends in the middle. */
function makeBodyStep({ rate, bodyRemedy, countBody }: Route, format: ReadFormat, tools: MountTools): Step {
  const read = bodyReaders[format]
  const limits: BodyLimits = { ...tools.config.limits, remedy: bodyRemedy }
  return async (context) => {
    const { request } = context
    const readBody = () => read(request, limits).catch(explainUnread)
    context.body =
      countBody && isSmallBody(request)
        ? await countByBody(tools, rate, context, readBody, countBody)
        : await readBody()
  }
}

function explainUnread(error: unknown): never {
  throw error instanceof AppError ? error : new AppError('VALIDATION_ERROR', 'the body could not be read')
}

/**
 * Undefined where anyone may ask or a signature may stand in the body, and where the handler answers in the form of its
 * protocol or as an unknown address does. Without a shape or a scope the handler is the first to judge anyway.
 */
function makeCallerStep(route: Route, { requireKnownCaller }: MountTools): Step | undefined {
  const { callers, bodyFormat, refusalFormat, operation, shapes, needs } = route
  const isForAnyone = callers.includes('anyone') || (callers.includes('signature') && takesSignedBody(route))
  const isJudgedFirst = Object.keys(shapes).length > 0 || needs !== undefined
  const isOwnForm = refusalFormat !== 'envelope' || operation === 'hidden' || bodyFormat === 'handler'
  if (isForAnyone || !isJudgedFirst || isOwnForm) return undefined
  const paramsCheck = shapes.params && compileCheck(shapes.params)
  return ({ request, params }) => requireKnownCaller(request, route, paramsCheck?.Check(params) ? params : {})
}

/** Whether a route makes a change, and has no parameter `plan` that keeps it from making it. */
const mayChange = ({ method, refusalFormat, shapes }: Route): boolean =>
  (method === 'POST' || method === 'DELETE') && refusalFormat === 'envelope' && !shapes.query?.properties?.plan

/** Ignoring this parameter would make the change that the caller only wants to see. Errors: VALIDATION_ERROR. */
function requireNoPlan({ request }: { readonly request: Request }): void {
  const parameters = readParameters(request)
  if (!parameters || ![...parameters.keys()].some((name) => simplifyName(name) === 'plan')) return
  throw new AppError(
    'VALIDATION_ERROR',
    'query parameter plan: this operation cannot be planned, and what it does is done at once. Leave plan out to run it',
    { in: 'query', path: '/plan' },
  )
}

type ReadFormat = Exclude<BodyFormat, 'handler' | 'none'>

const smallBodyBytes = 65_536

const bodyReaders: Readonly<Record<ReadFormat, (request: Request, limits: BodyLimits) => Promise<unknown>>> = {
  json: readJsonBody,
  'small json': (request, limits) => readJsonBody(request, tightenLimits(limits, smallBodyBytes)),
  'json bytes': readJsonBytes,
  form: readFormBody,
}

/** The schema is compiled at the first body, to keep the start fast. Errors: VALIDATION_ERROR. */
function requireBodyShape(schema: TSchema): Step {
  const check = compileCheck(schema)
  return ({ body }) => {
    if (!check.Check(body)) throw makeInvalidInputError('body', check.Errors(body))
  }
}

/** Of the texts of an address. */
function requireTextShape(carrier: 'params' | 'query', schema: TSchema): Step {
  const check = compileCheck(schema)
  return ({ [carrier]: texts }) => {
    if (check.Check(texts)) return
    const fault = check.Errors(texts).First()
    throw makeInvalidInputError(carrier, fault ? [fault] : [])
  }
}
