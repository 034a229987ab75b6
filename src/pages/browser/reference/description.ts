/** openapi.json as the reference reads it: operations in order, each with its details. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

export interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export interface Answer {
  readonly status: string
  readonly description: string
  readonly headers: readonly (readonly [name: string, description: string])[]
  readonly json: MediaType | undefined
  /** The error codes it may hold. */
  readonly codes: readonly string[]
}

/** The callers that an operation allows; each word alone is sufficient. */
export type Caller = 'anyone' | 'signature' | 'session' | 'access-key'

export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly isOlder: boolean
  readonly parameters: readonly Parameter[]
  readonly body: MediaType | undefined
  /** Whether a page can send the request: a form that people fill in elsewhere cannot be sent. */
  readonly isTryable: boolean
  readonly answers: readonly Answer[]
  readonly callers: readonly Caller[]
}

export interface Description {
  readonly title: string
  readonly version: string
  readonly text: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly operations: readonly Operation[]
  readonly schemas: Readonly<Record<string, Schema>>
}

interface WireAnswer {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>
  readonly content?: Readonly<Record<string, MediaType>>
  readonly 'x-codes'?: readonly string[]
}

interface WireOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, WireAnswer>>
  readonly 'x-callers'?: readonly Caller[]
  readonly 'x-protocol'?: string
}

interface WireDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: Description['tags']
  readonly paths: Readonly<Record<string, Readonly<Record<string, WireOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Throws for anything else: a proxy may answer with a page of its own. */
export function readDescription(json: unknown): Description {
  const { info, tags, paths, components } = json as WireDescription
  return {
    title: info.title,
    version: info.version,
    text: info.description ?? '',
    tags,
    schemas: components.schemas,
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => readOperation(path, method.toUpperCase(), operation)),
    ),
  }
}

const readOperation = (path: string, method: string, operation: WireOperation): Operation => ({
  id: operation.operationId,
  method,
  path,
  tag: operation.tags[0] ?? '',
  summary: operation.summary ?? operation.operationId,
  description: operation.description ?? '',
  isOlder: operation.deprecated === true,
  parameters: operation.parameters ?? [],
  body: Object.values(operation.requestBody?.content ?? {})[0],
  isTryable: operation['x-protocol'] === undefined,
  answers: Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    description: answer.description,
    headers: Object.entries(answer.headers ?? {}).map(([name, header]) => [name, header.description ?? ''] as const),
    json: answer.content?.['application/json'],
    codes: answer['x-codes'] ?? [],
  })),
  callers: operation['x-callers'] ?? ['anyone'],
})

/** Follows the reference of a schema. */
export function resolve(schema: Schema, schemas: Description['schemas']): Schema {
  const name = schema.$ref?.slice('#/components/schemas/'.length)
  if (name === undefined) return schema
  const { $ref, ...beside } = schema
  return { title: name, ...schemas[name], ...beside }
}

/** The alternatives of a schema, one of which a value must match. */
export const listChoices = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? []

/** For an older path: the operation with the newer path and the same effect. */
export function findNewer(older: Operation, { operations }: Description): Operation | undefined {
  if (!older.isOlder) return undefined
  const summary = older.summary.replace(/ \(\w+ path\)$/, '')
  return operations.find(
    (one) => !one.isOlder && one.method === older.method && (`${one.id}Older` === older.id || one.summary === summary),
  )
}

const hardToUndo = /erase|revoke|delete|disconnect|logout-everywhere/i

/** Whether the operation removes something irrevocably. */
export const takesAway = ({ method, path }: Operation): boolean => method === 'DELETE' || hardToUndo.test(path)
