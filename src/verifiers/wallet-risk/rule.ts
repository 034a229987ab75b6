import { type Static, Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { Chains } from '../../outside/chains/chain.ts'
import { joinNames } from '../../outside/panel.ts'
import {
  findChainId,
  findChainName,
  isChainAddress,
  isRiskChainName,
  riskAddressMaxLength,
  riskAddressPattern,
  riskChainNames,
} from '../../outside/risk/chains.ts'
import {
  type AskedProvider,
  type Risk,
  type RiskFinding,
  type RiskIssue,
  type RiskJudge,
  type RiskProviderName,
  type RiskQuestion,
  riskLevels,
  riskProviderNames,
  riskProviderNeeds,
} from '../../outside/risk/risk.ts'
import { defineChoice } from '../../shape.ts'
import { areSameAddress, isEvmAddress, normalizeAddress } from '../../wallet/account.ts'
import { sharedParameters } from '../check-parameter.ts'
import { keepPresent } from '../shapes.ts'
import { defineVerifier, type Evidence, fails, holds } from '../verifier.ts'
import { readVerifierTable } from '../verifier-table.ts'
import { judgment } from './judgment.ts'
import { riskTable } from './settings.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const WalletRiskData = Type.Object({
  walletAddress: Type.String({
    pattern: riskAddressPattern,
    maxLength: riskAddressMaxLength,
    description: 'EVM, Solana, TON, Sui, Sei, Bitcoin or Stellar address.',
  }),
  provider: Type.Optional(
    defineChoice(
      riskProviderNames,
      'Who judges in place of those that the operator chose; only one that the operator lets requests choose.',
    ),
  ),
  chain: Type.Optional(defineChoice(riskChainNames, 'A short name, not CAIP-2. eth when it and chainId are omitted.')),
  chainId: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'EVM chain id, in place of chain.' }),
  ),
  includeDetails: Type.Optional(
    Type.Boolean({ description: 'false keeps the descriptions of the issues out of the proof. Default true.' }),
  ),
})

/**
 * `wallet-risk`: a provider finds the wallet's risk low enough for this server, at this moment. A proof is made only up
 * to risk.max_level, and never for a sanctioned wallet. The evidence holds the finding, so that gates may require less
 * risk. With several providers the worst answer counts, and `provider` names its source; `asked` holds each answer.
 * Says nothing about unchecked topics: see `checked` in the evidence.
 */
export const walletRisk = defineVerifier({
  id: 'wallet-risk',
  category: 'wallet',
  description: 'The wallet is not sanctioned, and a risk provider finds it harmless enough.',
  words,
  translations: { de: german },
  flow: 'external_lookup',
  expiry: 'point_in_time',
  status: 'wallet_risk_verified',
  allowsDelegatedSubject: true,
  compatibleWith: ['ownership-basic', 'proof-of-human', 'agent-identity'],
  judgment,
  meetsPolicy: ({ policyVerified }) => policyVerified === true,
  accounts: { paths: ['ownerAddress', 'walletAddress'] },
  data: WalletRiskData,

  absentWithout: ({ risk }) =>
    risk.standard
      ? undefined
      : `needs everybody whom the operator chose in risk.providers, and ${joinNames(risk.missing)} ${risk.missing.length > 1 ? 'are' : 'is'} not configured: embedded needs ${riskProviderNeeds.embedded}; webacy ${riskProviderNeeds.webacy}; chainalysis ${riskProviderNeeds.chainalysis}; goplus nothing`,

  judges: ({ risk: { chosen, policy, selectable } }) => [{ asked: [...chosen], policy, selectable: [...selectable] }],

  examine({ subject, data }, { outside, settings }) {
    requireKnownChain(readQuestion(data), outside.chains, settings.hubChainId)
    chooseJudge(data.provider, outside.risk)
    return areSameAddress(data.walletAddress, subject)
      ? undefined
      : fails(
          'WALLET_MISMATCH',
          `data.walletAddress is ${data.walletAddress}, but the claim is about ${subject}: sign with that wallet, or name it in subjectWallet`,
        )
  },

  async verify({ data }, { now, outside, settings }) {
    const question = readQuestion(data)
    const { maxLevel } = readVerifierTable(settings, riskTable)
    const { judge, chosenByCaller } = chooseJudge(data.provider, outside.risk)
    const found = await judge.assess(question)
    const { provider, overallRisk, riskLevel, sanctioned, poisoned, checked, sources, blocks, asked } = found
    if (sanctioned)
      return fails('WALLET_SANCTIONED', `${question.address} is sanctioned: asked were ${sources.join(', ')}`)
    if (riskLevels.indexOf(riskLevel) > riskLevels.indexOf(maxLevel))
      return fails(
        'RISK_TOO_HIGH',
        `the risk of ${question.address} is ${riskLevel} (${overallRisk} of 100, says ${provider}${describeElsewhere(found)}), and proofs are made here up to ${maxLevel}`,
      )
    return holds(
      keepPresent({
        input: {
          walletAddress: question.address,
          chain: question.chain,
          chainId: question.chainId,
          provider,
        },
        provider,
        chosenByCaller,
        asked,
        overallRisk,
        riskLevel,
        sanctioned,
        poisoned,
        policyVerified: true,
        checked,
        issues: data.includeDetails === false ? found.issues.map(omitDescription) : found.issues,
        sources,
        blockNumber: blocks.find(({ chain }) => chain === `eip155:${question.chainId}`)?.blockNumber,
        blocks: blocks.length > 0 ? blocks : undefined,
        verificationTimestamp: now,
      }),
    )
  },

  parameters: {
    provider: sharedParameters.provider,
    subjectWallet: sharedParameters.subjectWallet,
    checked: sharedParameters.checked,
    riskLevel: {
      kind: 'text',
      maxLength: 32,
      description:
        'The worst level that a risk provider gave. Counts only where somebody looked at what the wallet did (checked: activity).',
    },
    sanctioned: {
      kind: 'flag',
      description: 'What the risk providers found. Counts only where somebody looked at sanctions.',
    },
    poisoned: {
      kind: 'flag',
      description: 'What the risk providers found. Counts only where somebody looked for poisoning.',
    },
  },
  facts: ['subjectWallet'],

  writeScope: ({ input }) => {
    const { chain, walletAddress } = input as RiskQuestion & { walletAddress: string }
    return `${chain} ${walletAddress}`
  },

  /**
   * The owner alone sees the providers' words and single answers; strangers see the combined result. A row that does
   * not hold has neither.
   */
  publicEvidence: ({ issues, asked, ...evidence }): Evidence =>
    keepPresent({
      ...evidence,
      issues: Array.isArray(issues) ? issues.map(omitDescription) : issues,
      asked: Array.isArray(asked) ? asked.map(dropFigures) : asked,
    }),
})

const omitDescription = ({ tag, severity }: Omit<RiskIssue, 'description'>) => ({ tag, severity })

const dropFigures = ({ provider, answered, reason, checked, chains, notAsked }: AskedProvider) =>
  keepPresent({ provider, answered, reason, checked, chains, notAsked })

/** The wallet and its chain: by short name, by chain id, or by an address that can only be EVM. */
function readQuestion({ walletAddress, chain, chainId }: Static<typeof WalletRiskData>): RiskQuestion {
  const address = normalizeAddress(walletAddress)
  const isEvm = isEvmAddress(address)
  if (chain !== undefined && chainId !== undefined && findChainId(chain) !== chainId)
    throw makeInvalidError(
      '/chainId',
      `data.chain is ${chain}, but data.chainId is that of ${findChainName(chainId)}: give one of them`,
    )
  if (chain === undefined && chainId === undefined && !isEvm)
    throw makeInvalidError(
      '/chain',
      `data.chain says which network the wallet belongs to: one of ${riskChainNames.join(', ')}`,
    )

  const name = chain ?? (chainId === undefined ? 'eth' : findChainName(chainId))
  if (!isChainAddress(name, address))
    throw makeInvalidError('/walletAddress', `${walletAddress} is not an address of ${name}`)
  const evmChainId = isEvm ? (chainId ?? findChainId(name)) : undefined
  return { address, chain: name, ...(evmChainId === undefined ? {} : { chainId: evmChainId }) }
}

/**
 * An unknown chain number would select a provider that cannot look the wallet up there. Errors: INVALID_VERIFIER_DATA.
 */
function requireKnownChain({ chain, chainId }: RiskQuestion, chains: Chains, hubChainId: number): void {
  if (chainId === undefined || isRiskChainName(chain) || chainId === hubChainId || chains.evm(chainId)) return
  const configured = chains.all.flatMap((one) => (one.kind === 'evm' ? findChainName(one.chainId) : []))
  const known = new Set([...riskChainNames.filter((name) => findChainId(name) !== undefined), ...configured])
  throw makeInvalidError(
    '/chainId',
    `nobody here knows the chain ${chain}: leave chainId out (an EVM wallet is the same on every EVM chain, and eth is asked then), or name one of ${[...known].join(', ')}`,
    'CHAIN_NOT_COVERED',
  )
}

/** Names the chain of the worst answer, if it is another one than requested. */
function describeElsewhere({ provider, asked }: RiskFinding): string {
  const chains = asked.find((one) => one.provider === provider)?.chains
  return chains?.length ? ` about ${joinNames(chains)}` : ''
}

/** Errors: INVALID_VERIFIER_DATA, for a provider that the caller may not choose. */
function chooseJudge(
  name: RiskProviderName | undefined,
  risk: Risk,
): { readonly judge: RiskJudge; readonly chosenByCaller: boolean } {
  const isOperatorsChoice = name === undefined || (risk.chosen.length === 1 && risk.chosen[0] === name)
  const judge = isOperatorsChoice ? risk.standard : risk.selected(name)
  if (judge) return { judge, chosenByCaller: !isOperatorsChoice }
  throw makeInvalidError('/provider', describeRefusedName(name!, risk))
}

function describeRefusedName(name: RiskProviderName, { chosen, selectable, names }: Risk): string {
  const choice =
    selectable.length > 0
      ? `data.provider may be ${joinNames(selectable, 'or')}, or be left out: then ${joinNames(chosen)} judge`
      : `leave it out, and ${joinNames(chosen)} will judge`
  const lacks = names.includes(name) ? '' : `, and is not configured here (${riskProviderNeeds[name]})`
  return `who judges is not the caller's choice here: ${name} is not in risk.selectable${lacks}. ${choice}`
}

const makeInvalidError = (path: string, message: string, reason?: string): AppError =>
  new AppError(
    'INVALID_VERIFIER_DATA',
    `wallet-risk: ${message}`,
    keepPresent({ verifierId: 'wallet-risk', path, reason }),
  )
