/** Messages about every input of the API, broken at every place that the API description and the catalog describe. */
import { describe, expect, test } from 'bun:test'
import { compileCheck, explainExpectation } from '../../src/shape.ts'
import { type Answer, startApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { breakEverywhere, type Described, makeSample, wrongTexts } from './broken-values.ts'
import { findFault, findInside } from './plain-message.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const { body: description } = await app.get('/openapi.json')
const session = await app.signIn()

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

const operations = Object.entries<Record<string, Operation>>(description.paths)
  .filter(([path]) => path.startsWith('/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  )

function expectPlain({ status, body }: Answer): void {
  expect(status).not.toBe(500)
  if (status >= 400 && body?.error?.message) expect(findFault(body.error)).toBeUndefined()
  // A gate definition can have many faults at once, each with a message of its own.
  for (const { message } of body?.error?.details?.findings ?? body?.data?.findings ?? [])
    expect([message, findInside(message)]).toEqual([message, undefined])
}

const fill = (path: string): string => path.replace('{qHash}', `0x${'ab'.repeat(32)}`).replaceAll(/\{\w+\}/g, 'x')

describe.each(operations)('messages of %s', (route, { parameters = [], requestBody }) => {
  const [method, path] = route.split(' ') as [string, string]
  const content = requestBody?.content['application/json']
  const valid = content?.example ?? makeSample(content?.schema ?? {})
  const send = (address: string, body: unknown = valid, headers: Record<string, string> = {}): Promise<Answer> =>
    app.request(address, {
      method,
      headers: { ...headers, ...(content ? { 'content-type': 'application/json' } : {}) },
      ...(content ? { body: JSON.stringify(body) } : {}),
    })

  test('about each parameter are plain words that name it', async () => {
    for (const { name, in: place } of parameters)
      for (const text of wrongTexts) {
        const written = encodeURIComponent(text)
        if (place === 'query') expectPlain(await send(`${fill(path)}?${name}=${written}`))
        if (place === 'path' && text.trim() !== '') expectPlain(await send(fill(path.replace(`{${name}}`, written))))
      }
  })

  test('about each header are plain words that name it', async () => {
    const named = parameters.filter((one) => one.in === 'header').map(({ name }) => name)
    for (const name of new Set(named))
      for (const text of wrongTexts) {
        const signed = await app.ownerHeaders(alice, { action: 'none' })
        expectPlain(await send(fill(path), valid, { ...signed, [name]: encodeURIComponent(text).slice(0, 3000) }))
      }
  })

  test('about each member of the body, however deep, are plain words that name it', async () => {
    let turn = 0
    for (const body of breakEverywhere(content?.schema ?? {}, valid))
      expectPlain(await send(fill(path), body, turn++ % 2 === 0 ? {} : session.headers))
  })
})

describe('messages about the headers of an owner', () => {
  test.each([
    ['x-wallet-address', 'nobody', /^the header x-wallet-address is not/],
    ['x-signed-timestamp', 'now', /^the header x-signed-timestamp must be Unix milliseconds/],
    ['x-signed-timestamp', '1767225600', /^the header x-signed-timestamp is 1767225600, which looks like Unix seconds/],
    ['x-signed-timestamp', '9999999999999', /^the header x-signed-timestamp lies/],
    ['x-chain', 'none', /^the header x-chain "none" is not a CAIP-2 id/],
    ['x-signature-method', 'none', /the header x-signature-method "none" does not fit/],
  ])('%s of %p name it', async (name, value, words) => {
    const signed = await app.ownerHeaders(alice, { action: 'list_gates' })
    const { body } = await app.get('/api/v1/profile/gates', { ...signed, [name]: value })
    expect(body.error.message).toMatch(words)
  })
})

describe.each([...app.parts.catalog.known])('messages about the data of %s', (id, { data }) => {
  test('name the member in plain words', async () => {
    const check = compileCheck(data)
    const isOffered = app.parts.catalog.enabled.has(id)
    for (const value of breakEverywhere(data as Described, makeSample(data as Described))) {
      const fault = check.Errors(value).First()
      if (fault)
        expect([explainExpectation(fault), findInside(explainExpectation(fault))]).toEqual([
          explainExpectation(fault),
          undefined,
        ])
      if (!isOffered) continue
      const claim = { walletAddress: alice.address, verifierIds: [id], data: value, signedTimestamp: app.now() }
      const answer = await app.post('/api/v1/verification/standardize', claim, session.headers)
      expectPlain(answer)
      if (fault && answer.body.error?.code === 'INVALID_VERIFIER_DATA')
        expect(answer.body.error.message).toMatch(/^data[.:]/)
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

test.each([
  [1e15, 'body expiresInSeconds: must be a whole number from 60 to 31536000 or null'],
  [90.5, 'body expiresInSeconds: must be a whole number from 60 to 31536000 or null, and is not one'],
  ['x', 'body expiresInSeconds: must be a whole number from 60 to 31536000 or null, and is a text'],
])('the message about a nullable number names its bounds: %p', async (expiresInSeconds, message) => {
  const grant = { qHash: `0x${'ab'.repeat(32)}`, ownerWallet: alice.address, viewerWallet: alice.address }
  const { body } = await app.post('/api/v1/verification/access/grant', { ...grant, expiresInSeconds })
  expect(body.error.message).toBe(message)
})

describe('members that are missing beside each other are named together', () => {
  const message = async (path: string, body: object): Promise<string> =>
    (await app.post(path, body, session.headers)).body.error.message

  test.each<[string, object, string]>([
    [
      '/api/v1/verification/standardize',
      {},
      'body: walletAddress, verifierIds, data and signedTimestamp are missing (',
    ],
    ['/api/v1/verification', { data: {} }, 'body: walletAddress and verifierIds are missing ('],
    ['/api/v1/verification/diagnose', {}, 'body: walletAddress, verifierIds, data, signedTimestamp and signature are'],
    ['/api/v1/verification/access/grant', {}, 'body: qHash, ownerWallet and viewerWallet are missing ('],
    ['/api/v1/payments/quote', {}, 'body: gateId and qHash are missing ('],
    ['/api/v1/profile/secrets', {}, 'body: alias and content are missing ('],
  ])('%s %j', async (path, body, start) => expect(await message(path, body)).toStartWith(start))

  test('with the form that each must have', async () => {
    const told = await message('/api/v1/verification/standardize', {})
    expect(told).toMatch(/walletAddress: the signer's address, 0x and 40 hexadecimal digits/i)
    expect(told).toMatch(/verifierIds: Ids from GET \/api\/v1\/verification\/verifiers/)
    expect(await message('/api/v1/payments/quote', {})).toMatch(/qHash: must be 0x and 64 hexadecimal digits/)
  })

  test('a single missing member is named with its form', async () => {
    const body = { verifierIds: ['ownership-basic'], data: {}, signedTimestamp: 1 }
    expect(await message('/api/v1/verification/standardize', body)).toMatch(
      /^body walletAddress: is missing \(The signer's address, 0x and 40 hexadecimal digits/,
    )
  })

  test('in the data of a verifier', async () => {
    const claim = { walletAddress: alice.address, verifierIds: ['agent-identity'], data: {}, signedTimestamp: 1 }
    expect(await message('/api/v1/verification/standardize', claim)).toStartWith(
      'data.agentId and data.agentWallet are',
    )
  })

  test('details name the first missing member', async () => {
    const { body } = await app.post('/api/v1/verification/standardize', {})
    expect(body.error.details).toEqual({ in: 'body', path: '/walletAddress' })
  })
})
