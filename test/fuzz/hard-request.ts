/**
 * Builds expensive requests from the schemas that a route declares, so that a new route is tested as well. Every place
 * for free text, free members or a list is filled to its limit.
 */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type HardJson, hardJson } from './hard-json.ts'
import { type HardText, hardText } from './hard-text.ts'

/** A route, and the shapes of what it takes. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly shapes: { readonly body?: TSchema; readonly query?: TSchema } | undefined
}

export interface HardRequest {
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

/** Texts that fit the patterns of our schemas. The first that fits a pattern is taken. */
export interface Samples {
  readonly texts: readonly string[]
  /** Values of path parameters and of members with these names. */
  readonly named: Readonly<Record<string, unknown>>
}

/** The place of a document inside of a body, until it is put in as text. */
const placeholder = '@@document@@'

export interface Hardness {
  readonly text: HardText
  readonly document: HardJson
  /** Bytes of the document. */
  readonly bytes: number
  /** Leaves out optional members. */
  readonly isSparse?: boolean
}

const longestText = 60_000
const mostItems = 100

export function hardValue(schema: TSchema, { text, isSparse = false }: Hardness, samples: Samples, name = ''): unknown {
  if (Object.hasOwn(samples.named, name)) return samples.named[name]
  const again = (part: TSchema, of = ''): unknown =>
    hardValue(part, { text, document: 'escapes', bytes: 0, isSparse }, samples, of)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.at(-1)
  if (Array.isArray(schema.anyOf)) return again(schema.anyOf[0] as TSchema, name)
  switch (schema.type) {
    case 'string':
      return hardString(schema, text, samples)
    case 'integer':
    case 'number':
      return Math.min(Number(schema.maximum ?? 1e15), Math.max(Number(schema.minimum ?? 1), 1e15))
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return Array.from({ length: Math.min(Number(schema.maxItems ?? mostItems), mostItems) }, () =>
        again(schema.items as TSchema),
      )
    case 'object':
      return hardObject(schema as unknown as TObject, isSparse, again)
    default:
      return placeholder
  }
}

function hardObject(schema: TObject, isSparse: boolean, again: (part: TSchema, name: string) => unknown): unknown {
  const members = Object.entries(schema.properties ?? {})
  if (members.length === 0) return placeholder
  const required = new Set<string>(schema.required ?? [])
  const made = members.filter(([member]) => !isSparse || required.has(member))
  return {
    ...Object.fromEntries(made.map(([member, part]) => [member, again(part, member)])),
    ...(schema.additionalProperties === false ? {} : { unknownMember: placeholder }),
  }
}

function hardString(
  { pattern, minLength = 0, maxLength = longestText, format }: TSchema,
  kind: HardText,
  { texts }: Samples,
): string {
  if (format !== undefined) return 'https://client.example/callback'
  const length = Math.max(Number(minLength), Math.min(Number(maxLength), longestText))
  if (pattern === undefined) return hardText(kind, length)
  const fits = new RegExp(String(pattern))
  const candidates = [
    hardText(kind, length),
    'a'.repeat(length),
    '9'.repeat(length),
    `0x${'e'.repeat(64)}`,
    ...texts,
    '1',
  ]
  return candidates.find((one) => one.length <= length && fits.test(one)) ?? ''
}

/** Puts the document, most of the body, into one place. The others stay small, so that the body keeps its limit. */
function withDocument(value: unknown, document: string): string {
  const parts = JSON.stringify(value).split(JSON.stringify(placeholder))
  const small = '{"a":1}'
  return parts.reduce((text, part, at) => text + (at === 1 ? document : small) + part)
}

export function hardBody(route: Route, hardness: Hardness, samples: Samples): string {
  const schema = route.shapes?.body
  const value = schema === undefined ? placeholder : hardValue(schema, hardness, samples)
  const document = hardJson(hardness.document, hardness.bytes)
  const text = withDocument(value, document)
  return schema !== undefined && document.startsWith('[') ? objectsFor(text, document) : text
}

/** Schemas ask for objects where the document may be a list: it becomes a member of one. */
const objectsFor = (text: string, document: string): string => text.split(`:${document}`).join(`:{"a":${document}}`)

export function hardPath({ path }: Route, samples: Samples): string {
  return path
    .replace(/:([a-zA-Z]+)\??/g, (_, name: string) => encodeURIComponent(String(samples.named[name] ?? 'x')))
    .replace('*', 'x')
}

export function hardQuery(route: Route, hardness: Hardness, samples: Samples, most = 15_000): string {
  const schema = route.shapes?.query as TObject | undefined
  const members = Object.entries(schema?.properties ?? {})
  const pairs = members.length > 0 ? members : [['unknown', Type.String()] as const]
  const each = Math.floor(most / pairs.length)
  let left = most
  const made: string[] = []
  for (const [name, part] of pairs) {
    const value = hardValue(
      { ...part, maxLength: Math.min(Number(part.maxLength ?? each), each) } as TSchema,
      hardness,
      samples,
      name,
    )
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(String(value).toWellFormed())}`
    const fitting = pair.length <= each * 3 ? pair : ''
    left -= fitting.length + 1
    if (fitting !== '' && left > 0) made.push(fitting)
  }
  return made.join('&')
}
