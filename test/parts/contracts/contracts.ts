/** deploy(): puts one of the compiled contracts on an anvil chain. README.md says where they come from. */
import { encodeDeployData, encodeFunctionData, type Hex, parseAbi, type TransactionReceipt } from 'viem'
import type { Anvil } from '../anvil.ts'
import compiled from './compiled.json'
import eas from './eas.json'

const all = { ...compiled, ...eas }

export type ContractName = keyof typeof all

export interface Deployed {
  readonly address: Hex
  readonly abi: readonly unknown[]
  /** The block in which it was deployed. */
  readonly blockNumber: number
  /** eth_call of a function by name. */
  // biome-ignore lint/suspicious/noExplicitAny: each function returns a type of its own
  read(functionName: string, args?: readonly unknown[]): Promise<any>
  /** A mined transaction of the first account. Throws when it reverts. */
  write(functionName: string, args?: readonly unknown[]): Promise<TransactionReceipt>
}

export const abiOf = (name: ContractName): readonly unknown[] => parseAbi(all[name].abi as readonly string[])

/** Code of contracts that other contracts create, such as by CREATE2 factories. */
export const creationCode = (name: ContractName, args: readonly unknown[] = []): Hex =>
  encodeDeployData({ abi: abiOf(name), bytecode: all[name].bytecode as Hex, args } as never)

/** A contract that is there already, spoken to by the ABI of `name`. */
export function contractAt(anvil: Anvil, name: ContractName, address: Hex, blockNumber = 0): Deployed {
  const abi = abiOf(name)
  return {
    address,
    abi,
    blockNumber,
    read: (functionName, args = []) => anvil.publicClient.readContract({ address, abi, functionName, args } as never),
    async write(functionName, args = []) {
      const call = { address, abi, functionName, args }
      // Names the error of a contract that refuses; a receipt says no more than "reverted".
      await anvil.publicClient.simulateContract({ ...call, account: anvil.accounts[0].address } as never)
      return anvil.send({ to: address, data: encodeFunctionData(call as never) })
    },
  }
}

export async function deploy(anvil: Anvil, name: ContractName, args: readonly unknown[] = []): Promise<Deployed> {
  const { contractAddress, blockNumber, status } = await anvil.send({ data: creationCode(name, args) })
  if (status === 'reverted' || !contractAddress) throw new Error(`the constructor of ${name} reverted`)
  return contractAt(anvil, name, contractAddress, Number(blockNumber))
}
