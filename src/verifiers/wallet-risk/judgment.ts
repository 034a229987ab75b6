/** The topics that evidence of wallet-risk covers, older evidence included. */
import { type Judgment, listTexts } from '../judgment.ts'

/** Older evidence does not list its topics: these are the ones that each provider has always checked. */
const formerChecks: ReadonlyMap<string, readonly string[]> = new Map([
  ['webacy', ['sanctions', 'activity', 'poisoning']],
  ['goplus', ['sanctions', 'activity']],
  ['chainalysis', ['sanctions']],
])

/**
 * The topic of each member of a finding, for any provider. A level rests on the wallet's activity: a provider with only
 * sanction lists calls every other wallet "low".
 */
const memberTopics: Readonly<Record<string, string>> = {
  sanctioned: 'sanctions',
  poisoned: 'poisoning',
  riskLevel: 'activity',
  overallRisk: 'activity',
}

export const judgment: Judgment = {
  listChecked({ checked, provider, sources, blocks }) {
    if (Array.isArray(checked)) return listTexts(checked)
    const known = (typeof provider === 'string' && formerChecks.get(provider)) || []
    const listed = listTexts(sources).includes('risk.deny_list') ? ['sanctions'] : []
    const hasReadChain = provider === 'embedded' && Array.isArray(blocks) && blocks.length > 0
    return [...known, ...listed, ...(hasReadChain ? ['activity'] : [])]
  },
  listNeeded: ({ members }) =>
    Object.entries(memberTopics).flatMap(([member, topic]) => (members.has(member) ? topic : [])),
}
