import { describe, expect, test } from 'bun:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { shake256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { recoverMessageAddress } from 'viem'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { newestTitle, type SignedClaim, writeSignerString } from '../../src/envelope/signer-string.ts'
import { type ChainContext, writeDid } from '../../src/wallet/account.ts'
import vectors from '../vectors/envelopes.json'
import { alice, evmWallet, solanaWallet } from '../wallets.ts'

type Vector = (typeof vectors)[number]
interface Request {
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  readonly data: unknown
  readonly signedTimestamp: number
}

const contextIn = ({ chain, chainId }: { chain?: string; chainId?: number }): ChainContext =>
  chain === undefined ? { chainId: chainId! } : { chain }

const claimOf = (request: Request, context: ChainContext): SignedClaim => ({
  walletAddress: request.walletAddress,
  verifierIds: request.verifierIds,
  canonicalData: writeCanonicalJson(request.data),
  signedTimestamp: request.signedTimestamp,
  context,
})
const claimIn = ({ request }: Vector): SignedClaim => claimOf(request, contextIn(request))

const named = vectors.map((vector) => [vector.name, vector] as const)
const signedEvm = named.filter(([, vector]) => vector.signatureMethod === 'eip191')

describe('published envelopes (test/vectors/envelopes.json, src/guides/wire.md, "Vectors")', () => {
  test.each(named)('text, DID and qHash: %s', (_, vector) => {
    const claim = claimIn(vector)
    expect(writeSignerString(claim)).toBe(vector.signerString)
    expect(writeDid(claim.context, claim.walletAddress)).toBe(vector.did)
    expect(computeQHash(claim)).toBe(vector.qHash)
  })

  test.each(signedEvm)('signature, checked and made again with viem: %s', async (_, vector) => {
    const text = writeSignerString(claimIn(vector))
    const recovered = await recoverMessageAddress({ message: text, signature: vector.signature as `0x${string}` })
    expect(recovered.toLowerCase()).toBe(vector.request.walletAddress.toLowerCase())
    expect(await evmWallet(vector.privateKey as `0x${string}`).sign(text)).toBe(vector.signature!)
  })

  test('signature of Solana, checked and made again with noble', async () => {
    const vector = vectors.find(({ signatureMethod }) => signatureMethod === 'ed25519')!
    const text = writeSignerString(claimIn(vector))
    const seed = Uint8Array.fromHex(vector.seedHex!)
    expect(base58.encode(ed25519.getPublicKey(seed))).toBe(vector.request.walletAddress)
    expect(await solanaWallet(seed).sign(text)).toBe(vector.signature!)
    expect(
      ed25519.verify(base58.decode(vector.signature!), new TextEncoder().encode(text), ed25519.getPublicKey(seed)),
    ).toBe(true)
  })

  test('an all-ones wallet on Solana devnet is written as it is (the data of V3 is not published)', () => {
    const wallet = '1'.repeat(32)
    const claim = claimOf(
      {
        walletAddress: wallet,
        verifierIds: ['ownership-basic'],
        data: { content: 'CAIP-380 interoperability fixture', nonce: 'example-1' },
        signedTimestamp: 1_784_582_400_000,
      },
      { chain: 'solana:devnet' },
    )
    expect(writeSignerString(claim).split('\n').slice(1, 3)).toEqual([`Wallet: ${wallet}`, 'Chain: solana:devnet'])
  })

  test('the canonical subset of V1, hashed by another implementation of SHAKE-256', () => {
    const subset =
      '{"chainId":84532,"data":{"content":"CAIP-380 interoperability fixture","nonce":"example-1"},"did":"did:pkh:eip155:84532:0x2682f1afa9e879dcea444d8d93895c4bcbf55076","signedTimestamp":1784582400000,"verifierIds":["ownership-basic"]}'
    const digest = shake256(new TextEncoder().encode(subset), { dkLen: 32 }).toHex()
    expect(`0x${digest}`).toBe('0x49d2b224750608f4f5844f6846edb1ac859524e57f674a78b168113699d6d293')
    expect(computeQHash(claimIn(vectors[0]!))).toBe(`0x${digest}`)
  })
})

const anyText = fc.string({ unit: 'binary', maxLength: 40 })
const anyContext: fc.Arbitrary<ChainContext> = fc.oneof(
  fc.integer({ min: 1 }).map((chainId) => ({ chainId })),
  fc.integer({ min: 1 }).map((number) => ({ chain: `eip155:${number}` })),
  fc.constantFrom({ chain: 'solana:mainnet' }, { chain: 'near:mainnet' }),
)
/** No normalization can change these: NFC of the whole text then changes nothing either. */
const anyData = fc.dictionary(
  anyText,
  fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(anyText)),
)
const canonicalOf = (data: unknown): string | undefined => {
  try {
    return writeCanonicalJson(data)
  } catch {
    return undefined
  }
}

describe('the six lines (src/guides/wire.md, "The signed text")', () => {
  const claim: SignedClaim = {
    walletAddress: alice.address,
    verifierIds: ['wallet-link', 'ownership-basic'],
    canonicalData: '{}',
    signedTimestamp: 1,
    context: { chainId: 84532 },
  }

  test('are title, wallet, chain, verifiers, data and timestamp, without an end of line', () => {
    expect(writeSignerString(claim)).toBe(
      [
        'Portable Proof Verification Request',
        `Wallet: ${alice.address.toLowerCase()}`,
        'Chain: 84532',
        'Verifiers: wallet-link,ownership-basic',
        'Data: {}',
        'Timestamp: 1',
      ].join('\n'),
    )
  })

  test('an older title changes the first line and nothing else', () => {
    const lines = writeSignerString(claim, 'SVC Verification Request').split('\n')
    expect(lines[0]).toBe('SVC Verification Request')
    expect(lines.slice(1)).toEqual(writeSignerString(claim).split('\n').slice(1))
  })

  test('whatever the data holds, there are six of them and each begins with its word', () => {
    fc.assert(
      fc.property(anyData, anyContext, fc.integer({ min: 1 }), (data, context, signedTimestamp) => {
        const canonicalData = canonicalOf(data)
        if (canonicalData === undefined) return
        const lines = writeSignerString({ ...claim, canonicalData, context, signedTimestamp }).split('\n')
        expect(lines.map((line) => line.split(':')[0])).toEqual([
          newestTitle,
          'Wallet',
          'Chain',
          'Verifiers',
          'Data',
          'Timestamp',
        ])
      }),
      { numRuns: 1000 },
    )
  })

  test('line feeds, carriage returns and tabs in keys and values stay inside the data line', () => {
    const canonicalData = writeCanonicalJson({ 'a\nTimestamp: 2': 'x\r\nWallet: 0x0\u0085\tb' })
    expect(writeSignerString({ ...claim, canonicalData }).split('\n')).toHaveLength(6)
  })

  test('two different data never share a text', () => {
    fc.assert(
      fc.property(anyData, anyData, (a, b) => {
        const [left, right] = [canonicalOf(a), canonicalOf(b)]
        if (left === undefined || right === undefined || left === right) return
        const text = (canonicalData: string) => writeSignerString({ ...claim, canonicalData })
        expect(text(left)).not.toBe(text(right))
        expect(computeQHash({ ...claim, canonicalData: left })).not.toBe(
          computeQHash({ ...claim, canonicalData: right }),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('both spellings of an EVM chain are signed alike and hash differently', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (number) => {
        const byId = { ...claim, context: { chainId: number } }
        const byChain = { ...claim, context: { chain: `eip155:${number}` } }
        expect(writeSignerString(byChain)).toBe(writeSignerString(byId))
        expect(computeQHash(byChain)).not.toBe(computeQHash(byId))
        expect(writeDid(byChain.context, alice.address)).toBe(writeDid(byId.context, alice.address))
      }),
    )
  })

  test.each([
    [
      'an EVM wallet is written in lower case, whichever way its chain is named',
      { chain: 'eip155:1' },
      alice.address,
      alice.address.toLowerCase(),
    ],
    [
      'any other wallet stands as it is',
      { chain: 'solana:mainnet' },
      '9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj',
      '9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj',
    ],
  ])('%s', (_, context, walletAddress, written) => {
    expect(writeSignerString({ ...claim, context, walletAddress }).split('\n')[1]).toBe(`Wallet: ${written}`)
  })

  test('the order of verifiers counts, in the text and in the hash', () => {
    const turned = { ...claim, verifierIds: ['ownership-basic', 'wallet-link'] }
    expect(writeSignerString(turned)).not.toBe(writeSignerString(claim))
    expect(computeQHash(turned)).not.toBe(computeQHash(claim))
  })

  test('the spelling of an EVM wallet does not enter the hash', () => {
    expect(computeQHash({ ...claim, walletAddress: alice.address.toLowerCase() })).toBe(computeQHash(claim))
  })
})

test('is composed as a whole: the last letter of an escape takes the mark behind it', () => {
  for (const content of ['line\n\u0303x', 'bell\u001b\u0301\u0315', '\u0338<', '\r\u0327\u0301', 'plain \\n\u0303']) {
    const canonicalData = writeCanonicalJson({ content })
    const claim = {
      walletAddress: `0x${'11'.repeat(20)}`,
      verifierIds: ['ownership-basic'],
      canonicalData,
      signedTimestamp: 1,
      context: { chainId: 1 },
    }
    const text = `Portable Proof Verification Request\nWallet: 0x${'11'.repeat(20)}\nChain: 1\nVerifiers: ownership-basic\nData: ${canonicalData}\nTimestamp: 1`
    expect(writeSignerString(claim)).toBe(text.normalize('NFC'))
  }
})
