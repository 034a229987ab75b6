/** Parameters have the types from which clients are generated, and the server accepts such requests. */
import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { operationsOf, published, publishedByDefault } from './published.ts'

const parameters = operationsOf(await publishedByDefault()).flatMap(({ method, path, operation }) =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => ({ method, path, operation, parameter, at: `${operation.operationId} ${parameter.name}` })),
)
const typesOf = Object.fromEntries(parameters.map(({ at, parameter }) => [at, parameter.schema.type]))
const limits = { PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_OPERATOR_WALLETS: alice.address }

/** Sends the parameter as a signed-in person, beside the example's parameters. */
async function send({ method, path, operation, parameter }: (typeof parameters)[number], values: readonly string[]) {
  const app = await startApp(limits)
  const { headers } = await app.signIn(alice)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(operation.parameters!.find((one) => one.name === name)!.example)),
  )
  const body = operation.requestBody?.content['application/json']?.example
  const answers: Answer[] = []
  for (const value of values) {
    const query = new URLSearchParams()
    for (const { name, in: place, example } of operation.parameters!)
      if (place === 'query' && example !== undefined)
        // With gateId a check takes no other criteria.
        name === 'gateId' ? query.set('verifierIds', 'ownership-basic') : query.set(name, String(example))
    query.set(parameter.name, value)
    const init = { method: method.toUpperCase(), headers: { ...headers, 'content-type': 'application/json' } }
    answers.push(await app.request(`${filled}?${query}`, body ? { ...init, body: JSON.stringify(body) } : init))
  }
  return answers
}

const isRefused = ({ status, body }: Answer, name: string): boolean =>
  status === 400 && new RegExp(`\\b${name}\\b`).test(body.error.message)

describe('a parameter of a query', () => {
  test('has the type of a flag, a number or a list when it is one', () => {
    expect(typesOf).toMatchObject({
      'getProof latestScope': 'boolean',
      'getProof trackView': 'boolean',
      'listProofs limit': 'integer',
      'listProofs offset': 'integer',
      'listProofs includeHistory': 'boolean',
      'listProofs tags': 'string',
      'checkProofs minCount': 'integer',
      'checkProofs sinceDays': 'integer',
      'checkProofs traitGte': 'number',
      'checkProofs requireAll': 'boolean',
      'checkProofs minBalance': 'string',
      'discoverGates limit': 'integer',
    })
  })

  test('is no text that only looks like a number or a flag', () => {
    for (const { at, parameter } of parameters) {
      const {
        type,
        enum: words,
        pattern = '',
      } = parameter.schema as { type?: string; enum?: string[]; pattern?: string }
      if (type !== 'string') continue
      const takes = (text: string) => (words ? words.includes(text) : pattern !== '' && new RegExp(pattern).test(text))
      const looksLikeNumber = takes('1') && !takes('a') && !takes('1.5')
      expect({ at, looksLikeNumber, looksLikeFlag: takes('true') && takes('1') && !takes('b') }).toEqual({
        at,
        looksLikeNumber: false,
        looksLikeFlag: false,
      })
    }
  })

  test('has a description, and a list says that commas part it', () => {
    for (const { at, parameter } of parameters) {
      expect(`${at}: ${parameter.description}`).toMatch(/: \S.*\.$/s)
      if (/^(tags|verifierIds|select|tagPrefixesAll)$/.test(parameter.name))
        expect(`${at}: ${parameter.description}`).toContain('Comma-separated.')
    }
  })
})

const whole = parameters.filter(({ parameter }) => parameter.schema.type === 'integer')
test.each(whole.map((one) => [one.at, one] as const))(
  '%s is taken at its bounds, and not beyond them',
  async (_, one) => {
    const { name, schema } = one.parameter
    const { minimum, maximum } = schema as unknown as { minimum: number; maximum: number }
    for (const answer of await send(one, [String(minimum), String(maximum)]))
      expect({ refused: isRefused(answer, name), message: answer.body.error?.message }).toMatchObject({
        refused: false,
      })
    const beyond = [minimum - 1, ...(maximum < Number.MAX_SAFE_INTEGER ? [maximum + 1] : [])]
    for (const answer of await send(one, beyond.map(String)))
      expect({ status: answer.status, refused: isRefused(answer, name) }).toEqual({ status: 400, refused: true })
  },
)

const flags = parameters.filter(({ parameter }) => parameter.schema.type === 'boolean')
test.each(flags.map((one) => [one.at, one] as const))(
  '%s is taken as a boolean and as older clients spell it',
  async (_, one) => {
    for (const answer of await send(one, ['true', 'false', '1', '0', 'yes', 'no']))
      expect({ refused: isRefused(answer, one.parameter.name), ...answer.body.error }).toMatchObject({ refused: false })
    for (const answer of await send(one, ['maybe'])) expect(isRefused(answer, one.parameter.name)).toBe(true)
  },
)

test('the filter for a person is described under the name of the brand, too', async () => {
  const document = await published(await startApp({ PROOFGATE_BRAND: 'acme' }))
  for (const id of ['checkProofs', 'checkProofsOlder']) {
    const { operation } = operationsOf(document).find((one) => one.operation.operationId === id)!
    const names = operation.parameters!.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['svcPersonhoodId', 'acmePersonhoodId']))
  }
})
