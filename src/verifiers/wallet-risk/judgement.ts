/** What evidence of wallet-risk says was looked at, older evidence included. */
import { type Judgement, listTexts } from '../judgement.ts'

/** Those of before that do not say what they looked at, by what each provider has always looked at. */
const formerChecks: ReadonlyMap<string, readonly string[]> = new Map([
  ['webacy', ['sanctions', 'activity', 'poisoning']],
  ['goplus', ['sanctions', 'activity']],
  ['chainalysis', ['sanctions']],
])

/**
 * What each member of a finding about a wallet rests on, whoever found it. A level is made of what the wallet did or is:
 * one who knows lists of sanctions alone calls every other wallet "low".
 */
const memberTopics: Readonly<Record<string, string>> = {
  sanctioned: 'sanctions',
  poisoned: 'poisoning',
  riskLevel: 'activity',
  overallRisk: 'activity',
}

export const judgement: Judgement = {
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
