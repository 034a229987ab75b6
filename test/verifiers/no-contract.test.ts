/** A claim about an address without a contract is untrue, and not an outage of the chain. */
import { afterAll, expect, test } from 'bun:test'
import { type Hex, pad, toHex } from 'viem'
import { startApp } from '../app.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { lies, startLyingRpc } from '../parts/lying-rpc.ts'
import { alice, mallory } from '../wallets.ts'
import { failed } from './ask.ts'
import { askingCarefully, asks, base } from './assets.ts'

const anvil = await startAnvil({ chainId: base })
const node = startLyingRpc(anvil.url)
afterAll(() => Promise.all([anvil.stop(), node.stop()]))
const app = await startApp({
  ...asks(node.url),
  PROOFGATE_VERIFIERS_ENABLED: 'token-holding,nft-ownership,contract-ownership,ownership-licensed',
})

const license = { content: 'a song', owner: alice.address }
const claims: readonly (readonly [string, (contractAddress: string) => object])[] = [
  ['token-holding', (contractAddress) => ({ contractAddress, minBalance: '1', chainId: base })],
  ['nft-ownership', (contractAddress) => ({ contractAddress, tokenId: '1', chainId: base })],
  ['nft-ownership', (contractAddress) => ({ contractAddress, tokenId: '1', chainId: base, tokenType: 'erc1155' })],
  ['contract-ownership', (contractAddress) => ({ contractAddress, chainId: base })],
  ['contract-ownership', (contractAddress) => ({ contractAddress, chainId: base, method: 'admin' })],
  ['contract-ownership', (contractAddress) => ({ contractAddress, chainId: base, method: 'accessControl' })],
  [
    'ownership-licensed',
    (contractAddress) => ({
      ...license,
      license: { contractAddress, tokenId: '1', chainId: base, ownerAddress: alice.address },
    }),
  ],
]
const numbered = (number: number): string => pad(toHex(number), { size: 20 })
const precompiled = [...Array.from({ length: 0x11 }, (_, index) => numbered(index + 1)), numbered(0x100)]

async function expectNoContract(address: string): Promise<void> {
  for (const [id, claim] of claims)
    expect({ address, ...(await askingCarefully(app, id)(alice, claim(address))) }).toMatchObject(
      failed(id, 'NO_CONTRACT'),
    )
}

test('a precompiled contract is not a token contract, whatever it answers', async () => {
  for (const address of precompiled) await expectNoContract(address)
})

test('a precompiled contract is no token contract either on a chain that gives it code, or where it fails', async () => {
  node.lie(
    lies.result('eth_getCode', () => '0xfe'),
    lies.error(-32000, 'invalid input length', ['eth_call']),
  )
  for (const address of [numbered(1), numbered(0x11), numbered(0x100)]) await expectNoContract(address)
  node.tellTheTruth()
})

test('an address without code is no contract, also where the node refuses to call it', async () => {
  node.lie(lies.error(-32000, 'precompile failed', ['eth_call', 'eth_getStorageAt']))
  await expectNoContract(mallory.address)
  node.tellTheTruth()
})

test('a wallet that has delegated its code is no contract: its key decides', async () => {
  const owned = await deploy(anvil, 'Owned', [alice.address])
  await anvil.rpc('anvil_setCode', [mallory.address, `0xef0100${owned.address.slice(2)}`])
  await anvil.rpc('anvil_setStorageAt', [mallory.address, pad('0x0'), pad(alice.address as Hex)])
  await anvil.rpc('anvil_mine')
  await expectNoContract(mallory.address)
})
