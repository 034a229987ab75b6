import { expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { alice } from '../wallets.ts'
import { type NamedOperation, operationsOf, ownOperationsOf, publishedByDefault } from './published.ts'

const operations = ownOperationsOf(await publishedByDefault())

/** Their body is the credential: a signature over a message, or over an event. */
const bringTheirOwn = new Set(['signIn', 'hearStripeEvent'])
/** By default no payment method is configured, which is reported before missing credentials. */
const notHere = new Set(['openCheckout', 'openQuote'])
const told = operations.filter(
  ({ operation: { operationId } }) => !bringTheirOwn.has(operationId) && !notHere.has(operationId),
)

/** The example without its signature. */
function send(app: TestApp, { method, path, operation }: NamedOperation, headers: Record<string, string> = {}) {
  const address = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(operation.parameters!.find((one) => one.name === name)!.example),
  )
  const example = operation.requestBody?.content['application/json']?.example
  if (!example) return app.request(address, { method: method.toUpperCase(), headers })
  const { signature, signedTimestamp, ...body } = example as Record<string, unknown>
  return app.post(address, { ...body, ...(operation.operationId === 'verify' ? { signedTimestamp } : {}) }, headers)
}

/**
 * The proof and the gate of the examples exist, because a missing one would be reported before missing credentials.
 * Alice is operator, because operations for operators would refuse everybody else.
 */
async function startStory(): Promise<TestApp> {
  const app = await startApp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_OPERATOR_WALLETS: alice.address,
    PROOFGATE_PAGES_HANDOVER_SITES: 'https://app.example.com',
  })
  for (const id of ['verify', 'applyGate']) {
    const { path, operation } = operations.find((one) => one.operation.operationId === id)!
    const body = operation.requestBody!.content['application/json']!.example
    expect((await app.post(path, body)).status).toBe(200)
  }
  return app
}

const ways = told.map((one) => [one.operation.operationId, one] as const)

test.each(ways)('%s: the anonymous callers that it admits are those of its description', async (_, one) => {
  const { status } = await send(await startStory(), one)
  expect(status === 401).toBe(!one.operation['x-callers']!.includes('anyone'))
})

test.each(ways)('%s: the session of a browser opens it where the description says so', async (_, one) => {
  const callers = one.operation['x-callers']!
  if (callers.includes('anyone')) return
  const app = await startStory()
  const { status } = await send(app, one, (await app.signIn(alice)).headers)
  expect(status !== 401 && status !== 403).toBe(callers.includes('session'))
})

test.each(ways)('%s: an access key opens it where the description says so', async (_, one) => {
  const callers = one.operation['x-callers']!
  if (callers.includes('anyone')) return
  const app = await startStory()
  const { headers } = await app.signIn(alice)
  const made = await app.post(
    '/api/v1/auth/profile-keys',
    { name: 'A program', scopes: ['core', 'profile', 'secrets'] },
    headers,
  )
  const { status } = await send(app, one, { authorization: `Bearer ${made.body.data.key}` })
  expect(status !== 401 && status !== 403).toBe(callers.includes('access-key'))
})

test('the words of OpenAPI say the same, with described schemes', async () => {
  const document = await publishedByDefault()
  const { components } = document
  const { security } = operations.find(({ operation }) => operation.operationId === 'getProof')!.operation
  expect(security).toEqual([
    {},
    { walletAddress: [], signature: [], signedTimestamp: [] },
    { session: [] },
    { accessKey: [] },
  ])
  const named = operationsOf(document).flatMap(({ operation }) =>
    operation.security!.flatMap((one) => Object.keys(one)),
  )
  expect([...new Set(named)].sort()).toEqual(Object.keys(components.securitySchemes).sort())
  expect(components.securitySchemes.session).toMatchObject({ in: 'cookie', name: 'svc_session' })
})

test('an operation whose signature may stand in the body needs no header', () => {
  const findSecurity = (operationId: string) =>
    operations.find(({ operation }) => operation.operationId === operationId)!.operation.security
  expect(findSecurity('fulfillGate')).toContainEqual({})
  expect(findSecurity('fulfillGate')).toContainEqual({ walletAddress: [], signature: [], signedTimestamp: [] })
  expect(findSecurity('testGate')).not.toContainEqual({})
})
