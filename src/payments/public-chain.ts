/**
 * The part of a chain that everybody may see: its name, its coin, an explorer, and an address for wallets. The
 * endpoints of the server (`rpc`) often hold a key, so they are never among it.
 */
import type { Config } from '../config/schema.ts'

export interface PublicChain {
  /** CAIP-2. */
  readonly chain: string
  readonly name: string
  readonly currency?: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** A block explorer, without a slash at the end. */
  readonly explorer?: string
  /** A JSON-RPC address that the operator made public. */
  readonly rpc?: string
}

type Known = Pick<PublicChain, 'name' | 'explorer'> & { readonly coin: readonly [name: string, symbol: string] }

const ether = ['Ether', 'ETH'] as const

const knownChains: Readonly<Record<string, Known>> = {
  'eip155:1': { name: 'Ethereum', coin: ether, explorer: 'https://etherscan.io' },
  'eip155:10': { name: 'OP Mainnet', coin: ether, explorer: 'https://optimistic.etherscan.io' },
  'eip155:56': { name: 'BNB Smart Chain', coin: ['BNB', 'BNB'], explorer: 'https://bscscan.com' },
  'eip155:100': { name: 'Gnosis', coin: ['xDAI', 'XDAI'], explorer: 'https://gnosisscan.io' },
  'eip155:137': { name: 'Polygon', coin: ['POL', 'POL'], explorer: 'https://polygonscan.com' },
  'eip155:8453': { name: 'Base', coin: ether, explorer: 'https://basescan.org' },
  'eip155:42161': { name: 'Arbitrum One', coin: ether, explorer: 'https://arbiscan.io' },
  'eip155:43114': { name: 'Avalanche', coin: ['Avalanche', 'AVAX'], explorer: 'https://snowtrace.io' },
  'eip155:84532': { name: 'Base Sepolia', coin: ether, explorer: 'https://sepolia.basescan.org' },
  'eip155:11155111': { name: 'Sepolia', coin: ether, explorer: 'https://sepolia.etherscan.io' },
}

/** Settings come first. A chain that is neither configured nor known has its CAIP-2 id as its name. */
export function describePublicChain({ chains }: Pick<Config, 'chains'>, chain: string): PublicChain {
  const known = knownChains[chain]
  const [table, settings] = Object.entries(chains).find(([, one]) => one.chain === chain) ?? []
  const explorer = settings?.explorer ?? known?.explorer
  const symbol = settings?.currency ?? known?.coin[1]
  return {
    chain,
    name: known?.name ?? table ?? chain,
    ...(explorer === undefined ? {} : { explorer }),
    ...(symbol === undefined
      ? {}
      : { currency: { name: symbol === known?.coin[1] ? known.coin[0] : symbol, symbol, decimals: 18 } }),
    ...(settings?.publicEndpoint === undefined ? {} : { rpc: settings.publicEndpoint }),
  }
}

/** Names by chain: those of the known chains, and those that the operator configured. */
export const listChainNames = (config: Pick<Config, 'chains'>): Readonly<Record<string, string>> => ({
  ...solanaNames,
  ...Object.fromEntries(listChains(config).map((chain) => [chain, describePublicChain(config, chain).name])),
})

/** By the references of CAIP-2, and by the names that this server takes as well. */
const solanaNames: Readonly<Record<string, string>> = {
  'solana:mainnet': 'Solana',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'Solana',
  'solana:devnet': 'Solana Devnet',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'Solana Devnet',
  'solana:testnet': 'Solana Testnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSGkcQ3': 'Solana Testnet',
}

/** Explorers by chain: those of the known chains, and those that the operator chose. */
export const listExplorers = (config: Pick<Config, 'chains'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listChains(config).flatMap((chain) => {
      const { explorer } = describePublicChain(config, chain)
      return explorer === undefined ? [] : [[chain, explorer] as const]
    }),
  )

const listChains = ({ chains }: Pick<Config, 'chains'>): readonly string[] => [
  ...Object.keys(knownChains),
  ...Object.values(chains).map(({ chain }) => chain),
]
