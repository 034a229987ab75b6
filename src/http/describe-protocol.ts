/**
 * What the API description says of a route that speaks a protocol of others: its refusals have the shape of that
 * protocol, and its body need not be JSON. Elysia is told nothing of it: these routes check what they get themselves.
 */
import type { TSchema } from '@sinclair/typebox'

export interface ProtocolAnswer {
  readonly description: string
  /** By media type. Absent where there is no body. */
  readonly content?: Readonly<Record<string, TSchema>>
  /** Of the JSON. */
  readonly example?: object
  /** What they say. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ProtocolDescription {
  /** What describes it in whole: `RFC 6749`. */
  readonly protocol: string
  readonly operationId: string
  readonly method: 'get' | 'post'
  readonly summary: string
  readonly description: string
  readonly tag: string
  /** Of the query. */
  readonly parameters?: readonly { readonly name: string; readonly required: boolean; readonly schema: TSchema }[]
  readonly body?: { readonly mediaType: string; readonly schema: TSchema; readonly example: object }
  readonly answers: Readonly<Record<number, ProtocolAnswer>>
  /** How it refuses, by status, with the headers that matter. */
  readonly refusals: Readonly<Record<number, Readonly<Record<string, string>>>>
  readonly refusal: Readonly<Record<string, TSchema>>
  readonly refusalExample: object
  /** As `security` of OpenAPI has it. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}
