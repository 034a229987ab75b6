/**
 * route(): one description that says everything about a route. The API description, rate limits, body reading, metrics,
 * refusal format and tests derive from it. No other file lists paths.
 */
import type { Static, TObject, TSchema, TUnknown, TUnsafe } from '@sinclair/typebox'
import type { ResolvePath } from 'elysia/types'
import type { OperationDescription } from './describe.ts'
import type { ProtocolDescription } from './describe-protocol.ts'
import type { RequestContext } from './limits.ts'
import type { PolicyName } from './rate-policies.ts'
import type { Surface } from './surfaces.ts'

/** ALL is every method: the handler refuses the wrong ones in the form of its protocol. */
export type Method = 'GET' | 'POST' | 'DELETE' | 'ALL'

/** What an access key must be allowed to do, without the brand. */
export type NeededScope = 'core' | 'profile' | 'secrets'

/** Each is a credential that is enough. */
export type Caller = 'anyone' | 'signature' | 'session' | 'access-key'

/**
 * `small json` is bounded more tightly than `limits.body_bytes`. `json bytes` reach the handler as they were signed.
 * With `handler`, the handler reads the body itself, after it has identified the caller. With `none` a body is ignored.
 */
export type BodyFormat = 'json' | 'small json' | 'json bytes' | 'form' | 'handler' | 'none'

/** `page` is for addresses that people open: a browser gets a page, a program the envelope. */
export type RefusalFormat = 'envelope' | 'oauth' | 'page'

/**
 * The pages whose scripts may read the answers in a browser, the strictest first. `mcp hosts` are also the pages that
 * mcp.allowed_origins names: a browser never sends a bearer by itself.
 */
export const readerGroups = ['own pages', 'listed pages', 'mcp hosts'] as const
export type Readers = (typeof readerGroups)[number]

/** `unlisted` routes are not in the API description. `hidden` ones answer strangers as an unknown path does. */
export type Unlisted = 'unlisted' | 'hidden'

interface Facts {
  readonly method: Method
  /** The permitted callers. */
  readonly callers: readonly Caller[]
  /** The scope that an access key needs. Checked before the request where no signature may stand in the body. */
  readonly needs?: NeededScope
  /** The policy that counts its requests, besides `api`, which counts every request. */
  readonly rate: PolicyName
  /** The moment of the rate limit: before the handler (default), or in it, when it needs to know more first. */
  readonly rateTakenIn?: 'handler'
  /** The part of the server that its time is counted for. */
  readonly surface: Surface | 'untimed'
  /** Default: `json` for a route with a body shape, else `none`. */
  readonly bodyFormat?: BodyFormat
  /** What helps where the body is too large: completes "send less, or". */
  readonly bodyRemedy?: string
  /** Default: `envelope`. */
  readonly refusalFormat?: RefusalFormat
  /** Default: `listed pages`, those of cors.origins. Routes that cookies protect are for `own pages`. */
  readonly readers?: Readers
  /**
   * Requests of other sites that a server on loopback serves. They are links and redirects to a page, or files that
   * pages load. Default: `links` where the refusal format is `page`, else `nothing`.
   */
  readonly otherSites?: 'nothing' | 'links' | 'loads'
  /** Cache-Control of every answer, refusals included. Without it each handler sets its own. */
  readonly cacheControl?: string
  /** Whether the handler checks Host and Origin itself, to refuse in the form of its protocol. */
  readonly checksOrigin?: boolean
  /** False where the configuration switches it off: it is not served, and refused as its format says. */
  readonly isOffered?: boolean
  /** Its entry in the API description. */
  readonly operation: OperationDescription | ProtocolDescription | Unlisted
}

interface Shapes<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly params?: Params
  readonly query?: Query
  /** Described only: each is an optional text, which the handler judges. */
  readonly headers?: TObject
  readonly body?: Body
}

export interface RouteContext<Params = unknown, Query = unknown, Body = unknown> extends RequestContext {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly set: { readonly headers: Record<string, string | number>; status?: number | string }
}

/** Steps of one route, besides those that follow from its description. */
interface Steps {
  /** Runs before the shapes are checked. */
  readonly prepare?: (context: {
    readonly request: Request
    readonly query: Record<string, unknown>
  }) => Promise<void> | void
  /**
   * Counts a small request by what its body says, in place of the rates of its address (count-body.ts). False for a body
   * that says nothing known, which counts for the address. Errors: RATE_LIMIT_EXCEEDED.
   */
  readonly countBody?: (context: RequestContext, body: unknown) => boolean | Promise<boolean>
  /** Runs after the rate is taken. */
  readonly guard?: (context: RequestContext) => void
}

export type RouteDescription<
  Path extends string,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
> = Facts & Steps & Shapes<Params, Query, Body> & { readonly path: Path }

/** A route whose defaults are filled in. */
export interface Route
  extends Required<Omit<Facts, 'bodyRemedy' | 'cacheControl' | 'rateTakenIn' | 'needs'>>,
    Pick<Facts, 'bodyRemedy' | 'needs'>,
    Steps {
  readonly path: string
  readonly shapes: Shapes<TSchema, TSchema, TSchema>
  readonly rateTakenIn: 'handler' | 'step'
  readonly cacheControl: string | undefined
  readonly handler: (context: never) => unknown
}

export function route<
  const Path extends string,
  Params extends TSchema = TUnsafe<ResolvePath<Path>>,
  Query extends TSchema = TUnsafe<Record<string, string>>,
  Body extends TSchema = TUnknown,
>(
  description: RouteDescription<Path, Params, Query, Body>,
  handler: (context: RouteContext<Static<Params>, Static<Query>, Static<Body>>) => unknown,
): Route {
  const { params, query, headers, body, bodyFormat, rateTakenIn, cacheControl, ...facts } = description
  return {
    refusalFormat: 'envelope',
    checksOrigin: false,
    isOffered: true,
    readers: 'listed pages',
    otherSites: facts.refusalFormat === 'page' ? 'links' : 'nothing',
    ...facts,
    shapes: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(headers ? { headers } : {}),
      ...(body ? { body } : {}),
    },
    bodyFormat: bodyFormat ?? (body ? 'json' : 'none'),
    rateTakenIn: rateTakenIn ?? 'step',
    cacheControl,
    handler,
  }
}

/** Whether a signature may stand in the body. Else it stands in the headers, which can be judged first. */
export const takesSignedBody = ({ shapes }: Pick<Route, 'shapes'>): boolean =>
  'signature' in (shapes.body?.properties ?? {})

/** A route's entry in the API description; undefined for unlisted routes and for other protocols. */
export const readOperation = ({ operation }: Pick<Route, 'operation'>): OperationDescription | undefined =>
  typeof operation === 'object' && !('protocol' in operation) ? operation : undefined

export const readProtocol = ({ operation }: Pick<Route, 'operation'>): ProtocolDescription | undefined =>
  typeof operation === 'object' && 'protocol' in operation ? operation : undefined
