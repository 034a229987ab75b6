/** The scope of a claim about an asset. */
import type { Evidence } from '../verifier.ts'

/**
 * Chain, asset and holder: one signer may ask about several wallets. A claim about a certain block differs from one
 * about now, and must not replace it.
 */
export function readAssetScope({ input, onChainData }: Evidence): string {
  const { chain } = onChainData as { chain: string }
  const { contractAddress, tokenId, ownerAddress, blockNumber } = input as Readonly<Record<string, unknown>>
  return [chain, contractAddress, tokenId, ownerAddress, blockNumber].filter((part) => part !== undefined).join(' ')
}
