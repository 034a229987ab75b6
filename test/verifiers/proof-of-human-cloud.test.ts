/** proof-of-human by World ID and Human Passport, against servers as strict as theirs. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { concatHex, type Hex, keccak256, numberToHex, pad, recoverMessageAddress, toBytes } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { leavesNothing } from '../http/refused.ts'
import {
  appId,
  type Fault,
  faults,
  passportKey,
  rpId,
  scored,
  scorerId,
  signalHashOf,
  startPassport,
  startWorldId,
} from '../parts/human-providers.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'
import { asking, evidenceIn, failed } from './ask.ts'

const id = 'proof-of-human'
const lower = ({ address }: TestWallet): string => (address.startsWith('0x') ? address.toLowerCase() : address)
const world = startWorldId()
const passport = startPassport()

const common = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
}
/** A short limit only for the server that never answers: a busy machine takes longer to answer. */
const limitOf = (fault: Fault) => (fault === 'it hangs' ? { PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' } : {})
const older = { ...common, PROOFGATE_HUMAN_WORLDID_APP_ID: appId, PROOFGATE_HUMAN_WORLDID_URL: world.url }
const newer = { ...common, PROOFGATE_HUMAN_WORLDID_RP_ID: rpId, PROOFGATE_HUMAN_WORLDID_URL: world.url }
const scores = {
  ...common,
  PROOFGATE_HUMAN_PASSPORT_API_KEY: passportKey,
  PROOFGATE_HUMAN_PASSPORT_SCORER_ID: scorerId,
  PROOFGATE_HUMAN_PASSPORT_URL: passport.url,
}

afterEach(() => {
  world.fault = undefined
  world.refuses = undefined
  world.says = {}
  passport.fault = undefined
  passport.says.clear()
})

const submit = (app: TestApp, provider: string, proof: object, wallet: TestWallet = alice) =>
  asking(app, id)(wallet, { provider, proofs: [proof], queryResult: {} })

let log: { mockRestore(): void }
beforeEach(() => {
  log = spyOn(process.stderr, 'write').mockImplementation(() => true)
})
afterEach(() => log.mockRestore())

let roots = 0
interface Wanted {
  readonly wallet?: TestWallet
  readonly nullifier?: bigint
  readonly action?: string
  readonly credential?: string
}
/** Known to the portal as a proof for that signal and action. */
function knownProof({ wallet = alice, nullifier = 77n, action = 'svc-v1', credential }: Wanted, standard: string) {
  const root = `0x${(++roots).toString(16).padStart(64, '0')}`
  const kind = credential ?? standard
  world.known.set(root, { nullifier, action, signal: lower(wallet), credential: kind })
  return { root, word: `0x${nullifier.toString(16).padStart(64, '0')}`, kind }
}
function olderProof(wanted: Wanted = {}) {
  const { root, word, kind } = knownProof(wanted, 'orb')
  return { nullifier_hash: word, merkle_root: root, proof: `0x${'12'.repeat(256)}`, verification_level: kind }
}
function newerProof({ wallet = alice, action = 'svc-v1', ...more }: Wanted = {}) {
  const { root, word, kind } = knownProof({ wallet, action, ...more }, 'proof_of_human')
  return {
    protocol_version: '4.0',
    nonce: '0x01',
    action,
    environment: 'production',
    responses: [
      {
        identifier: kind,
        signal_hash: signalHashOf(lower(wallet)),
        proof: ['0x1', '0x2', '0x3', '0x4', root],
        nullifier: word,
        issuer_schema_id: 1,
        expires_at_min: 1_800_000_000,
      },
    ],
  }
}

const unavailable = (source: string, fault?: string) => ({
  status: 503,
  body: { error: { code: 'VERIFIER_UNAVAILABLE', details: { verifierId: id, source, ...(fault ? { fault } : {}) } } },
})

describe.each([
  ['World ID 3', older, olderProof, 'orb'],
  ['World ID 4', newer, newerProof, 'proof_of_human'],
] as const)('%s', (_, settings, make, credential) => {
  test('finds a person who was there', async () => {
    const app = await startApp(settings)
    const answer = await submit(app, 'worldid', make())
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toMatchObject({
      provider: 'worldid',
      assuranceLevel: 'high',
      claims: { personhood_verified: true, liveness_verified: true },
      traits: { credential, scope: 'svc-v1', domain: 'localhost' },
      sources: ['human.worldid'],
    })
  })

  test('recognizes a person by the number, in whatever spelling', async () => {
    const app = await startApp(settings)
    expect((await submit(app, 'worldid', make({ nullifier: 0xabn }))).status).toBe(200)
    const word = `0x${'ab'.padStart(64, '0')}`
    const other = JSON.parse(JSON.stringify(make({ nullifier: 0xabn, wallet: bob })).replaceAll(word, '0xAB'))
    expect((await submit(app, 'worldid', other, bob)).status).toBe(409)
    expect((await submit(app, 'worldid', make({ nullifier: 0xacn, wallet: bob }), bob)).status).toBe(200)
  })

  test('recognizes Solana wallets by their text', async () => {
    expect((await submit(await startApp(settings), 'worldid', make({ wallet: sol }), sol)).status).toBe(200)
  })

  test('rejects a proof for another wallet', async () => {
    const app = await startApp(settings)
    const answer = await leavesNothing(app.parts, () => submit(app, 'worldid', make({ wallet: bob })))
    expect(answer.status).toBe(400)
    expect(['WRONG_WALLET', 'INVALID_PROOF']).toContain(answer.body.error.details.reason)
  })

  test('rejects a proof for another action', async () => {
    const app = await startApp(settings)
    const answer = await leavesNothing(app.parts, () => submit(app, 'worldid', make({ action: 'airdrop' })))
    expect(answer.status).toBe(400)
    expect(['WRONG_SCOPE', 'INVALID_PROOF']).toContain(answer.body.error.details.reason)
  })

  test('rejects an unsupported credential, without asking', async () => {
    const app = await startApp(settings)
    const before = world.asked.length
    expect(await submit(app, 'worldid', make({ credential: 'device' }))).toMatchObject(failed(id, 'OTHER_CREDENTIAL'))
    expect(world.asked.length).toBe(before)
    const lenient = await startApp({ ...settings, PROOFGATE_HUMAN_WORLDID_CREDENTIALS: 'device,document' })
    const device = evidenceIn(await submit(lenient, 'worldid', make({ credential: 'device' })))
    expect(device).toMatchObject({ assuranceLevel: 'low', claims: { personhood_verified: true } })
    const document = evidenceIn(await submit(lenient, 'worldid', make({ credential: 'document', nullifier: 5n })))
    expect(document).toMatchObject({ assuranceLevel: 'medium' })
  })

  test.each([
    ['zero', 0n],
    ['above the field', 21888242871839275222246405745257275088548364400416034343698204186575808495617n + 77n],
  ])('rejects a nullifier that is %s', async (_, nullifier) => {
    const app = await startApp(settings)
    expect(await submit(app, 'worldid', make({ nullifier }))).toMatchObject(failed(id, 'INVALID_PROOF'))
  })

  test.each(['invalid_proof', 'invalid_merkle_root', 'root_too_old', 'max_verifications_reached', 'already_verified'])(
    'rejects the proof when the portal says %s',
    async (code) => {
      world.refuses = { code }
      const app = await startApp(settings)
      const answer = await leavesNothing(app.parts, () => submit(app, 'worldid', make()))
      expect(answer).toMatchObject(failed(id, code.toUpperCase()))
    },
  )

  test.each(['invalid_action', 'required', 'invalid', 'app_not_active', 'toString'])(
    'gives no verdict when the portal says %s: the question was wrong, not the proof',
    async (code) => {
      world.refuses = { code }
      expect(await submit(await startApp(settings), 'worldid', make())).toMatchObject(
        unavailable('human.worldid', 'malformed'),
      )
    },
  )

  test.each(Object.keys(faults) as Fault[])('gives no verdict when %s', async (fault) => {
    world.fault = fault
    const app = await startApp({ ...settings, ...limitOf(fault) })
    const answer = await leavesNothing(app.parts, () => submit(app, 'worldid', make()))
    expect(answer).toMatchObject(unavailable('human.worldid'))
    expect(JSON.stringify(answer.body)).not.toContain(world.url)
  })

  test.each<[string, object]>([
    ['success that is false', { success: false }],
    ['another nullifier', { nullifier_hash: '0x4e', nullifier: '0x4e' }],
    ['a nullifier that is none', { nullifier_hash: 'x', nullifier: 'x' }],
  ])('cannot say when the portal answers with %s', async (_, says) => {
    world.says = says
    expect(await submit(await startApp(settings), 'worldid', make())).toMatchObject(
      unavailable('human.worldid', 'malformed'),
    )
  })

  test.each<[string, (proof: object) => object]>([
    ['nothing', () => ({})],
    ['a result of the other version', () => (settings === newer ? olderProof() : newerProof())],
    [
      'a nullifier that is no word',
      (proof) => JSON.parse(JSON.stringify(proof).replace(/0x0{60}[0-9a-f]{4}/g, '0xzz')),
    ],
    [
      'a session',
      (proof) => ({
        ...proof,
        session_id: 'session_12',
        responses: [{ session_nullifier: ['0x1', '0x2'] }],
        nullifier_hash: 7,
      }),
    ],
  ])('%s is data of another shape', async (_, change) => {
    const app = await startApp(settings)
    const before = world.asked.length
    const answer = await leavesNothing(app.parts, () => submit(app, 'worldid', change(make())))
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_VERIFIER_DATA' } } })
    expect(world.asked.length).toBe(before)
  })
})

describe('World ID 4', () => {
  test('rejects a proof of its staging environment', async () => {
    const app = await startApp(newer)
    expect(await submit(app, 'worldid', { ...newerProof(), environment: 'staging' })).toMatchObject(
      failed(id, 'TEST_PROOF'),
    )
  })

  test('rejects a proof whose signal was exchanged', async () => {
    const proof = newerProof({ wallet: bob })
    const [response] = proof.responses
    const exchanged = { ...proof, responses: [{ ...response, signal_hash: signalHashOf(lower(alice)) }] }
    expect(await submit(await startApp(newer), 'worldid', exchanged)).toMatchObject(failed(id, 'INVALID_PROOF'))
  })

  test('takes one credential at a time', async () => {
    const proof = newerProof()
    const two = { ...proof, responses: [...proof.responses, ...proof.responses] }
    expect(await submit(await startApp(newer), 'worldid', two)).toMatchObject({
      status: 400,
      body: { error: { details: { reason: 'MALFORMED_PROOF' } } },
    })
  })

  test('goes before World ID 3 where both are set', async () => {
    const app = await startApp({ ...older, ...newer })
    const { body } = await app.get(`/api/v1/verification/human/providers?walletAddress=${alice.address}`)
    expect(body.data).toEqual([
      {
        id: 'worldid',
        label: 'World ID',
        domain: 'localhost',
        scope: 'svc-v1',
        rpId,
        action: 'svc-v1',
        credentials: ['orb', 'proof_of_human'],
        signal: lower(alice),
      },
    ])
  })
})

describe('a request of a page to World ID 4', () => {
  const key = `0x${'11'.repeat(32)}` as const

  // Made by signRequest() of @worldcoin/idkit-server 1.1.1 with that key and the action svc-v1; the nonce is its own.
  test('is signed as the library of World ID signs it', async () => {
    const createdAt = 1_795_187_571
    const nonce = '0x00cc5dec9a268fbbbb2b7d6d5fa311742bcc62384d63bddae364d05f03541ef1'
    const signature =
      '0x1012f1c37f805aa8fb466578db7439df2dbb4a39ca655bc5b70b41bcfd7c174035a1ece3363722860621b5be7ecebca2add5b1806950cc9547ed93bc8519e6d31b'
    const context = (at: number) => ({ nonce, created_at: at, expires_at: at + 300 })
    expect(await signerOf({ ...context(createdAt), signature }, 'svc-v1')).toBe(privateKeyToAddress(key))

    const app = await startApp({ ...newer, PROOFGATE_HUMAN_WORLDID_SIGNING_KEY: key })
    const [first, again] = await Promise.all(
      [1, 2].map(async () => (await app.get('/api/v1/verification/human/providers')).body.data[0].rpContext),
    )
    expect(first).toMatchObject({ rp_id: rpId, created_at: startOfTime / 1000, expires_at: startOfTime / 1000 + 300 })
    expect(await signerOf(first, 'svc-v1')).toBe(privateKeyToAddress(key))
    expect(await signerOf(first, 'airdrop')).not.toBe(privateKeyToAddress(key))
    expect(again.nonce).not.toBe(first.nonce)
    expect(first.nonce).toMatch(/^0x00[0-9a-f]{62}$/)
  })

  test('is not made without a key, nor for World ID 3', async () => {
    for (const env of [newer, { ...older, PROOFGATE_HUMAN_WORLDID_SIGNING_KEY: key }]) {
      const { body } = await (await startApp(env)).get('/api/v1/verification/human/providers')
      expect(body.data[0]).not.toHaveProperty('rpContext')
      expect(JSON.stringify(body)).not.toContain(key)
    }
  })
})

interface SignedContext {
  readonly nonce: string
  readonly created_at: number
  readonly expires_at: number
  readonly signature: Hex
}

/** Recovers the signer of the context, over a message that is built here a second time. */
function signerOf({ nonce, created_at, expires_at, signature }: SignedContext, action: string): Promise<Hex> {
  const hashed = pad(numberToHex(BigInt(keccak256(toBytes(action))) >> 8n))
  const times = [created_at, expires_at].map((time) => numberToHex(time, { size: 8 }))
  const raw = concatHex(['0x01', nonce as Hex, ...times, hashed])
  return recoverMessageAddress({ message: { raw }, signature })
}

describe('Human Passport', () => {
  const find = async (says: object, env: Record<string, string> = {}, wallet: TestWallet = alice) => {
    passport.says.set(lower(wallet), says)
    const app = await startApp({ ...scores, ...env })
    return submit(app, 'passport', {}, wallet)
  }

  test('finds a wallet that scores high enough, until its stamps expire', async () => {
    const answer = await find({ score: '33.50000' })
    expect(answer.status).toBe(200)
    const expiresAt = Date.parse('2026-03-01T00:00:00Z')
    expect(evidenceIn(answer)).toMatchObject({
      provider: 'passport',
      assuranceLevel: 'low',
      claims: { personhood_verified: true },
      traits: { score: 33.5, scope: 'svc-v1' },
      expiresAt,
    })
    expect(answer.body.data.expiresAt).toBe(expiresAt)
    expect(passport.asked.at(-1)!.path).toBe(`/v2/stamps/${scorerId}/score/${lower(alice)}`)
  })

  test.each<[string, object, number]>([
    ['exactly the least score', { score: '20.00000' }, 200],
    ['a little less', { score: '19.99999' }, 400],
    ['a number', { score: 20.5 }, 200],
    ['nothing', { score: null }, 400],
    ['no stamps', {}, 400],
    ['no end', { score: '40', expiration_timestamp: null }, 200],
  ])('with %s', async (_, says, status) => {
    expect((await find(says)).status).toBe(status)
  })

  test('uses the score, and not the verdict of the scorer', async () => {
    expect(await find({ score: '10', passing_score: true })).toMatchObject(failed(id, 'SCORE_TOO_LOW'))
    expect(
      (await find({ score: '10', passing_score: false }, { PROOFGATE_HUMAN_PASSPORT_MIN_SCORE: '5' })).status,
    ).toBe(200)
  })

  test('refuses stamps that have expired', async () => {
    const ended = { score: '40', expiration_timestamp: new Date(startOfTime).toISOString() }
    expect(await find(ended)).toMatchObject(failed(id, 'SCORE_EXPIRED'))
  })

  test('refuses wallets of unsupported kinds', async () => {
    expect(await find({}, {}, sol)).toMatchObject(failed(id, 'UNKNOWN_WALLET'))
  })

  test.each<[string, object]>([
    ['about another wallet', { ...scored('40'), address: lower(bob) }],
    ['with an error', { score: '40', error: 'Unable to score' }],
    ['with a score that is none', { score: 'high' }],
    ['with a negative score', { score: '-5' }],
    ['with a score without end', { score: '1e9' }],
    ['with an end that is no time', { score: '40', expiration_timestamp: 'soon' }],
  ])('cannot say when it answers %s', async (_, says) => {
    expect(await find(says)).toMatchObject(unavailable('human.passport', 'malformed'))
  })

  test.each(Object.keys(faults) as Fault[])('gives no verdict when %s', async (fault) => {
    passport.fault = fault
    const answer = await find({ score: '40' }, limitOf(fault))
    expect(answer).toMatchObject(unavailable('human.passport'))
    expect(JSON.stringify(answer.body)).not.toContain(passportKey)
  })

  test('gives no verdict with a wrong key or scorer', async () => {
    expect(await find({}, { PROOFGATE_HUMAN_PASSPORT_API_KEY: 'wrong' })).toMatchObject(
      unavailable('human.passport', 'credentials'),
    )
    expect(await find({}, { PROOFGATE_HUMAN_PASSPORT_SCORER_ID: '1' })).toMatchObject(
      unavailable('human.passport', 'malformed'),
    )
  })

  test('shows its score to gates', async () => {
    passport.says.set(lower(alice), { score: '33.5' })
    const app = await startApp(scores)
    const data = { provider: 'passport', proofs: [{}], queryResult: {} }
    await app.submit(alice, { verifierIds: [id], data, options: { privacyLevel: 'public' } })
    const eligible = async (least: string) => {
      const query = `address=${alice.address}&verifierIds=${id}&traitPath=score&traitGte=${least}`
      return (await app.get(`/api/v1/proofs/check?${query}`)).body.data.eligible
    }
    expect([await eligible('33.5'), await eligible('33.6')]).toEqual([true, false])
  })
})
