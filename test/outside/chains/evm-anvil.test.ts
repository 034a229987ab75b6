/** Tests the test chain itself, on which other tests rely. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { encodeFunctionData, getAddress, type Hex, hashMessage, zeroHash } from 'viem'
import { startOfTime } from '../../app.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import compiled from '../../parts/contracts/compiled.json'
import { abiOf, contractAt, creationCode, deploy } from '../../parts/contracts/contracts.ts'

const base = 8453
let anvil: Anvil

beforeAll(async () => {
  anvil = await startAnvil({ chainId: base })
})
afterAll(() => anvil.stop())

const source = (name: string): string => new URL(`../../parts/contracts/sources/${name}.sol`, import.meta.url).pathname

describe('the test chain', () => {
  test('has the chain id it was given and begins where the app’s clock begins', async () => {
    expect(await anvil.publicClient.getChainId()).toBe(base)
    expect((await anvil.publicClient.getBlock({ blockNumber: 0n })).timestamp).toBe(BigInt(startOfTime / 1000))
  })

  test('has accounts with money whose keys are known', async () => {
    for (const { address, account } of anvil.accounts) {
      expect(await anvil.publicClient.getBalance({ address })).toBeGreaterThan(10n ** 18n)
      expect(account.address).toBe(address)
    }
  })

  test('ends when it is stopped', async () => {
    const other = await startAnvil({ chainId: 1 })
    expect(await other.publicClient.getChainId()).toBe(1)
    await other.stop()
    expect(await other.publicClient.getChainId().catch(() => 'gone')).toBe('gone')
  })
})

describe('the contracts', () => {
  test('are compiled from the sources beside them', async () => {
    for (const [name, { sourceSha256 }] of Object.entries(compiled)) {
      expect(existsSync(source(name))).toBe(true)
      const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(source(name)).text()).digest('hex')
      expect(`${name} ${hash}`).toBe(`${name} ${sourceSha256}`)
    }
  })

  test('hold the minted tokens', async () => {
    const [, holder] = anvil.accounts
    const [coin, odd, art, silent, multi] = await Promise.all([
      deploy(anvil, 'Erc20', [6]),
      deploy(anvil, 'Erc20WithoutDecimals'),
      deploy(anvil, 'Erc721'),
      deploy(anvil, 'Erc721Silent'),
      deploy(anvil, 'Erc1155'),
    ])
    for (const token of [coin, odd]) await token.write('mint', [holder.address, 5n])
    for (const token of [art, silent]) await token.write('mint', [holder.address, 7n])
    await multi.write('mint', [holder.address, 7n, 3n])

    expect(await coin.read('decimals')).toBe(6)
    expect(await coin.read('balanceOf', [holder.address])).toBe(5n)
    expect(await odd.read('balanceOf', [holder.address])).toBe(5n)
    expect(await art.read('ownerOf', [7n])).toBe(holder.address)
    expect(await art.read('ownerOf', [8n]).catch(() => 'reverted')).toBe('reverted')
    expect(await silent.read('ownerOf', [8n])).toBe(`0x${'0'.repeat(40)}`)
    expect(await multi.read('balanceOf', [holder.address, 7n])).toBe(3n)
  })

  test('stand behind proxies whose admin slot holds a ProxyAdmin or a wallet', async () => {
    const [, owner] = anvil.accounts
    const adminSlot = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
    const adminOf = async (address: Hex): Promise<Hex> =>
      getAddress(`0x${(await anvil.publicClient.getStorageAt({ address, slot: adminSlot }))!.slice(-40)}`)
    const counter = await deploy(anvil, 'Counter')
    const data = encodeFunctionData({ abi: abiOf('Counter') as never, functionName: 'set', args: [1n] } as never)

    const proxy = await deploy(anvil, 'TransparentProxy', [counter.address, owner.address, data])
    const proxyAdmin = contractAt(anvil, 'Owned', await adminOf(proxy.address))
    expect(await proxyAdmin.read('owner')).toBe(owner.address)

    const simple = await deploy(anvil, 'ProxyWithEoaAdmin', [counter.address, owner.address, data])
    expect(await adminOf(simple.address)).toBe(owner.address)
  })

  test('are wallets at the addresses that their factory predicts', async () => {
    const [, signer] = anvil.accounts
    const factory = await deploy(anvil, 'Wallet1271Factory')
    const address = await factory.read('addressOf', [signer.address, zeroHash])
    await factory.write('create', [signer.address, zeroHash])
    const signature = await signer.account.signMessage({ message: 'hello' })
    const wallet = contractAt(anvil, 'Wallet1271', address)
    expect(await wallet.read('isValidSignature', [hashMessage('hello'), signature])).toBe('0x1626ba7e')
    expect(await wallet.read('isValidSignature', [hashMessage('other'), signature])).toBe('0x00000000')
  })

  test('have the real EAS among them, which remembers a timestamp', async () => {
    const registry = await deploy(anvil, 'SchemaRegistry')
    const eas = await deploy(anvil, 'EAS', [registry.address])
    await eas.write('timestamp', [zeroHash])
    expect(await eas.read('getTimestamp', [zeroHash])).toBeGreaterThanOrEqual(BigInt(startOfTime / 1000))
    await expect(eas.write('timestamp', [zeroHash])).rejects.toThrow('AlreadyTimestamped')
  })

  test('can be created by others', () => {
    expect(creationCode('Owned', [anvil.accounts[0].address])).toEndWith(
      anvil.accounts[0].address.slice(2).toLowerCase(),
    )
  })
})
