/**
 * Corrects the paths that @elysiajs/openapi generates, so that they are valid OpenAPI 3.1 and match this server. Bodies
 * are JSON only, paths have no trailing slash, and `$id` names a component.
 */
import type { MediaType, Operation, Parameter, Paths, Schema } from './operation.ts'
import { typeParameter } from './query-types.ts'

/** Drops symbols, prototypes and undefined members. */
export const toPlainSchema = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

export type Clean = (schema: Schema) => Schema

/** The paths including those of `more`, and the named schemas. */
export function cleanOne(
  generated: unknown,
  more: (clean: Clean) => Paths,
): { paths: Paths; schemas: Record<string, Schema> } {
  const { clean, named } = makeSchemaCleaner()
  const paths: Paths = {}
  for (const [path, methods] of Object.entries(toPlainSchema(generated) as Paths))
    for (const [method, operation] of Object.entries(methods)) {
      const name = path.length > 1 ? path.replace(/\/$/, '') : path
      paths[name] = { ...paths[name], [method]: cleanOperation(operation, clean) }
    }
  return { paths: { ...paths, ...more(clean) }, schemas: named }
}

export const cleanSchema = (schema: unknown): Schema => makeSchemaCleaner().clean(toPlainSchema(schema) as Schema)

function cleanOperation(operation: Operation, clean: (schema: Schema) => Schema): Operation {
  const { operationId, summary, description, deprecated, tags, parameters, requestBody, responses } = operation
  return {
    operationId,
    summary,
    ...(description ? { description } : {}),
    ...(deprecated ? { deprecated } : {}),
    tags,
    ...(parameters ? { parameters: parameters.map((parameter) => cleanParameter(parameter, clean)) } : {}),
    ...(requestBody ? { requestBody: { required: true, content: keepJson(requestBody.content, clean) } } : {}),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, answer]) => [
        status,
        answer.content ? { ...answer, content: cleanContent(answer.content, clean) } : answer,
      ]),
    ),
  }
}

/** Moves the description from the schema to the parameter, where readers and tools expect it. */
function cleanParameter(parameter: Parameter, clean: (schema: Schema) => Schema): Parameter {
  const { description, ...schema } = clean(parameter.schema)
  return typeParameter({ ...parameter, ...(description ? { description } : {}), schema })
}

function keepJson(content: Record<string, MediaType>, clean: (schema: Schema) => Schema): Record<string, MediaType> {
  const json = content['application/json']
  if (!json) throw new Error('a request body is described that is not JSON')
  return cleanContent({ 'application/json': json }, clean)
}

const cleanContent = (
  content: Record<string, MediaType>,
  clean: (schema: Schema) => Schema,
): Record<string, MediaType> =>
  Object.fromEntries(Object.entries(content).map(([type, media]) => [type, { ...media, schema: clean(media.schema) }]))

function makeSchemaCleaner() {
  const named: Record<string, Schema> = {}

  const cleanAll = (schemas: Record<string, Schema>): Record<string, Schema> =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, clean(schema)]))

  /** Cleans one keyword at a time, because a member of an object may have the name of a keyword. */
  function clean({ $id, nullable, properties, patternProperties, anyOf, items, ...rest }: Schema): Schema {
    const schema: Schema = { ...rest }
    if (properties && Object.keys(properties).length > 0) schema.properties = cleanAll(properties)
    if (patternProperties) Object.assign(schema, readMap(patternProperties as Record<string, Schema>))
    if (items) schema.items = clean(items)
    if (typeof rest.additionalProperties === 'object') schema.additionalProperties = clean(rest.additionalProperties)
    if (nullable) schema.type = [schema.type ?? [], 'null'].flat()
    Object.assign(schema, listAlternatives(anyOf?.map(clean), schema))
    if (typeof $id !== 'string') return schema
    named[$id] = schema
    return { $ref: `#/components/schemas/${$id}` }
  }

  /** TypeBox spells "any name" as a pattern. */
  function readMap(patterns: Record<string, Schema>): Schema {
    const { '^(.*)$': any, ...others } = cleanAll(patterns)
    return {
      ...(any ? { additionalProperties: any } : {}),
      ...(Object.keys(others).length > 0 ? { patternProperties: others } : {}),
    }
  }

  return { clean, named }
}

/** "This or null" reads as one schema with two types. */
function listAlternatives(anyOf: Schema[] | undefined, outer: Schema): Schema {
  if (!anyOf) return {}
  const others = anyOf.filter(({ type }) => type !== 'null')
  const [only] = others
  if (anyOf.length === 1 + others.length && others.length === 1 && typeof only?.type === 'string')
    return { ...only, ...outer, type: [only.type, 'null'] }
  return { anyOf }
}
