/** The verifier proof-of-human over HTTP, with real Semaphore proofs: bindings, uniqueness, and hidden data. */
import { describe, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProof } from '../../src/proofs/store.ts'
import { listPublicRows } from '../../src/proofs/view.ts'
import { startApp, type TestApp } from '../app.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { leavesNothing } from '../http/refused.ts'
import { isMissing } from '../parts/optional.ts'
import { type CaseName, cases, proveIn, type SemaphoreProof } from '../parts/semaphore/cases.ts'
import proofs from '../vectors/semaphore.json'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'proof-of-human'
const root = proofs.adaForAlice.merkleTreeRoot
const settings = { PROOFGATE_HUMAN_SEMAPHORE_ROOTS: root, PROOFGATE_LIMITS_ENABLED: 'false' }
const dayMs = 86_400_000

const dataOf = (proof: object, more: object = {}) => ({
  provider: 'semaphore',
  proofs: [proof],
  queryResult: {},
  ...more,
})
const asks = (app: TestApp, wallet: TestWallet, name: CaseName, more: object = {}, request: object = {}) =>
  asking(app, id)(wallet, dataOf(proofs[name], more), request)

describe('a person', () => {
  test('is found behind a wallet, for a time', async () => {
    const app = await startApp(settings)
    const answer = await asks(app, alice, 'adaForAlice')
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { status: 'verified', expiresAt: app.now() + 180 * dayMs } },
    })
    expect(evidenceIn(answer)).toEqual({
      provider: 'semaphore',
      assuranceLevel: 'low',
      claims: { personhood_verified: true },
      traits: { scope: 'svc-v1', domain: 'localhost', verifiedAt: app.now() },
      expiresAt: app.now() + 180 * dayMs,
      sources: ['human.semaphore.roots'],
    })
    const { qHash } = answer.body.data
    app.wait(180 * dayMs)
    expect((await app.get(`/api/v1/proofs/${qHash}`)).body.data.status).toBe('expired')
  })

  test('is found behind a Solana wallet', async () => {
    expect((await asks(await startApp(settings), sol, 'adaForSol')).status).toBe(200)
  })

  test('is seen by strangers without the sources, when the proof is public', async () => {
    const app = await startApp(settings)
    const made = await asks(app, alice, 'adaForAlice', {}, { options: { privacyLevel: 'public' } })
    const read = await app.get(`/api/v1/proofs/${made.body.data.qHash}`)
    const { sources: _, ...shown } = evidenceIn(made)
    expect(evidenceIn(read)).toEqual(shown)
  })

  test('counts for as long as the operator says', async () => {
    const app = await startApp({ ...settings, PROOFGATE_HUMAN_VALID_DAYS: '7' })
    expect((await asks(app, alice, 'adaForAlice')).body.data.expiresAt).toBe(app.now() + 7 * dayMs)
  })

  test.each(['adaAtDepth10', 'adaAtDepth20', 'adaAtDepth32'] as const)('is found by %s', async (name) => {
    expect((await asks(await startApp(settings), alice, name)).status).toBe(200)
  })

  test('proves once more with the same wallet: the newer proof takes the place of the older one', async () => {
    const app = await startApp(settings)
    const first = await asks(app, alice, 'adaForAlice')
    const second = await asks(app, alice, 'adaForAlice')
    expect(second.status).toBe(200)
    const older = await app.get(`/api/v1/proofs/${first.body.data.qHash}?latestScope=1`, await readHeaders(app, first))
    expect(older.body.data).toMatchObject({ qHash: second.body.data.qHash })
  })
})

const readHeaders = (app: TestApp, { body }: { body: { data: { qHash: string } } }) =>
  app.ownerHeaders(alice, { action: 'access_private_proof', qHash: body.data.qHash })

const genuine = proofs.adaForAlice
const changed = (change: Partial<SemaphoreProof>): SemaphoreProof => ({ ...genuine, ...change })
const plusOne = (decimal: string): string => String(BigInt(decimal) + 1n)
const order = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

describe('a proof is refused', () => {
  test.each<[string, object, string]>([
    ['for another wallet', proofs.adaForBob, 'WRONG_WALLET'],
    ['for the same wallet on another server', proofs.adaOnOtherDomain, 'WRONG_WALLET'],
    ['for another scope', proofs.adaInOtherScope, 'WRONG_SCOPE'],
    ['of another group', proofs.dotOfOtherGroup, 'UNKNOWN_GROUP'],
    [
      'of another group that says it is of this one',
      { ...proofs.dotOfOtherGroup, merkleTreeRoot: root },
      'INVALID_PROOF',
    ],
    ['with the message of another proof', { ...proofs.adaForBob, message: genuine.message }, 'INVALID_PROOF'],
    ['with the scope of another proof', { ...proofs.adaInOtherScope, scope: genuine.scope }, 'INVALID_PROOF'],
    ['with another nullifier', changed({ nullifier: plusOne(genuine.nullifier) }), 'INVALID_PROOF'],
    [
      'with the nullifier in another spelling',
      changed({ nullifier: String(BigInt(genuine.nullifier) + order) }),
      'INVALID_PROOF',
    ],
    ['with the root in another spelling', changed({ merkleTreeRoot: String(BigInt(root) + order) }), 'INVALID_PROOF'],
    ['at another depth', changed({ merkleTreeDepth: 3 }), 'INVALID_PROOF'],
    ['with points in another order', changed({ points: genuine.points.toReversed() }), 'INVALID_PROOF'],
    ...genuine.points.map((_, at): [string, object, string] => [
      `with word ${at} changed`,
      changed({ points: genuine.points.with(at, plusOne(genuine.points[at]!)) }),
      'INVALID_PROOF',
    ]),
    ['of zeros', changed({ points: Array(8).fill('0') }), 'INVALID_PROOF'],
  ])('%s', async (_, proof, reason) => {
    const app = await startApp(settings)
    const answer = await leavesNothing(app.parts, () => asking(app, id)(alice, dataOf(proof)))
    expect(answer).toMatchObject(failed(id, reason))
  })

  test.each<[string, object]>([
    ['without points', { ...genuine, points: undefined }],
    ['with seven points', { ...genuine, points: genuine.points.slice(1) }],
    ['with hexadecimal numbers', { ...genuine, nullifier: '0x12' }],
    ['with a number for a text', { ...genuine, nullifier: 12 }],
    ['with zeros in front', { ...genuine, nullifier: `0${genuine.nullifier}` }],
    ['at depth 33', { ...genuine, merkleTreeDepth: 33 }],
    ['at depth 0', { ...genuine, merkleTreeDepth: 0 }],
    ['that is empty', {}],
  ])('as data of another shape %s', async (_, proof) => {
    const app = await startApp(settings)
    const answer = await leavesNothing(app.parts, () => asking(app, id)(alice, dataOf(proof)))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_VERIFIER_DATA', details: { reason: 'MALFORMED_PROOF' } } },
    })
  })

  test.each<[string, object, string]>([
    ['a provider nobody knows', { provider: 'self' }, '/provider'],
    ['a provider that is not configured', { provider: 'worldid' }, '/provider'],
    ['no proofs', { proofs: [] }, '/proofs'],
    ['eleven proofs', { proofs: Array(11).fill(genuine) }, '/proofs'],
    ['proofs that are no objects', { proofs: ['x'] }, '/proofs/0'],
    ['no queryResult', { queryResult: undefined }, '/queryResult'],
    ['a scope with blanks', { scope: 'a b' }, '/scope'],
    ['a scope that is not one of this server', { scope: 'airdrop' }, '/scope'],
    ['a personhood id that is none', { svcPersonhoodId: '0x12' }, '/svcPersonhoodId'],
  ])('with %s', async (_, more, path) => {
    const app = await startApp(settings)
    expect(await asking(app, id)(alice, dataOf(genuine, more))).toMatchObject(refused(id, path))
  })

  test('with two proofs at once', async () => {
    const app = await startApp(settings)
    const answer = await asking(app, id)(alice, { ...dataOf(genuine), proofs: [genuine, genuine] })
    expect(answer).toMatchObject({ status: 400, body: { error: { details: { reason: 'MALFORMED_PROOF' } } } })
  })

  test('together with another verifier', async () => {
    const app = await startApp(settings)
    const answer = await app.submit(alice, {
      verifierIds: [id, 'ownership-basic'],
      data: { [id]: dataOf(genuine), 'ownership-basic': { owner: alice.address, content: 'x' } },
    })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_VERIFIER_FLOW_COMBINATION' } } })
  })

  test('with self-declared claims, which are ignored', async () => {
    const app = await startApp(settings)
    const boast = {
      assuranceLevel: 'high',
      claims: { age_min: 99, sanctions_passed: true },
      traits: { score: 100 },
      expiresAt: app.now() + 100_000 * dayMs,
      svcPersonhoodId: `0x${'ab'.repeat(32)}`,
      queryResult: { age: { gte: { expected: 18, result: true } } },
    }
    const answer = await asking(app, id)(alice, dataOf(genuine, boast))
    expect(evidenceIn(answer)).toMatchObject({ assuranceLevel: 'low', claims: { personhood_verified: true } })
    expect(JSON.stringify(evidenceIn(answer))).not.toContain('99')
    expect(answer.body.data.expiresAt).toBe(app.now() + 180 * dayMs)
    const check = await app.get(
      `/api/v1/proofs/check?address=${alice.address}&svcPersonhoodId=${boast.svcPersonhoodId}`,
    )
    expect(check.body.data).toMatchObject({ eligible: false })
  })
})

test('the scope begins with the brand', async () => {
  const app = await startApp({ ...settings, PROOFGATE_BRAND: 'acme' })
  expect((await app.get('/api/v1/verification/human/providers')).body.data[0].scope).toBe('acme-v1')
  expect(await asks(app, alice, 'adaForAlice')).toMatchObject(failed(id, 'WRONG_SCOPE'))
  expect(await asks(app, alice, 'adaForAlice', { scope: 'svc-v1' })).toMatchObject(refused(id, '/scope'))
})

test('the id of a person is asked for under the brand, and under its neutral name', async () => {
  const app = await startApp({ ...settings, PROOFGATE_BRAND: 'acme', PROOFGATE_HUMAN_SCOPES: 'svc-v1' })
  const made = await app.submit(alice, {
    verifierIds: [id],
    data: dataOf(genuine, { acmePersonhoodId: `0x${'ab'.repeat(32)}` }),
    options: { privacyLevel: 'public', publicDisplay: true },
  })
  expect(made.status).toBe(200)
  const right = personhoodId(app)
  const wrong = `0x${'0'.repeat(64)}`
  const ask = (query: Record<string, string>, older = '') =>
    app.get(`/api/v1/proofs/${older}check?${new URLSearchParams({ address: alice.address, ...query })}`)
  for (const name of ['acmePersonhoodId', 'svcPersonhoodId']) {
    for (const older of ['', 'gate/']) {
      const criteria = { verifierIds: id }
      expect((await ask({ ...criteria, [name]: right }, older)).body.data.eligible).toBe(true)
      expect((await ask({ ...criteria, [name]: wrong }, older)).body.data.eligible).toBe(false)
    }
    const checks = [right, wrong].map((value) => ({ address: alice.address, verifierIds: id, [name]: value }))
    const { results } = (await app.post('/api/v1/proofs/check', { checks })).body.data
    expect(results.map(({ data }: { data: { eligible: boolean } }) => data.eligible)).toEqual([true, false])
    for (const [value, isMet] of [
      [right, true],
      [wrong, false],
    ] as const) {
      const requirements = [{ verifierId: id, match: [{ path: name, op: 'eq', value }] }]
      await apply(app, definitionOf({ gateId: 'gate_people', requirements }))
      expect((await ask({ gateId: 'gate_people' })).body.data.gate.allRequiredSatisfied).toBe(isMet)
    }
  }
  const both = await ask({ acmePersonhoodId: right, svcPersonhoodId: wrong })
  expect(both.body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { path: '/acmePersonhoodId' } })
  const typo = await ask({ verifierIds: id, acmePersonhodId: right })
  expect(typo.body.error.message).toContain('did you mean acmePersonhoodId?')
  const odd = await asks(app, alice, 'adaForAlice', { acmePersonhoodId: '0x12' })
  expect(odd).toMatchObject(refused(id, '/acmePersonhoodId'))
})

describe('the catalog', () => {
  const catalog = async (env: Record<string, string>) =>
    (await (await startApp(env)).get('/api/v1/verification/verifiers')).body

  test('has proof-of-human once a provider is configured, for the hosted page', async () => {
    const { data, metadata } = await catalog(settings)
    expect(data).toContain(id)
    expect(metadata[id]).toMatchObject({
      category: 'identity',
      flowType: 'interactive',
      expiryType: 'expiring',
      allowsDelegatedSubject: false,
      supportsDirectApi: false,
      requiredFields: ['provider', 'proofs', 'queryResult'],
    })
    // How many wallets may be of one person is a setting.
    expect(JSON.stringify(metadata[id])).not.toContain('counts once')
  })

  test('lacks it otherwise, and names the settings that bring it', async () => {
    expect((await catalog({})).data).not.toContain(id)
    const answer = await asks(await startApp(), alice, 'adaForAlice')
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VERIFIER_NOT_FOUND' } } })
    expect(answer.body.error.message).toMatch(/needs somebody who knows persons: set one of human\.zkpassport\.chain;/)
  })
})

describe('one person has one wallet in a scope', () => {
  test('a second wallet is refused', async () => {
    const app = await startApp(settings)
    await asks(app, alice, 'adaForAlice')
    const second = await leavesNothing(app.parts, () => asks(app, bob, 'adaForBob'))
    expect(second).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
    expect(second.body.error.message).toBe(
      'this person holds a proof with another wallet in the scope "svc-v1": use that wallet, or revoke that proof first',
    )
  })

  test('until the first proof is revoked', async () => {
    const app = await startApp(settings)
    const { qHash } = (await asks(app, alice, 'adaForAlice')).body.data
    const body = await app.ownerBody(alice, { action: 'revoke_proof', qHash })
    expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)).status).toBe(200)
    expect((await asks(app, bob, 'adaForBob')).status).toBe(200)
    expect((await asks(app, alice, 'adaForAlice')).status).toBe(409)
  })

  test('until the first proof has expired', async () => {
    const app = await startApp({ ...settings, PROOFGATE_HUMAN_VALID_DAYS: '1' })
    await asks(app, alice, 'adaForAlice')
    app.wait(dayMs)
    expect((await asks(app, bob, 'adaForBob')).status).toBe(200)
  })

  test('another person may have one too', async () => {
    const app = await startApp(settings)
    await asks(app, alice, 'adaForAlice')
    expect((await asks(app, bob, 'benForBob')).status).toBe(200)
  })

  test('another scope of this server counts the same person as another', async () => {
    const app = await startApp({ ...settings, PROOFGATE_HUMAN_SCOPES: 'svc-v1,airdrop' })
    expect((await asks(app, alice, 'adaForAlice')).status).toBe(200)
    expect((await asks(app, bob, 'adaForBobInOtherScope', { scope: 'airdrop' })).status).toBe(200)
    expect((await asks(app, alice, 'adaInOtherScope', { scope: 'airdrop' })).status).toBe(409)
  })

  test('one of two wallets at the same moment wins', async () => {
    const app = await startApp(settings)
    const requests = await Promise.all([
      app.signed(alice, { verifierIds: [id], data: dataOf(proofs.adaForAlice) }),
      app.signed(bob, { verifierIds: [id], data: dataOf(proofs.adaForBob) }),
    ])
    const answers = await Promise.all(requests.map((body) => app.post('/api/v1/verification', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('unless the operator allows more, up to that number', async () => {
    const app = await startApp({ ...settings, PROOFGATE_HUMAN_WALLETS_PER_PERSON: '2' })
    const order = [
      await asks(app, alice, 'adaForAlice'),
      await asks(app, bob, 'adaForBob'),
      await asks(app, sol, 'adaForSol'),
      await asks(app, alice, 'adaForAlice'),
      await asks(app, bob, 'adaForBob'),
    ]
    expect(order.map(({ status }) => status)).toEqual([200, 200, 409, 200, 200])
    expect(order[2]!.body.error.message).toContain('with 2 other wallets')
  })

  test('two of three wallets at the same moment win where two are allowed', async () => {
    const app = await startApp({ ...settings, PROOFGATE_HUMAN_WALLETS_PER_PERSON: '2' })
    const requests = await Promise.all(
      (
        [
          [alice, 'adaForAlice'],
          [bob, 'adaForBob'],
          [sol, 'adaForSol'],
        ] as const
      ).map(([wallet, name]) => app.signed(wallet, { verifierIds: [id], data: dataOf(proofs[name]) })),
    )
    const answers = await Promise.all(requests.map((body) => app.post('/api/v1/verification', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
  })

  test('the id of a person survives a restart, and is another one under another key', async () => {
    const key = (digit: string) => ({ PROOFGATE_MASTER_KEY: digit.repeat(64) })
    const [first, again, other] = await Promise.all(
      [key('a'), key('a'), key('b')].map(async (env) => personhoodId(await startApp({ ...settings, ...env }))),
    )
    expect(again).toBe(first!)
    expect(other).not.toBe(first!)
  })
})

/** Computes the id as the server does, with its own key. */
const personhoodId = ({ parts }: TestApp, name: CaseName = 'adaForAlice', scope = 'svc-v1'): string =>
  `0x${parts.sealer.mac(`semaphore\n${scope}\n${proofs[name].nullifier}`, 'personhood')}`

describe('a gate', () => {
  const asPublic = { options: { privacyLevel: 'public', publicDisplay: true } }
  const checking = (app: TestApp, query: Record<string, string>, headers: Record<string, string> = {}) =>
    app.get(`/api/v1/proofs/check?${new URLSearchParams({ address: alice.address, ...query })}`, headers)

  test('can ask for a person, a level, a scope and the id of the person', async () => {
    const app = await startApp(settings)
    await asks(app, alice, 'adaForAlice', {}, asPublic)
    const eligible = async (query: Record<string, string>) => (await checking(app, query)).body.data.eligible
    expect(await eligible({ verifierIds: id })).toBe(true)
    expect(await eligible({ verifierIds: id, provider: 'semaphore' })).toBe(true)
    expect(await eligible({ verifierIds: id, provider: 'zkpassport' })).toBe(false)
    expect(await eligible({ verifierIds: id, ageMin: '18' })).toBe(false)
    expect(await eligible({ verifierIds: id, sanctionsPassed: 'true' })).toBe(false)
    expect(await eligible({ svcPersonhoodId: personhoodId(app) })).toBe(true)
    expect(await eligible({ svcPersonhoodId: personhoodId(app).toUpperCase().replace('0X', '0x') })).toBe(true)
    expect(await eligible({ svcPersonhoodId: personhoodId(app, 'benForBob') })).toBe(false)
    expect(await eligible({ svcPersonhoodId: `0x${'0'.repeat(64)}` })).toBe(false)
  })

  test('can ask for them in its requirements', async () => {
    const app = await startApp(settings)
    await asks(app, alice, 'adaForAlice', {}, asPublic)
    let gates = 0
    const meets = async (match: object[]): Promise<boolean> => {
      const gateId = `gate_people_${++gates}`
      const applied = await apply(app, definitionOf({ gateId, requirements: [{ verifierId: id, match }] }))
      expect(applied).toMatchObject({ status: 200 })
      return (await checking(app, { gateId })).body.data.gate.allRequiredSatisfied
    }
    expect(await meets([{ path: 'traits.scope', op: 'eq', value: 'svc-v1' }])).toBe(true)
    expect(await meets([{ path: 'assuranceLevel', op: 'eq', value: 'high' }])).toBe(false)
    expect(await meets([{ path: 'claims.personhood_verified', op: 'eq', value: 'true' }])).toBe(true)
    expect(await meets([{ path: 'svcPersonhoodId', op: 'eq', value: personhoodId(app) }])).toBe(true)
    // Hidden values may only be compared for equality: otherwise a stranger could find them digit by digit.
    expect(await meets([{ path: 'svcPersonhoodId', op: 'gte', value: '0' }])).toBe(false)
    expect(await meets([{ path: 'svcPersonhoodId', op: 'lte', value: '9'.repeat(60) }])).toBe(false)
  })

  test('does not find a person by a prefix, a number or a trait', async () => {
    const app = await startApp(settings)
    await asks(app, alice, 'adaForAlice', {}, asPublic)
    const wholeId = personhoodId(app)
    for (const query of [
      { svcPersonhoodId: wholeId.slice(0, 40) },
      { svcPersonhoodId: BigInt(wholeId).toString() },
      { verifierIds: id, traitPath: 'svcPersonhoodId', traitGte: '0' },
      { verifierIds: id, traitPath: 'hidden.svcPersonhoodId', traitGte: '0' },
    ] as Record<string, string>[])
      expect((await checking(app, query)).body.data.eligible).toBe(false)
  })

  test('the id of a person is in no answer, list, check, explanation, snapshot, portable proof or log line', async () => {
    const said: string[] = []
    const write = spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text))
      return true
    })
    const out = spyOn(process.stdout, 'write').mockImplementation((text) => {
      said.push(String(text))
      return true
    })
    try {
      const app = await startApp({ ...settings, PROOFGATE_LOG_LEVEL: 'debug' })
      const made = await asks(app, alice, 'adaForAlice', {}, asPublic)
      const { qHash } = made.body.data
      const hidden = asks(app, bob, 'adaForBob')
      const owner = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
      const list = `/api/v1/proofs/by-wallet/${alice.address}`
      const wrong = {
        verifierIds: id,
        svcPersonhoodId: `0x${'1'.repeat(64)}`,
        explain: '1',
        select: 'provider,traits.scope',
      }
      const checkHeaders = await app.ownerHeaders(alice, {
        action: 'gate_check_private_proofs',
        walletAddress: alice.address.toLowerCase(),
      })
      const answers = [
        made,
        await hidden,
        await app.get(`/api/v1/proofs/${qHash}`),
        await app.get(`/api/v1/proofs/${qHash}`, owner),
        await app.get(list),
        await app.get(`${list}?includeHistory=1`),
        await checking(app, wrong),
        await checking(app, { ...wrong, includePrivate: '1', includeQHashes: '1' }, checkHeaders),
        await checking(app, { verifierIds: id, explain: '1' }),
        await checking(app, { verifierIds: id, traitPath: 'svcPersonhoodId', traitGte: '1', explain: '1' }),
        await app.post(
          `/api/v1/proofs/revoke-self/${qHash}`,
          await app.ownerBody(alice, { action: 'revoke_proof', qHash }),
        ),
      ]
      expect(answers[6]!.body.data.explain).toBeArray()
      const snapshot = listPublicRows((await findProof(app.parts.db, qHash))!, app.parts.catalog)
      const text = [
        JSON.stringify(snapshot),
        ...answers.map(({ body, headers }) => JSON.stringify([body, [...headers]])),
        ...said,
      ].join('\n')
      expect(text).toContain(qHash)
      expect(text.toLowerCase()).not.toContain(personhoodId(app).slice(2, 34))
      expect(text).not.toContain('"hidden"')
      // The provider's id of the person stands only in the portable proof, where the person signed it.
      const portable = JSON.stringify(made.body.data.portableProof)
      expect(portable).not.toContain(personhoodId(app).slice(2, 34))
      const elsewhere = text.replaceAll(portable, '')
      expect(elsewhere).not.toContain(genuine.nullifier)
    } finally {
      write.mockRestore()
      out.mockRestore()
    }
  })
})

describe('the page gets', () => {
  const path = '/api/v1/verification/human/providers'

  test('an empty list without a provider', async () => {
    expect((await (await startApp()).get(path)).body).toEqual({ success: true, data: [] })
  })

  test('the values that a proof must be made for', async () => {
    const app = await startApp(settings)
    const { body } = await app.get(`${path}?walletAddress=${alice.address}`)
    expect(body.data).toEqual([
      {
        id: 'semaphore',
        label: 'Semaphore',
        domain: 'localhost',
        scope: 'svc-v1',
        semaphoreScope: cases.adaForAlice.scope,
        semaphoreMessage: cases.adaForAlice.message,
        maxDepth: 32,
        roots: [root],
      },
    ])
  })

  test('another binding for a contract wallet on each chain', async () => {
    const app = await startApp(settings)
    const messages = await Promise.all(
      ['', '&contractOn=eip155:1', '&contractOn=eip155:10'].map(
        async (more) => (await app.get(`${path}?walletAddress=${alice.address}${more}`)).body.data[0].semaphoreMessage,
      ),
    )
    expect(new Set(messages).size).toBe(3)
  })

  test.each([
    ['a wallet that is none', 'walletAddress=0x12', 'INVALID_WALLET_ADDRESS'],
    ['an empty wallet', 'walletAddress=', 'VALIDATION_ERROR'],
    ['a scope that is not one of this server', 'scope=airdrop', 'VALIDATION_ERROR'],
    ['a chain that is none', `walletAddress=${mallory.address}&contractOn=1`, 'VALIDATION_ERROR'],
  ])('%s is refused', async (_, query, code) => {
    const app = await startApp(settings)
    expect(await app.get(`${path}?${query}`)).toMatchObject({ status: 400, body: { error: { code } } })
  })
})

const semaphore = 'the prover of Semaphore, from npm: SEMAPHORE=1 npm test -- test/verifiers/proof-of-human.test.ts'

describe.skipIf(isMissing(process.env.SEMAPHORE === '1', semaphore))(
  'with the prover of Semaphore, installed for this test',
  () => {
    test('proofs that were made a moment ago verify, and the keys are the published ones', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'semaphore-'))
      try {
        const packages = ['@semaphore-protocol/core@4.14.2', '@zk-kit/semaphore-artifacts@4.13.0']
        const install = Bun.spawn(
          ['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...packages],
          { stdout: 'ignore', stderr: 'ignore' },
        )
        expect(await install.exited).toBe(0)
        await Bun.write(join(folder, 'package.json'), '{"private":true}')
        await expectPublishedKeys(join(folder, 'node_modules/@zk-kit/semaphore-artifacts'))

        const names = Object.keys(cases) as CaseName[]
        const fresh = await proveIn(folder, Object.values(cases))
        for (const [at, proof] of fresh.entries()) {
          const { points: _, ...same } = proofs[names[at]!]
          expect(proof).toMatchObject(same)
        }
        const app = await startApp(settings)
        expect(fresh[0]!.points).not.toEqual(proofs.adaForAlice.points)
        expect((await asking(app, id)(alice, dataOf(fresh[0]!))).status).toBe(200)
        expect((await asking(app, id)(bob, dataOf(fresh[1]!))).status).toBe(409)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }, 300_000)
  },
)

async function expectPublishedKeys(folder: string): Promise<void> {
  const { readSemaphoreKey } = await import('../../src/outside/human/semaphore-keys.ts')
  const flat = (point: (string | string[])[]): bigint[] => point.slice(0, 2).flat().map(BigInt)
  for (let depth = 1; depth <= 32; depth++) {
    const published = await Bun.file(join(folder, `semaphore-${depth}.json`)).json()
    expect(readSemaphoreKey(depth)).toEqual({
      alpha: flat(published.vk_alpha_1),
      beta: flat(published.vk_beta_2),
      gamma: flat(published.vk_gamma_2),
      delta: flat(published.vk_delta_2),
      inputs: published.IC.map(flat),
    })
  }
}
