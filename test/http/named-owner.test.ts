/** A body may name its owner beside a session, a key or signed headers: then the name must be a wallet of the caller. */
import { describe, expect, test } from 'bun:test'
import { listRoutes } from '../../src/app.ts'
import { startApp } from '../app.ts'
import { ownOperationsOf, published } from '../openapi/published.ts'
import { alice, bob, mallory } from '../wallets.ts'
import { expectRefused, leavesNothing } from './refused.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const { headers: session } = await app.signIn(alice)
const made = await app.post('/api/v1/auth/profile-keys', { name: 'A program' }, session)
const key = { authorization: `Bearer ${made.body.data.key}` }

/** These look at the wallet themselves, beside the proof or the claim that it belongs to. */
const lookThemselves = ['fulfillGate', 'fulfillGateOlder', 'verify']
const examples = new Map(
  ownOperationsOf(await published(app)).map(({ path, operation }) => [`${path}`, operation] as const),
)
const routes = listRoutes(app.parts)
  .filter(({ callers, shapes }) => !callers.includes('anyone') && shapes.body?.properties?.signature)
  .flatMap(({ path, callers, shapes }) => {
    const { operationId, parameters = [], requestBody } = examples.get(path.replaceAll(/:(\w+)/g, '{$1}'))!
    if (lookThemselves.includes(operationId)) return []
    const address = path.replaceAll(/:(\w+)/g, (_, name) =>
      String(parameters.find((one) => one.name === name)!.example),
    )
    const { signature, signedTimestamp, ...body } = requestBody!.content['application/json']!
      .example as object as Record<string, unknown>
    const member = shapes.body!.properties.ownerWallet ? 'ownerWallet' : 'walletAddress'
    return [[address, { body, member, callers }] as const]
  })

test('these routes are found', () => {
  expect(routes.length).toBeGreaterThan(8)
  expect(routes.filter(([, { member }]) => member === 'ownerWallet')).toHaveLength(2)
})

describe.each(routes)('POST %s', (address, { body, member, callers }) => {
  const credentials = [session, ...(callers.includes('access-key') ? [key] : [])]

  test('refuses the wallet of another person', async () => {
    for (const headers of credentials) {
      const send = () => app.post(address, { ...body, [member]: mallory.address }, headers)
      const answer = await leavesNothing(app.parts, send)
      expectRefused(answer, 'FORBIDDEN', new RegExp(`^${member}: 0x\\w{40} is not one of your wallets`))
      expect(answer.body.error.details).toEqual({ path: `/${member}` })
    }
  })

  test('refuses a name that is no wallet', async () => {
    for (const headers of credentials) {
      const send = () => app.post(address, { ...body, [member]: 'bob' }, headers)
      const answer = await leavesNothing(app.parts, send)
      expectRefused(answer, 'INVALID_WALLET_ADDRESS', new RegExp(`^${member} is `))
      expect(answer.body.error.details.path).toBe(`/${member}`)
    }
  })

  test('refuses another wallet than that of the signed headers', async () => {
    const headers = await app.ownerHeaders(alice, { action: 'list_gates' })
    const answer = await app.post(address, { ...body, [member]: bob.address }, headers)
    expectRefused(answer, 'FORBIDDEN', new RegExp(`^${member}: 0x\\w{40} is not one of your wallets`))
  })
})

describe('sharing a private proof', () => {
  const grantPath = '/api/v1/verification/access/grant'

  test('accepts each spelling of a wallet of the caller', async () => {
    const terms = { qHash: await app.prove(alice, { privacyLevel: 'private' }), viewerWallet: bob.address }
    for (const ownerWallet of [alice.address, alice.address.toLowerCase(), `did:pkh:eip155:84532:${alice.address}`])
      expect((await app.post(grantPath, { ...terms, ownerWallet }, session)).status).toBe(200)
  })

  test('names ownerWallet in the refusal of a signature and of a request without one', async () => {
    const terms = { qHash: await app.prove(alice, { content: 'two' }), viewerWallet: bob.address }
    const { walletAddress, ...signed } = await app.ownerBody(alice, { action: 'grant_proof_access', ...terms })
    const wrong = await app.post(grantPath, { ...terms, ...signed, ownerWallet: 'bob' })
    expectRefused(wrong, 'INVALID_WALLET_ADDRESS', /^ownerWallet /)
    const unsigned = await app.post(grantPath, { ...terms, ownerWallet: walletAddress })
    expectRefused(unsigned, 'WALLET_AUTH_REQUIRED', /send ownerWallet, signature and signedTimestamp/)
  })
})
