/**
 * The provider without an account elsewhere: sanctions oracles, and the wallet's signs on the requested chain. The
 * operator's list is asked before it (judge.ts). It cannot see poisoning, nor the wallet's past actions.
 *
 * It asks every oracle, whatever the requested chain: a sanctioned wallet is sanctioned on all of them. Otherwise the
 * caller, by choosing the chain, would choose the weakest oracle. On an unconfigured chain the oracles or the list are
 * enough: the wallet's signs there stay unknown.
 */
import type { Chains, EvmChain, Hex } from '../chains/chain.ts'
import { UnanswerableError } from '../failure.ts'
import { readAccountSigns, signScores } from './account-signs.ts'
import { findChainName } from './chains.ts'
import { listFulfilled, requireAll } from './parts.ts'
import {
  makeAssessment,
  type NotAsked,
  type RiskAssessment,
  type RiskLevel,
  type RiskProvider,
  readLevel,
  riskLevels,
} from './risk.ts'
import { isSanctioned, type SanctionsOracle } from './sanctions-oracle.ts'

export interface EmbeddedSources {
  readonly chains: Chains
  readonly oracles: readonly SanctionsOracle[]
  /** With a list, it alone answers for wallets that no configured chain could know. */
  readonly hasDenyList: boolean
  /** The limit for proofs: risk.max_level. */
  readonly maxLevel: RiskLevel
}

/** The worst level that a chain alone can show of a wallet. */
const worstSign = readLevel(Math.max(...Object.values(signScores)))

export function openEmbeddedProvider({ chains, oracles, hasDenyList, maxLevel }: EmbeddedSources): RiskProvider {
  const evmChains = chains.all.filter((chain): chain is EvmChain => chain.kind === 'evm')
  const findHome = (chainId: number | undefined): EvmChain | undefined =>
    chainId === undefined ? undefined : chains.evm(chainId)
  const isUnconfigured = (chainId: number | undefined): boolean => chainId !== undefined && evmChains.length > 0
  const knowsSanctions = oracles.length > 0 || hasDenyList
  /** Otherwise the holder could name an unchecked chain to get a proof that the others refuse. */
  const areSignsDecisive = riskLevels.indexOf(worstSign) > riskLevels.indexOf(maxLevel)
  return {
    name: 'embedded',
    coverage({ chainId }) {
      if (findHome(chainId)) return 'whole'
      if (isUnconfigured(chainId) && oracles.length > 0) return areSignsDecisive ? 'against' : 'beside'
      if (isUnconfigured(chainId) && areSignsDecisive) return 'none'
      return hasDenyList ? 'list' : 'none'
    },
    refusal: ({ chain, chainId }) =>
      chainId !== undefined && isUnconfigured(chainId)
        ? describeUnconfigured({ chain, chainId }, evmChains, knowsSanctions ? maxLevel : undefined)
        : new UnanswerableError(
            'CHAIN_NOT_COVERED',
            `embedded knows wallets of ${chain} only from a list, and there is none here: the operator can set risk.deny_list`,
          ),
    async assess({ address, chain, chainId }) {
      if (chainId === undefined || evmChains.length === 0) return unseen
      const home = findHome(chainId)
      const elsewhere = home ? undefined : [{ chain, reason: 'CHAIN_NOT_CONFIGURED' as const }]
      if (elsewhere && oracles.length === 0) return { ...unseen, chains: [], notAsked: elsewhere }
      return readChainSigns(home, address as Hex, oracles, elsewhere)
    },
  }
}

/** A wallet that is in no list, without further sources. */
const unseen: RiskAssessment = makeAssessment({
  overallRisk: 0,
  sanctioned: false,
  poisoned: false,
  issues: [],
  checked: [],
  sources: [],
})

/** On an unconfigured chain only the oracles of the others are asked. */
async function readChainSigns(
  home: EvmChain | undefined,
  wallet: Hex,
  oracles: readonly SanctionsOracle[],
  notAsked: readonly NotAsked[] | undefined,
): Promise<RiskAssessment> {
  const asked = new Set([...(home ? [home] : []), ...oracles.map(({ chain }) => chain)])
  const opening = new Map([...asked].map((chain) => [chain, chain.at()]))
  const [opened, seen, said] = await Promise.all([
    Promise.allSettled([...opening].map(async ([chain, view]) => ({ chain, view: await view }))),
    Promise.allSettled(home ? [opening.get(home)!.then((view) => readAccountSigns(view, wallet))] : []),
    Promise.allSettled(oracles.map(async (one) => isSanctioned(one, await opening.get(one.chain)!, wallet))),
  ])
  const listedBy = oracles.filter((_, position) => listFulfilled([said[position]!]).includes(true))
  if (listedBy.length === 0) requireAll([...opened, ...seen, ...said])
  const views = listFulfilled(opened)
  const signs = listFulfilled(seen).flat()
  return makeAssessment({
    overallRisk: Math.max(0, ...signs.map(({ score }) => score)),
    sanctioned: listedBy.length > 0,
    poisoned: false,
    issues: [
      ...listedBy.map(({ setting }) => ({
        tag: 'sanctions_oracle',
        severity: 'critical' as const,
        description: `${setting} says that it is sanctioned`,
      })),
      ...signs.map(({ issue }) => issue),
    ],
    checked: [
      ...(oracles.length > 0 ? (['sanctions'] as const) : []),
      ...(listFulfilled(seen).length > 0 ? (['activity'] as const) : []),
    ],
    sources: views.flatMap(({ view }) => view.sources),
    ...(notAsked ? { chains: views.map(({ chain }) => findChainName(chain.chainId)), notAsked } : {}),
    blocks: views.map(({ chain, view }) => ({
      chain: chain.chain,
      blockNumber: view.blockNumber,
      ...(view.unproved.length > 0 ? { unproved: view.unproved } : {}),
    })),
  })
}

/** `strictLevel` when the sanctions lookup works but is not enough. */
function describeUnconfigured(
  { chain, chainId }: { readonly chain: string; readonly chainId: number },
  known: readonly EvmChain[],
  strictLevel: RiskLevel | undefined,
): UnanswerableError {
  const why =
    strictLevel === undefined
      ? `embedded looks at the chains that are configured here, and ${chain} is not one of them`
      : `risk.max_level is ${strictLevel} here, and nobody here can look at what a wallet is on ${chain}, which is not configured`
  const names = known.map((one) => findChainName(one.chainId)).join(', ')
  const more = strictLevel === undefined ? ', or set risk.deny_list or a sanctions_oracle of a chain' : ''
  return new UnanswerableError(
    'CHAIN_NOT_COVERED',
    `${why}: name one of ${names} in data.chain or data.chainId. The operator can add [chains.<name>] with chain = "eip155:${chainId}"${more}`,
  )
}
