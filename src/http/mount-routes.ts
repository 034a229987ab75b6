/** Gives described routes to Elysia: their shapes, the reading of their bodies and the steps before their handlers. */
import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import type { Parts } from '../parts.ts'
import { compileCheck } from '../shape.ts'
import { type BodyLimits, readFormBody, readJsonBody, readJsonBytes, tightenLimits } from './body.ts'
import { limitRate } from './limits.ts'
import { makeInvalidInputError } from './refusal.ts'
import type { BodyFormat, Route } from './route.ts'

export function mountRoutes(app: AnyElysia, routes: readonly Route[], parts: Parts): void {
  // Elysia infers types from the hooks, which route() has checked already.
  for (const one of routes)
    if (one.isOffered) app.route(one.method, one.path, one.handler as never, makeHooks(one, parts) as never)
}

function makeHooks({ method, shapes, bodyFormat, rate, rateTakenIn, prepare, guard }: Route, parts: Parts) {
  const read = bodyReaders[bodyFormat]
  const { limits } = parts.config
  // The bucket of `api` is taken from before a route is found.
  const isCounted = rateTakenIn === 'step' && rate !== 'api'
  return {
    ...shapes,
    ...(method === 'GET' ? {} : { parse: ({ request }: { readonly request: Request }) => read(request, limits) }),
    transform: [...(prepare ? [prepare] : []), ...(shapes.body ? [requireBodyShape(shapes.body)] : [])],
    beforeHandle: [...(isCounted ? [limitRate(parts, rate)] : []), ...(guard ? [guard] : [])],
  }
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
