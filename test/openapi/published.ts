/** The description as a server publishes it, and ways through it that several tests go. */

import type { ApiDocument } from '../../src/openapi/document.ts'
import type { Operation, Schema } from '../../src/openapi/operation.ts'
import { startApp, type TestApp } from '../app.ts'

export async function published(app: Pick<TestApp, 'get'>): Promise<ApiDocument> {
  return (await app.get('/openapi.json')).body
}

export const publishedByDefault = async (): Promise<ApiDocument> => published(await startApp())

export interface NamedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export const operationsOf = ({ paths }: ApiDocument): NamedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )

/** Operations of our API; the others have the shapes of a protocol (test/openapi/protocols.test.ts). */
export const ownOperationsOf = (document: ApiDocument): NamedOperation[] =>
  operationsOf(document).filter(({ operation }) => !operation['x-protocol'])

/** Every schema that an operation or another schema holds, with a name to tell it by. */
export function schemasOf(document: ApiDocument): { readonly at: string; readonly schema: Schema }[] {
  const found: { at: string; schema: Schema }[] = []
  const add = (at: string, schema: Schema): void => {
    found.push({ at, schema })
    for (const [name, member] of Object.entries(schema.properties ?? {})) add(`${at}.${name}`, member)
    if (schema.items) add(`${at}[]`, schema.items)
    if (typeof schema.additionalProperties === 'object') add(`${at}{}`, schema.additionalProperties)
    for (const [index, one] of (schema.anyOf ?? []).entries()) add(`${at}|${index}`, one)
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) add(name, schema)
  for (const { operation } of operationsOf(document)) {
    const { operationId, parameters = [], requestBody, responses } = operation
    for (const parameter of parameters) add(`${operationId} ${parameter.name}`, parameter.schema)
    for (const { schema } of Object.values(requestBody?.content ?? {})) add(`${operationId} body`, schema)
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const { schema } of Object.values(content)) add(`${operationId} ${status}`, schema)
  }
  return found
}
