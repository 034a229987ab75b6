/** Finds the holder of a non-fungible EVM token: ERC-721 and ERC-1155. */
import { encodeFunctionData, isAddressEqual, parseAbi, zeroAddress } from 'viem'
import { defer } from '../../defer.ts'
import type { BlockView, Hex } from '../../outside/chains/chain.ts'
import { defineChoice } from '../../shape.ts'
import { type Fails, fails } from '../verifier.ts'
import { addProof, ask, readContract } from './contract.ts'

const readAbi = defer(() =>
  parseAbi([
    'function ownerOf(uint256 tokenId) view returns (address)',
    'function balanceOf(address owner, uint256 id) view returns (uint256)',
  ]),
)

export const TokenStandard = defineChoice(['erc721', 'erc1155'], 'Standard of an EVM token. Default erc721.')

export interface EvmToken {
  readonly contract: Hex
  readonly tokenId: bigint
  readonly standard: 'erc721' | 'erc1155'
}

/** Evidence of how the token was read. */
export interface HeldToken {
  readonly facts: Readonly<Record<string, unknown>>
}

/** Whether the owner holds the token at the block of the view. Errors: OutsideError. */
export function readToken(view: BlockView, token: EvmToken, owner: Hex): Promise<HeldToken | Fails> {
  const reading = token.standard === 'erc721' ? readUnique(view, token, owner) : readShared(view, token, owner)
  return readContract(view, token.contract, reading)
}

/** EIP-721: `ownerOf` reverts for a token that does not exist. */
async function readUnique(view: BlockView, { contract, tokenId }: EvmToken, owner: Hex): Promise<HeldToken | Fails> {
  const absent = [
    'TOKEN_NOT_FOUND',
    `the contract ${contract} names no owner of token ${tokenId}: there is no such token, or it is no ERC-721 contract (for an ERC-1155 token say tokenType "erc1155")`,
  ] as const
  const answered = await ask(view, contract, {
    data: encodeFunctionData({ abi: readAbi(), functionName: 'ownerOf', args: [tokenId] }),
    answer: 'address',
    keys: [tokenId],
    otherwise: absent,
  })
  if ('holds' in answered) return answered
  // Some contracts return address zero instead of reverting. It has no key, but a delegated subject could name it.
  if (isAddressEqual(answered.value, zeroAddress)) return fails(...absent)
  return isAddressEqual(answered.value, owner)
    ? { facts: addProof(answered.proof) }
    : fails(
        'NOT_TOKEN_OWNER',
        `token ${tokenId} of ${contract} belongs to ${answered.value.toLowerCase()}, not to ${owner}, at block ${view.blockNumber}`,
      )
}

/** EIP-1155: a token may have many owners; each holds an amount. */
async function readShared(view: BlockView, { contract, tokenId }: EvmToken, owner: Hex): Promise<HeldToken | Fails> {
  const answered = await ask(view, contract, {
    data: encodeFunctionData({ abi: readAbi(), functionName: 'balanceOf', args: [owner, tokenId] }),
    answer: 'uint256',
    keys: [tokenId, owner],
    otherwise: [
      'NOT_ERC1155',
      `the contract ${contract} has no balanceOf(address,uint256) that answers: it is no ERC-1155 contract`,
    ],
  })
  if ('holds' in answered) return answered
  return answered.value > 0n
    ? { facts: addProof(answered.proof) }
    : fails('NOT_TOKEN_OWNER', `${owner} holds none of token ${tokenId} of ${contract} at block ${view.blockNumber}`)
}
