/** For every input schema, the refusal of a value of the wrong kind names the kind received. */
import { afterAll, describe, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { listRoutes } from '../../src/app.ts'
import { tools } from '../../src/mcp/tools/index.ts'
import { explainExpectation } from '../../src/shape.ts'
import { startApp } from '../app.ts'
import { mcpOf } from '../mcp/mcp.ts'
import { alice } from '../wallets.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
afterAll(() => app.close())

const bodies = listRoutes(app.parts).flatMap(({ method, path, shapes: { body } }) =>
  body ? [[`${method} ${path}`, body] as const] : [],
)
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

const listKinds = (schema: TSchema): string[] =>
  schema.anyOf?.flatMap(listKinds) ?? [schema.type ?? (schema.const === undefined ? 'any' : typeof schema.const)]

describe('every schema of a body, of the data of a verifier and of the arguments of a tool says which kind came:', () => {
  test.each([...bodies, ...verifiers, ...arguments_])('%s', (_, root) => {
    let looked = 0
    for (const [path, schema] of within(root, '')) {
      const expected = listKinds(schema)
      if (expected.includes('any')) continue
      for (const [kind, words, value] of kinds) {
        if (expected.includes(kind) || (kind === 'number' && expected.includes('integer'))) continue
        const told = explainExpectation(Value.Errors(schema, value).First())
        expect(`${path}: ${told}`).toMatch(
          new RegExp(`^${path}: must be .+, and is ${words}( \\(it must .+\\))?$`, 's'),
        )
        looked++
      }
    }
    expect(looked).toBeGreaterThan(0)
  })
})

/** A value that breaks one bound of a schema, for each bound that it has. */
function* breaking(schema: TSchema): Generator<readonly [unknown, RegExp]> {
  const { type, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema
  if (type === 'string' && minLength === 1) yield ['', /^must not be empty/]
  if (type === 'string' && minLength > 1) yield ['x', new RegExp(`^must be at least ${minLength} characters long`)]
  if (type === 'string' && maxLength < 100_000)
    yield ['x'.repeat(maxLength + 1), new RegExp(`^must be at most ${maxLength} characters long`)]
  if (type === 'array' && minItems === 1) yield [[], /^must have at least one entry/]
  if (type === 'array' && maxItems < 1000)
    yield [Array(maxItems + 1).fill('x'), new RegExp(`^must have at most ${maxItems} entr`)]
  if (type === 'integer' || type === 'number') {
    const isRange = minimum !== undefined && maximum < 1e12
    const range = isRange ? `${minimum} to ${maximum}$` : undefined
    if (minimum !== undefined) yield [minimum - 1, new RegExp(`^must be ${range ?? `at least ${minimum}`}`)]
    if (maximum < Number.MAX_SAFE_INTEGER) yield [maximum + 1, new RegExp(`^must be ${range ?? `at most ${maximum}`}`)]
  }
}

describe('every schema says in plain words which bound a value breaks:', () => {
  let looked = 0
  test.each([...bodies, ...verifiers, ...arguments_])('%s', (_, root) => {
    for (const [path, schema] of within(root, ''))
      for (const [value, words] of breaking(schema)) {
        const faults = [...Value.Errors(schema, value)].filter(({ message }) => /length|to be/.test(message))
        expect([path, explainExpectation(faults[0])]).toEqual([path, expect.stringMatching(words)])
        looked++
      }
  })

  test('the check covers more than a hundred members', () => {
    expect(looked).toBeGreaterThan(100)
  })
})

describe('over HTTP', () => {
  const readMessage = async (path: string, body: unknown): Promise<string> =>
    (await app.post(path, body)).body.error.message

  test('a number where a text belongs, and a text where a number belongs', async () => {
    const signed = { walletAddress: alice.address, signature: '0x', data: {}, signedTimestamp: app.now() }
    const asked = { verifierIds: ['ownership-dns-txt'], ...signed }
    const claim = '/api/v1/verification'
    expect(await readMessage(claim, { ...asked, walletAddress: 5 })).toBe(
      'body walletAddress: must be a text, and is a number',
    )
    expect(await readMessage(claim, { ...asked, signedTimestamp: '5' })).toBe(
      'body signedTimestamp: must be a whole number, and is a text',
    )
    expect(await readMessage(claim, { ...asked, signedTimestamp: 5.5 })).toBe(
      'body signedTimestamp: must be a whole number, and is not one',
    )
    expect(await readMessage(claim, { ...asked, verifierIds: 'x' })).toBe(
      'body verifierIds: must be a list, and is a text',
    )
  })

  test('a list without entries, a text that is too long, and one that is empty', async () => {
    const claim = { walletAddress: alice.address, signature: '0x', data: {}, signedTimestamp: app.now() }
    expect(await readMessage('/api/v1/verification', { ...claim, verifierIds: [] })).toBe(
      'body verifierIds: must have at least one entry',
    )
    const { body } = await app.get('/api/v1/proofs/check?address=&verifierIds=wallet-risk')
    expect(body.error.message).toBe('query parameter address: must not be empty')
    const named = await app.submit(alice, {
      verifierIds: ['ownership-pseudonym'],
      data: { pseudonymId: 'alice', displayName: 'x'.repeat(65) },
    })
    expect(named.body.error.message).toStartWith('data.displayName: must be at most 64 characters long')
    const { tool, tokenOf } = mcpOf(app)
    const { data } = await tool(await tokenOf(), 'svc_proofs_check', { wallet: '' })
    expect(data.error.message).toStartWith('argument wallet must not be empty')
  })

  test('an argument of a tool', async () => {
    const { tool, tokenOf } = mcpOf(app)
    const { data } = await tool(await tokenOf(), 'svc_proofs_check', { wallet: 5 })
    expect(data.error.message).toBe('argument wallet must be a text, and is a number')
  })

  test('a query is text, so its kind is not reported', async () => {
    const { body } = await app.get('/api/v1/proofs/by-wallet/x?limit=many')
    expect(body.error.message).toStartWith('query parameter limit: must be ')
    expect(body.error.message).not.toContain('is a text')
  })
})
