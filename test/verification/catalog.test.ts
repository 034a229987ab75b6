import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { startApp } from '../app.ts'
import { alice } from '../wallets.ts'

const path = '/api/v1/verification/verifiers'

describe('GET /api/v1/verification/verifiers (src/guides/wire.md, "The catalog")', async () => {
  const { body } = await (await startApp()).get(path)

  test('lists the enabled verifiers, and every one of them is a key of metadata: SDKs allow no other ids', () => {
    expect(body.success).toBe(true)
    expect(body.data).toEqual([
      'ownership-basic',
      'ownership-pseudonym',
      'wallet-link',
      'ai-content-moderation',
      'agent-identity',
      'agent-delegation',
    ])
    expect(Object.keys(body.metadata)).toEqual(body.data)
  })

  test('meta names the hub chain and the count', () => {
    expect(body.meta).toEqual({
      hubChainId: 84532,
      totalCount: 6,
      accessLevel: 'public',
      supportedProtocolChainIds: [84532],
      supportedAssetChainIds: [],
    })
  })

  test.each([
    ['ownership-basic', 'ownership', 'permanent'],
    ['ownership-pseudonym', 'ownership', 'permanent'],
    ['wallet-link', 'wallet', 'permanent'],
    ['agent-identity', 'agent', 'permanent'],
    ['agent-delegation', 'agent', 'expiring'],
  ])('%s is an instant verifier of category %s and expiry %s', (id, category, expiryType) => {
    expect(body.metadata[id]).toMatchObject({
      category,
      expiryType,
      flowType: 'instant',
      accessLevel: 'public',
      allowsDelegatedSubject: false,
      supportsDirectApi: true,
      conflictsWith: [],
      compatibleWith: expect.any(Array),
      description: expect.stringMatching(/\w/),
    })
  })

  test.each([
    [
      'ownership-basic',
      { owner: alice.address, content: 'x', reference: { type: 'other' } },
      { owner: 'not a wallet!', content: 'x' },
    ],
    ['ownership-pseudonym', { pseudonymId: 'alice' }, { pseudonymId: '-a' }],
    [
      'wallet-link',
      { signature: '0x', signatureMethod: 'eip191', signedTimestamp: 1 },
      { signature: '0x', signatureMethod: 'eip191' },
    ],
    [
      'agent-identity',
      { agentId: 'a', agentWallet: alice.address },
      { agentId: 'a', agentWallet: alice.address, x: 1 },
    ],
    [
      'agent-delegation',
      { controllerWallet: alice.address, agentWallet: alice.address, expiresAt: null },
      { controllerWallet: alice.address, agentWallet: alice.address, maxSpend: '1.5' },
    ],
  ])('dataSchema of %s is JSON Schema that takes a good claim and refuses a bad one', (id, good, bad) => {
    const { dataSchema, requiredFields, optionalFields } = body.metadata[id]
    const validate = new Ajv({ strict: false }).compile(dataSchema)
    expect(validate(good)).toBe(true)
    expect(validate(bad)).toBe(false)
    expect(requiredFields).toEqual(dataSchema.required)
    expect([...requiredFields, ...optionalFields].sort()).toEqual(Object.keys(dataSchema.properties).sort())
  })

  test('shows the enabled verifiers and their callers, and refuses the rest in both phases', async () => {
    const app = await startApp({
      PROOFGATE_VERIFIERS_ENABLED: 'ownership-basic,agent-identity',
      PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY: 'key',
    })
    const { body: catalog } = await app.get(path)
    expect(catalog.data).toEqual(['ownership-basic', 'agent-identity'])
    expect(catalog.metadata['agent-identity'].accessLevel).toBe('key')

    const link = await app.submit(alice, { verifierIds: ['wallet-link'], data: {} })
    expect(link).toMatchObject({ status: 400, body: { error: { code: 'VERIFIER_NOT_FOUND' } } })
    const keyed = await app.submit(alice, {
      verifierIds: ['agent-identity'],
      data: { agentId: 'a', agentWallet: alice.address },
    })
    expect(keyed).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  test.each([
    ['a verifier that lacks what it needs', 'proof-of-human', 'needs somebody who knows persons'],
    ['a name nobody knows', 'ownership-basics', 'Enabled here: ownership-basic'],
  ])('%s is refused with words of its own', async (_, id, words) => {
    const app = await startApp()
    const { status, body } = await app.submit(alice, { verifierIds: [id], data: {} })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VERIFIER_NOT_FOUND', message: expect.stringContaining(words) })
  })
})

test('a handle is permanent, unless the operator gives handles a lifetime', async () => {
  const expiryIn = async (env: Record<string, string>) =>
    (await (await startApp(env)).get(path)).body.metadata['ownership-pseudonym'].expiryType
  expect(await expiryIn({})).toBe('permanent')
  expect(await expiryIn({ PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '30' })).toBe('expiring')
})
