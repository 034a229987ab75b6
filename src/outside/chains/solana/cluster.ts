/**
 * Identifies a Solana cluster. The CAIP-2 reference of a cluster is the first 32 characters of its genesis hash (Solana
 * namespace of CAIP-2). The three public clusters also have names.
 */

/** Genesis hashes as Solana publishes them. */
const named: Readonly<Record<string, string>> = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3zQawwpjK4NsY',
}

const referenceLength = 32

export interface Cluster {
  /** CAIP-2 by genesis hash: one id for one cluster. */
  readonly chain: string
  readonly spellings: readonly string[]
  isOf(genesisHash: string): boolean
}

/** From `solana:mainnet` or `solana:5eykt4…`. Any other reference is a cluster that no endpoint serves. */
export function makeCluster(chain: string): Cluster {
  const reference = chain.slice('solana:'.length)
  const known = Object.entries(named).find(
    ([name, hash]) => name === reference || shortenGenesisHash(hash) === reference,
  )
  if (!known) return { chain, spellings: [chain], isOf: (hash) => shortenGenesisHash(hash) === reference }
  const [name, genesisHash] = known
  const byHash = writeChain(genesisHash)
  return { chain: byHash, spellings: [byHash, `solana:${name}`], isOf: (hash) => hash === genesisHash }
}

/** CAIP-2 id of the cluster with this genesis hash. */
export const writeChain = (genesisHash: string): string => `solana:${shortenGenesisHash(genesisHash)}`

const shortenGenesisHash = (genesisHash: string): string => genesisHash.slice(0, referenceLength)
