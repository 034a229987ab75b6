/**
 * Webacy: one call for the risk of a wallet, one for sanctions. Its risk of 0 to 100 is used as it is. Its sanctions
 * make a wallet critical, and an issue tagged as address poisoning makes it poisoned.
 */
import { type Static, Type } from '@sinclair/typebox'
import type { Endpoint } from '../http/endpoint.ts'
import { bestKnownChain, isRiskChainName, makeUnknownChainError, makeWalletKey, riskChainNames } from './chains.ts'
import { cutDescription, cutTag, issuesMax } from './issue-text.ts'
import { assessSanctions, describeElsewhere, requireAll } from './parts.ts'
import { askProvider, makeMalformedError } from './provider-answer.ts'
import {
  compareSeverity,
  makeAssessment,
  type RiskIssue,
  type RiskLevel,
  type RiskProvider,
  readLevel,
  riskLevels,
} from './risk.ts'

/** The published issue has one `tag`; live answers have a list of tags, with more about each. */
const Tag = Type.Object({
  key: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.Unknown()),
  severity: Type.Optional(Type.Unknown()),
})
const Issue = Type.Object({
  tag: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.Union([Type.String(), Tag]))),
  description: Type.Optional(Type.Unknown()),
  severity: Type.Optional(Type.Unknown()),
})
const Risk = Type.Object({ overallRisk: Type.Number({ minimum: 0, maximum: 100 }), issues: Type.Array(Issue) })
const Sanctions = Type.Object({ address: Type.Optional(Type.String()), is_sanctioned: Type.Boolean() })

export const openWebacy = (endpoint: Endpoint, apiKey: string): RiskProvider => ({
  name: 'webacy',
  coverage({ chain, chainId }) {
    if (isRiskChainName(chain)) return 'whole'
    return chainId === undefined ? 'none' : 'beside'
  },
  refusal: ({ chain }) => makeUnknownChainError('webacy', chain, riskChainNames),
  async assess({ address, chain }) {
    const headers = { 'x-api-key': apiKey }
    const wallet = encodeURIComponent(address)
    const on = isRiskChainName(chain) ? chain : bestKnownChain.name
    const elsewhere = on === chain ? undefined : describeElsewhere(on, chain)
    async function isSanctioned(): Promise<boolean> {
      const path = `/addresses/sanctioned/${wallet}?chain=${on}`
      const answer = await askProvider(endpoint, path, headers, Sanctions)
      if (makeWalletKey(answer.address ?? address) !== makeWalletKey(address))
        throw makeMalformedError(
          endpoint.setting,
          'answered about the sanctions of another wallet than the one that was asked',
        )
      return answer.is_sanctioned
    }
    const outcomes = await Promise.allSettled([
      askProvider(endpoint, `/addresses/${wallet}?chain=${on}`, headers, Risk),
      isSanctioned(),
    ])
    if (outcomes[0].status === 'rejected' && outcomes[1].status === 'fulfilled' && outcomes[1].value)
      return assessSanctions(true, [endpoint.setting], elsewhere)
    const [risk, sanctioned] = requireAll<[Static<typeof Risk>, boolean]>(outcomes)
    const issues = risk.issues.flatMap((issue) => listIssues(issue, readLevel(risk.overallRisk)))
    return makeAssessment({
      overallRisk: risk.overallRisk,
      sanctioned,
      poisoned: risk.issues.flatMap(listTags).some(({ key, name }) => /poison/i.test(`${key} ${name}`)),
      issues: issues.toSorted(compareSeverity).slice(0, issuesMax),
      checked: elsewhere ? ['sanctions'] : ['sanctions', 'activity', 'poisoning'],
      sources: [endpoint.setting],
      ...elsewhere,
    })
  },
})

const listTags = ({ tag, tags = [] }: Static<typeof Issue>): Static<typeof Tag>[] => [
  ...(tag === undefined ? [] : [{ key: tag }]),
  ...tags.map((one) => (typeof one === 'string' ? { key: one } : one)),
]

/** One for each tag, or one for none. An issue without its own severity has the wallet's. */
function listIssues(issue: Static<typeof Issue>, standard: RiskLevel): RiskIssue[] {
  const tags = listTags(issue)
  return (tags.length > 0 ? tags : [{}]).map((tag: Static<typeof Tag>) => {
    const { key, name, description, severity } = { ...issue, ...tag }
    return {
      tag: cutTag(key || name || 'untagged'),
      severity: riskLevels.find((level) => String(severity).toLowerCase() === level) ?? standard,
      description: typeof description === 'string' ? cutDescription(description) : '',
    }
  })
}
