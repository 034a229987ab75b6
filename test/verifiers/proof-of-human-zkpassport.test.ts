/** proof-of-human by ZKPassport: against a contract with the ABI of the real root verifier, on a real chain. */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { numberToHex } from 'viem'
import { startApp, startOfTime, type TestApp } from '../app.ts'
import { contractWallet } from '../contract-wallet.ts'
import { leavesNothing } from '../http/refused.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { startLyingRpc } from '../parts/lying-rpc.ts'
import {
  aged,
  boundText,
  boundTo,
  type Disclosed,
  faceOf,
  type Made,
  makeProof,
  sanctionsRoot,
  unsanctioned,
} from '../parts/zkpassport.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'
import { asking, evidenceIn, failed } from './ask.ts'
import { asks, base, nobody } from './assets.ts'

const id = 'proof-of-human'
const toAlice = boundTo(alice.address)
let anvil: Anvil
let verifier: Deployed
let later: Deployed
let app: TestApp

const settings = (rpc: string, address: string, more: Record<string, string> = {}): Record<string, string> => ({
  ...asks(rpc),
  PROOFGATE_HUMAN_ZKPASSPORT_CHAIN: 'base',
  PROOFGATE_HUMAN_ZKPASSPORT_VERIFIER: address,
  ...more,
})

beforeAll(async () => {
  anvil = await startAnvil({ chainId: base })
  verifier = await deploy(anvil, 'ZkPassportVerifier')
  later = await deploy(anvil, 'ZkPassportVerifierLater', [verifier.address])
  await verifier.write('setRoot', [
    numberToHex(3, { size: 32 }),
    numberToHex(BigInt(sanctionsRoot), { size: 32 }),
    true,
  ])
})
afterAll(() => anvil.stop())

const started = async (more: Record<string, string> = {}): Promise<TestApp> =>
  startApp(settings(anvil.url, verifier.address, more))
const dataOf = (proof: object) => ({ provider: 'zkpassport', proofs: [proof], queryResult: {} })
const submit = (at: TestApp, proof: object, wallet: TestWallet = alice) => asking(at, id)(wallet, dataOf(proof))
const proofOf = (committedInputs: Disclosed, more: Partial<Made> = {}) =>
  makeProof(verifier, { committedInputs, ...more })

describe('a passport stands for a person', () => {
  test('with all supported claims', async () => {
    app = await started()
    const proof = await proofOf({ ...toAlice, ...faceOf('strict'), ...aged(21), ...unsanctioned() })
    const answer = await submit(app, proof)
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toEqual({
      provider: 'zkpassport',
      assuranceLevel: 'high',
      claims: { personhood_verified: true, liveness_verified: true, sanctions_passed: true, age_min: 21 },
      traits: { sanctionsStrict: true, scope: 'svc-v1', domain: 'localhost', verifiedAt: app.now() },
      expiresAt: app.now() + 180 * 86_400_000,
      sources: ['chains.base.rpc[0]'],
    })
  })

  test.each<[string, Disclosed, object]>([
    ['low without a face', {}, { assuranceLevel: 'low', claims: { personhood_verified: true } }],
    [
      'medium with a face',
      faceOf('regular'),
      { assuranceLevel: 'medium', claims: { personhood_verified: true, liveness_verified: true } },
    ],
    ['low with an age', aged(18), { assuranceLevel: 'low', claims: { personhood_verified: true, age_min: 18 } }],
    ['without an age of 0', aged(0), { claims: { personhood_verified: true } }],
    [
      'without a word on sanctions, of a list that the registry does not know',
      unsanctioned('0x0b1d3d'),
      { claims: { personhood_verified: true } },
    ],
  ])('%s', async (_, shown, found) => {
    const answer = await submit(await started(), await proofOf({ ...toAlice, ...shown }))
    const { assuranceLevel, claims } = evidenceIn(answer)
    expect({ assuranceLevel, claims }).toEqual({ assuranceLevel: 'low', ...found } as never)
  })

  test('making no claim on sanctions when another registry is set', async () => {
    const other = await started({ PROOFGATE_HUMAN_ZKPASSPORT_SANCTIONS_REGISTRY: '4' })
    const answer = await submit(other, await proofOf({ ...toAlice, ...unsanctioned() }))
    expect(evidenceIn(answer).claims).toEqual({ personhood_verified: true })
  })

  test('by the later form of the contract as well', async () => {
    const other = await startApp(settings(anvil.url, later.address))
    expect((await submit(other, await proofOf(toAlice))).status).toBe(200)
    const refused = await submit(other, await proofOf(toAlice, { scope: 'other' }))
    expect(refused).toMatchObject(failed(id, 'REFUSED_BY_CONTRACT'))
    expect(refused.body.error.message).toContain('Invalid scope')
  })

  test('behind a Solana wallet, bound as a text', async () => {
    expect((await submit(await started(), await proofOf(boundText(sol.address)), sol)).status).toBe(200)
  })

  test('behind a contract wallet, bound with its chain and no other', async () => {
    const wallet = await deploy(anvil, 'Wallet1271', [bob.address])
    const signer = contractWallet(wallet.address, `eip155:${base}`, bob)
    const other = await started()
    const asAddress = await submit(other, await proofOf(boundTo(wallet.address)), signer)
    expect(asAddress).toMatchObject(failed(id, 'WRONG_WALLET'))
    const elsewhere = await proofOf(boundText(`eip155:1:${wallet.address.toLowerCase()}`))
    expect(await submit(other, elsewhere, signer)).toMatchObject(failed(id, 'WRONG_WALLET'))
    const right = await proofOf(boundText(`eip155:${base}:${wallet.address.toLowerCase()}`))
    expect((await submit(other, right, signer)).status).toBe(200)
  })

  test('once: the same passport gets no second wallet', async () => {
    const other = await started()
    expect((await submit(other, await proofOf(toAlice, { nullifier: 99n }))).status).toBe(200)
    const second = await proofOf(boundTo(bob.address), { nullifier: 99n })
    expect((await submit(other, second, bob)).status).toBe(409)
    expect((await submit(other, await proofOf(boundTo(bob.address), { nullifier: 100n }), bob)).status).toBe(200)
  })

  test('gates find age, sanctions and liveness', async () => {
    const other = await started()
    const proof = await proofOf({ ...toAlice, ...faceOf('strict'), ...aged(21), ...unsanctioned() })
    const request = { verifierIds: [id], data: dataOf(proof), options: { privacyLevel: 'public' } }
    expect((await other.submit(alice, request)).status).toBe(200)
    const eligible = async (query: Record<string, string>): Promise<boolean> => {
      const path = `/api/v1/proofs/check?${new URLSearchParams({ address: alice.address, verifierIds: id, ...query })}`
      return (await other.get(path)).body.data.eligible
    }
    expect(await eligible({ ageMin: '18' })).toBe(true)
    expect(await eligible({ ageMin: '21' })).toBe(true)
    expect(await eligible({ ageMin: '22' })).toBe(false)
    expect(await eligible({ sanctionsPassed: 'true' })).toBe(true)
    expect(await eligible({ sanctionsPassed: 'false' })).toBe(false)
    expect(await eligible({ ageMin: '18', sanctionsPassed: '1', provider: 'zkpassport' })).toBe(true)
    expect(await eligible({ ageMin: '18', provider: 'semaphore' })).toBe(false)
    expect(await eligible({ traitPath: 'verifiedAt', traitGte: String(startOfTime) })).toBe(true)
  })
})

describe('a proof is refused', () => {
  const dayMs = 86_400_000
  const tampered = (proof: { proof: string }, at: number) => ({
    ...proof,
    proof: proof.proof.slice(0, at) + (proof.proof[at] === '0' ? '1' : '0') + proof.proof.slice(at + 1),
  })
  type Proof = Awaited<ReturnType<typeof proofOf>>
  const wordAt = (index: number): number => 64 * index + 60
  const genuine = () => proofOf({ ...toAlice, ...aged(18) })

  test.each<[string, () => Promise<object>, string, string?]>([
    ['bound to another wallet', () => proofOf(boundTo(bob.address)), 'WRONG_WALLET'],
    ['bound to no wallet', () => proofOf(aged(18)), 'WRONG_WALLET'],
    ['bound to the wallet as a text', () => proofOf(boundText(alice.address.toLowerCase())), 'WRONG_WALLET'],
    ['for another domain', () => proofOf(toAlice, { domain: 'evil.example' }), 'REFUSED_BY_CONTRACT', 'Invalid domain'],
    ['for another scope', () => proofOf(toAlice, { scope: 'airdrop' }), 'REFUSED_BY_CONTRACT', 'Invalid scope'],
    [
      'that is eight days old',
      () => proofOf(toAlice, { at: startOfTime - 8 * dayMs }),
      'REFUSED_BY_CONTRACT',
      'outside the validity period',
    ],
    ['that no contract knows', () => proofOf(toAlice, { isRight: false }), 'REFUSED_BY_CONTRACT', 'SumcheckFailed'],
    ['with a word of the proof changed', async () => tampered(await genuine(), wordAt(12)), 'REFUSED_BY_CONTRACT'],
    ['with another nullifier', async () => tampered(await genuine(), wordAt(8)), 'REFUSED_BY_CONTRACT'],
    ['with another root', async () => tampered(await genuine(), wordAt(0)), 'REFUSED_BY_CONTRACT'],
    ['with another commitment', async () => tampered(await genuine(), wordAt(5)), 'OTHER_COMMITMENTS'],
    ['of a passport for tests', () => proofOf(toAlice, { identifierType: 2n }), 'MOCK_PASSPORT'],
    ['with the salted identifier', () => proofOf(toAlice, { identifierType: 1n }), 'OTHER_IDENTIFIER'],
    ['without identifier', () => proofOf(toAlice, { nullifier: 0n }), 'INVALID_PROOF'],
    [
      'of a version that the contract does not know',
      async () => ({ ...(await genuine()), version: '0.99.1' }),
      'REFUSED_BY_CONTRACT',
      'Unknown version',
    ],
    [
      'that says more than it shows',
      async () => ({ ...(await genuine()), committedInputs: { ...toAlice, ...aged(99) } }),
      'OTHER_COMMITMENTS',
    ],
    [
      'that says it is bound to this wallet and is not',
      async () => ({
        ...(await proofOf({ ...boundTo(bob.address), ...aged(18) })),
        committedInputs: { ...toAlice, ...aged(18) },
      }),
      'OTHER_COMMITMENTS',
    ],
    [
      'that leaves something out',
      async () => ({ ...(await genuine()), committedInputs: toAlice }),
      'OTHER_COMMITMENTS',
    ],
    [
      'with a face of another app',
      () => proofOf({ ...toAlice, ...faceOf('strict', { appIdHash: '0x12' }) }),
      'FACE_MATCH_NOT_TRUSTED',
    ],
    [
      'with a face of a phone that nobody vouches for',
      () => proofOf({ ...toAlice, ...faceOf('strict', { rootKeyLeaf: '0x12' }) }),
      'FACE_MATCH_NOT_TRUSTED',
    ],
    [
      'with a face of an app under development',
      () => proofOf({ ...toAlice, ...faceOf('strict', { environment: 'development' }) }),
      'FACE_MATCH_NOT_TRUSTED',
    ],
  ])('%s', async (_, make, reason, words = '') => {
    const other = await started()
    const proof = await make()
    const answer = await leavesNothing(other.parts, () => submit(other, proof))
    expect(answer).toMatchObject(failed(id, reason))
    expect(answer.body.error.message).toContain(words)
  })

  test('when the contract answers false', async () => {
    const proof = await genuine()
    await verifier.write('behave', [true, false])
    const answer = await submit(await started(), proof)
    await verifier.write('behave', [false, false])
    expect(answer).toMatchObject(failed(id, 'INVALID_PROOF'))
  })

  test.each<[string, (proof: Proof) => object]>([
    ['of another mode', (proof) => ({ ...proof, name: 'outer_count_5' })],
    ['without committed inputs', ({ committedInputs: _, ...proof }) => proof],
    ['shorter than its public inputs', (proof) => ({ ...proof, proof: proof.proof.slice(0, 640) })],
    ['with half a byte', (proof) => ({ ...proof, proof: proof.proof.slice(1) })],
    ['of fewer inputs than there are', (proof) => ({ ...proof, name: 'outer_evm_count_2' })],
    ['with a version that is none', (proof) => ({ ...proof, version: '0.16' })],
    ['of more than 64 KiB', (proof) => ({ ...proof, proof: '00'.repeat(70_000) })],
  ])('as data of another shape %s', async (_, change) => {
    const other = await started()
    const proof = change(await genuine())
    const answer = await leavesNothing(other.parts, () => submit(other, proof))
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_VERIFIER_DATA', details: { reason: 'MALFORMED_PROOF' } } },
    })
  })
})

describe('the operator can choose', () => {
  test('the salted identifier in place of the plain one', async () => {
    const other = await started({ PROOFGATE_HUMAN_ZKPASSPORT_SALTED: 'true' })
    expect((await submit(other, await proofOf(toAlice, { identifierType: 1n }))).status).toBe(200)
    expect(await submit(other, await proofOf(toAlice))).toMatchObject(failed(id, 'OTHER_IDENTIFIER'))
  })

  test('passports for tests on a test chain', async () => {
    const other = await started({ PROOFGATE_HUMAN_ZKPASSPORT_DEV_MODE: 'true' })
    expect((await submit(other, await proofOf(toAlice, { identifierType: 2n }))).status).toBe(200)
  })

  test('the domain and scope that the page reads', async () => {
    const { body } = await (await started()).get(
      `/api/v1/verification/human/providers?walletAddress=${alice.address.toUpperCase().replace('0X', '0x')}`,
    )
    expect(body.data).toEqual([
      {
        id: 'zkpassport',
        label: 'ZKPassport',
        domain: 'localhost',
        scope: 'svc-v1',
        chain: `eip155:${base}`,
        verifier: verifier.address,
        mode: 'compressed-evm',
        devMode: false,
        bind: { user_address: alice.address.toLowerCase() },
      },
    ])
  })
})

describe('the look-up fails', () => {
  const unavailable = async (at: TestApp, proof: object) => {
    const log = spyOn(process.stderr, 'write').mockImplementation(() => true)
    try {
      return await leavesNothing(at.parts, () => submit(at, proof))
    } finally {
      log.mockRestore()
    }
  }

  test('when no endpoint answers', async () => {
    const other = await startApp(settings(nobody, verifier.address))
    const answer = await unavailable(other, await proofOf(toAlice))
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'VERIFIER_UNAVAILABLE', details: { verifierId: id, source: 'chains.base.rpc[0]' } } },
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('when the endpoint is silent', async () => {
    const rpc = startLyingRpc(anvil.url)
    rpc.lie(() => new Promise(() => undefined))
    const other = await startApp({
      ...settings(rpc.url, verifier.address),
      PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1',
      PROOFGATE_OUTSIDE_ATTEMPTS: '1',
    })
    expect(await unavailable(other, await proofOf(toAlice))).toMatchObject({
      status: 503,
      body: { error: { details: { fault: 'timeout' } } },
    })
    await rpc.stop()
  })

  test('when the address has no contract', async () => {
    const other = await startApp(settings(anvil.url, '0x1D000001000EFD9a6371f4d90bB8920D5431c0D8'))
    expect(await unavailable(other, await proofOf(toAlice))).toMatchObject({
      status: 503,
      body: { error: { details: { source: 'human.zkpassport.verifier' } } },
    })
  })

  test('when the contract does not come to an end', async () => {
    const proof = await proofOf(toAlice)
    await verifier.write('behave', [false, true])
    const answer = await unavailable(await started(), proof)
    await verifier.write('behave', [false, false])
    expect(answer).toMatchObject({ status: 503, body: { error: { details: { source: 'human.zkpassport.verifier' } } } })
  })
})
