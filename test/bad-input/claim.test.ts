import { describe, expect, test } from 'bun:test'
import type { ErrorCode } from '../../src/errors.ts'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { agent, alice, bob, sol } from '../wallets.ts'
import { send, signed, verification } from './signed.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const few = await startApp({
  PROOFGATE_VERIFIERS_ENABLED: 'ownership-basic,agent-identity',
  PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY: 'key',
})

/** Sends a body with a fault that is reported before its signature is checked. */
async function refusedUnsigned(change: object, code: ErrorCode, hint: RegExp, at = app) {
  const body = {
    walletAddress: alice.address,
    verifierIds: ['ownership-basic'],
    data: { owner: alice.address, content: 'My words' },
    signedTimestamp: at.now(),
    signature: `0x${'11'.repeat(64)}1b`,
    ...change,
  }
  const answer = await leavesNothing(at.parts, () => send(at, body))
  expectRefused(answer, code, hint)
  return answer.body.error.details
}

/** Signs the body properly, so that nothing but its meaning is at fault. */
async function refusedSigned(change: object, code: ErrorCode, hint: RegExp) {
  const request = await signed(app, alice, change)
  const answer = await leavesNothing(app.parts, () => send(app, request))
  expectRefused(answer, code, hint)
  return answer.body.error.details
}

describe('verifiers', () => {
  test('an unknown one is refused, and the message lists the known ones', async () => {
    const details = await refusedUnsigned(
      { verifierIds: ['ownership-basics'] },
      'VERIFIER_NOT_FOUND',
      /no verifier "ownership-basics". Enabled here: ownership-basic, /,
    )
    expect(details).toEqual({ verifierId: 'ownership-basics' })
  })

  test.each(['__proto__', 'constructor', 'toString', 'OWNERSHIP-BASIC', 'ownership-basic ', '@1'])(
    'the name %p is unknown like any other',
    (id) => refusedUnsigned({ verifierIds: [id] }, 'VERIFIER_NOT_FOUND', /there is no verifier/),
  )

  test('one with missing configuration says so', () =>
    refusedUnsigned({ verifierIds: ['proof-of-human'] }, 'VERIFIER_NOT_FOUND', /it needs somebody who knows persons/))

  test('one that is switched off says who can switch it on', () =>
    refusedUnsigned({ verifierIds: ['wallet-link'] }, 'VERIFIER_NOT_FOUND', /switched off.*verifiers\.enabled/, few))

  test('a combination with a disabled one is refused as a whole', () =>
    refusedUnsigned(
      { verifierIds: ['ownership-basic', 'wallet-link'] },
      'VERIFIER_NOT_FOUND',
      /"wallet-link" is switched off/,
      few,
    ))

  test('one that needs an access key says so', () =>
    refusedUnsigned(
      { verifierIds: ['agent-identity'] },
      'FORBIDDEN',
      /is for people who are signed in and for access keys/,
      few,
    ))

  test.each([
    ['the same one twice', ['ownership-basic', 'ownership-basic']],
    ['the same one in two versions', ['ownership-basic', 'ownership-basic@2']],
  ])('%s is refused', (_, verifierIds) =>
    refusedUnsigned({ verifierIds }, 'INVALID_VERIFIER_COMBINATION', /name each one once/),
  )

  test('with data under ids, each id needs its own', async () => {
    const details = await refusedUnsigned(
      { verifierIds: ['ownership-basic', 'agent-identity'], data: { 'ownership-basic': { owner: alice.address } } },
      'INVALID_VERIFIER_DATA',
      /no object "agent-identity"/,
    )
    expect(details).toEqual({ verifierId: 'agent-identity', path: '/agent-identity' })
  })

  test.each([
    ['none', []],
    ['too many', Array.from({ length: 17 }, (_, index) => `v${index}`)],
    ['an empty name', ['']],
    ['a name that is none', [5]],
    ['a name without end', ['x'.repeat(81)]],
    ['no list', 'ownership-basic'],
  ])('%s: refused by the shape of the body', (_, verifierIds) =>
    refusedUnsigned({ verifierIds }, 'VALIDATION_ERROR', /body verifierIds/),
  )
})

describe('data', () => {
  test.each([
    ['a missing member', { content: 'x' }, /^data\.owner: is missing.* the whole schema of ownership-basic$/],
    [
      'a member of another type',
      { owner: alice.address, content: 5 },
      /^data\.content: must be a text, and is a number/,
    ],
    [
      'a word that is none of the list',
      { owner: alice.address, reference: { type: 'x' } },
      /^data\.reference\.type: must be one of ipfs,/,
    ],
    ['a hash that is none', { owner: alice.address, contentHash: '0x12' }, /^data\.contentHash: must be 0x and 64/],
    ['too long a content', { owner: alice.address, content: 'x'.repeat(50_001) }, /at most 50000 characters long/],
  ])('%s is refused, and the message names it', (_, data, hint) =>
    refusedUnsigned({ data }, 'INVALID_VERIFIER_DATA', hint),
  )

  test('a member that a closed schema does not know is refused', () =>
    refusedUnsigned(
      { verifierIds: ['agent-identity'], data: { agentId: 'a', agentWallet: alice.address, extra: 1 } },
      'INVALID_VERIFIER_DATA',
      /^data\.extra: is not known here/,
    ))

  test.each([
    ['a text', '"x"'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '5'],
  ])('%s in place of an object is refused', async (_, data) => {
    const body = `{"walletAddress":"${alice.address}","verifierIds":["ownership-basic"],"signedTimestamp":${app.now()},"signature":"0x12","data":${data}}`
    expectRefused(await leavesNothing(app.parts, () => send(app, body)), 'VALIDATION_ERROR', /body data/)
  })

  test.each([
    ['two keys that are one after NFC', '{"owner":"OWNER","é":1,"e\u0301":2}', 'KEY_COLLISION', '/', 'data holds'],
    ['the same deep inside', '{"owner":"OWNER","a":[{"Å":1,"\u212b":2}]}', 'KEY_COLLISION', '/a/0', 'data.a[0] holds'],
    ['a number past every double', '{"owner":"OWNER","a":{"n":1e999}}', 'NOT_FINITE', '/a/n', 'data.a.n is a number'],
    ['a negative one', '{"owner":"OWNER","a":[1,-1e999]}', 'NOT_FINITE', '/a/1', 'data.a[1] is a number'],
  ])('%s cannot be signed', async (_, data, reason, path, told) => {
    const body = `{"walletAddress":"${alice.address}","verifierIds":["ownership-basic"],"signedTimestamp":${app.now()},"signature":"0x12","data":${data.replace('OWNER', alice.address)}}`
    for (const route of [verification, `${verification}/standardize`, `${verification}/diagnose`]) {
      const answer = await leavesNothing(app.parts, () => app.post(route, body))
      expectRefused(answer, 'INVALID_VERIFIER_DATA', /data cannot be signed/)
      expect(answer.body.error.message).toContain(told)
      expect(answer.body.error.details).toMatchObject({ reason, path })
    }
  })

  test.each(['"NaN"', '"Infinity"', '"1e3"', '1.5', '-1', '9007199254740993e300', 'null', 'true'])(
    'a size of %s is refused',
    async (size) => {
      const data = `{"owner":"${alice.address}","reference":{"type":"file","size":${size}}}`
      const body = `{"walletAddress":"${alice.address}","verifierIds":["ownership-basic"],"signedTimestamp":${app.now()},"signature":"0x12","data":${data}}`
      const answer = await leavesNothing(app.parts, () => send(app, body))
      expectRefused(answer, 'INVALID_VERIFIER_DATA', /data\.reference\.size: |too large for JSON/)
    },
  )
})

describe('a subject that is not the signer', () => {
  test.each(['ownership-basic', 'ownership-pseudonym', 'wallet-link', 'agent-identity', 'agent-delegation'])(
    'is refused by %s, which acts for the signer alone',
    async (id) => {
      const data: Record<string, object> = {
        'ownership-basic': { owner: alice.address, content: 'x' },
        'ownership-pseudonym': { pseudonymId: 'alice' },
        'wallet-link': {
          primaryWalletAddress: alice.address,
          secondaryWalletAddress: bob.address,
          chain: 'eip155:1',
          signature: '0x12',
          signatureMethod: 'eip191',
          signedTimestamp: app.now(),
        },
        'agent-identity': { agentId: 'a', agentWallet: alice.address },
        'agent-delegation': { controllerWallet: alice.address, agentWallet: agent.address },
      }
      const change = { verifierIds: [id], data: data[id], subjectWallet: bob.address }
      const details = await refusedSigned(change, 'VALIDATION_ERROR', new RegExp(`subjectWallet .*${id} does not`))
      expect(details).toEqual({ path: '/subjectWallet', verifierIds: [id] })
    },
  )

  test('the signer in another spelling is accepted', async () => {
    const request = await signed(app, alice, { subjectWallet: alice.address.toLowerCase() })
    expect((await send(app, request)).status).toBe(200)
  })
})

describe('addresses', () => {
  const base58Short = sol.address.slice(0, 31)
  test.each([
    ['EVM, too short', '0x12', {}, /0x followed by 40 hexadecimal digits/],
    ['EVM, too long', `${alice.address}0`, {}, /40 hexadecimal digits/],
    ['EVM, a letter that is no digit', `0x${'g'.repeat(40)}`, {}, /40 hexadecimal digits/],
    ['EVM, capital X', alice.address.replace('0x', '0X'), {}, /not an EVM address/],
    ['EVM, without 0x', alice.address.slice(2), {}, /give chain/],
    ['EVM, with blanks', ` ${alice.address} `, {}, /not an EVM address/],
    ['EVM on a named chain', sol.address, { chain: 'eip155:1' }, /40 hexadecimal digits/],
    ['Solana, too short', base58Short, { chain: 'solana:mainnet' }, /decodes to 32 bytes/],
    ['Solana, a letter base58 does not have', `0${sol.address.slice(1)}`, { chain: 'solana:mainnet' }, /base58/],
    ['Solana, 33 bytes', `z${sol.address}`, { chain: 'solana:mainnet' }, /decodes to 32 bytes/],
    ['Solana, an EVM address', alice.address, { chain: 'solana:mainnet' }, /Solana address/],
    ['Solana, without a chain', sol.address, {}, /give chain, for example "solana:mainnet"/],
    ['NEAR, capital letters', 'Alice.near', { chain: 'near:mainnet' }, /account name of 2 to 64/],
    ['NEAR, one letter', 'a', { chain: 'near:mainnet' }, /2 to 64/],
    ['NEAR, too long', 'a'.repeat(65), { chain: 'near:mainnet' }, /2 to 64/],
    ['NEAR, a key that is none', 'ed25519:zzz', { chain: 'near:mainnet' }, /after "ed25519:"/],
    ['another chain, an EVM address', alice.address, { chain: 'cosmos:hub-4' }, /"cosmos" namespace/],
    ['a DID in place of an address', `did:pkh:eip155:1:${alice.address}`, { chain: 'eip155:1' }, /EVM address/],
    ['control characters', `${alice.address}\n`, {}, /not an EVM address|40 hexadecimal/],
  ])('%s: refused', async (_, walletAddress, more, hint) => {
    const details = await refusedUnsigned({ walletAddress, ...more }, 'INVALID_WALLET_ADDRESS', hint)
    expect(details).toMatchObject({ path: '/walletAddress', alias: 'INVALID_WALLET' })
  })

  test.each([
    ['no colon', 'solana', /not a CAIP-2 id/],
    ['a blank', 'solana: mainnet', /not a CAIP-2 id/],
    ['a line feed, which would add a line to the signed text', 'solana:main\nnet', /not a CAIP-2 id/],
    ['an EVM chain that is no number', 'eip155:main', /EVM chain number/],
    ['EVM chain 0', 'eip155:0', /EVM chain number/],
    ['an EVM chain with a zero before it', 'eip155:084532', /"eip155:084532" does not name.*the first of them not 0/],
    ['an EVM chain with many zeros before it', 'eip155:000000000084532', /the first of them not 0/],
    ['an EVM chain of 16 digits', 'eip155:1234567890123456', /1 to 15 digits/],
  ])('a chain with %s: refused', (_, chain, hint) =>
    refusedUnsigned({ walletAddress: sol.address, chain }, 'VALIDATION_ERROR', hint),
  )

  test('chain and chainId that differ: refused', () =>
    refusedUnsigned({ chain: 'eip155:1', chainId: 2 }, 'VALIDATION_ERROR', /two different chains: send one of them/))

  test.each([0, -1, 1.5, 2 ** 53, '1', null])('the chainId %p: refused', (chainId) =>
    refusedUnsigned({ chainId }, 'VALIDATION_ERROR', /body chainId/),
  )
})

test('a shortened EVM address is not taken for a name, anywhere in the data', () =>
  refusedUnsigned(
    { verifierIds: ['agent-delegation'], data: { controllerWallet: alice.address, agentWallet: '0x1234' } },
    'INVALID_VERIFIER_DATA',
    /^data\.agentWallet: must be an address/,
  ))

describe('options', () => {
  test.each<[string, object]>([
    ['publishToHub', { publishToHub: true }],
    ['targetChains', { targetChains: [1] }],
    ['enableIpfs', { enableIpfs: true, privacyLevel: 'public' }],
  ])('%s is not configured, and the answer says to leave it out', (_, options) =>
    refusedUnsigned({ options }, 'VALIDATION_ERROR', /because it lacks .*leave it out, or ask the operator/),
  )

  test.each([
    ['a level of privacy that is none', { privacyLevel: 'secret' }, /must be one of private, public/],
    ['a flag that is none', { storeOriginalContent: 'yes' }, /must be true or false, and is a text/],
    ['a meta of 9 KB', { meta: { note: 'x'.repeat(9000) } }, /meta is larger than 8192 bytes/],
    ['33 tags', { meta: { tags: Array.from({ length: 33 }, String) } }, /tags/],
    ['a tag that is none', { meta: { tags: [5] } }, /tags/],
    ['no object', 5, /options/],
  ])('%s: refused', (_, options, hint) => refusedUnsigned({ options }, 'VALIDATION_ERROR', hint))
})

describe('a claim that is untrue', () => {
  test.each([
    ['ownership-basic', { owner: bob.address, content: 'x' }],
    ['ownership-basic', { owner: alice.address, content: 'x', contentHash: `0x${'1'.repeat(64)}` }],
    ['agent-identity', { agentId: 'a', agentWallet: bob.address }],
    ['agent-delegation', { controllerWallet: bob.address, agentWallet: agent.address }],
  ])('is refused for %s with the reason, before a signature is requested', async (id, data) => {
    const body = { walletAddress: alice.address, verifierIds: [id], data, signedTimestamp: app.now() }
    const answer = await leavesNothing(app.parts, () => app.post('/api/v1/verification/standardize', body))
    expectRefused(answer, 'VERIFICATION_FAILED', new RegExp(`^${id}: `))
    const { details } = answer.body.error
    expect(details).toMatchObject({ reason: expect.stringMatching(/^[A-Z_]+$/), verifiers: [{ verifierId: id }] })
  })

  test('is refused for an agent-delegation that is over, with the reason', async () => {
    const [id, data] = [
      'agent-delegation',
      { controllerWallet: alice.address, agentWallet: agent.address, expiresAt: 1 },
    ]
    const details = await refusedSigned({ verifierIds: [id], data }, 'VERIFICATION_FAILED', /^agent-delegation: /)
    expect(details).toMatchObject({ reason: expect.stringMatching(/^[A-Z_]+$/), verifiers: [{ verifierId: id }] })
  })
})
