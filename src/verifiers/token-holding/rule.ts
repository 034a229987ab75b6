import { type Static, Type } from '@sinclair/typebox'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import type { EvmChain, Hex, ReadingProof, SolanaChain } from '../../outside/chains/chain.ts'
import { AssetAddress, assetChainMembers, BlockNumber, lacksChain, requireNewestState } from '../assets/chain.ts'
import { addProof, ask, isUnchecked, makeReading, makeSnapshot, readContract } from '../assets/contract.ts'
import { readHolding } from '../assets/holder.ts'
import { readSlot, readSolanaHolding } from '../assets/mint.ts'
import { makeRefuse } from '../assets/refuse.ts'
import { readAssetScope } from '../assets/scope.ts'
import { sharedParameters } from '../check-parameter.ts'
import { requireSameChainSigner } from '../contract-signer.ts'
import { keepPresent, WalletAddress } from '../shapes.ts'
import { defineVerifier, type Fails, fails, holds, type Verdict } from '../verifier.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const TokenHoldingData = Type.Object({
  contractAddress: AssetAddress,
  minBalance: Type.String({
    pattern: '^[0-9]{1,60}(\\.[0-9]{1,60})?$',
    maxLength: 121,
    description: 'Whole tokens as a decimal text, above zero: "1.5" is one and a half, whatever the decimals.',
  }),
  ...assetChainMembers,
  ownerAddress: Type.Optional(WalletAddress),
  blockNumber: Type.Optional(BlockNumber),
})

/** The data of a claim, with its addresses checked against the chain and normalized. */
type Asked = Static<typeof TokenHoldingData> & { readonly ownerAddress: string }

const refuse = makeRefuse('token-holding')

/**
 * `token-holding`: the subject holds at least `minBalance` of a fungible token, at the newest block or at
 * `blockNumber`. A snapshot: a gate for holders limits the age of a proof. `minBalance` counts whole tokens; the
 * token's own decimals (EIP-20, SPL) scale it, without rounding. The exact balance enters neither the evidence nor a
 * refusal.
 */
export const tokenHolding = defineVerifier({
  id: 'token-holding',
  category: 'asset',
  description: 'A wallet holds at least an amount of an ERC-20 or SPL token, now or at a block.',
  words,
  translations: { de: german },
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'token_holding_verified',
  allowsDelegatedSubject: true,
  compatibleWith: ['nft-ownership', 'ownership-basic'],
  accounts: { paths: ['ownerAddress', 'contractAddress'], isBeyondEvm: true },
  guide: { chosen: ['chainId'] },
  data: TokenHoldingData,
  readsState: true,
  absentWithout: lacksChain,

  examine(stated, { outside }) {
    if (!/[1-9]/.test(stated.data.minBalance))
      throw refuse('/minBalance', 'everybody holds at least zero: ask for a minBalance above zero')
    const named = readHolding(stated, outside.chains, 'token-holding')
    if ('holds' in named) return named
    if (named.chain.kind !== 'evm') requireNewestState(stated.data.blockNumber, refuse)
    return undefined
  },

  async verify(claim, { now, outside }) {
    const named = readHolding(claim, outside.chains, 'token-holding')
    if ('holds' in named) return named
    const { chain, contractAddress, ownerAddress } = named
    requireSameChainSigner(claim, ownerAddress, chain.chain, 'token-holding')
    const asked = { ...claim.data, contractAddress, ownerAddress }
    return chain.kind === 'evm' ? verifyOnEvm(chain, asked, now) : verifyOnSolana(chain, asked, now)
  },

  parameters: {
    contractAddress: sharedParameters.contractAddress,
    chainId: sharedParameters.chainId,
    ownerAddress: sharedParameters.ownerAddress,
    subjectWallet: sharedParameters.subjectWallet,
    blockNumber: sharedParameters.blockNumber,
    minBalance: { kind: 'amount', description: 'Whole tokens as a decimal text: at least so many must be proven.' },
  },
  facts: ['contractAddress', 'subjectWallet', 'blockNumber'],

  writeScope: readAssetScope,
})

async function verifyOnEvm(chain: EvmChain, asked: Asked, now: number): Promise<Verdict> {
  const { contractAddress, ownerAddress, minBalance, blockNumber } = asked
  const contract = contractAddress as Hex
  const view = await chain.atReadPoint(blockNumber)
  const asking = Promise.all([
    ask(view, contract, {
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }),
      answer: 'uint8',
      otherwise: [
        'NO_DECIMALS',
        `the contract ${contract} has no decimals() that answers, so minBalance cannot be read: it is no ERC-20 token with whole units (for an NFT ask nft-ownership)`,
      ],
    }),
    ask(view, contract, {
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [ownerAddress as Hex] }),
      answer: 'uint256',
      keys: [ownerAddress as Hex],
      otherwise: [
        'NO_BALANCE',
        `the contract ${contract} has no balanceOf(address) that answers: it is no ERC-20 token`,
      ],
    }),
  ])
  const read = await readContract(view, contract, asking)
  if ('holds' in read) return read
  const [decimals, balance] = read
  if ('holds' in decimals) return decimals
  if ('holds' in balance) return balance

  const required = parseMinimum(minBalance, decimals.value)
  if ('holds' in required) return required
  if (balance.value < required.baseUnits) return failTooLow(asked, `block ${view.blockNumber}`)
  return holds(
    {
      input: keepPresent({ ownerAddress, contractAddress, minBalance, chainId: chain.chainId, blockNumber }),
      onChainData: {
        ...required.facts,
        ...addProof(chooseWeakerProof(decimals.proof, balance.proof)),
        ...makeSnapshot(chain, view),
      },
      sources: [...view.sources],
      verificationTimestamp: now,
    },
    { reading: makeReading(chain, view) },
  )
}

async function verifyOnSolana(chain: SolanaChain, asked: Asked, now: number): Promise<Verdict> {
  const { contractAddress: mint, ownerAddress, minBalance } = asked
  const holding = await readSolanaHolding(chain, ownerAddress, mint)
  if ('holds' in holding) return holding
  const required = parseMinimum(minBalance, holding.decimals)
  if ('holds' in required) return required
  if (holding.amount < required.baseUnits) return failTooLow(asked, `slot ${holding.slot}`)
  return holds(
    {
      input: { ownerAddress, contractAddress: mint, minBalance, chain: chain.chain },
      onChainData: { ...required.facts, ...readSlot(chain, holding) },
      sources: [...holding.sources],
      verificationTimestamp: now,
    },
    { reading: { isFinal: true } },
  )
}

/** Decimals are often a constant in code, not in storage. An unchecked reading of them still weakens the proof. */
const chooseWeakerProof = (ofDecimals: ReadingProof | undefined, ofBalance: ReadingProof | undefined) =>
  ofDecimals && !ofDecimals.proved && isUnchecked(ofDecimals.reason) ? ofDecimals : ofBalance

/** The minimum in base units of the token, exactly. */
function parseMinimum(minBalance: string, decimals: number) {
  // parseUnits rounds digits the token cannot hold: 0.0000001 of a token with 6 decimals becomes 0, and every wallet
  // passes.
  const digits = minBalance.split('.')[1]?.length ?? 0
  if (digits > decimals)
    return fails(
      'MIN_BALANCE_TOO_FINE',
      `data.minBalance has ${digits} digits after the point, and the token has ${decimals} decimals`,
    )
  const baseUnits = parseUnits(minBalance, decimals)
  return {
    baseUnits,
    facts: { requiredMinBalance: minBalance, requiredMinBalanceBaseUnits: String(baseUnits), decimals },
  }
}

const failTooLow = ({ ownerAddress, contractAddress, minBalance }: Asked, when: string): Fails =>
  fails('BALANCE_TOO_LOW', `${ownerAddress} holds less than ${minBalance} of ${contractAddress} at ${when}`)
