import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import {
  chainIdOf,
  chainNameOf,
  isAddressOf,
  riskAddressMaxLength,
  riskAddressPattern,
  riskChainNames,
} from '../outside/risk/chains.ts'
import {
  type Risk,
  type RiskIssue,
  type RiskProvider,
  type RiskProviderName,
  type RiskQuestion,
  riskLevels,
  riskProviderNames,
  riskProviderNeeds,
} from '../outside/risk/risk.ts'
import { oneOf } from '../shape.ts'
import { isEvmAddress, normalizeAddress, sameAddress } from '../wallet/account.ts'
import { present } from './shapes.ts'
import { defineVerifier, type Evidence, fails, holds } from './verifier.ts'

const WalletRiskData = Type.Object({
  walletAddress: Type.String({
    pattern: riskAddressPattern,
    maxLength: riskAddressMaxLength,
    description: 'EVM, Solana, TON, Sui, Sei, Bitcoin or Stellar address.',
  }),
  provider: Type.Optional(oneOf(riskProviderNames, 'Who judges; that of the server when omitted.')),
  chain: Type.Optional(oneOf(riskChainNames, 'A short name, not CAIP-2. eth when it and chainId are omitted.')),
  chainId: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'EVM chain id, in place of chain.' }),
  ),
  includeDetails: Type.Optional(
    Type.Boolean({ description: 'false keeps the descriptions of the issues out of the proof. Default true.' }),
  ),
})

/**
 * `wallet-risk`: a provider finds the wallet harmless enough for this server, at this moment. A proof is made only up to
 * risk.max_level, and never for a sanctioned wallet; what was found goes into it, so that gates may ask for less.
 *
 * Says nothing about what the provider did not look at: see `checked` in the evidence.
 */
export const walletRisk = defineVerifier({
  id: 'wallet-risk',
  category: 'wallet',
  description: 'The wallet is not sanctioned, and a risk provider finds it harmless enough.',
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'wallet_risk_verified',
  allowsDelegatedSubject: true,
  compatibleWith: ['ownership-basic', 'proof-of-human', 'agent-identity'],
  data: WalletRiskData,

  absentWithout: ({ risk }) =>
    risk.standard
      ? undefined
      : 'needs somebody who knows wallets: the operator can set risk.deny_list, or add an EVM chain ([chains.<name>]), for the embedded provider, or set risk.provider to another one and its key (risk.webacy.api_key, risk.chainalysis.api_key; goplus needs none)',

  async verify({ subject, data }, { now, outside, settings }) {
    const question = questionIn(data)
    const provider = providerFor(data.provider, outside.risk)
    if (!sameAddress(data.walletAddress, subject))
      return fails(
        'WALLET_MISMATCH',
        `data.walletAddress is ${data.walletAddress}, but the claim is about ${subject}: sign with that wallet, or name it in subjectWallet`,
      )

    const found = await provider.assess(question)
    const { overallRisk, riskLevel, sanctioned, poisoned, checked, sources, blocks } = found
    if (sanctioned)
      return fails('WALLET_SANCTIONED', `${question.address} is sanctioned: asked were ${sources.join(', ')}`)
    if (riskLevels.indexOf(riskLevel) > riskLevels.indexOf(settings.riskMaxLevel))
      return fails(
        'RISK_TOO_HIGH',
        `the risk of ${question.address} is ${riskLevel} (${overallRisk} of 100, says ${provider.name}), and proofs are made here up to ${settings.riskMaxLevel}`,
      )
    return holds(
      present({
        input: {
          walletAddress: question.address,
          chain: question.chain,
          chainId: question.chainId,
          provider: provider.name,
        },
        provider: provider.name,
        overallRisk,
        riskLevel,
        sanctioned,
        poisoned,
        policyVerified: true,
        checked,
        issues: data.includeDetails === false ? found.issues.map(withoutDescription) : found.issues,
        sources,
        blockNumber: blocks[0]?.blockNumber,
        blocks: blocks.length > 0 ? blocks : undefined,
        verificationTimestamp: now,
      }),
    )
  },

  scopeOf: ({ input }) => {
    const { chain, walletAddress } = input as RiskQuestion & { walletAddress: string }
    return `${chain} ${walletAddress}`
  },

  /** The provider's words about a wallet are for its owner. A row that does not hold has no issues. */
  publicEvidence: (evidence): Evidence =>
    Array.isArray(evidence.issues) ? { ...evidence, issues: evidence.issues.map(withoutDescription) } : evidence,
})

const withoutDescription = ({ tag, severity }: Omit<RiskIssue, 'description'>) => ({ tag, severity })

/** The wallet and its chain, as given by short name, by chain id, or by an address that can only be EVM. */
function questionIn({ walletAddress, chain, chainId }: Static<typeof WalletRiskData>): RiskQuestion {
  const address = normalizeAddress(walletAddress)
  const isEvm = isEvmAddress(address)
  if (chain !== undefined && chainId !== undefined && chainIdOf(chain) !== chainId)
    throw invalid(
      '/chainId',
      `data.chain is ${chain}, but data.chainId is that of ${chainNameOf(chainId)}: give one of them`,
    )
  if (chain === undefined && chainId === undefined && !isEvm)
    throw invalid('/chain', `data.chain says which network the wallet belongs to: one of ${riskChainNames.join(', ')}`)

  const name = chain ?? (chainId === undefined ? 'eth' : chainNameOf(chainId))
  if (!isAddressOf(name, address)) throw invalid('/walletAddress', `${walletAddress} is not an address of ${name}`)
  const evmChainId = isEvm ? (chainId ?? chainIdOf(name)) : undefined
  return { address, chain: name, ...(evmChainId === undefined ? {} : { chainId: evmChainId }) }
}

function providerFor(name: RiskProviderName | undefined, risk: Risk): RiskProvider {
  const provider = name === undefined ? risk.standard : risk.provider(name)
  if (provider) return provider
  throw invalid(
    '/provider',
    `${name} is not offered here: the operator can set ${riskProviderNeeds[name!]}. Here are ${risk.names.join(', ')}`,
  )
}

const invalid = (path: string, message: string): AppError =>
  new AppError('INVALID_VERIFIER_DATA', `wallet-risk: ${message}`, { verifierId: 'wallet-risk', path })
