/** The parts of an OpenAPI 3.1 document that are read and changed here. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  [keyword: string]: unknown
}

export interface MediaType {
  schema: Schema
  example?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  description?: string
  example?: unknown
  schema: Schema
}

export interface Answer {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Record<string, MediaType>
  /** The error codes that a refusal may hold. */
  'x-codes'?: readonly string[]
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  parameters?: Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, MediaType> }
  readonly responses: Record<string, Answer>
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  /** The allowed callers, including those that `security` cannot express. */
  'x-callers'?: readonly string[]
  /** The foreign protocol that defines the route; its refusals have that protocol's shape. */
  'x-protocol'?: string
}

export type Paths = Record<string, Record<string, Operation>>
