/**
 * A contract that answers as it is told. It stands at the address of the Universal Resolver of ENS, whose own code needs
 * the whole registry of Ethereum around it.
 */
import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseAbi,
  toHex,
} from 'viem'
import { namehash, packetToBytes } from 'viem/ens'
import { universalResolver } from '../../src/outside/names/ens.ts'
import type { Anvil } from './anvil.ts'

/**
 * hash = keccak256(calldata); count = sload(hash); without an answer it reverts. Else it returns the words of
 * sload(hash + 1) to sload(hash + count).
 */
const code =
  '0x3660006000373660002080548060155760006000fd5b60005b8181146031578083016001015481602002526001016018565b506020026000f3'

const abi = parseAbi([
  'function reverseWithGateways(bytes reverseName, uint256 coinType, string[] gateways) view returns (string, address, address)',
  'function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes, address)',
  'function addr(bytes32 name) view returns (address)',
])
const nowhere = `0x${'0'.repeat(40)}` as const

export const openNameBook = (anvil: Anvil) => anvil.rpc('anvil_setCode', [universalResolver, code])

async function tell(anvil: Anvil, question: Hex, answer: Hex): Promise<void> {
  const first = hexToBigInt(keccak256(question))
  const words = answer.slice(2).match(/.{64}/g) ?? []
  const all = [BigInt(words.length), ...words.map((word) => BigInt(`0x${word}`))]
  for (const [at, word] of all.entries())
    await anvil.rpc('anvil_setStorageAt', [
      universalResolver,
      numberToHex(first + BigInt(at), { size: 32 }),
      numberToHex(word, { size: 32 }),
    ])
  await anvil.rpc('evm_mine')
}

/** The name that a wallet chose for itself. */
export const chooseName = (anvil: Anvil, address: string, name: string): Promise<void> =>
  tell(
    anvil,
    encodeFunctionData({ abi, functionName: 'reverseWithGateways', args: [address as Hex, 60n, []] }),
    encodeAbiParameters([{ type: 'string' }, { type: 'address' }, { type: 'address' }], [name, nowhere, nowhere]),
  )

/** The wallet that a name leads to. */
export const pointName = (anvil: Anvil, name: string, address: string): Promise<void> => {
  const data = encodeFunctionData({ abi, functionName: 'addr', args: [namehash(name)] })
  const owner = encodeAbiParameters([{ type: 'address' }], [address as Hex])
  return tell(
    anvil,
    encodeFunctionData({ abi, functionName: 'resolveWithGateways', args: [toHex(packetToBytes(name)), data, []] }),
    encodeAbiParameters([{ type: 'bytes' }, { type: 'address' }], [owner, nowhere]),
  )
}
