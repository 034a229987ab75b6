import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { alice, sol } from '../wallets.ts'

const evm = alice.address.toLowerCase()

describe('POST /api/v1/profile/did/resolve', async () => {
  const app = await startApp()
  const resolve = (body: object) => app.post('/api/v1/profile/did/resolve', body)

  test.each<[string, object, object]>([
    [
      'an EVM wallet belongs to the hub chain, whatever the case of its letters',
      { walletAddress: alice.address },
      { did: `did:pkh:eip155:84532:${evm}`, walletAddress: evm, chainId: 84532 },
    ],
    [
      'or to the chain that is named by number',
      { walletAddress: evm, chainId: 1 },
      { did: `did:pkh:eip155:1:${evm}`, walletAddress: evm, chainId: 1 },
    ],
    [
      'or by its CAIP-2 id',
      { walletAddress: evm, chain: 'eip155:10' },
      { did: `did:pkh:eip155:10:${evm}`, walletAddress: evm, chain: 'eip155:10' },
    ],
    [
      'a Solana wallet keeps its spelling',
      { walletAddress: sol.address, chain: 'solana:mainnet' },
      { did: `did:pkh:solana:mainnet:${sol.address}`, walletAddress: sol.address, chain: 'solana:mainnet' },
    ],
    [
      'a DID is reduced to its address and spelled anew',
      { walletAddress: `did:pkh:eip155:137:${alice.address}` },
      { did: `did:pkh:eip155:137:${evm}`, walletAddress: evm, chain: 'eip155:137' },
    ],
    [
      'a CAIP-10 account keeps its chain',
      { walletAddress: `eip155:137:${alice.address}` },
      { did: `did:pkh:eip155:137:${evm}`, walletAddress: evm, chain: 'eip155:137' },
    ],
    [
      'a chain beside a DID may say the same',
      { walletAddress: `did:pkh:eip155:137:${evm}`, chain: 'eip155:137', chainId: 137 },
      { did: `did:pkh:eip155:137:${evm}`, walletAddress: evm, chain: 'eip155:137' },
    ],
  ])('%s', async (_, body, data) => {
    expect(await resolve(body)).toMatchObject({ status: 200, body: { success: true, data } })
    expect((await resolve(body)).body.data).toEqual(data)
  })

  test.each<[string, object, string]>([
    ['no wallet', {}, 'VALIDATION_ERROR'],
    ['an EVM address that is too short', { walletAddress: '0x12' }, 'INVALID_WALLET_ADDRESS'],
    ['a Solana wallet without its chain', { walletAddress: sol.address }, 'INVALID_WALLET_ADDRESS'],
    ['an EVM wallet on Solana', { walletAddress: evm, chain: 'solana:mainnet' }, 'INVALID_WALLET_ADDRESS'],
    ['a DID of another method', { walletAddress: 'did:web:example.com' }, 'INVALID_WALLET_ADDRESS'],
    ['a chain that is none', { walletAddress: evm, chain: 'ethereum' }, 'VALIDATION_ERROR'],
    [
      'a chain beside the DID of another',
      { walletAddress: `did:pkh:eip155:1:${evm}`, chain: 'eip155:10' },
      'VALIDATION_ERROR',
    ],
    [
      'a chain number beside an account of another',
      { walletAddress: `eip155:1:${evm}`, chainId: 10 },
      'VALIDATION_ERROR',
    ],
    ['an account on a chain that is misspelled', { walletAddress: `eip155:010:${evm}` }, 'VALIDATION_ERROR'],
    ['two chains', { walletAddress: evm, chain: 'eip155:1', chainId: 10 }, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_, body, code) => {
    expect(await resolve(body)).toMatchObject({ status: 400, body: { success: false, error: { code } } })
  })
})
