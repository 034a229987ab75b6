/** The chains of the configuration, each with its endpoints. */
import type { Config } from '../../config/schema.ts'
import type { Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import type { Chains, EvmChain, SolanaChain } from './chain.ts'
import { openEvmChain } from './evm/open.ts'
import { openSolanaChain } from './solana/open.ts'

export function openChains(
  configured: Config['chains'],
  tools: OutsideTools,
): { readonly chains: Chains; readonly probes: readonly Probe[] } {
  const opened = Object.entries(configured).map(([name, settings]) =>
    settings.chain.startsWith('eip155:') ? openEvmChain(name, settings, tools) : openSolanaChain(name, settings, tools),
  )
  const all = opened.map(({ chain }) => chain)
  const evm = new Map(all.filter((chain): chain is EvmChain => chain.kind === 'evm').map((one) => [one.chainId, one]))
  const solana = all.filter((chain): chain is SolanaChain => chain.kind === 'solana')
  return {
    chains: {
      all,
      evm: (chainId) => evm.get(chainId),
      solana: (chain) => solana.find((one) => one.spellings.includes(chain)),
    },
    probes: opened.flatMap(({ probes }) => probes),
  }
}
