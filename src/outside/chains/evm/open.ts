/** A configured EVM chain. Opening it makes no call: the first question does. */
import type { Config } from '../../../config/schema.ts'
import type { Probe } from '../../probe.ts'
import type { OutsideTools } from '../../tools.ts'
import type { EvmChain } from '../chain.ts'
import { listEndpoints } from '../endpoints.ts'
import { openQuorum } from '../quorum.ts'
import { chooseBlock } from './block.ts'
import { makeBlockView, type Proving } from './block-view.ts'
import { makeEvmProbes } from './probes.ts'
import { openCodes } from './proofs/codes.ts'
import { chooseReadPoint, readFinality } from './read-point.ts'
import { openEvmSource } from './source.ts'
import { openTransactions } from './transactions.ts'

export function openEvmChain(
  name: string,
  settings: Config['chains'][string],
  { policy, now }: OutsideTools,
): { readonly chain: EvmChain; readonly probes: readonly Probe[] } {
  const chainId = Number(settings.chain.slice('eip155:'.length))
  const endpoints = listEndpoints(name, settings, policy)
  const members = {
    chainName: name,
    agree: settings.agree,
    sources: endpoints.map(({ endpoint, place }) => openEvmSource(endpoint, chainId, now, place)),
  }
  const codes = openCodes()
  const loadProving = async (): Promise<Proving | undefined> =>
    settings.proofs ? { chainId, codes, openProver: (await import('./proofs/prove.ts')).openProver } : undefined
  const freshness = { now, staleAfterMs: settings.staleAfterSeconds * 1000 }

  const chain: EvmChain = {
    kind: 'evm',
    name,
    chain: settings.chain,
    chainId,
    async at(blockNumber) {
      const quorum = openQuorum(members)
      return makeBlockView(quorum, await chooseBlock(quorum, freshness, blockNumber), await loadProving())
    },
    async atReadPoint(blockNumber) {
      if (blockNumber !== undefined) return chain.at(blockNumber)
      const quorum = openQuorum(members)
      return makeBlockView(quorum, await chooseReadPoint(quorum, freshness, settings.readAt), await loadProving())
    },
    finality: () => readFinality(openQuorum(members), freshness),
    transactions: openTransactions(members, freshness),
  }
  return {
    chain,
    probes: makeEvmProbes(
      chain,
      members,
      freshness,
      settings,
      endpoints.map(({ place }) => place),
    ),
  }
}
