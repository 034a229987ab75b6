/** POST …/fulfill without a payment: admissions, refusals with their reason, and rewards for the right wallet only. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { leaveScope } from '../../src/request-scope.ts'
import type { Answer } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { overtake } from '../parts/overtake.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { openStage, type Stage } from './fulfill-stage.ts'

const secret = 'open sesame'
const reveal = [{ kind: 'reveal' as const, value: secret, label: 'The word', message: 'Keep it' }]
const unknownProof = `0x${'00'.repeat(32)}`

let stage: Stage
const refusedAnswers: string[] = []
const logs: string[] = []

beforeEach(async () => {
  if (stage) logs.push(stage.logged())
  stage = await openStage()
})

/** A refusal that leaves every table as it was. */
async function refusal(ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await leavesNothing(stage.parts, ask)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  refusedAnswers.push(JSON.stringify([answer.body, [...answer.headers]]))
  return answer
}

afterAll(() => {
  expect(refusedAnswers.length).toBeGreaterThan(20)
  expect(refusedAnswers.join('\n')).not.toContain(secret)
  expect(logs.join('\n')).not.toContain(secret)
})

describe('a free gate', () => {
  test('hands out its reward, with a record of it that the buyer can show', async () => {
    await stage.gate('free', { rewards: reveal, successReturnUrl: 'https://shop.example/thanks' })
    const qHash = await stage.prove()
    const answer = await stage.fulfill('free', qHash)

    expect(answer.status).toBe(200)
    const { rewardProof } = answer.body.data
    expect(answer.body.data).toEqual({
      gateId: 'free',
      qHash,
      fulfillment: { delivery: 'reveal', type: 'text', value: secret, label: 'The word', message: 'Keep it' },
      successReturnUrl: 'https://shop.example/thanks',
      rewardProof: {
        receiptId: rewardProof.receiptId,
        gateId: 'free',
        gateVersion: 1,
        qHash,
        walletAddress: alice.address.toLowerCase(),
        fulfilledAt: stage.now(),
        payment: null,
        receiptUrl: `http://localhost:8787/api/v1/profile/gates/free/fulfillments/${rewardProof.receiptId}`,
        receiptNumber: rewardProof.receiptId.slice(0, 11),
        receiptPageUrl: `http://localhost:8787/receipts/${rewardProof.receiptId.slice(0, 11)}`,
      },
      rewardPack: [],
    })
    expect(Buffer.from(rewardProof.receiptId, 'base64url')).toHaveLength(16)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect((await stage.found('free'))?.fulfilledCount).toBe(1)
  })

  test('hands out each kind of reward in its own shape, and the further ones as a pack', async () => {
    await stage.gate('kinds', {
      rewards: [
        { kind: 'redirect', value: 'https://shop.example/in' },
        { kind: 'download', value: 'https://shop.example/file' },
        { kind: 'access_granted', label: 'Member' },
      ],
    })
    const { data } = (await stage.fulfill('kinds', await stage.prove())).body
    expect(data.fulfillment).toEqual({
      delivery: 'redirect',
      type: 'redirect_url',
      value: 'https://shop.example/in',
    })
    expect(data.rewardPack).toEqual([
      { delivery: 'download', type: 'download_url', value: 'https://shop.example/file' },
      { delivery: 'access_granted', type: 'access', value: null, label: 'Member' },
    ])
  })

  test('grants access when it defines no reward', async () => {
    await stage.gate('bare')
    const { data } = (await stage.fulfill('bare', await stage.prove())).body
    expect(data.fulfillment).toEqual({ delivery: 'access_granted', type: 'access', value: null })
  })

  test('repeats its answer after the schedule, limits and reward have changed', async () => {
    await stage.gate('again', { rewards: reveal, supply: 1, perWallet: 1 })
    const qHash = await stage.prove()
    const first = await stage.fulfill('again', qHash)
    await stage.gate('again', {
      rewards: [{ kind: 'reveal', value: 'another word' }],
      schedule: { endsAt: new Date(stage.now() + 1000).toISOString() },
      supply: 1,
    })
    stage.wait(60_000)
    const second = await stage.fulfill('again', qHash)
    expect(second.status).toBe(200)
    expect(second.body.data).toEqual(first.body.data)
    expect((await stage.found('again'))?.fulfilledCount).toBe(1)
  })

  test('takes the id in either case, for one fulfillment', async () => {
    await stage.gate('case')
    const qHash = await stage.prove()
    const upper = `0x${qHash.slice(2).toUpperCase()}`
    const first = await stage.fulfill('case', upper)
    expect(first.body.data.qHash).toBe(qHash)
    expect((await stage.fulfill('case', qHash)).body.data).toEqual(first.body.data)
  })

  test('is reached by its other path as well', async () => {
    await stage.gate('other')
    const qHash = await stage.prove()
    const signed = await alice.signAction({ action: 'fulfill_gate', gateId: 'other', qHash }, stage.now())
    const answer = await stage.post('/api/v1/gates/other/fulfill', { qHash, ...signed })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })
})

describe('the credential', () => {
  test.each([
    ['in headers, over the gate', 'fulfill_gate', true],
    ['in headers, over the reading of the proof', 'access_private_proof', true],
    ['in the body, over the reading of the proof', 'access_private_proof', false],
  ])('may be a signature %s', async (_, action, isInHeaders) => {
    await stage.gate('free', { rewards: reveal })
    const qHash = await stage.prove()
    const signed = action === 'fulfill_gate' ? { action, gateId: 'free', qHash } : { action, qHash }
    const answer = isInHeaders
      ? await stage.post(stage.pathOf('free'), { qHash }, await stage.ownerHeaders(alice, signed))
      : await stage.post(stage.pathOf('free'), { qHash, ...(await stage.ownerBody(alice, signed)) })
    expect(answer.status).toBe(200)
  })

  test('may be that of a Solana wallet', async () => {
    await stage.gate('free')
    const qHash = await stage.prove(sol)
    expect((await stage.fulfill('free', qHash, {}, { wallet: sol })).body.data.rewardProof.walletAddress).toBe(
      sol.address,
    )
  })

  test.each([
    ['nothing', {}],
    ['the address alone', { walletAddress: alice.address }],
    ['a signature of zeros', { walletAddress: alice.address, signature: `0x${'0'.repeat(130)}`, signedTimestamp: 1 }],
    ['a signature without its time', { walletAddress: alice.address, signature: '0x1234' }],
  ])('is missing: %s', async (_, more) => {
    await stage.gate('free', { rewards: reveal })
    const qHash = await stage.prove()
    expectRefused(
      await refusal(() => stage.post(stage.pathOf('free'), { qHash, ...more })),
      'WALLET_AUTH_REQUIRED',
      /signature/,
    )
  })

  test('is refused when it was signed for another gate', async () => {
    await stage.gate('free', { rewards: reveal })
    const qHash = await stage.prove()
    const signed = await stage.ownerBody(alice, { action: 'fulfill_gate', gateId: 'other', qHash })
    expectRefused(await refusal(() => stage.post(stage.pathOf('free'), { qHash, ...signed })), 'SIGNATURE_INVALID')
  })

  test('is refused when it is too old', async () => {
    await stage.gate('free', { rewards: reveal })
    const qHash = await stage.prove()
    const signed = await stage.ownerBody(alice, { action: 'fulfill_gate', gateId: 'free', qHash })
    stage.wait(301_000)
    expectRefused(await refusal(() => stage.post(stage.pathOf('free'), { qHash, ...signed })), 'EXPIRED_SIGNATURE')
  })

  test('must be that of the wallet that made the proof', async () => {
    await stage.gate('free', { rewards: reveal })
    const qHash = await stage.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    expectRefused(
      await refusal(() => stage.fulfill('free', qHash, {}, { wallet: mallory })),
      'FORBIDDEN',
      /does not belong to/,
    )
    expectRefused(
      await refusal(() => stage.fulfill('free', qHash, { walletAddress: bob.address })),
      'SIGNATURE_INVALID',
    )
    const headers = await stage.ownerHeaders(alice, { action: 'access_private_proof', qHash })
    expectRefused(
      await refusal(() => stage.post(stage.pathOf('free'), { qHash, walletAddress: bob.address }, headers)),
      'FORBIDDEN',
      /is made by/,
    )
  })
})

describe('a bare wallet address, where the operator believes it', () => {
  const bare = (qHash: string, wallet = alice.address) =>
    stage.post(stage.pathOf('free'), { qHash, walletAddress: wallet })

  beforeEach(async () => {
    stage = await openStage({ PROOFGATE_GATES_ACCEPT_BARE_WALLET: 'true' })
  })

  test('gets access and addresses for the proof of that wallet', async () => {
    await stage.gate('free', { rewards: [{ kind: 'redirect', value: 'https://shop.example/in' }] })
    const qHash = await stage.prove(alice, { privacyLevel: 'public', publicDisplay: true })
    expect((await bare(qHash)).status).toBe(200)
    expectRefused(await refusal(() => bare(qHash, mallory.address)), 'FORBIDDEN')
  })

  test('gets no secret for a public proof, whose wallet everybody knows', async () => {
    await stage.gate('free', { rewards: [{ kind: 'access_granted' }, ...reveal] })
    const open = await stage.prove(alice, { privacyLevel: 'public' })
    expectRefused(await refusal(() => bare(open)), 'WALLET_AUTH_REQUIRED')
    await stage.gate('free', { rewards: [{ kind: 'download', value: secret }] })
    expectRefused(await refusal(() => bare(open)), 'WALLET_AUTH_REQUIRED')
    expect((await bare(await stage.prove(alice, { privacyLevel: 'private' }))).body.data.fulfillment.value).toBe(secret)
  })
})

test.each(['public', 'unlisted'] as const)(
  'a paused gate that is %s says so, and gives nothing',
  async (visibility) => {
    await stage.gate('gone', { rewards: reveal, policy: { visibility }, schedule: { endsAt: '2020-01-01T00:00:00Z' } })
    const qHash = await stage.prove()
    await stage.setStatus('gone', 'paused')
    expectRefused(await refusal(() => stage.fulfill('gone', qHash)), 'GATE_PAUSED', /its? owner|owner of this gate/)
  },
)

describe('an unknown gate is reported', () => {
  test.each(['draft', 'deleted'] as const)('when it is %s', async (status) => {
    await stage.gate('gone', { rewards: reveal })
    const qHash = await stage.prove()
    await stage.setStatus('gone', status)
    expectRefused(await refusal(() => stage.fulfill('gone', qHash)), 'GATE_NOT_FOUND')
  })

  test('when it is paused and private', async () => {
    await stage.gate('gone', { rewards: reveal, policy: { visibility: 'private' } })
    const qHash = await stage.prove()
    await stage.setStatus('gone', 'paused')
    expectRefused(await refusal(() => stage.fulfill('gone', qHash)), 'GATE_NOT_FOUND')
  })

  test('when it does not exist, whatever else is wrong', async () => {
    expectRefused(await refusal(() => stage.post(stage.pathOf('nothing'), { qHash: unknownProof })), 'GATE_NOT_FOUND')
  })

  test('to everybody but its owner when it is private, in the same words', async () => {
    await stage.gate('mine', { rewards: reveal, policy: { visibility: 'private' } })
    const qHash = await stage.prove()
    const strangers = [
      await refusal(() => stage.fulfill('mine', qHash)),
      await refusal(() => stage.post(stage.pathOf('mine'), { qHash })),
      await refusal(() => stage.post(stage.pathOf('mine'), { qHash, walletAddress: bob.address })),
      await refusal(() => stage.fulfill('mine', qHash, { walletAddress: bob.address })),
    ]
    const nowhere = await refusal(() => stage.fulfill('nowhere', qHash))
    for (const { body } of strangers) expect(body.error).toEqual(nowhere.body.error)

    const ofBob = await stage.prove(bob)
    expect((await stage.fulfill('mine', ofBob, {}, { wallet: bob })).status).toBe(200)
  })
})

describe('the schedule', () => {
  test('has not begun: Retry-After says when it does', async () => {
    await stage.gate('soon', { rewards: reveal, schedule: { startsAt: new Date(stage.now() + 90_500).toISOString() } })
    const answer = await refusal(() => stage.post(stage.pathOf('soon'), { qHash: unknownProof }))
    expectRefused(answer, 'GATE_NOT_STARTED', /opens at 2026-/)
    expect(answer.headers.get('retry-after')).toBe('91')
    stage.wait(90_500)
    expect((await stage.fulfill('soon', await stage.prove())).status).toBe(200)
  })

  test('is over', async () => {
    await stage.gate('late', { rewards: reveal, schedule: { endsAt: new Date(stage.now() + 1_000).toISOString() } })
    stage.wait(1_000)
    expectRefused(await refusal(() => stage.post(stage.pathOf('late'), { qHash: unknownProof })), 'GATE_ENDED')
  })
})

describe('the proof', () => {
  beforeEach(() => stage.gate('free', { rewards: reveal }))

  test('is not found', async () => {
    expectRefused(await refusal(() => stage.fulfill('free', unknownProof)), 'PROOF_NOT_FOUND')
  })

  test('is revoked: before the first time, and before the second', async () => {
    const qHash = await stage.prove()
    expect((await stage.fulfill('free', qHash)).status).toBe(200)
    const other = await stage.prove()
    for (const proof of [qHash, other])
      await stage.post(
        `/api/v1/proofs/revoke-self/${proof}`,
        await stage.ownerBody(alice, { action: 'revoke_proof', qHash: proof }),
      )
    for (const proof of [qHash, other])
      expectRefused(await refusal(() => stage.fulfill('free', proof)), 'PROOF_NOT_VERIFIED', /revoked/)
  })

  test('has expired', async () => {
    stage = await openStage({ PROOFGATE_VERIFIERS_PSEUDONYM_TTL_DAYS: '1' })
    await stage.gate('name', { rewards: reveal, requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }] })
    const made = await stage.submit(alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
    stage.wait(86_400_000)
    expectRefused(await refusal(() => stage.fulfill('name', made.body.data.qHash)), 'PROOF_NOT_VERIFIED', /expired/)
  })

  test('is of another kind than the gate asks for: the answer names the missing ones', async () => {
    await stage.gate('strict', {
      rewards: reveal,
      requirements: [
        { id: 'r1', verifierId: 'ownership-basic' },
        { id: 'handle', verifierId: 'ownership-pseudonym' },
      ],
    })
    const qHash = await stage.prove()
    const answer = await refusal(() => stage.fulfill('strict', qHash))
    expectRefused(answer, 'GATE_REQUIREMENTS_NOT_MET', /handle \(ownership-pseudonym\)/)
    expect(answer.body.error.details.missing).toEqual([
      { id: 'handle', verifierId: 'ownership-pseudonym', needed: 1, found: 0 },
    ])

    await stage.submit(alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
    expect((await stage.fulfill('strict', qHash)).status).toBe(200)
  })

  test('does nothing for the gate, although the wallet has others that do', async () => {
    await stage.gate('handles', { rewards: reveal, requirements: [{ id: 'r1', verifierId: 'ownership-pseudonym' }] })
    const qHash = await stage.prove()
    await stage.submit(alice, { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'alice' } })
    expectRefused(
      await refusal(() => stage.fulfill('handles', qHash)),
      'GATE_REQUIREMENTS_NOT_MET',
      /not by this proof/,
    )
  })

  test('is older than the gate takes', async () => {
    await stage.gate('fresh', {
      rewards: reveal,
      requirements: [{ id: 'r1', verifierId: 'ownership-basic', maxAgeMs: 60_000 }],
    })
    const qHash = await stage.prove()
    const late = await stage.prove()
    expect((await stage.fulfill('fresh', late)).status).toBe(200)
    stage.wait(60_001)
    expectRefused(await refusal(() => stage.fulfill('fresh', qHash)), 'GATE_REQUIREMENTS_NOT_MET')
    // A granted reward stays granted.
    expect((await stage.fulfill('fresh', late)).status).toBe(200)
  })
})

describe('limits', () => {
  test('all are given out', async () => {
    await stage.gate('few', { rewards: reveal, supply: 2 })
    const proofs = [await stage.prove(), await stage.prove(bob), await stage.prove()]
    expect((await stage.fulfill('few', proofs[0]!)).status).toBe(200)
    expect((await stage.fulfill('few', proofs[1]!, {}, { wallet: bob })).status).toBe(200)
    expectRefused(await refusal(() => stage.fulfill('few', proofs[2]!)), 'GATE_SOLD_OUT', /all 2/)
    expect((await stage.fulfill('few', proofs[0]!)).status).toBe(200)
  })

  test('this wallet has had its share, and others have not', async () => {
    await stage.gate('each', { rewards: reveal, perWallet: 1 })
    expect((await stage.fulfill('each', await stage.prove())).status).toBe(200)
    const second = await stage.prove()
    expectRefused(await refusal(() => stage.fulfill('each', second)), 'GATE_LIMIT_REACHED', /passed this gate once/)
    expect((await stage.fulfill('each', await stage.prove(bob), {}, { wallet: bob })).status).toBe(200)
  })

  test('let the same request in that got the place between two looks of this one', async () => {
    await stage.gate('each', { rewards: reveal, perWallet: 1 })
    const qHash = await stage.prove()
    const { db } = stage.parts
    const { read } = db
    let first: Answer | undefined
    const overtaken: typeof db.read = (query) => {
      const reads = read(query)
      if (!query.includes('count(*) AS "granted"')) return reads
      db.read = read
      return {
        ...reads,
        get: async (...params) => {
          first = await leaveScope(() => stage.fulfill('each', qHash))
          return reads.get(...params)
        },
      }
    }
    db.read = overtaken
    const second = await stage.fulfill('each', qHash)
    expect([first?.status, second.status]).toEqual([200, 200])
    expect(second.body.data).toEqual(first?.body.data)
  })

  test.each([
    ['supply', 'GATE_SOLD_OUT'],
    ['perWallet', 'GATE_LIMIT_REACHED'],
  ] as const)('hold when the owner lowers them in the same moment: %s', async (limit, code) => {
    await stage.gate('lowered', { rewards: reveal, [limit]: 2 })
    expect((await stage.fulfill('lowered', await stage.prove())).status).toBe(200)
    const second = await stage.prove()
    overtake(stage.parts.db, 'INSERT INTO fulfillments', () => stage.gate('lowered', { rewards: reveal, [limit]: 1 }))
    expectRefused(await stage.fulfill('lowered', second), code)
    expect((await stage.found('lowered'))?.fulfilledCount).toBe(1)
  })
})

describe('bad input', () => {
  beforeEach(() => stage.gate('free', { rewards: reveal }))

  test.each([
    ['no body', '', 'VALIDATION_ERROR'],
    ['no JSON', '{', 'VALIDATION_ERROR'],
    ['an array', [], 'VALIDATION_ERROR'],
    ['no id', {}, 'VALIDATION_ERROR'],
    ['an id cut short', { qHash: '0x12' }, 'VALIDATION_ERROR'],
    ['a number for an id', { qHash: 12 }, 'VALIDATION_ERROR'],
    ['a transaction that is an object', { qHash: unknownProof, paymentTxHash: {} }, 'VALIDATION_ERROR'],
    ['a transaction past any length', { qHash: unknownProof, paymentTxHash: 'a'.repeat(129) }, 'VALIDATION_ERROR'],
    [
      'a checkout past any length',
      { qHash: unknownProof, paymentCheckoutSessionId: 'a'.repeat(256) },
      'VALIDATION_ERROR',
    ],
    ['a time that is a text', { qHash: unknownProof, signedTimestamp: 'now' }, 'VALIDATION_ERROR'],
    ['a signature past any length', { qHash: unknownProof, signature: 'a'.repeat(16_385) }, 'VALIDATION_ERROR'],
    ['an access grant that is a text', { qHash: unknownProof, accessGrant: 'all' }, 'VALIDATION_ERROR'],
  ] as const)('%s', async (_, body, code) => {
    expectRefused(await refusal(() => stage.post(stage.pathOf('free'), body)), code)
  })

  test.each(['has space', 'a/b', 'ümlaut', 'x'.repeat(81), 'semi;colon', '%00'])(
    'a gate id like %p',
    async (gateId) => {
      const path = `/api/v1/profile/gates/${gateId.includes('/') ? 'a%2Fb' : encodeURIComponent(gateId)}/fulfill`
      expectRefused(await refusal(() => stage.post(path, { qHash: unknownProof })), 'VALIDATION_ERROR', /gateId/)
    },
  )

  test('an access grant, which no gate asks for', async () => {
    const qHash = await stage.prove()
    const accessGrant = { resources: [{ kind: 'repo', id: '1' }], connectedAccountId: 'x', toolkitSlug: 'y' }
    expectRefused(
      await refusal(() => stage.fulfill('free', qHash, { accessGrant })),
      'VALIDATION_ERROR',
      /leave accessGrant out/,
    )
  })

  test('another media type, another method, too many: no answer may be kept by a cache', async () => {
    const path = stage.pathOf('free')
    const form = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }
    expectRefused(await refusal(() => stage.request(path, form)), 'UNSUPPORTED_MEDIA_TYPE')
    expectRefused(await refusal(() => stage.request(path)), 'METHOD_NOT_ALLOWED')

    stage = await openStage({ PROOFGATE_LIMITS_ENABLED: 'true', PROOFGATE_LIMITS_RATES_API: '1/1h' })
    await stage.request('/api/v1/health')
    expectRefused(await refusal(() => stage.post(path, {})), 'RATE_LIMIT_EXCEEDED')
  })
})

describe('the receipt', () => {
  test('shows the grant to a caller that knows its id, and never the reward', async () => {
    await stage.gate('free', { rewards: reveal })
    const qHash = await stage.prove()
    const { receiptId, receiptUrl } = (await stage.fulfill('free', qHash)).body.data.rewardProof
    const answer = await stage.request(new URL(receiptUrl).pathname)
    expect(answer.body.data).toEqual({
      state: 'granted',
      gateId: 'free',
      qHash,
      walletAddress: alice.address.toLowerCase(),
      fulfilledAt: stage.now(),
      version: 1,
      refundedAmount: null,
    })
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(JSON.stringify(answer.body)).not.toContain(secret)

    await stage.gate('other')
    const path = (gateId: string, id: string) => `/api/v1/profile/gates/${gateId}/fulfillments/${id}`
    expectRefused(await refusal(() => stage.request(path('other', receiptId))), 'NOT_FOUND')
    expectRefused(await refusal(() => stage.request(path('free', 'A'.repeat(22)))), 'NOT_FOUND')
    expectRefused(await refusal(() => stage.request(path('free', 'short'))), 'VALIDATION_ERROR')
  })
})

test('a reward that cannot be opened is still granted: 503, and only the operator sees the reason', async () => {
  await stage.gate('sealed', { rewards: reveal })
  const qHash = await stage.prove()
  const sealed = (await stage.rows<{ rewards: string }>('SELECT rewards FROM gate_versions'))[0]!.rewards
  await stage.parts.db.write([{ sql: "UPDATE gate_versions SET rewards = 'v1.AAAA.AAAA'", params: [] }])
  const answer = await stage.fulfill('sealed', qHash)
  expectRefused(answer, 'SERVICE_UNAVAILABLE', /nothing is lost/)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(stage.logged()).toContain('a reward could not be opened')

  await stage.parts.db.write([{ sql: 'UPDATE gate_versions SET rewards = ?1', params: [sealed] }])
  expect((await stage.fulfill('sealed', qHash)).body.data.fulfillment.value).toBe(secret)
  expect((await stage.found('sealed'))?.fulfilledCount).toBe(1)
})
