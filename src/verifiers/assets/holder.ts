/** Reads the members that all asset claims share: the chain, the asset, the wallet. Reads no chain. */
import type { Chains, EvmChain, SolanaChain } from '../../outside/chains/chain.ts'
import { areSameAddress } from '../../wallet/account.ts'
import { type Fails, fails, type Stated } from '../verifier.ts'
import { requireAssetAddress, requireAssetChain, requireHolder } from './chain.ts'
import { makeRefuse } from './refuse.ts'

interface AssetData {
  readonly contractAddress: string
  readonly chainId?: number
  readonly chain?: string
  readonly ownerAddress?: string
}

/** With normalized addresses. */
export interface NamedHolding {
  readonly chain: EvmChain | SolanaChain
  readonly contractAddress: string
  readonly ownerAddress: string
}

/** Fails when the wallet is not the subject of the claim. Errors: INVALID_VERIFIER_DATA. */
export function readHolding(
  { subject, data }: Pick<Stated<AssetData>, 'subject' | 'data'>,
  chains: Chains,
  verifierId: string,
): NamedHolding | Fails {
  const refuse = makeRefuse(verifierId)
  const chain = requireAssetChain(data, chains, refuse)
  const contractAddress = requireAssetAddress(data.contractAddress, chain, refuse)
  const ownerAddress = requireHolder(data.ownerAddress, subject, chain, '/ownerAddress', refuse)
  if (!areSameAddress(ownerAddress, subject))
    return fails('OWNER_MISMATCH', `data.ownerAddress is ${ownerAddress}, but the claim is about ${subject}`)
  return { chain, contractAddress, ownerAddress }
}
