/** What every claim about an asset in a wallet says first: on which chain, which asset, in whose wallet. Reads no chain. */
import type { Chains, EvmChain, SolanaChain } from '../../outside/chains/chain.ts'
import { sameAddress } from '../../wallet/account.ts'
import { requireSignerOn } from '../contract-signer.ts'
import { type Claim, type Fails, fails } from '../verifier.ts'
import { requireAssetAddress, requireAssetChain, requireHolder } from './chain.ts'
import { refusing } from './refuse.ts'

interface AssetData {
  readonly contractAddress: string
  readonly chainId?: number
  readonly chain?: string
  readonly ownerAddress?: string
}

/** With the addresses in their one spelling. */
export interface NamedHolding {
  readonly chain: EvmChain | SolanaChain
  readonly contractAddress: string
  readonly ownerAddress: string
}

/** Fails when the wallet is not the subject of the claim. Errors: INVALID_VERIFIER_DATA. */
export function holdingIn(claim: Claim<AssetData>, chains: Chains, verifierId: string): NamedHolding | Fails {
  const { subject, data } = claim
  const refuse = refusing(verifierId)
  const chain = requireAssetChain(data, chains, refuse)
  const contractAddress = requireAssetAddress(data.contractAddress, chain, refuse)
  const ownerAddress = requireHolder(data.ownerAddress, subject, chain, '/ownerAddress', refuse)
  if (!sameAddress(ownerAddress, subject))
    return fails('OWNER_MISMATCH', `data.ownerAddress is ${ownerAddress}, but the claim is about ${subject}`)
  requireSignerOn(claim, ownerAddress, chain.chain, verifierId)
  return { chain, contractAddress, ownerAddress }
}
