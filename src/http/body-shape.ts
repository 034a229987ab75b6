/**
 * Checks a body against the schema of its route, a step before Elysia does. Elysia prints what it refuses into its
 * error; a value that cannot be printed, as `{"toString": 0}`, would turn the caller's mistake into a fault of ours.
 */
import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { makeInvalidInputError } from './refusal.ts'

interface RouteWithBody {
  readonly method: string
  readonly path: string
  readonly hooks?: { readonly body?: unknown }
}

interface BodyContext {
  readonly request: Request
  readonly route: string
  readonly body: unknown
}

/** A transform hook. `routes` is asked at the first body, when all of them are known. Errors: VALIDATION_ERROR. */
export function requireBodyShape(routes: () => readonly RouteWithBody[]): (context: BodyContext) => void {
  let checks: Map<string, TypeCheck<TSchema>> | undefined
  return ({ request, route, body }) => {
    checks ??= compileChecks(routes())
    const check = checks.get(`${request.method} ${route}`)
    if (check && !check.Check(body)) throw makeInvalidInputError('body', check.Errors(body).First())
  }
}

const compileChecks = (routes: readonly RouteWithBody[]): Map<string, TypeCheck<TSchema>> =>
  new Map(
    routes.flatMap(({ method, path, hooks }) =>
      hooks?.body ? [[`${method} ${path}`, TypeCompiler.Compile(hooks.body as TSchema)] as const] : [],
    ),
  )
