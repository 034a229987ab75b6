/**
 * The description of a route that speaks a protocol of others. Its refusals have the shape of that protocol, and its body
 * need not be JSON. Elysia checks nothing there: the handlers check their input themselves.
 */
import type { TSchema } from '@sinclair/typebox'

export interface ProtocolAnswer {
  readonly description: string
  /** By media type. Absent where there is no body. */
  readonly content?: Readonly<Record<string, TSchema>>
  /** The example of the JSON form. */
  readonly example?: object
  /** Each header with its meaning. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ProtocolDescription {
  /** The document that describes it in whole, such as `RFC 6749`. */
  readonly protocol: string
  readonly operationId: string
  readonly method: 'get' | 'post'
  readonly summary: string
  readonly description: string
  readonly tag: string
  /** The parameters of the query. */
  readonly parameters?: readonly { readonly name: string; readonly required: boolean; readonly schema: TSchema }[]
  readonly body?: { readonly mediaType: string; readonly schema: TSchema; readonly example: object }
  readonly answers: Readonly<Record<number, ProtocolAnswer>>
  /** The headers of its refusals, by status. */
  readonly refusals: Readonly<Record<number, Readonly<Record<string, string>>>>
  readonly refusal: Readonly<Record<string, TSchema>>
  readonly refusalExample: object
  /** In the form of `security` of OpenAPI. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}
