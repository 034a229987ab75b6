/**
 * GoPlus: the address security call, which returns a flag for each kind of malice. It returns no figure, so the worst
 * flag makes one. Harm to others is 80 (high), and mere suspicion 45 (medium). It does not look for poisoning.
 */
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OutsideError } from '../failure.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { bestKnownChain, findChainName, makeUnknownChainError } from './chains.ts'
import { issuesMax } from './issue-text.ts'
import { assessSanctions, describeElsewhere } from './parts.ts'
import { askProvider, makeMalformedError } from './provider-answer.ts'
import { makeAssessment, type RiskIssue, type RiskProvider, readLevel } from './risk.ts'

const knownChainIds = [1, 8453, 56, 137, 10, 42_161]

const Flag = Type.Union([Type.Literal('0'), Type.Literal('1')])

/** Codes of success. */
const wholeAnswer = 1
const partOfAnswer = 2

const high = 80
const medium = 45

/** The required flags: an answer without them has not checked. */
const requiredFlags = {
  stealing_attack: high,
  phishing_activities: high,
  cybercrime: high,
  money_laundering: high,
  mixer: high,
  blacklist_doubt: medium,
} as const
/** Optional flags that count when present. */
const moreFlags = {
  financial_crime: high,
  darkweb_transactions: high,
  blackmail_activities: high,
  malicious_mining_activities: high,
  fake_kyc: high,
  fake_token: high,
  honeypot_related_address: high,
  fake_standard_interface: medium,
  gas_abuse: medium,
  reinit: medium,
} as const

const listFlags = <Names extends Record<string, number>>(names: Names) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, Flag])) as { [Name in keyof Names]: typeof Flag }

const Security = Type.Composite([
  Type.Object({ sanctioned: Flag, ...listFlags(requiredFlags) }),
  Type.Partial(Type.Object(listFlags(moreFlags))),
  Type.Object({ number_of_malicious_contracts_created: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })) }),
])
/** Enough to refuse by, even when the rest of an answer is missing. */
const Sanctioned = Type.Object({ sanctioned: Type.Literal('1') })
const Answer = Type.Object({ code: Type.Integer(), result: Type.Optional(Type.Unknown()) })

export const openGoplus = (endpoint: Endpoint, accessToken: string | undefined): RiskProvider => ({
  name: 'goplus',
  coverage({ chainId }) {
    if (chainId === undefined) return 'none'
    return knownChainIds.includes(chainId) ? 'whole' : 'beside'
  },
  refusal: ({ chain }) => makeUnknownChainError('goplus', chain, knownChainIds.map(findChainName)),
  async assess({ address, chain, chainId }) {
    const isKnown = chainId !== undefined && knownChainIds.includes(chainId)
    const on = isKnown ? chainId : bestKnownChain.chainId
    const elsewhere = isKnown ? undefined : describeElsewhere(bestKnownChain.name, chain)
    const { code, result } = await askProvider(
      endpoint,
      `/api/v1/address_security/${encodeURIComponent(address)}?chain_id=${on}`,
      accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` },
      Answer,
    )
    const isWhole = code === wholeAnswer && Value.Check(Security, result)
    if (!isWhole && (code === wholeAnswer || code === partOfAnswer) && Value.Check(Sanctioned, result))
      return assessSanctions(true, [endpoint.setting], elsewhere)
    if (code !== wholeAnswer) throw makeProviderError(endpoint.setting, code)
    if (!Value.Check(Security, result))
      throw makeMalformedError(
        endpoint.setting,
        `answered with another JSON than it publishes, see /result${Value.Errors(Security, result).First()?.path ?? ''}`,
      )
    const found = listScores(result)
    const issues = found.map(([tag, score]): RiskIssue => {
      const description = `GoPlus lists this wallet under ${tag.replaceAll('_', ' ')}`
      return { tag, severity: readLevel(score), description }
    })
    return makeAssessment({
      overallRisk: Math.max(0, ...found.map(([, score]) => score)),
      sanctioned: result.sanctioned === '1',
      poisoned: false,
      issues: issues.slice(0, issuesMax),
      checked: elsewhere ? ['sanctions'] : ['sanctions', 'activity'],
      sources: [endpoint.setting],
      ...elsewhere,
    })
  },
})

function listScores(result: Static<typeof Security>): (readonly [string, number])[] {
  const flags = Object.entries({ ...requiredFlags, ...moreFlags }).filter(
    ([name]) => result[name as keyof typeof result] === '1',
  )
  const contracts = Number(result.number_of_malicious_contracts_created ?? '0')
  return contracts > 0 ? [...flags, ['malicious_contracts_created', high]] : flags
}

/** Its refusals come with status 200. The codes are those of its documentation; its message is not shown to callers. */
function makeProviderError(setting: string, code: number): OutsideError {
  if (code === 4029)
    return new OutsideError(
      'rate-limited',
      setting,
      'wants fewer calls (code 4029)',
      'set risk.goplus.api_key, or raise the limit of the account',
      30,
    )
  if (code === partOfAnswer)
    return new OutsideError('unreachable', setting, 'has only a part of its answer yet (code 2)', 'try again later', 15)
  if ([4010, 4011, 4012, 4023].includes(code))
    return new OutsideError('credentials', setting, `refused the token (code ${code})`, 'set risk.goplus.api_key anew')
  return makeMalformedError(setting, `answered with code ${code}, which is none of success`)
}
