/** Gives described routes to Elysia: their shapes, the reading of their bodies and the steps before their handlers. */
import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { compileCheck } from '../shape.ts'
import { type BodyLimits, readFormBody, readJsonBody, readJsonBytes, tightenLimits } from './body.ts'
import { makeQueryCheck, readParameters, simplifyName } from './clear-query.ts'
import { countByBody, isSmallBody } from './count-body.ts'
import { limitRate, type RequestContext } from './limits.ts'
import { makeInvalidInputError } from './refusal.ts'
import { type BodyFormat, type Route, takesSignedBody } from './route.ts'

type Params = Readonly<Record<string, unknown>>

/** The parts of a server, and its check of callers for routes that are no place for strangers. */
interface MountTools extends Parts {
  /** `params` are those of the path, where they have their shape. */
  readonly requireKnownCaller: (request: Request, route: Route, params: Params) => Promise<void>
}

export function mountRoutes(app: AnyElysia, routes: readonly Route[], tools: MountTools): void {
  // Elysia infers types from the hooks, which route() has checked already.
  for (const one of routes)
    if (one.isOffered) app.route(one.method, one.path, one.handler as never, makeHooks(one, tools) as never)
}

type Step = (context: RequestContext & { readonly params?: Params }) => Promise<void> | void

function makeHooks(route: Route, tools: MountTools) {
  const { method, shapes, bodyFormat, rate, rateTakenIn, prepare, countBody, guard } = route
  const read = bodyReaders[bodyFormat]
  const limits: BodyLimits = { ...tools.config.limits, remedy: route.bodyRemedy }
  // The bucket of `api` is taken from before a route is found.
  const counts: Step[] = rateTakenIn === 'step' && rate !== 'api' ? [limitRate(tools, rate)] : []
  // Small bodies are counted while they are read.
  const countLarge: Step[] = counts.map((count) => (one) => (isSmallBody(one.request) ? undefined : count(one)))
  const check = makeCallerStep(route, tools)
  // Attempts of strangers count too, so the rate comes first.
  const first: Step[] = check ? [...counts, check] : []
  const hasBody = bodyFormat !== 'none' && bodyFormat !== 'handler'
  const parse = async (context: Parameters<Step>[0]): Promise<unknown> => {
    if (hasBody) for (const step of first) await step(context)
    const readBody = async () => read(context.request, limits)
    if (countBody && isSmallBody(context.request)) return countByBody(tools, rate, context, readBody, countBody)
    return readBody()
  }
  return {
    ...shapes,
    ...(method === 'GET' ? {} : { parse }),
    transform: [
      ...(hasBody ? [] : first),
      ...(prepare ? [prepare] : []),
      ...(shapes.query ? [makeQueryCheck(shapes.query)] : []),
      ...(mayChange(route) ? [requireNoPlan] : []),
      ...(shapes.body ? [requireBodyShape(shapes.body)] : []),
    ],
    beforeHandle: [...(check ? [] : countBody ? countLarge : counts), ...(guard ? [guard] : [])],
  }
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
  return ({ request, params = {} }) => requireKnownCaller(request, route, paramsCheck?.Check(params) ? params : {})
}

/** Whether a route makes a change, and has no parameter `plan` that keeps it from making it. */
const mayChange = ({ method, refusalFormat, shapes }: Route): boolean =>
  (method === 'POST' || method === 'DELETE') && refusalFormat === 'envelope' && !shapes.query?.properties?.plan

/** Ignoring this parameter would make the change that the caller only wants to see. Errors: VALIDATION_ERROR. */
function requireNoPlan({ request }: { readonly request: Request }): void {
  const names = [...(readParameters(request)?.keys() ?? [])]
  if (!names.some((name) => simplifyName(name) === 'plan')) return
  throw new AppError(
    'VALIDATION_ERROR',
    'query parameter plan: this operation cannot be planned, and what it does is done at once. Leave plan out to run it',
    { in: 'query', path: '/plan' },
  )
}

/** Null, and not undefined: Elysia would read the body itself. */
const readNothing = (): null => null

const smallBodyBytes = 65_536

const bodyReaders: Readonly<Record<BodyFormat, (request: Request, limits: BodyLimits) => unknown>> = {
  json: readJsonBody,
  'small json': (request, limits) => readJsonBody(request, tightenLimits(limits, smallBodyBytes)),
  'json bytes': readJsonBytes,
  form: readFormBody,
  handler: readNothing,
  none: readNothing,
}

/**
 * Checks a body against its route's schema before Elysia does. Elysia prints a refused value into its error. A value
 * that cannot be printed, such as `{"toString": 0}`, would turn the caller's mistake into a server fault. The schema is
 * compiled at the first body, to keep the start fast. Errors: VALIDATION_ERROR.
 */
function requireBodyShape(schema: TSchema): (context: { readonly body: unknown }) => void {
  const check = compileCheck(schema)
  return ({ body }) => {
    if (!check.Check(body)) throw makeInvalidInputError('body', check.Errors(body))
  }
}
