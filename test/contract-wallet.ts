/** Contract wallets that sign: the address belongs to a contract, the key to its owner. */
import { type Address, concatHex, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import type { TestWallet } from './wallets.ts'

/** A wallet that signs with the key in the name of the contract on the given chain. */
export function contractWallet(
  address: string,
  chain: string,
  key: TestWallet,
  wrap: (signature: Hex) => Hex = (signature) => signature,
): TestWallet {
  const signing = { chain }
  const sign = async (message: string): Promise<string> => wrap((await key.sign(message)) as Hex)
  return {
    address,
    signing,
    sign,
    async signAction(data, signedTimestamp) {
      const members = Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)))
      const message = [
        'Portable Proof Verification Request',
        `Wallet: ${address.toLowerCase()}`,
        `Chain: ${chain.slice('eip155:'.length)}`,
        'Verifiers: ownership-basic',
        `Data: ${JSON.stringify(members)}`,
        `Timestamp: ${signedTimestamp}`,
      ].join('\n')
      return { walletAddress: address, signature: await sign(message), signedTimestamp, ...signing }
    },
  }
}

/** ERC-6492: abi.encode(target, call, signature), then 32 bytes that name the standard. */
export const wrapped =
  (target: Address, abi: readonly unknown[], functionName: string, args: readonly unknown[]) =>
  (signature: Hex): Hex =>
    concatHex([
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
        [target, encodeFunctionData({ abi, functionName, args } as never), signature],
      ),
      `0x${'6492'.repeat(16)}`,
    ])
