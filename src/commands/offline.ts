/** The offline check of a portable proof, as `verify` and `demo` make it: no server, no chain, no network. */
import type { PortableProof } from '../envelope/portable-proof.ts'
import { computeQHash } from '../envelope/q-hash.ts'
import { newestTitle } from '../envelope/signer-string.ts'
import { type OfflineVerdict, verifyPortableProof } from '../envelope/verify-portable.ts'
import type { Chains } from '../outside/chains/chain.ts'
import { makeContractWalletAsker } from '../outside/chains/contract-wallet.ts'
import type { FreshnessWindow } from '../wallet/freshness.ts'
import { type BackendChoice, openSecp256k1 } from '../wallet/secp256k1.ts'
import { makeSignatureVerifier } from '../wallet/signature.ts'

export interface OfflineRules {
  /** First lines that are accepted beside the newest one. */
  readonly titles: readonly string[]
  readonly window: FreshnessWindow
  readonly recovery: BackendChoice
  /** Chains that contract wallets are looked up on. Undefined: no network at all. */
  readonly chains: Chains | undefined
}

/** CAIP-380: 5 minutes back, 1 minute ahead. */
export const usualRules: OfflineRules = {
  titles: [],
  window: { maxAgeMs: 300_000, maxAheadMs: 60_000 },
  recovery: 'auto',
  chains: undefined,
}

export async function verifyOffline(
  proof: PortableProof,
  now: number,
  { titles, window, recovery, chains }: OfflineRules = usualRules,
): Promise<OfflineVerdict> {
  const verifySignature = makeSignatureVerifier(
    await openSecp256k1(recovery),
    chains && makeContractWalletAsker(chains),
  )
  return verifyPortableProof(proof, {
    deriveQHash: computeQHash,
    verifySignature,
    titles: [newestTitle, ...titles.filter((title) => title !== newestTitle)],
    now,
    window,
  })
}
