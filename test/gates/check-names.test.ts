/** A check refuses unknown names and values, because a typo must not ask for less than was meant. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob } from '../wallets.ts'
import { asListed, asPublic, checkHeaders, checking, path } from './check-world.ts'
import { apply, definitionOf, gatesPath } from './gate.ts'

const older = '/api/v1/proofs/gate/check'
const basic = { verifierId: 'ownership-basic' }
const unlimited = { PROOFGATE_LIMITS_ENABLED: 'false' }

let app: TestApp
beforeAll(async () => {
  app = await startApp(unlimited)
  await app.prove(alice, asListed)
})
afterAll(() => app.close())

type Query = Readonly<Record<string, string | number | boolean>>

/** Asks the same question on every surface, and returns each refusal. */
const surfaces: readonly (readonly [string, (query: Query) => Promise<Answer>])[] = [
  ['GET /proofs/check', (query) => checking(app)(query)],
  ['GET /proofs/gate/check', (query) => checking(app, older)(query)],
  [
    'POST /proofs/check',
    async (query) => {
      const answer = await app.post(path, { checks: [{ address: alice.address, ...query }] })
      const [{ success, error }] = answer.body.data.results
      return success ? answer : { ...answer, status: 400, body: { ...answer.body, error } }
    },
  ],
]

/** Documented names of checks, of signed requests, of reading and listing proofs, and of clients. */
const documentedNames = `
  gateId address qHash verifierId verifierIds requireAll minCount limit since sinceDays referenceType referenceId tag
  tags contentType content contentHash contractAddress tokenId chainId domain minBalance ownerAddress provider handle
  namespace riskLevel sanctioned poisoned primaryWalletAddress secondaryWalletAddress controllerWallet agentWallet
  delegationScope agentId verificationMethod svcPersonhoodId ageMin sanctionsPassed traitPath traitGte select subject
  includePrivate includeQHashes claimsOnly walletAddress signature signedTimestamp signatureMethod chain did hubChainId
  latestScope scopeKey trackView offset cursor visibility isPublicRead includeHistory includeSecrets includeFacets
  status q tagPrefix tagContains tagPrefixesAll appId chainCoverage privacyLevel resolveContent type apiKey appOrigin
  appLinkQHash billingWallet sponsorOrgWallet orgWallet paymentSignature sponsorGrant agentWalletAddress verifiers
  returnUrl origin mode`
  .trim()
  .split(/\s+/)

describe.each(surfaces)('%s', (_, ask) => {
  test.each([
    [{ contractAdress: bob.address }, 'contractAddress'],
    [{ verifierID: 'x' }, 'verifierId'],
    [{ min_count: 2 }, 'minCount'],
    [{ Tags: 'x' }, 'tags'],
    [{ tokenAddress: bob.address }, 'contractAddress'],
    [{ contract: bob.address }, 'contractAddress'],
    [{ wallet: bob.address }, 'address'],
    [{ walletaddress: bob.address }, 'address'],
    [{ gate: 'club' }, 'gateId'],
    [{ agent: 'helper' }, 'agentId'],
    [{ controller: bob.address }, 'controllerWallet'],
    [{ owner: bob.address }, 'ownerAddress'],
    [{ expectedOrgDomain: 'a.example' }, 'domain'],
  ])('refuses %o and suggests %s', async (query, meant) => {
    const { status, body } = await leavesNothing(app.parts, () => ask({ ...basic, ...query }))
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { nearest: meant } })
    expect(body.error.message).toContain(`did you mean ${meant}?`)
    expect(body.error.details.path).toEndWith(`/${Object.keys(query)[0]}`)
  })

  test('refuses a name that resembles no known one, and shortens a long one in the answer', async () => {
    const { body } = await ask({ ...basic, ['z'.repeat(5_000)]: 1 })
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(body.error.details.nearest).toBeUndefined()
    expect(body.error.message).toContain('/docs')
    expect(JSON.stringify(body.error).length).toBeLessThan(600)
  })

  test('ignores names that belong to other routes', async () => {
    const sent = {
      trackView: 1,
      chain: 'eip155:84532',
      signatureMethod: 'eip191',
      walletAddress: alice.address,
      signature: '0x12',
      signedTimestamp: 1,
      claimsOnly: true,
      offset: 0,
      cursor: 'x',
    }
    const { status, body } = await ask({ ...basic, ...sent })
    expect(status).toBe(200)
    expect((body.data.results?.[0].data ?? body.data).eligible).toBe(true)
  })

  test('knows every name that the interface documents, also where it means nothing here', async () => {
    for (const name of documentedNames) {
      const { body } = await ask({ [name]: '1', ...basic })
      expect({ name, message: body.error?.message ?? '' }).toEqual({
        name,
        message: expect.not.stringContaining('is not a parameter'),
      })
    }
  })

  test('refuses a time in seconds, and accepts an old time in milliseconds', async () => {
    for (const since of [1_000_000_000, 1_767_225_600, 99_999_999_999]) {
      const { body } = await ask({ ...basic, since })
      expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('milliseconds') })
    }
    for (const since of [0, 999_999_999, 100_000_000_000, 1_767_225_600_000])
      expect((await ask({ ...basic, since })).status).toBe(200)
  })

  test('refuses an unknown verifier, and suggests a similar one', async () => {
    for (const query of [{ verifierId: 'ownership-basics' }, { verifierIds: 'nft-ownership,ownership-basics' }]) {
      const { body } = await ask(query)
      expect(body.error).toMatchObject({
        code: 'VERIFIER_NOT_FOUND',
        message: expect.stringContaining('Did you mean ownership-basic?'),
        details: { verifierId: 'ownership-basics' },
      })
    }
  })

  test('answers for a known verifier that is switched off, and says that it is', async () => {
    const { body } = await ask({ verifierId: 'proof-of-human' })
    const data = body.data.results?.[0].data ?? body.data
    expect(data).toMatchObject({
      eligible: false,
      unavailable: [{ verifierId: 'proof-of-human', message: expect.stringContaining('not offered here') }],
    })
  })

  test('takes an id with a version', async () => {
    const { body } = await ask({ verifierId: 'ownership-basic@1' })
    expect((body.data.results?.[0].data ?? body.data).eligible).toBe(true)
  })
})

describe.each([path, older])('names of the wallet and the verifiers that other routes use: %s', (where) => {
  const ask = async (query: string) => (await app.get(`${where}?${query}`)).body.data.eligible

  test('narrows a check as its own names do', async () => {
    expect(await ask(`walletAddress=${alice.address}&verifiers=ownership-basic`)).toBe(true)
    expect(await ask(`walletAddress=${bob.address}&verifiers=ownership-basic`)).toBe(false)
    expect(await ask(`address=${alice.address}&tag=none&verifiers=ownership-basic`)).toBe(false)
    expect(await ask(`address=${alice.address}&contentType=text/plain&verifiers=nft-ownership`)).toBe(false)
  })

  test('yields to the names of the check', async () => {
    expect(await ask(`address=${alice.address}&walletAddress=${bob.address}&verifierId=ownership-basic`)).toBe(true)
  })
})

describe('many checks', () => {
  const checks = [{ address: alice.address, verifierIds: 'ownership-basic' }]
  const ask = (body: object, query = '') => app.post(`${path}${query}`, { checks, ...body })

  test.each([
    ['a filter', { contractAddress: '0x1' }, ''],
    ['a count', { minCount: 5 }, ''],
    ['a filter in the query', {}, '?domain=x.example'],
    ['a misspelled filter in the query', {}, '?contractAdress=1'],
  ])('are refused with %s beside the list, which would be left out', async (_, body, query) => {
    expectRefused(await ask(body, query), 'VALIDATION_ERROR', /put the parameters of a check into its entry/)
  })

  test('may carry a signature beside the list', async () => {
    const signed = app.ownerBody(alice, {
      action: 'gate_check_private_proofs',
      walletAddress: alice.address.toLowerCase(),
    })
    expect((await ask(await signed)).status).toBe(200)
  })
})

describe.each([path, older])('a parameter that comes twice: %s', (where) => {
  const ask = (query: string) => app.get(`${where}?address=${alice.address}&${query}`)

  test('is refused when the values differ', async () => {
    expectRefused(await ask('verifierId=ownership-basic&verifierId=nft-ownership'), 'VALIDATION_ERROR', /give it once/)
    expectRefused(await ask('tag=a&tag=b'), 'VALIDATION_ERROR', /tag is given more than once/)
  })

  test('counts once when they are equal', async () => {
    const { status, body } = await ask('verifierId=ownership-basic&verifierId=ownership-basic')
    expect({ status, eligible: body.data.eligible }).toEqual({ status: 200, eligible: true })
  })
})

describe('ids of unlisted proofs', () => {
  let other: TestApp
  let unlisted: string
  let listed: string
  beforeAll(async () => {
    other = await startApp(unlimited)
    unlisted = await other.prove(alice, asPublic)
    listed = await other.prove(alice, asListed)
    const requirements = [{ verifierId: 'ownership-basic', minCount: 2 }]
    expect((await apply(other, definitionOf({ requirements }))).status).toBe(200)
    await apply(
      other,
      definitionOf({ gateId: 'gate_none', requirements: [{ verifierId: 'ownership-basic', minCount: 3 }] }),
    )
  })
  afterAll(() => other.close())

  const everything: Query = { includeQHashes: true, explain: true, includePrivate: true }
  const gate = { gateId: 'gate_holders' }

  test('are hidden from strangers, although the proofs count', async () => {
    for (const query of [{ ...basic, minCount: 2 }, gate, { ...gate, ...basic }]) {
      const { body } = await checking(other)({ ...query, ...everything })
      expect(body.data).toMatchObject({ eligible: true, matchedCount: 2, matchedQHashes: [listed] })
      expect(JSON.stringify(body)).not.toContain(unlisted)
    }
    const { body } = await checking(other)({ ...gate, ...everything })
    expect(body.data.gate).toMatchObject({
      matchedQHashes: [listed],
      reusedVerifierProofs: { 'ownership-basic': listed },
      rows: [{ qHash: listed, qHashes: [listed], satisfied: true }],
    })
    const failed = await checking(other)({ gateId: 'gate_none', ...everything })
    expect(JSON.stringify(failed.body)).not.toContain(unlisted)
    const headers = await checkHeaders(other, bob)
    expect((await other.get(`${path}?subject=me&verifierId=ownership-basic`, headers)).body.data.eligible).toBe(false)
  })

  test('are shown to the owner, whose clients need them to reuse a proof', async () => {
    const headers = await checkHeaders(other)
    const { data } = (await checking(other)({ ...gate, ...everything }, headers)).body
    expect(data.matchedQHashes).toEqual([listed, unlisted])
    expect(data.gate.rows[0].qHashes).toEqual([listed, unlisted])
    expect((await checking(other)(basic, headers)).body.data.matchedQHashes).toEqual([listed, unlisted])
  })

  test('are shown to callers that name them', async () => {
    const { data } = (await checking(other)({ ...basic, qHash: unlisted, explain: true })).body
    expect(data).toMatchObject({
      eligible: true,
      matchedQHashes: [unlisted],
      explain: [{ nearest: { qHash: unlisted } }],
    })
  })

  test('are shown in a trial gate only for a wallet of the caller', async () => {
    const definition = definitionOf({ requirements: [{ verifierId: 'ownership-basic', minCount: 3 }] })
    const attempt = async (wallet: typeof alice) =>
      JSON.stringify(
        (
          await other.post(
            `${gatesPath}/test`,
            { definition, wallet: alice.address },
            (
              await other.signIn(wallet)
            ).headers,
          )
        ).body,
      )
    // The newest of those that lack as much is named.
    const newest = await other.prove(alice, asPublic)
    expect(await attempt(bob)).toContain('"nearest":{"qHash":null')
    expect(await attempt(bob)).not.toContain(newest)
    expect(await attempt(alice)).toContain(newest)
  })
})
