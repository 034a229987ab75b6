import { describe, expect, test } from 'bun:test'
import { base58 } from '@scure/base'
import { verifyEnvelope } from '../../src/client/client.ts'
import { verifyOffline } from '../../src/commands/offline.ts'
import { parsePortableProof, UnusableProofError } from '../../src/commands/portable-file.ts'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import type { PortableProof } from '../../src/envelope/portable-proof.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import type { SignedClaim } from '../../src/envelope/signer-string.ts'
import { writeDid } from '../../src/wallet/account.ts'
import { startApp } from '../app.ts'
import vectors from '../vectors/envelopes.json' with { type: 'json' }
import { alice, bob, sol } from '../wallets.ts'
import { oddEnvelopes } from './odd-envelopes.ts'

const minute = 60_000
const published = vectors.flatMap(({ name, request, did, qHash, signature, signatureMethod }) =>
  signature ? [[name, { qHash, did, ...request, signature, signatureMethod }] as const] : [],
)
const evm = published.find(([name]) => name === 'evm ownership-basic')![1]
const solana = published.find(([name]) => name === 'solana ownership-basic')![1]
const signedAt = evm.signedTimestamp

/** Returns the verdict of `proofgate verify`, in the words of the client module. */
async function commandSays(proof: unknown, now = signedAt): Promise<string> {
  try {
    const { valid, needsChain, checks } = await verifyOffline(parsePortableProof(JSON.stringify(proof)), now)
    if (valid) return 'valid'
    return needsChain && checks.qHash && checks.did ? 'undecided' : 'invalid'
  } catch (error) {
    if (error instanceof UnusableProofError) return 'invalid'
    throw error
  }
}

async function verdictOn(proof: unknown, now = signedAt): Promise<string> {
  const { verdict } = await verifyEnvelope(proof, { now })
  expect(verdict).toBe((await commandSays(proof, now)) as typeof verdict)
  return verdict
}

describe('the published envelopes', () => {
  test('number at least seven', () => expect(published.length).toBeGreaterThanOrEqual(7))

  test.each(published)('are valid: %s', async (_, proof) => {
    const { signedTimestamp } = proof
    expect(await verifyEnvelope(proof, { now: signedTimestamp + 1000 })).toEqual({
      verdict: 'valid',
      checks: { qHash: true, did: true, signature: true },
      fresh: true,
      faults: [],
    })
    expect(await verdictOn(proof, signedTimestamp)).toBe('valid')
  })
})

describe('a change', () => {
  test.each<[string, object, object]>([
    ['of the content', { data: { content: 'x' } }, { qHash: false, did: true, signature: false }],
    ['of the time', { signedTimestamp: signedAt + 1 }, { qHash: false, did: true, signature: false }],
    ['of the verifiers', { verifierIds: ['wallet-link'] }, { qHash: false, did: true, signature: false }],
    ['of the chain', { chainId: 1 }, { qHash: false, did: false, signature: false }],
    ['of the id', { qHash: `0x${'0'.repeat(64)}` }, { qHash: false, did: true, signature: true }],
    ['of the DID', { did: 'did:pkh:eip155:84532:0x0' }, { qHash: true, did: false, signature: true }],
    ['of the wallet', { walletAddress: bob.address }, { qHash: false, did: false, signature: false }],
    [
      'of the signature',
      { signature: `${evm.signature.slice(0, -4)}ff1b` },
      { qHash: true, did: true, signature: false },
    ],
    ['of the method', { signatureMethod: 'ed25519' }, { qHash: true, did: true, signature: false }],
  ])('%s is found', async (_, change, checks) => {
    const proof = { ...evm, ...change }
    const { faults, ...verdict } = await verifyEnvelope(proof, { now: signedAt })
    expect(verdict).toEqual({ verdict: 'invalid', checks, fresh: true } as typeof verdict)
    expect(faults).toHaveLength(Object.values(checks).filter((holds) => !holds).length)
    expect(await verdictOn(proof)).toBe('invalid')
  })

  test('in the case of the id keeps it valid', async () => {
    expect(await verdictOn({ ...evm, qHash: `0x${evm.qHash.slice(2).toUpperCase()}` })).toBe('valid')
  })

  test('in age does not affect validity', async () => {
    expect(await verifyEnvelope(evm, { now: signedAt + 5 * minute })).toMatchObject({ verdict: 'valid', fresh: true })
    expect(await verifyEnvelope(evm, { now: signedAt + 5 * minute + 1 })).toMatchObject({
      verdict: 'valid',
      fresh: false,
    })
    expect(await verifyEnvelope(evm, { now: signedAt - minute - 1 })).toMatchObject({ verdict: 'valid', fresh: false })
    expect(await verifyEnvelope(evm, { now: signedAt + 9 * minute, maxAgeMs: 10 * minute })).toMatchObject({
      fresh: true,
    })
  })
})

describe('a proof that only a chain can decide', () => {
  test.each([
    ['a signature that no key can have made', { signature: `0x${'ab'.repeat(400)}`, signatureMethod: 'eip1271' }],
    ['one of a key that is another', { signatureMethod: 'eip-6492', walletAddress: bob.address }],
  ])('is undecided, never valid: %s', async (_, change) => {
    const app = await startApp()
    const { portableProof } = (
      await app.submit(bob, { verifierIds: ['ownership-basic'], data: { owner: bob.address, content: 'x' } })
    ).body.data
    const proof = { ...portableProof, signature: evm.signature, ...change }
    expect(await verdictOn(proof, app.now())).toBe('undecided')
    expect(await verdictOn({ ...proof, data: {} }, app.now())).toBe('invalid')
  })

  test('is valid where the key of the wallet signed after all', async () => {
    expect(await verdictOn({ ...evm, signatureMethod: 'eip1271' })).toBe('valid')
  })
})

describe('an older first line', () => {
  test('is accepted where it is named', async () => {
    const lines = ['Older Request', `Wallet: ${evm.walletAddress}`, 'Chain: 84532', 'Verifiers: ownership-basic']
    const text = [...lines, `Data: ${JSON.stringify(evm.data)}`, `Timestamp: ${signedAt}`].join('\n')
    const older = { ...evm, signature: await alice.sign(text) }
    expect(await verdictOn(older)).toBe('invalid')
    expect((await verifyEnvelope(older, { now: signedAt, titles: ['Older Request'] })).verdict).toBe('valid')
  })
})

describe('a text that is not a portable proof', () => {
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'proof'],
    ['a number', 7],
    ['a list', [evm]],
    ['an empty object', {}],
    ['the whole answer', { success: true, data: evm }],
    ['one member more', { ...evm, note: 1 }],
    ['a member of the prototype', { ...evm, constructor: 1 }],
    ['both kinds of chain', { ...evm, chain: 'eip155:84532' }],
    ['neither', { ...evm, chainId: undefined }],
    ['a time that is a text with more of the hash in it', { ...evm, signedTimestamp: `${signedAt}` }],
    ['a time that is no whole number', { ...evm, signedTimestamp: 1.5 }],
    ['two verifiers in one id', { ...evm, verifierIds: ['a,b'] }],
    ['a line feed in an id', { ...evm, verifierIds: ['ownership-basic\nData: {}'] }],
    ['verifiers that are none', { ...evm, verifierIds: 'ownership-basic' }],
    ['data that is a list', { ...evm, data: [] }],
    ['data that is null', { ...evm, data: null }],
    ['a line feed in the wallet', { ...solana, walletAddress: `${solana.walletAddress}\n` }],
    ['a Solana wallet on an EVM chain', { ...evm, walletAddress: solana.walletAddress }],
    ['an EVM wallet on Solana', { ...solana, walletAddress: evm.walletAddress }],
    ['a chain that is none', { ...solana, chain: 'solana' }],
    ['an EVM chain that is no number', { ...solana, chain: 'eip155:x', walletAddress: evm.walletAddress }],
    ...['eip155:084532', 'eip155:0000084532', 'eip155:0', 'eip155:1234567890123456'].map((chain): [string, unknown] => [
      `another spelling of an EVM chain: ${chain}`,
      onChain(chain),
    ]),
  ])('is invalid, and never an error: %s', async (_, proof) => {
    const { verdict, faults } = await verifyEnvelope(proof, { now: signedAt })
    expect(verdict).toBe('invalid')
    expect(faults).toHaveLength(1)
    if (proof !== undefined) expect(await commandSays(proof)).toBe('invalid')
  })

  test.each<[string, object]>([
    ['two spellings of one key', { '\u00e9': 1, 'e\u0301': 2 }],
    ['a number that JSON cannot say', { n: Number.POSITIVE_INFINITY }],
    ['what is no JSON', { f: () => 1 }],
    ['holes in a list', { list: new Array(2) }],
    ['an object of a hundred floors', deep(100)],
    ['an object of a hundred thousand floors', deep(100_000)],
  ])('is invalid with data that has no canonical form: %s', async (_, data) => {
    const { verdict, faults } = await verifyEnvelope({ ...evm, data }, { now: signedAt })
    expect(verdict).toBe('invalid')
    expect(faults[0]).toStartWith('data: ')
  })
})

/**
 * The envelope with another spelling of its chain: the signed text stays the same. The hash and the DID follow the new
 * spelling.
 */
function onChain(chain: string): PortableProof {
  const { chainId: _, ...bare } = evm
  const claim = { ...bare, canonicalData: writeCanonicalJson(bare.data), context: { chain } } as SignedClaim
  return { ...bare, chain, did: writeDid({ chain }, bare.walletAddress), qHash: computeQHash(claim) } as PortableProof
}

test('the other spelling that CAIP-380 has for an EVM chain stays valid', async () => {
  expect(await verdictOn(onChain('eip155:84532'))).toBe('valid')
})

function deep(floors: number): object {
  let data: object = {}
  for (let floor = 0; floor < floors; floor++) data = { data }
  return data
}

describe('every signature that the server is tested with, on an envelope', async () => {
  const odd = await oddEnvelopes()

  test('covers more than 150, of all three kinds', () => {
    expect(odd.length).toBeGreaterThan(150)
    expect(new Set(odd.map(({ verdict }) => verdict))).toEqual(new Set(['valid', 'invalid', 'undecided']))
  })

  test('gets the same verdict', async () => {
    for (const { name, proof, verdict } of odd) {
      expect(`${name}: ${(await verifyEnvelope(proof, { now: proof.signedTimestamp })).verdict}`).toBe(
        `${name}: ${verdict}`,
      )
    }
  })
})

describe('Ed25519', () => {
  test('a signature may be spelled in base58 and in digits', async () => {
    const bytes = base58.decode(solana.signature)
    for (const signature of [bytes.toHex(), `0x${bytes.toHex()}`, `ed25519:${solana.signature}`])
      expect(await verdictOn({ ...solana, signature })).toBe('valid')
    for (const signature of [`0X${bytes.toHex()}`, solana.signature.slice(1), `${solana.signature}1`])
      expect(await verdictOn({ ...solana, signature })).toBe('invalid')
  })

  test('is undecided without SHA-512, and decided where it is not needed', async () => {
    const { crypto } = globalThis
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true, writable: true })
    try {
      expect((await verifyEnvelope(solana, { now: signedAt })).verdict).toBe('undecided')
      expect((await verifyEnvelope({ ...solana, data: {} }, { now: signedAt })).verdict).toBe('invalid')
      expect((await verifyEnvelope(evm, { now: signedAt })).verdict).toBe('valid')
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true, writable: true })
    }
  })

  test('a wallet that is a name has no key', async () => {
    const named = {
      ...solana,
      chain: 'near:mainnet',
      walletAddress: 'alice.near',
      did: 'did:pkh:near:mainnet:alice.near',
    }
    expect(await verdictOn(named)).toBe('invalid')
    expect(sol.address).toBe(solana.walletAddress)
  })
})
