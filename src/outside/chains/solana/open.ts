/** A configured Solana cluster: its endpoints, asked one after the other or several at once, and a probe for each. */
import type { Config } from '../../../config/schema.ts'
import { findAddressFault } from '../../../wallet/account.ts'
import { UnanswerableError } from '../../failure.ts'
import type { Finding, Probe } from '../../probe.ts'
import type { OutsideTools } from '../../tools.ts'
import type { SolanaChain } from '../chain.ts'
import { listEndpoints } from '../endpoints.ts'
import { openQuorum } from '../quorum.ts'
import { type Cluster, makeCluster } from './cluster.ts'
import { type Freshness, isSameHolding, readClocked, readHolding, requireCluster, requireFresh } from './holding.ts'
import { openSolanaNode, type SolanaNode } from './node.ts'

export function openSolanaChain(
  name: string,
  settings: Config['chains'][string],
  { policy, now }: OutsideTools,
): { readonly chain: SolanaChain; readonly probes: readonly Probe[] } {
  const cluster = makeCluster(settings.chain)
  const nodes = listEndpoints(name, settings, policy).map(({ endpoint, place }) => openSolanaNode(endpoint, place))
  const freshness = { now, staleAfterMs: settings.staleAfterSeconds * 1000 }

  const chain: SolanaChain = {
    kind: 'solana',
    name,
    chain: cluster.chain,
    spellings: cluster.spellings,

    async readTokenHolding(owner, mint) {
      requireAddress(owner)
      requireAddress(mint)
      // The endpoints stand at different slots and nodes keep no past ones, so the answers themselves must be equal.
      const quorum = openQuorum({ chainName: name, sources: nodes, agree: settings.agree })
      const given = await quorum.agreed((node) => readHolding(node, cluster, freshness, { owner, mint }), isSameHolding)
      const [first] = given
      return {
        ...first!.answer,
        slot: Math.min(...given.map(({ answer }) => answer.slot)),
        sources: given.map(({ source }) => source.setting),
      }
    },
  }
  return {
    chain,
    probes: nodes.map((node) => ({ setting: node.setting, run: () => probe(node, cluster, freshness) })),
  }
}

function requireAddress(address: string): void {
  const fault = findAddressFault(address, 'solana')
  if (fault) throw new UnanswerableError('INVALID_ADDRESS', `${address} is no Solana address: ${fault}`)
}

async function probe(node: SolanaNode, cluster: Cluster, freshness: Freshness): Promise<Finding> {
  await requireCluster(node, cluster)
  const { slot, timeMs } = await readClocked(node, [])
  requireFresh(node, timeMs, freshness)
  const ageSeconds = Math.max(0, Math.round((freshness.now() - timeMs) / 1000))
  return { level: 'ok', says: `answers for ${cluster.spellings.at(-1)} at finalized slot ${slot}, ${ageSeconds} s old` }
}
