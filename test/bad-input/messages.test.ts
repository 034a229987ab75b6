import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const { body: description } = await app.get('/openapi.json')

interface Described {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly enum?: readonly unknown[]
  readonly example?: unknown
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Described
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Described; example?: object }>>
  }
}

/** Patterns, words of the library that checks, and pointers into schemas. */
const inside =
  /\^[[(0a-z]|\$$|must match|Expected |anyOf|[^a-z]Union\b|UnionEnum|TypeBox|Kind\b|body \/|schema at|undefined|\.\.(?!\.)(?!$)/

const texts = ['', ' ', 'x'.repeat(70_000), 'é!', '-1', '0', '999999999999999999999', '1.5']
const values = [null, true, -1, 0.5, 1e15, '', 'é!', 'x'.repeat(70_000), [], {}, ['']]

const operations = Object.entries<Record<string, Operation>>(description.paths)
  .filter(([path]) => path.startsWith('/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )

function expectPlain(error: { code: string; message: string }, name: string): void {
  const { code, message } = error
  if (code !== 'VALIDATION_ERROR' && code !== 'INVALID_VERIFIER_DATA') return
  expect(message).not.toMatch(inside)
  if (message.startsWith('query parameter') || message.startsWith('body ')) expect(message).toContain(name)
}

describe.each(operations)('messages of %s', (route, { parameters = [], requestBody }) => {
  const [method, path] = route.split(' ') as [string, string]
  const filled = path.replace('{qHash}', `0x${'ab'.repeat(32)}`).replaceAll(/\{\w+\}/g, 'x')

  test('about each parameter are plain words that name it', async () => {
    for (const { name } of parameters.filter(({ in: place }) => place === 'query'))
      for (const text of texts.map((one) => one.slice(0, 5000))) {
        const { status, body } = await app.request(`${filled}?${name}=${encodeURIComponent(text)}`, { method })
        if (status >= 400 && body?.error?.message) expectPlain(body.error, name)
      }
  })

  test('about each member of the body are plain words that name it', async () => {
    const json = requestBody?.content['application/json']
    const example = (json?.example ?? {}) as object
    for (const name of Object.keys(json?.schema.properties ?? {}))
      for (const value of [undefined, ...values]) {
        const { status, body } = await app.post(filled, { ...example, [name]: value })
        if (status >= 400 && body?.error?.message) expectPlain(body.error, name)
      }
  })
})

test.each([
  ['/api/v1/profile/gates/discoverable?limit=0', 'query parameter limit: must be 1 to 120'],
  ['/api/v1/proofs/0x12', 'path parameter qHash: must be 0x and 64 hexadecimal digits'],
  [`/api/v1/profile/gates/${'x'.repeat(81)}`, 'path parameter gateId: must be at most 80 characters long'],
])('%s: %s', async (path, message) => {
  expect((await app.get(path)).body.error.message).toStartWith(message)
})
