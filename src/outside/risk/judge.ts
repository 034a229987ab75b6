/**
 * Combines several providers' answers about a wallet into one finding, in which the worst counts. The operator's list
 * comes first: a wallet in it is sanctioned, whatever a provider answers.
 */
import { askPanel, type Heard, listAnswers, type Member, type PanelPolicy, type TellRefusedKey } from '../panel.ts'
import { bestKnownChain } from './chains.ts'
import { type DenyList, denyListSetting } from './deny-list.ts'
import { issuesMax } from './issue-text.ts'
import {
  type AskedProvider,
  type Coverage,
  compareSeverity,
  makeAssessment,
  type RiskAssessment,
  type RiskFinding,
  type RiskIssue,
  type RiskJudge,
  type RiskProvider,
  type RiskProviderName,
  type RiskQuestion,
  riskTopics,
} from './risk.ts'

export type Providers = readonly [RiskProvider, ...RiskProvider[]]

export const makeRiskJudge = (
  providers: Providers,
  policy: PanelPolicy,
  denyList: DenyList | undefined,
  tellRefusedKey?: TellRefusedKey,
): RiskJudge => ({
  async assess(wallet) {
    if (await denyList?.has(wallet.address)) return { ...listed, provider: providers[0].name, asked: [] }
    const members = listMembers(wallet, providers)
    if (!members.some(({ isEnough }) => isEnough)) throw providers[0].refusal(wallet)
    const heard = await askPanel(members, policy, ({ sanctioned }) => sanctioned, tellRefusedKey)
    return makeFinding(heard, denyList !== undefined)
  },
})

const listed = makeAssessment({
  overallRisk: 100,
  sanctioned: true,
  poisoned: false,
  issues: [{ tag: 'deny_list', severity: 'critical', description: 'The operator of this server lists it' }],
  checked: ['sanctions'],
  sources: [denyListSetting],
})

/**
 * A partial view is enough only when no member sees the whole. It is the sanctions of other chains, or else the
 * operator's list. An EVM wallet is the same on every chain, so both also cover an unconfigured one. The caller names
 * the chain. So a member for this chain alone is not enough where another judges the wallet on every chain.
 */
function listMembers(wallet: RiskQuestion, providers: Providers): readonly Member<RiskProviderName, RiskAssessment>[] {
  const covered = providers.map((provider) => ({ provider, coverage: provider.coverage(wallet) }))
  const anywhere = covered.filter(({ provider }) => judgesEverywhere(wallet, provider))
  const deciding = anywhere.length > 0 ? anywhere : covered
  const enough = chooseCoverage(new Set(deciding.map(({ coverage }) => coverage)))
  return covered.map((one) => ({
    name: one.provider.name,
    ask: one.coverage === 'none' ? undefined : () => one.provider.assess(wallet),
    isEnough: one.coverage === enough && deciding.includes(one),
  }))
}

/** Whether it also judges an EVM wallet without a chain. */
const judgesEverywhere = ({ address, chainId }: RiskQuestion, provider: RiskProvider): boolean =>
  chainId !== undefined &&
  provider.coverage({ address, chain: bestKnownChain.name, chainId: bestKnownChain.chainId }) === 'whole'

/** The best coverage of the deciding members. */
function chooseCoverage(deciding: ReadonlySet<Coverage>): Coverage {
  if (deciding.has('whole')) return 'whole'
  return deciding.has('beside') ? 'beside' : 'list'
}

function makeFinding(heard: readonly Heard<RiskProviderName, RiskAssessment>[], hasDenyList: boolean): RiskFinding {
  const answers = listAnswers(heard)
  const overallRisk = Math.max(...answers.map((one) => one.overallRisk))
  const answering = heard.filter((one) => 'answer' in one)
  const worst =
    answering.find(({ answer }) => answer.overallRisk === overallRisk && !answer.chains) ??
    answering.find(({ answer }) => answer.overallRisk === overallRisk)
  const checked = new Set(answers.flatMap((one) => one.checked))
  return {
    ...makeAssessment({
      overallRisk,
      sanctioned: answers.some(({ sanctioned }) => sanctioned),
      poisoned: answers.some(({ poisoned }) => poisoned),
      issues: listIssues(answers),
      checked: riskTopics.filter((topic) => checked.has(topic) || (topic === 'sanctions' && hasDenyList)),
      sources: [...(hasDenyList ? [denyListSetting] : []), ...new Set(answers.flatMap(({ sources }) => sources))],
      blocks: answers.flatMap(({ blocks }) => blocks),
    }),
    provider: worst!.name,
    asked: heard.map(describeAsked),
  }
}

/** A single provider has its own order already. */
const listIssues = (answers: readonly RiskAssessment[]): readonly RiskIssue[] => {
  const issues = answers.flatMap((one) => one.issues)
  return answers.length === 1 ? issues : issues.toSorted(compareSeverity).slice(0, issuesMax)
}

function describeAsked(heard: Heard<RiskProviderName, RiskAssessment>): AskedProvider {
  const { name: provider } = heard
  if (!('answer' in heard)) return { provider, answered: false, reason: heard.silence }
  const { overallRisk, riskLevel, sanctioned, poisoned, checked, chains, notAsked } = heard.answer
  const said = { provider, answered: true, overallRisk, riskLevel, sanctioned, poisoned, checked }
  return { ...said, ...(chains ? { chains } : {}), ...(notAsked ? { notAsked } : {}) }
}
