import { expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020.js'
import { story as examples } from '../../src/http/example.ts'
import { startApp, startOfTime } from '../app.ts'
import { operationsOf, publishedByDefault } from './published.ts'

test('the examples are one story, and the server answers to each part of it as they say', async () => {
  expect(examples.time).toBe(startOfTime)
  const app = await startApp()
  const operations = new Map(
    operationsOf(await publishedByDefault()).map((one) => [one.operation.operationId, one] as const),
  )
  for (const operationId of story) {
    const { path, method, operation } = operations.get(operationId)!
    const address = path.replace(/\{(\w+)\}/g, (_, name) => {
      const parameter = operation.parameters!.find((one) => one.name === name)!
      return String(parameter.example)
    })
    const asked = operation.parameters?.filter((one) => one.in === 'query' && one.example !== undefined) ?? []
    const query = new URLSearchParams(asked.map(({ name, example }) => [name, String(example)]))
    const request = operation.requestBody?.content['application/json']?.example
    const answer = method === 'get' ? await app.get(`${address}?${query}`) : await app.post(address, request)
    const { example } = operation.responses['200']!.content!['application/json']! as { example: Told }
    expect({ operationId, status: answer.status, body: sameId(answer.body, example) }).toEqual({
      operationId,
      status: 200,
      body: example,
    })
  }
})

interface Told {
  readonly erasure?: { readonly id: string }
}

/** The id of an erasure is random: here it is that of the example. */
const sameId = (body: Told, { erasure }: Told): object =>
  body.erasure && erasure ? JSON.parse(JSON.stringify(body).replaceAll(body.erasure.id, erasure.id)) : body

const story = [
  ...['standardize', 'diagnose', 'verify'],
  ...[
    'getProof',
    'getStatus',
    'listProofs',
    'listProofsOlder',
    'statusBatch',
    'resolveDid',
    'grantAccess',
    'withdrawAccess',
  ],
  ...['applyGate', 'getGate', 'getGateOlder', 'discoverGates', 'checkProofs', 'checkManyProofs', 'listPaymentMethods'],
  ...['setProofVisibility', 'revokeProof', 'eraseAll'],
]

test('every example fits the schema beside it', async () => {
  const document = await publishedByDefault()
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'https://docs.test/', components: document.components })
  let seen = 0
  const check = (at: string, schema: object, example: unknown): void => {
    seen++
    const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://docs.test/#/'))
    const validate = ajv.compile(local)
    expect({ at, valid: validate(example), errors: validate.errors }).toEqual({ at, valid: true, errors: null })
  }
  for (const { operation } of operationsOf(document)) {
    const { operationId, parameters = [], requestBody, responses } = operation
    const body = requestBody?.content['application/json']
    if (body?.example) check(`${operationId} body`, body.schema, body.example)
    for (const { name, schema, example } of parameters)
      if (example !== undefined) check(`${operationId} ${name}`, schema, example)
    for (const [status, { content }] of Object.entries(responses)) {
      const answer = content?.['application/json']
      if (answer?.example) check(`${operationId} ${status}`, answer.schema, answer.example)
    }
  }
  expect(seen).toBeGreaterThan(100)
})
