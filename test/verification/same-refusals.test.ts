import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, bob, sol } from '../wallets.ts'

const path = '/api/v1/verification'
const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_LIMITS_BODY_BYTES: '65536' })
const basic = {
  walletAddress: alice.address,
  verifierIds: ['ownership-basic'],
  data: { owner: alice.address, content: 'Hello' },
  signedTimestamp: app.now(),
}
const handle = { pseudonymId: 'alice' }
const both = { 'ownership-basic': basic.data, 'ownership-pseudonym': handle }
const nft = {
  verifierIds: ['nft-ownership'],
  data: { ownerAddress: alice.address, contractAddress: bob.address, tokenId: '1', chainId: 1 },
}

/** Requests that verification refuses before it looks at a signature. */
const refused: readonly [string, object][] = [
  ['options that are a list', { options: [] }],
  ['a privacy level that there is not', { options: { privacyLevel: 'secret' } }],
  ['publicDisplay as a text', { options: { publicDisplay: 'yes' } }],
  ['target chains as a text', { options: { targetChains: '1' } }],
  ['too many target chains', { options: { targetChains: Array(26).fill(1) } }],
  ['a target chain of zero', { options: { targetChains: [0] } }],
  ['a target chain that is not here', { options: { targetChains: [1] } }],
  ['publishing without a hub', { options: { publishToHub: true } }],
  ['IPFS for a private proof', { options: { enableIpfs: true } }],
  ['IPFS that is not here', { options: { enableIpfs: true, privacyLevel: 'public' } }],
  ['options for verifiers that are a text', { options: { verifierOptions: 'x' } }],
  ['meta that is a text', { meta: 'x' }],
  ['a title that is too long', { meta: { title: 'x'.repeat(201) } }],
  ['a title that is a number', { meta: { title: 1 } }],
  ['a description that is too long', { meta: { description: 'x'.repeat(2001) } }],
  ['too many tags', { meta: { tags: Array(33).fill('a') } }],
  ['an empty tag', { meta: { tags: [''] } }],
  ['meta that is too large', { meta: { more: 'x'.repeat(9000) } }],
  ['meta in options that is too large', { options: { meta: { more: 'x'.repeat(9000) } } }],
  ['an unknown verifier', { verifierIds: ['ownership-everything'] }],
  ['a verifier that is not configured', nft],
  ['a verifier twice', { verifierIds: ['ownership-basic', 'ownership-basic'] }],
  ['a verifier twice, once with its version', { verifierIds: ['ownership-basic', 'ownership-basic@1'] }],
  ['two verifiers and the data of one', { verifierIds: Object.keys(both), data: { 'ownership-basic': basic.data } }],
  ['no verifier', { verifierIds: [] }],
  ['seventeen verifiers', { verifierIds: Array(17).fill('ownership-basic') }],
  ['an id that is too long', { verifierIds: ['x'.repeat(81)] }],
  ['no data', { data: undefined }],
  ['data without what the verifier needs', { data: { content: 'Hello' } }],
  ['an owner that is no address', { data: { owner: '0x12', content: 'Hello' } }],
  ['content that is a number', { data: { owner: alice.address, content: 1 } }],
  ['a content hash of a wrong kind', { data: { owner: alice.address, contentHash: 7 } }],
  ['keys that are one after NFC', { data: { ...basic.data, é: 1, 'e\u0301': 2 } }],
  ['an action that is none', { data: { action: 'make_tea' } }],
  ['no wallet', { walletAddress: undefined }],
  ['a wallet that is none', { walletAddress: 'nobody at all' }],
  ['a wallet that is not of the chain', { chain: 'solana:mainnet' }],
  ['a wallet without its chain', { walletAddress: sol.address }],
  ['a chain that is none', { chain: 'somewhere' }],
  ['two chains', { chain: 'eip155:1', chainId: 2 }],
  ['a chain id of zero', { chainId: 0 }],
  ['a chain id as a text', { chainId: '1' }],
  ['a subject where there is none', { subjectWallet: bob.address }],
  ['a subject with its chain', { subjectWallet: `eip155:1:${alice.address}` }],
  ['an empty subject', { subjectWallet: '' }],
  ['a delegation that is no id', { delegationQHash: 'x' }],
  ['a time in seconds', { signedTimestamp: Math.floor(app.now() / 1000) }],
  ['a time that is a text', { signedTimestamp: '1' }],
  ['a time of zero', { signedTimestamp: 0 }],
]

describe('standardize and verification refuse the same', () => {
  test.each(refused)('%s', async (_, change) => {
    const body = { ...basic, ...change }
    const early = await app.post(`${path}/standardize`, body)
    const late = await app.post(path, { ...body, signature: `0x${'11'.repeat(65)}` })
    expect(late.status).toBeGreaterThanOrEqual(400)
    expect(late.body.error.code).not.toBe('SIGNATURE_INVALID')
    expect([early.status, early.body.error?.code, early.body.error?.message, early.body.error?.details]).toEqual([
      late.status,
      late.body.error.code,
      late.body.error.message,
      late.body.error.details,
    ])
  })

  test.each<[string, object]>([
    ['one verifier', {}],
    ['under its id', { data: { 'ownership-basic': basic.data } }],
    ['two verifiers', { verifierIds: Object.keys(both), data: both }],
    ['options and meta', { options: { privacyLevel: 'public', publicDisplay: true }, meta: { title: 'x' } }],
    ['a subject that is the signer', { subjectWallet: alice.address.toLowerCase() }],
    ['an EVM chain', { chain: 'eip155:10' }],
    ['unknown members', { somethingNew: { of: 'mine' } }],
  ])('what standardize prepares is taken: %s', async (_, change) => {
    const { walletAddress: _w, signedTimestamp: _t, ...claim } = { ...basic, ...change }
    expect(await app.submit(alice, claim)).toMatchObject({ status: 200, body: { success: true } })
  })

  test('the text of a linked wallet is prepared, and is not a claim', async () => {
    const ids = {
      primaryAccountId: `eip155:84532:${alice.address.toLowerCase()}`,
      secondaryAccountId: `eip155:84532:${bob.address.toLowerCase()}`,
    }
    const wallets = {
      primaryWalletAddress: alice.address.toLowerCase(),
      secondaryWalletAddress: bob.address.toLowerCase(),
    }
    const asked = { ...basic, walletAddress: bob.address, verifierIds: ['wallet-link'], data: { ...ids, ...wallets } }
    expect((await app.post(`${path}/standardize`, asked)).status).toBe(200)
    expect((await app.post(`${path}/standardize`, { ...asked, data: ids })).status).toBe(400)
  })

  test('the data of an owner action makes a text, and no proof', async () => {
    const body = { ...basic, data: { action: 'revoke_proof', qHash: `0x${'ab'.repeat(32)}` } }
    expect((await app.post(`${path}/standardize`, body)).status).toBe(200)
    const answer = await app.post(path, { ...body, signature: `0x${'11'.repeat(65)}` })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_VERIFIER_DATA' } } })
    expect(answer.body.error.message).toContain('POST /api/v1/proofs/revoke-self/{qHash}')
  })
})

describe('an option without effect is named, and not refused', () => {
  const options = { publicDisplay: true, color: 'red', 'privacy-level': 'public' }
  const told = [
    expect.stringMatching(/^options\.publicDisplay has no effect.*privacyLevel/),
    expect.stringMatching(/^options\.color is not known here/),
    expect.stringMatching(/^options\.privacy-level is not known here/),
  ]

  test('by standardize and by create', async () => {
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Warned' }, options }
    const early = await app.post(`${path}/standardize`, { ...basic, ...claim })
    expect([early.status, early.body.warnings]).toEqual([200, told])
    const late = await app.submit(alice, claim)
    expect([late.status, late.body.warnings]).toEqual([200, told])
  })

  test('with no warning for correct options', async () => {
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'Silent' } }
    const answer = await app.submit(alice, { ...claim, options: { privacyLevel: 'public', publicDisplay: true } })
    expect(answer.status).toBe(200)
    expect(answer.body).not.toHaveProperty('warnings')
  })

  test('many and long names are named in short', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`${at}${'x'.repeat(100)}`, 1]))
    const { body } = await app.post(`${path}/standardize`, { ...basic, options: many })
    expect(body.warnings).toHaveLength(11)
    expect(JSON.stringify(body.warnings).length).toBeLessThan(2000)
  })
})
