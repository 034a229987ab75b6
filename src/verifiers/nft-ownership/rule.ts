import { type Static, Type } from '@sinclair/typebox'
import type { EvmChain, Hex, SolanaChain } from '../../outside/chains/chain.ts'
import { AssetAddress, assetChainMembers, BlockNumber, lacksChain, requireNewestState } from '../assets/chain.ts'
import { makeReading, makeSnapshot } from '../assets/contract.ts'
import { readHolding } from '../assets/holder.ts'
import { readSlot, readSolanaHolding } from '../assets/mint.ts'
import { readToken, TokenStandard } from '../assets/nft.ts'
import { makeRefuse } from '../assets/refuse.ts'
import { readAssetScope } from '../assets/scope.ts'
import { requireTokenId, requireTokenOfMint, TokenId } from '../assets/token-id.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { keepPresent, WalletAddress } from '../shapes.ts'
import { defineVerifier, fails, holds, type Verdict } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const NftOwnershipData = Type.Object({
  contractAddress: AssetAddress,
  tokenId: TokenId,
  ...assetChainMembers,
  ownerAddress: Type.Optional(WalletAddress),
  tokenType: Type.Optional(TokenStandard),
  blockNumber: Type.Optional(BlockNumber),
})

/** The data of a claim, with the addresses checked against the chain and in their one spelling. */
type Asked = Static<typeof NftOwnershipData> & { readonly ownerAddress: string }

const refuse = makeRefuse('nft-ownership')

/**
 * `nft-ownership`: the subject holds a non-fungible token, at the newest block or at `blockNumber`. A snapshot: the
 * token may move a second later, and a claim about an old block says nothing about today.
 *
 * EVM: ERC-721 by `ownerOf`, ERC-1155 by a balance above zero. Solana: a mint without decimals and with a supply of
 * one, whose address is `contractAddress`.
 */
export const nftOwnership = defineVerifier({
  id: 'nft-ownership',
  category: 'asset',
  description: 'A wallet holds an NFT: ERC-721, ERC-1155 or an SPL token, now or at a block.',
  words,
  translations: { de: german },
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'nft_ownership_verified',
  allowsDelegatedSubject: true,
  compatibleWith: ['token-holding', 'ownership-basic'],
  accounts: { paths: ['ownerAddress', 'contractAddress'], isBeyondEvm: true },
  guide: { chosen: ['chainId'] },
  data: NftOwnershipData,
  readsState: true,
  absentWithout: lacksChain,

  examine(stated, { outside }) {
    const named = readHolding(stated, outside.chains, 'nft-ownership')
    if ('holds' in named) return named
    const { chain, contractAddress } = named
    const { tokenId, tokenType, blockNumber } = stated.data
    if (chain.kind === 'evm') requireTokenId(tokenId, '/tokenId', refuse)
    else {
      requireNewestState(blockNumber, refuse)
      if (tokenType === 'erc1155') throw refuse('/tokenType', 'there are no ERC-1155 tokens on Solana: leave it out')
      requireTokenOfMint(tokenId, contractAddress, '/tokenId', refuse)
    }
    return undefined
  },

  async verify(claim, { now, outside }) {
    const named = readHolding(claim, outside.chains, 'nft-ownership')
    if ('holds' in named) return named
    const { chain, contractAddress, ownerAddress } = named
    requireSameChainSigner(claim, ownerAddress, chain.chain, 'nft-ownership')
    const asked = { ...claim.data, contractAddress, ownerAddress }
    return chain.kind === 'evm' ? verifyOnEvm(chain, asked, now) : verifyOnSolana(chain, asked, now)
  },

  parameters: {
    contractAddress: sharedParameters.contractAddress,
    chainId: sharedParameters.chainId,
    ownerAddress: sharedParameters.ownerAddress,
    subjectWallet: sharedParameters.subjectWallet,
    blockNumber: sharedParameters.blockNumber,
    tokenId: { kind: 'text', description: 'Token id, as a number where it is one.' },
  },
  facts: ['contractAddress', 'subjectWallet', 'blockNumber'],

  writeScope: readAssetScope,
})

async function verifyOnEvm(chain: EvmChain, asked: Asked, now: number): Promise<Verdict> {
  const { contractAddress, ownerAddress, blockNumber, tokenType = 'erc721' } = asked
  const tokenId = requireTokenId(asked.tokenId, '/tokenId', refuse)
  const view = await chain.atReadPoint(blockNumber)
  const token = { contract: contractAddress as Hex, tokenId, standard: tokenType }
  const held = await readToken(view, token, ownerAddress as Hex)
  if ('holds' in held) return held
  return holds(
    {
      input: keepPresent({
        ownerAddress,
        contractAddress,
        tokenId: String(tokenId),
        chainId: chain.chainId,
        tokenType,
        blockNumber,
      }),
      onChainData: { actualOwner: ownerAddress, ...held.facts, ...makeSnapshot(chain, view) },
      sources: [...view.sources],
      verificationTimestamp: now,
    },
    { reading: makeReading(chain, view) },
  )
}

async function verifyOnSolana(chain: SolanaChain, asked: Asked, now: number): Promise<Verdict> {
  const { contractAddress: mint, ownerAddress } = asked
  const holding = await readSolanaHolding(chain, ownerAddress, mint)
  if ('holds' in holding) return holding
  if (!holding.isNonFungible)
    return fails('NOT_AN_NFT', `the mint ${mint} is divisible or has a supply other than 1: ask token-holding about it`)
  if (holding.amount === 0n)
    return fails('NOT_TOKEN_OWNER', `${ownerAddress} does not hold the token ${mint} at slot ${holding.slot}`)
  return holds(
    {
      input: { ownerAddress, contractAddress: mint, tokenId: mint, chain: chain.chain },
      onChainData: { actualOwner: ownerAddress, ...readSlot(chain, holding) },
      sources: [...holding.sources],
      verificationTimestamp: now,
    },
    { reading: { isFinal: true } },
  )
}
