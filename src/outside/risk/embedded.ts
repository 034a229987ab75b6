/**
 * The provider that needs nobody's account: sanctions oracles, and what the chain of the question shows of the wallet.
 * The operator's list is asked before it (judge.ts). It cannot see poisoning, nor what a wallet did.
 *
 * Every oracle is asked, whatever the chain of the question: a sanctioned wallet is sanctioned on all of them, and the
 * asker, who chooses the chain, would choose the oracle that knows least.
 */
import type { Chains, EvmChain, Hex } from '../chains/chain.ts'
import { UnanswerableError } from '../failure.ts'
import { accountSigns } from './account-signs.ts'
import { chainNameOf } from './chains.ts'
import { listFulfilled, requireAll } from './parts.ts'
import { assessmentOf, type RiskAssessment, type RiskProvider } from './risk.ts'
import { isSanctioned, type SanctionsOracle } from './sanctions-oracle.ts'

export interface EmbeddedSources {
  readonly chains: Chains
  readonly oracles: readonly SanctionsOracle[]
  /** Where there is one, it alone answers for wallets that no configured chain could know. */
  readonly hasDenyList: boolean
}

export function embedded({ chains, oracles, hasDenyList }: EmbeddedSources): RiskProvider {
  const evmChains = chains.all.filter((chain): chain is EvmChain => chain.kind === 'evm')
  const findHome = (chainId: number | undefined): EvmChain | undefined =>
    chainId === undefined ? undefined : chains.evm(chainId)
  /** Its holder could name a chain on which nobody looks, so it is not left to the list where chains are there. */
  const isUnconfigured = (chainId: number | undefined): boolean => chainId !== undefined && evmChains.length > 0
  return {
    name: 'embedded',
    coverage({ chainId }) {
      if (findHome(chainId)) return 'whole'
      if (isUnconfigured(chainId)) return oracles.length > 0 ? 'beside' : 'none'
      return hasDenyList ? 'list' : 'none'
    },
    refusal: ({ chain, chainId }) =>
      chainId !== undefined && isUnconfigured(chainId)
        ? notConfigured(chain, chainId, evmChains)
        : new UnanswerableError(
            'CHAIN_NOT_COVERED',
            `embedded knows wallets of ${chain} only from a list, and there is none here: the operator can set risk.deny_list`,
          ),
    async assess({ address, chainId }) {
      return chainId !== undefined && evmChains.length > 0
        ? seenOnChain(findHome(chainId), address as Hex, oracles)
        : unseen
    },
  }
}

/** Of a wallet that is in no list, and of which nothing else can be asked. */
const unseen: RiskAssessment = assessmentOf({
  overallRisk: 0,
  sanctioned: false,
  poisoned: false,
  issues: [],
  checked: [],
  sources: [],
})

/** On a chain that is not configured the oracles of the others are asked alone. */
async function seenOnChain(
  home: EvmChain | undefined,
  wallet: Hex,
  oracles: readonly SanctionsOracle[],
): Promise<RiskAssessment> {
  const asked = new Set([...(home ? [home] : []), ...oracles.map(({ chain }) => chain)])
  const opening = new Map([...asked].map((chain) => [chain, chain.at()]))
  const [opened, seen, said] = await Promise.all([
    Promise.allSettled([...opening].map(async ([chain, view]) => ({ chain, view: await view }))),
    Promise.allSettled(home ? [opening.get(home)!.then((view) => accountSigns(view, wallet))] : []),
    Promise.allSettled(oracles.map(async (one) => isSanctioned(one, await opening.get(one.chain)!, wallet))),
  ])
  const listedBy = oracles.filter((_, position) => listFulfilled([said[position]!]).includes(true))
  if (listedBy.length === 0) requireAll([...opened, ...seen, ...said])
  const views = listFulfilled(opened)
  const signs = listFulfilled(seen).flat()
  return assessmentOf({
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
    ...(home ? {} : { chains: views.map(({ chain }) => chainNameOf(chain.chainId)) }),
    blocks: views.map(({ chain, view }) => ({
      chain: chain.chain,
      blockNumber: view.blockNumber,
      ...(view.unproved.length > 0 ? { unproved: view.unproved } : {}),
    })),
  })
}

const notConfigured = (chain: string, chainId: number, known: readonly EvmChain[]): UnanswerableError =>
  new UnanswerableError(
    'CHAIN_NOT_COVERED',
    `embedded looks at the chains that are configured here, and ${chain} is not one of them: name one of ${known
      .map((one) => chainNameOf(one.chainId))
      .join(
        ', ',
      )} in data.chain or data.chainId. The operator can add [chains.<name>] with chain = "eip155:${chainId}"`,
  )
