/** A token that payments are made in, on a chain that this server reads. */
import type { EvmChain, Hex } from '../outside/chains/chain.ts'

export interface Token {
  /** As the operator named it in the settings. */
  readonly name: string
  readonly chain: EvmChain
  /** In lower case, as logs have it. */
  readonly address: Hex
  readonly decimals: number
  readonly symbol: string
  /** 0 waits until the block is settled (finality.ts). */
  readonly confirmations: number
}
