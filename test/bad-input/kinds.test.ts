/** A value of another kind than a schema asks for: the refusal says which kind came, for every schema that takes input. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createApp } from '../../src/app.ts'
import { tools } from '../../src/mcp/tools/index.ts'
import { expectation } from '../../src/shape.ts'
import { startApp } from '../app.ts'
import { mcpOf } from '../mcp/mcp.ts'
import { alice } from '../wallets.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
afterAll(() => app.close())

const bodies = createApp(app.parts).routes.flatMap(({ method, path, hooks }) => {
  const { body } = hooks as { readonly body?: TSchema }
  return body ? [[`${method} ${path}`, body] as const] : []
})
const verifiers = [...app.parts.catalog.known.values()].map(
  ({ id, data }) => [`data of ${id}`, data as TSchema] as const,
)
const arguments_ = tools.map(({ name, input }) => [`arguments of ${name}`, input as TSchema] as const)

/** A value of each kind, and the words for it. */
const kinds: readonly (readonly [string, string, unknown])[] = [
  ['string', 'a text', 'x'],
  ['number', 'a number', 5],
  ['boolean', 'a boolean', true],
  ['array', 'a list', []],
  ['object', 'an object', {}],
  ['null', 'null', null],
]

/** Every schema within one, with where it stands. */
function* within(schema: TSchema, path: string): Generator<readonly [string, TSchema]> {
  yield [path, schema]
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* within(member as TSchema, `${path}/${name}`)
  if (schema.items !== undefined) yield* within(schema.items, `${path}/0`)
}

const kindsOf = (schema: TSchema): string[] =>
  schema.anyOf?.flatMap(kindsOf) ?? [schema.type ?? (schema.const === undefined ? 'any' : typeof schema.const)]

describe('every schema of a body, of the data of a verifier and of the arguments of a tool says which kind came:', () => {
  test.each([...bodies, ...verifiers, ...arguments_])('%s', (_, root) => {
    let looked = 0
    for (const [path, schema] of within(root, '')) {
      const expected = kindsOf(schema)
      if (expected.includes('any')) continue
      for (const [kind, words, value] of kinds) {
        if (expected.includes(kind) || (kind === 'number' && expected.includes('integer'))) continue
        const told = expectation(Value.Errors(schema, value).First())
        expect(`${path}: ${told}`).toMatch(
          new RegExp(`^${path}: must be .+, and is ${words}( \\(it must .+\\))?$`, 's'),
        )
        looked++
      }
    }
    expect(looked).toBeGreaterThan(0)
  })
})

describe('over HTTP', () => {
  const messageOf = async (path: string, body: unknown): Promise<string> =>
    (await app.post(path, body)).body.error.message

  test('a number where a text belongs, and a text where a number belongs', async () => {
    const signed = { walletAddress: alice.address, signature: '0x', data: {}, signedTimestamp: app.now() }
    const asked = { verifierIds: ['ownership-dns-txt'], ...signed }
    const claim = '/api/v1/verification'
    expect(await messageOf(claim, { ...asked, walletAddress: 5 })).toBe(
      'body /walletAddress: must be a text, and is a number',
    )
    expect(await messageOf(claim, { ...asked, signedTimestamp: '5' })).toBe(
      'body /signedTimestamp: must be a whole number, and is a text',
    )
    expect(await messageOf(claim, { ...asked, signedTimestamp: 5.5 })).toBe(
      'body /signedTimestamp: must be a whole number, and is not one',
    )
    expect(await messageOf(claim, { ...asked, verifierIds: 'x' })).toBe(
      'body /verifierIds: must be a list, and is a text',
    )
  })

  test('an argument of a tool', async () => {
    const { tool, tokenOf } = mcpOf(app)
    const { data } = await tool(await tokenOf(), 'svc_proofs_check', { wallet: 5 })
    expect(data.error.message).toBe('argument wallet must be a text, and is a number')
  })

  test('a query is text, so that its kind is not told', async () => {
    const { body } = await app.get('/api/v1/proofs/by-wallet/x?limit=many')
    expect(body.error.message).toStartWith('query parameter limit: must be ')
    expect(body.error.message).not.toContain('is a text')
  })
})
