/** What a claim about an asset is about. */
import type { Evidence } from '../verifier.ts'

/**
 * Chain, asset and holder: one signer may ask about several wallets. A claim about a certain block is another claim than
 * one about now, and must not take its place.
 */
export function readAssetScope({ input, onChainData }: Evidence): string {
  const { chain } = onChainData as { chain: string }
  const { contractAddress, tokenId, ownerAddress, blockNumber } = input as Readonly<Record<string, unknown>>
  return [chain, contractAddress, tokenId, ownerAddress, blockNumber].filter((part) => part !== undefined).join(' ')
}
