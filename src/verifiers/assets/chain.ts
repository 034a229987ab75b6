/**
 * Finds the configured chain of an asset, and the wallet that should hold it there. The signing chain of the request is
 * irrelevant. Reads no chain.
 */
import { Type } from '@sinclair/typebox'
import type { Chains, EvmChain, SolanaChain } from '../../outside/chains/chain.ts'
import type { Outside } from '../../outside/outside.ts'
import { evmAddressPattern, findAddressFault, normalizeAddress } from '../../wallet/account.ts'
import { Caip2 } from '../shapes.ts'
import { chainNotConfigured, type Refuse } from './refuse.ts'

export const ChainId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The EVM chain of the asset.',
})

/** Exactly one of the two. Two members for one fact could disagree, so both together are always refused. */
export const assetChainMembers = {
  chainId: Type.Optional(ChainId),
  chain: Type.Optional({ ...Caip2, description: 'CAIP-2 id of the asset’s chain, in place of chainId.' }),
}

export const EvmAddress = Type.String({ pattern: evmAddressPattern, maxLength: 42 })

/** An EVM contract or a Solana mint; the chain decides which of the two it must be. */
export const AssetAddress = Type.String({
  pattern: '^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$',
  maxLength: 44,
  description: 'EVM contract, or Solana mint.',
})

/** The whole range in which a JSON number is exact. */
export const BlockNumber = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Read at this block; the newest one when omitted. EVM chains only.',
})

export const lacksChain = ({ chains }: Outside): string | undefined =>
  chains.all.length > 0 ? undefined : 'needs a chain: add [chains.<name>] with chain and rpc to the configuration'

export const lacksEvmChain = ({ chains }: Outside): string | undefined =>
  chains.all.some(({ kind }) => kind === 'evm')
    ? undefined
    : 'needs an EVM chain: add [chains.<name>] with chain = "eip155:<chain id>" and rpc to the configuration'

/** Errors: INVALID_VERIFIER_DATA. */
export function requireAssetChain(
  { chainId, chain }: { readonly chainId?: number; readonly chain?: string },
  chains: Chains,
  refuse: Refuse,
): EvmChain | SolanaChain {
  if (chainId !== undefined && chain !== undefined)
    throw refuse('/chain', 'data names the chain of the asset twice: give either chainId or chain')
  if (chainId !== undefined) return requireEvmChain(chainId, chains, '/chainId', refuse)
  if (chain === undefined)
    throw refuse(
      '/chainId',
      'data does not say on which chain the asset is: give chainId (an EVM chain number), or chain, such as "eip155:8453" or "solana:mainnet"',
    )
  const number = /^eip155:([1-9][0-9]{0,14})$/.exec(chain)?.[1]
  if (number !== undefined) return requireEvmChain(Number(number), chains, '/chain', refuse)
  const solana = chain.startsWith('solana:') ? chains.solana(chain) : undefined
  if (!solana) throw refuseUnconfigured(chain, chains, '/chain', refuse)
  return solana
}

/** Errors: INVALID_VERIFIER_DATA. */
export function requireEvmChain(chainId: number, chains: Chains, path: string, refuse: Refuse): EvmChain {
  const chain = chains.evm(chainId)
  if (!chain) throw refuseUnconfigured(`eip155:${chainId}`, chains, path, refuse)
  return chain
}

function refuseUnconfigured(chain: string, { all }: Chains, path: string, refuse: Refuse) {
  if (!/^(eip155:[1-9]|solana:)/.test(chain))
    return refuse(path, `${chain} is not a chain that assets are read on: use eip155:<chain id> or solana:<cluster>`)
  const configured = all.map((one) => one.chain).join(', ')
  return refuse(
    path,
    `${chain} is not configured here (configured: ${configured}). Ask about one of these, or ask the operator to add [chains.<name>] with chain = "${chain}" and rpc`,
    chainNotConfigured,
  )
}

/**
 * The wallet that should hold the asset: the one at `path` of the data, else the subject of the claim. Only its form is
 * checked; whether it is the subject is decided by the verdict. Errors: INVALID_VERIFIER_DATA.
 */
export function requireHolder(
  given: string | undefined,
  subject: string,
  { kind, chain }: Pick<EvmChain | SolanaChain, 'kind' | 'chain'>,
  path: string,
  refuse: Refuse,
): string {
  const fault = findAddressFault(given ?? subject, kind === 'evm' ? 'eip155' : 'solana')
  if (fault && given !== undefined) throw refuse(path, `data.${path.slice(1)} is not a wallet of ${chain}: ${fault}`)
  if (fault)
    throw refuse(
      path,
      `the claim is about ${subject}, which is not a wallet of ${chain}: sign with a wallet of that chain, or name one as subjectWallet`,
    )
  return normalizeAddress(given ?? subject)
}

/** For Solana, which cannot be read at an earlier block. Errors: INVALID_VERIFIER_DATA. */
export function requireNewestState(blockNumber: number | undefined, refuse: Refuse): void {
  if (blockNumber !== undefined)
    throw refuse('/blockNumber', 'Solana is read at its newest state only: leave blockNumber out')
}

/** The normalized address of the asset. Errors: INVALID_VERIFIER_DATA. */
export function requireAssetAddress(
  given: string,
  { kind, chain }: Pick<EvmChain | SolanaChain, 'kind' | 'chain'>,
  refuse: Refuse,
): string {
  const fault = findAddressFault(given, kind === 'evm' ? 'eip155' : 'solana')
  if (fault) throw refuse('/contractAddress', `data.contractAddress cannot be on ${chain}: ${fault}`)
  return normalizeAddress(given)
}
