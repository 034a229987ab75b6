/** The balance of an account in a mint, from one endpoint: checked, and summed over all its token accounts. */
import { OutsideError } from '../../failure.ts'
import type { SolanaHolding } from '../chain.ts'
import { type Cluster, writeChain } from './cluster.ts'
import type { AccountState, SolanaNode } from './node.ts'
import { parseMint, parseTokenAccount } from './token-program.ts'

export type Holding = Omit<SolanaHolding, 'sources'>

export interface Freshness {
  /** Unix milliseconds. */
  readonly now: () => number
  /** 0 disables the check. */
  readonly staleAfterMs: number
}

const clockAddress = 'SysvarC1ock11111111111111111111111111111111'
const sysvarProgram = 'Sysvar1111111111111111111111111111111111111'

/** The shortest time between two slots; most take longer. */
const slotMs = 400

/** Errors: OutsideError, also for an endpoint of another cluster, or one that has fallen behind. */
export async function readHolding(
  node: SolanaNode,
  cluster: Cluster,
  freshness: Freshness,
  { owner, mint: mintAddress }: { readonly owner: string; readonly mint: string },
): Promise<Holding> {
  // The hash is requested each time: the service at an address can change while this server runs.
  const [state] = await Promise.all([readClocked(node, [mintAddress]), requireCluster(node, cluster)])
  requireFresh(node, state.timeMs, freshness)
  const [account] = state.value
  const mint = account && parseMint(account)
  if (!mint)
    return {
      mintKind: account ? 'other' : 'absent',
      amount: 0n,
      decimals: 0,
      isNonFungible: false,
      slot: state.slot,
    }

  const { slot, value } = await node.readTokenAccounts(owner, mintAddress)
  // One address can stand for several machines. The younger answer must not vouch for the older one.
  requireFresh(node, state.timeMs - Math.max(0, state.slot - slot) * slotMs, freshness)
  const addresses = new Set(value.map(({ address }) => address))
  const amounts = value.map((one) => {
    const held = parseTokenAccount(one)
    if (held?.mint !== mintAddress || held.owner !== owner || one.program !== account?.program)
      throw node.malformed('getTokenAccountsByOwner', 'with an account that is not the one asked for')
    return held.amount
  })
  // An account listed twice would count twice.
  if (addresses.size !== value.length) throw node.malformed('getTokenAccountsByOwner', 'with one account twice')
  return {
    mintKind: 'mint',
    amount: amounts.reduce((sum, amount) => sum + amount, 0n),
    decimals: mint.decimals,
    isNonFungible: mint.supply === 1n && mint.decimals === 0,
    slot: Math.min(slot, state.slot),
  }
}

/** Amounts at two slots may be equal: only the requested members must be. */
export const isSameHolding = (one: Holding, other: Holding): boolean =>
  one.mintKind === other.mintKind &&
  one.amount === other.amount &&
  one.decimals === other.decimals &&
  one.isNonFungible === other.isNonFungible

export async function requireCluster(node: SolanaNode, cluster: Cluster): Promise<void> {
  const found = await node.genesisHash()
  if (!cluster.isOf(found))
    throw new OutsideError(
      'wrong-source',
      node.setting,
      `is of ${writeChain(found)}, not of ${cluster.spellings.at(-1)}`,
      'give an endpoint of the right cluster, or set the chain that this one is of',
      60,
    )
}

/**
 * Reads accounts with the cluster's own time of their slot. The Clock sysvar is an ordinary account, so it always
 * exists and comes in the same answer. The block behind getBlockTime may be forgotten.
 */
export async function readClocked(
  node: SolanaNode,
  addresses: readonly string[],
): Promise<{ readonly slot: number; readonly timeMs: number; readonly value: readonly (AccountState | null)[] }> {
  const { slot, value } = await node.readAccounts([...addresses, clockAddress])
  const clock = value.at(-1)
  if (clock?.program !== sysvarProgram || clock.data.length !== 40)
    throw node.malformed('getMultipleAccounts', 'without the clock of the cluster')
  const { data } = clock
  const seconds = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigInt64(32, true)
  return { slot, timeMs: Number(seconds) * 1000, value: value.slice(0, -1) }
}

export function requireFresh(node: SolanaNode, timeMs: number, { now, staleAfterMs }: Freshness): void {
  const behindMs = now() - timeMs
  if (staleAfterMs === 0 || behindMs <= staleAfterMs) return
  throw new OutsideError(
    'wrong-source',
    node.setting,
    `is ${Math.round(behindMs / 1000)} s behind the time`,
    'wait until the node has caught up, or put another endpoint first; see also stale_after_seconds and this server’s clock',
  )
}
