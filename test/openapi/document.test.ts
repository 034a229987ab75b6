import { beforeAll, describe, expect, test } from 'bun:test'
import { validate as validateByReadme } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import Ajv from 'ajv/dist/2020.js'
import { listRoutes } from '../../src/app.ts'
import { type Route, readOperation } from '../../src/http/route.ts'
import type { ApiDocument } from '../../src/openapi/document.ts'
import { startApp } from '../app.ts'
import { operationsOf, ownOperationsOf, published, publishedByDefault, schemasOf } from './published.ts'

let document: ApiDocument
beforeAll(async () => {
  document = await publishedByDefault()
})

/** The validators take any document and may change the one they get. */
const plainCopy = () => JSON.parse(JSON.stringify(document)) as Record<string, unknown>

const takesNothing = ({ operationId }: { readonly operationId: string }) => /^signOut/.test(operationId)

describe('the description of the API', () => {
  test('is OpenAPI 3.1 by the schemas of the specification', async () => {
    expect(document.openapi).toBe('3.1.2')
    expect(await new Validator().validate(plainCopy())).toEqual({ valid: true })
  })

  test('is OpenAPI 3.1 by a second validator, which also follows the references', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: our type of the document is not the validator's
    const { valid, warnings, ...rest } = (await validateByReadme(plainCopy() as any)) as any
    expect({ valid, warnings, errors: rest.errors ?? [] }).toEqual({ valid: true, warnings: [], errors: [] })
  })

  test('names the interface, not the program: version 1.0.0 at the configured address', async () => {
    expect(document.info).toMatchObject({ title: 'Proofgate', version: '1.0.0' })
    expect(document.servers).toEqual([{ url: 'http://localhost:8787', description: 'This server.' }])
  })

  test('has every route of the server except pages for people and routes for operators', async () => {
    const { parts } = await startApp()
    const routes = listRoutes(parts)
    const isHidden = (route: Route) => readOperation(route) === undefined
    const inDocument = ownOperationsOf(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    const inServer = routes
      .filter((route) => !isHidden(route))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(inDocument.sort()).toEqual(inServer.sort())
    const hidden = routes.filter(isHidden).map(({ path }) => path)
    expect(hidden).toEqual(expect.arrayContaining(['/', '/docs', '/mcp']))
    // The provider's callback page, paths in the form of RFC 6749, paths for operators, those between the two pages of a
    // pairing, and the question of a server to itself are not listed.
    const isOther = (path: string): boolean =>
      /^\/api\/v1\/(operator|health\/self|auth\/(mcp|oauth\/callback|pairings))(\/|$)/.test(path)
    expect(hidden.filter((path) => path.startsWith('/api/') && !isOther(path))).toEqual([])
  })

  test('lists every path of spec and contract that this version serves, older ones as deprecated', () => {
    const lines = operationsOf(document).map(
      ({ method, path, operation }) => `${operation.deprecated ? '- ' : ''}${method} ${path}`,
    )
    expect(lines.sort()).toEqual([
      '- get /api/v1/gates/{gateId}',
      '- get /api/v1/proofs/byWallet/{address}',
      '- get /api/v1/proofs/gate/check',
      '- get /api/v1/verification/status/{qHash}',
      '- post /api/v1/gates/{gateId}/fulfill',
      '- post /api/v1/proofs/{qHash}/revoke-self',
      'delete /api/v1/auth/apps/{clientId}',
      'delete /api/v1/auth/me',
      'delete /api/v1/auth/profile-key',
      'delete /api/v1/auth/profile-keys/{keyId}',
      'delete /api/v1/auth/sessions/{id}',
      'delete /api/v1/profile/gates/{gateId}',
      'delete /api/v1/profile/labels/{account}',
      'delete /api/v1/profile/secrets/{secretId}',
      'delete /api/v1/profile/share-links/{qHash}/{linkId}',
      'delete /api/v1/profile/shared-proofs/{qHash}',
      'delete /api/v1/profile/wallets/{account}',
      'get /.well-known/agent-card.json',
      'get /.well-known/jwks.json',
      'get /.well-known/mcp.json',
      'get /.well-known/oauth-authorization-server',
      'get /.well-known/oauth-protected-resource',
      'get /api/v1/agents/card/{agentId}',
      'get /api/v1/auth/apps',
      'get /api/v1/auth/me',
      'get /api/v1/auth/nonce',
      'get /api/v1/auth/oauth/providers',
      'get /api/v1/auth/profile-keys',
      'get /api/v1/auth/sessions',
      'get /api/v1/health',
      'get /api/v1/health/detailed',
      'get /api/v1/health/live',
      'get /api/v1/health/ready',
      'get /api/v1/openapi.json',
      'get /api/v1/payments/methods',
      'get /api/v1/payments/pricing',
      'get /api/v1/profile/fulfillments',
      'get /api/v1/profile/gates',
      'get /api/v1/profile/gates/discoverable',
      'get /api/v1/profile/gates/{gateId}',
      'get /api/v1/profile/gates/{gateId}/appearance',
      'get /api/v1/profile/gates/{gateId}/fulfillments',
      'get /api/v1/profile/gates/{gateId}/fulfillments/{receiptId}',
      'get /api/v1/profile/gates/{gateId}/guests',
      'get /api/v1/profile/gates/{gateId}/totals',
      'get /api/v1/profile/gates/{gateId}/versions',
      'get /api/v1/profile/gates/{gateId}/versions/{version}',
      'get /api/v1/profile/labels',
      'get /api/v1/profile/names',
      'get /api/v1/profile/payments',
      'get /api/v1/profile/payments/unmatched',
      'get /api/v1/profile/secrets',
      'get /api/v1/profile/share-links',
      'get /api/v1/profile/share-links/{qHash}',
      'get /api/v1/profile/shared-proofs',
      'get /api/v1/profile/wallets',
      'get /api/v1/proofs/by-wallet/{address}',
      'get /api/v1/proofs/check',
      'get /api/v1/proofs/erasures/{erasureId}',
      'get /api/v1/proofs/{qHash}',
      'get /api/v1/verification/access/{qHash}',
      'get /api/v1/verification/human/providers',
      'get /api/v1/verification/verifiers',
      'get /health',
      'get /health/live',
      'get /health/ready',
      'get /oauth/authorize',
      'get /openapi.json',
      'post /api/v1/auth/code',
      'post /api/v1/auth/code/exchange',
      'post /api/v1/auth/logout',
      'post /api/v1/auth/logout-everywhere',
      'post /api/v1/auth/mcp/revoke',
      'post /api/v1/auth/mcp/token',
      'post /api/v1/auth/nonce',
      'post /api/v1/auth/oauth/start/{provider}',
      'post /api/v1/auth/oauth/{provider}/exchange',
      'post /api/v1/auth/profile-keys',
      'post /api/v1/auth/verify',
      'post /api/v1/payments/quote',
      'post /api/v1/payments/stripe/checkout',
      'post /api/v1/payments/stripe/webhook',
      'post /api/v1/profile/did/resolve',
      'post /api/v1/profile/gates',
      'post /api/v1/profile/gates/preview',
      'post /api/v1/profile/gates/test',
      'post /api/v1/profile/gates/{gateId}/appearance',
      'post /api/v1/profile/gates/{gateId}/archive',
      'post /api/v1/profile/gates/{gateId}/fulfill',
      'post /api/v1/profile/gates/{gateId}/guests',
      'post /api/v1/profile/gates/{gateId}/pass',
      'post /api/v1/profile/gates/{gateId}/rollback',
      'post /api/v1/profile/gates/{gateId}/status',
      'post /api/v1/profile/labels',
      'post /api/v1/profile/payments/unmatched/returned',
      'post /api/v1/profile/secrets',
      'post /api/v1/profile/share-links/{qHash}',
      'post /api/v1/proofs/check',
      'post /api/v1/proofs/erase-all',
      'post /api/v1/proofs/revoke-self/{qHash}',
      'post /api/v1/proofs/{qHash}/visibility',
      'post /api/v1/sponsor/grant',
      'post /api/v1/verification',
      'post /api/v1/verification/access/grant',
      'post /api/v1/verification/access/withdraw',
      'post /api/v1/verification/diagnose',
      'post /api/v1/verification/standardize',
      'post /api/v1/verification/status-batch',
      'post /mcp',
      'post /oauth/register',
    ])
  })

  test('keeps the ids of operations, which are the names of methods in clients that were made from it', () => {
    expect(
      operationsOf(document)
        .map(({ operation }) => operation.operationId)
        .sort(),
    ).toEqual([
      'agreeToSite',
      'applyGate',
      'archiveGate',
      'authorizeClient',
      'callMcp',
      'changeGuests',
      'checkManyProofs',
      'checkProofs',
      'checkProofsOlder',
      'createAccessKey',
      'createSecret',
      'createSponsorGrant',
      'deleteGate',
      'deleteProfile',
      'diagnose',
      'disconnectApp',
      'discoverGates',
      'endSession',
      'eraseAll',
      'exchangeSiteCode',
      'exchangeSocialSignIn',
      'exchangeToken',
      'fulfillGate',
      'fulfillGateOlder',
      'getA2aCard',
      'getAgentCard',
      'getAuthorizationServer',
      'getDetailedHealth',
      'getErasure',
      'getGate',
      'getGateAppearance',
      'getGateOlder',
      'getGateVersion',
      'getHealth',
      'getHealthShort',
      'getLiveness',
      'getLivenessShort',
      'getMe',
      'getNonce',
      'getOpenApi',
      'getOpenApiVersioned',
      'getPricing',
      'getProof',
      'getProtectedResource',
      'getReadiness',
      'getReadinessShort',
      'getReceipt',
      'getServerCard',
      'getSigningKeys',
      'getStatus',
      'grantAccess',
      'hearStripeEvent',
      'leaveSharedProof',
      'listAccess',
      'listAccessKeys',
      'listApps',
      'listGateFulfillments',
      'listGateVersions',
      'listGates',
      'listGuests',
      'listHumanProviders',
      'listLabels',
      'listMyFulfillments',
      'listNames',
      'listOwnShareLinks',
      'listPaymentMethods',
      'listPayments',
      'listProofs',
      'listProofsOlder',
      'listSecrets',
      'listSessions',
      'listShareLinks',
      'listSharedProofs',
      'listSocialProviders',
      'listUnmatchedPayments',
      'listVerifiers',
      'listWallets',
      'makeShareLink',
      'openCheckout',
      'openQuote',
      'prepareSignIn',
      'previewGate',
      'readGateTotals',
      'registerClient',
      'removeLabel',
      'resolveDid',
      'returnPayment',
      'revokeAccessKey',
      'revokeProof',
      'revokeProofOlder',
      'revokeSecret',
      'revokeShareLink',
      'revokeThisAccessKey',
      'revokeToken',
      'rollbackGate',
      'setGateAppearance',
      'setGateStatus',
      'setLabel',
      'setProofVisibility',
      'signIn',
      'signOut',
      'signOutEverywhere',
      'standardize',
      'startSocialSignIn',
      'statusBatch',
      'takeGatePass',
      'testGate',
      'unlinkWallet',
      'verify',
      'withdrawAccess',
    ])
  })

  test('every operation has an id of its own, a summary and one described tag; every tag is used', () => {
    const operations = operationsOf(document).map(({ operation }) => operation)
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operationId, summary, tags } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z0-9]+$/)
      expect(summary.length).toBeGreaterThan(8)
      expect(tags).toHaveLength(1)
    }
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort())
    for (const { description } of document.tags) expect(description).toEndWith('.')
  })

  test('every operation describes its JSON answers and its refusals', () => {
    for (const { method, operation } of ownOperationsOf(document)) {
      const { responses } = operation
      const { schema, example } = responses['200']!.content!['application/json']!
      expect(schema).toBeDefined()
      expect(example).toBeObject()
      const refusals = Object.keys(responses).filter((status) => Number(status) >= 400)
      const always = [
        '400',
        '403',
        '429',
        '431',
        '500',
        ...(method === 'post' && !takesNothing(operation) ? ['413', '415'] : []),
      ]
      expect(refusals).toEqual(expect.arrayContaining(always))
      for (const status of refusals) {
        const answer = responses[status]!
        expect(answer.content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/ErrorAnswer' })
        expect(answer['x-codes']?.length).toBeGreaterThan(0)
        expect(Object.keys(answer.headers ?? {})).toEqual(['429', '503'].includes(status) ? ['Retry-After'] : [])
      }
    }
  })

  test('every POST but signing out takes one JSON object whose members are described, with an example', () => {
    for (const { method, operation } of ownOperationsOf(document)) {
      const { requestBody } = operation
      if (method === 'get' || method === 'delete' || takesNothing(operation)) {
        expect(requestBody).toBeUndefined()
        continue
      }
      expect(Object.keys(requestBody!.content)).toEqual(['application/json'])
      expect(requestBody!.required).toBe(true)
      const { schema, example } = requestBody!.content['application/json']!
      expect(schema.type).toBe('object')
      expect(Object.keys(schema.properties!).length).toBeGreaterThan(1)
      expect(example).toBeObject()
    }
  })

  test.each(['getProof', 'getStatus', 'listProofs', 'listProofsOlder'])(
    '%s takes the five headers by which an owner reads',
    (operationId) => {
      const { operation } = operationsOf(document).find((one) => one.operation.operationId === operationId)!
      const headers = operation.parameters!.filter((one) => one.in === 'header' && one.name !== 'x-track-view')
      expect(headers.map(({ name }) => name).sort()).toEqual([
        'x-chain',
        'x-signature',
        'x-signature-method',
        'x-signed-timestamp',
        'x-wallet-address',
      ])
      for (const { description, required } of headers) {
        expect(description).toEndWith('.')
        expect(required).toBe(false)
      }
    },
  )

  test('every part of a path is a parameter of the operation, required and with an example', () => {
    for (const { path, operation } of operationsOf(document)) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
      for (const { required, example, description } of inPath) {
        expect(required).toBe(true)
        expect(String(example)).not.toBe('undefined')
        expect(description).toBeString()
      }
    }
  })

  test('every reference leads somewhere, and every named schema is referred to', () => {
    const names = Object.keys(document.components.schemas)
    const referred = new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref))
    expect([...referred].sort() as string[]).toEqual(names.map((name) => `#/components/schemas/${name}`).sort())
  })

  test('leaks nothing of the library the schemas are written with', () => {
    for (const { at, schema } of schemasOf(document)) {
      const strange = Object.keys(schema).filter((keyword) => !knownKeywords.has(keyword))
      expect({ at, strange }).toEqual({ at, strange: [] })
      expect({ at, type: schema.type }).not.toEqual({ at, type: 'void' })
    }
  })

  test('every object has described members, or words about its content', () => {
    for (const { at, schema } of schemasOf(document)) {
      const { type, properties, additionalProperties, patternProperties, description, anyOf, $ref } = schema
      if ($ref || anyOf || ![type].flat().includes('object')) continue
      const isOpen = properties === undefined && typeof additionalProperties !== 'object' && !patternProperties
      expect({ at, isSaid: !isOpen || description !== undefined }).toEqual({ at, isSaid: true })
    }
  })

  test('describes the members of a payment method and a price', () => {
    const answerAt = (path: string) => document.paths[path]!.get!.responses['200']!.content!['application/json']!.schema
    const data = (path: string) => answerAt(path).properties!.data!.properties!
    const method = data('/api/v1/payments/methods').methods!.items!
    expect(method.additionalProperties).toBeUndefined()
    expect(Object.keys(method.properties!)).toEqual(
      expect.arrayContaining(['id', 'type', 'enabled', 'network', 'asset', 'assetAddress', 'decimals', 'tokens']),
    )
    const { operations, addOns, plans } = data('/api/v1/payments/pricing')
    expect(Object.keys(operations!.properties!)).toEqual(['gateCheck', 'proofWrite', 'accessGrant'])
    expect(Object.keys(addOns!.properties!)).toEqual(['ipfs', 'extraChain'])
    expect(plans!.items!.description).toBeString()
    const proof = document.components.schemas.Proof ?? answerAt('/api/v1/proofs/{qHash}').properties!.data!
    expect(Object.keys(proof.properties!.options!.properties!)).toContain('targetChains')
  })

  test('every schema is a valid one of JSON Schema 2020-12, patterns included', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const { at, schema } of schemasOf(document)) {
      const { $ref, ...inline } = schema
      expect({ at, valid: ajv.validateSchema(inline) }).toEqual({ at, valid: true })
      if (schema.pattern) expect(() => new RegExp(schema.pattern as string, 'u')).not.toThrow()
    }
  })

  test('describes the data of each verifier the server offers, and of no other', async () => {
    const dataSchemas = ({ components }: ApiDocument): string[] =>
      Object.keys(components.schemas).filter((name) => name.endsWith('Data'))
    expect(dataSchemas(document)).toEqual([
      'AgentDelegationData',
      'AgentIdentityData',
      'AiContentModerationData',
      'OwnershipBasicData',
      'OwnershipPseudonymData',
      'VerifierData',
      'WalletLinkData',
    ])
    const app = await startApp({ PROOFGATE_VERIFIERS_ENABLED: 'ownership-basic' })
    expect(dataSchemas(await published(app))).toEqual(['OwnershipBasicData', 'VerifierData'])
  })
})

const knownKeywords = new Set([
  ...['$ref', 'type', 'title', 'description', 'const', 'enum', 'format', 'pattern', 'default'],
  ...['properties', 'required', 'additionalProperties', 'items', 'anyOf'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'],
])

describe('GET /openapi.json', () => {
  test.each(['/openapi.json', '/api/v1/openapi.json'])('%s answers JSON that any page may read', async (path) => {
    const app = await startApp()
    const { status, body, headers } = await app.get(path, { origin: 'https://app.example' })
    expect(status).toBe(200)
    expect(body).toEqual(document)
    expect(headers.get('content-type')).toBe('application/json;charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, no-cache')
  })

  test('a caller with a matching ETag gets 304, in every form of the tag', async () => {
    const app = await startApp()
    const etag = (await app.get('/openapi.json')).headers.get('etag')!
    for (const held of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await app.get('/openapi.json', { 'if-none-match': held })
      expect(again.status).toBe(304)
      expect(again.body).toBeUndefined()
      expect(again.headers.get('etag')).toBe(etag)
    }
    expect((await app.get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('counts as a read', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_RATES_READS: '2/1m' })
    expect((await app.get('/openapi.json')).headers.get('ratelimit-remaining')).toBe('1')
    await app.get('/api/v1/openapi.json')
    const third = await app.get('/openapi.json')
    expect(third.status).toBe(429)
    expect(third.headers.get('retry-after')).toBeString()
  })
})
