import { describe, expect, test } from 'bun:test'
import type { PortableProof } from '../../src/envelope/portable-proof.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { newestTitle } from '../../src/envelope/signer-string.ts'
import { verifyPortableProof } from '../../src/envelope/verify-portable.ts'
import { startApp } from '../app.ts'
import { alice, bob, sol } from '../wallets.ts'

const minute = 60_000

describe('a portable proof, checked with nothing but itself (src/guides/wire.md, "Portable form")', async () => {
  const app = await startApp()
  const handOut = async (wallet = alice, claim: object = {}): Promise<PortableProof> =>
    (
      await app.submit(wallet, {
        verifierIds: ['ownership-basic'],
        data: { owner: wallet.address, content: 'Caf\u00e9', n: [1e21, -0] },
        ...claim,
      })
    ).body.data.portableProof
  const check = (proof: PortableProof, now = app.now()) =>
    verifyPortableProof(proof, {
      deriveQHash: computeQHash,
      verifySignature: app.parts.verifySignature,
      titles: [newestTitle],
      now,
      window: app.parts.freshness,
    })

  const evm = await handOut()
  const byChain = await handOut(alice, { chain: 'eip155:1' })
  const solana = await handOut(sol)

  test.each([
    ['of an EVM wallet', evm],
    ['of an EVM wallet that named its chain in CAIP-2', byChain],
    ['of a Solana wallet', solana],
  ])('is valid as it was handed out: %s', async (_, proof) => {
    expect(await check(proof)).toEqual({
      valid: true,
      checks: { qHash: true, did: true, signature: true },
      fresh: true,
      needsChain: false,
      faults: [],
    })
  })

  test('is still valid after a trip through JSON and with its id in upper case', async () => {
    const copied = JSON.parse(JSON.stringify({ ...evm, qHash: `0x${evm.qHash.slice(2).toUpperCase()}` }))
    expect((await check(copied)).valid).toBe(true)
  })

  test('grows old without becoming invalid', async () => {
    expect(await check(evm, app.now() + 5 * minute)).toMatchObject({ valid: true, fresh: true })
    expect(await check(evm, app.now() + 5 * minute + 1)).toMatchObject({ valid: true, fresh: false })
  })

  test.each<[string, Partial<PortableProof>, object]>([
    ['other data', { data: { owner: alice.address, content: 'Tea' } }, { qHash: false, did: true, signature: false }],
    ['another time', { signedTimestamp: evm.signedTimestamp + 1 }, { qHash: false, did: true, signature: false }],
    ['another id', { qHash: `0x${'0'.repeat(64)}` }, { qHash: false, did: true, signature: true }],
    ['another wallet', { walletAddress: bob.address }, { qHash: false, did: false, signature: false }],
    ['another DID', { did: evm.did.replace('84532', '1') }, { qHash: true, did: false, signature: true }],
    ['another chain', { chainId: 1 }, { qHash: false, did: false, signature: false }],
    ['more verifiers', { verifierIds: ['ownership-basic', 'x'] }, { qHash: false, did: true, signature: false }],
    ['the signature of something else', { signature: byChain.signature }, { qHash: true, did: true, signature: false }],
    ['a signature that is none', { signature: '0x12' }, { qHash: true, did: true, signature: false }],
  ])('is not valid with %s, and says which check fails', async (_, change, checks) => {
    const verdict = await check({ ...evm, ...change })
    expect(verdict).toMatchObject({ valid: false, checks })
    expect(verdict.faults).toHaveLength(Object.values(checks).filter((holds) => !holds).length)
  })

  test('is not valid with data that has no canonical form', async () => {
    const verdict = await check({ ...evm, data: { '\u00e9': 1, 'e\u0301': 2 } })
    expect(verdict.valid).toBe(false)
    expect(verdict.faults[0]).toContain('after NFC')
  })
})
