/** The three cloud providers against servers of their published shapes: findings, and every way to find nothing. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { OutsideFault } from '../../../src/outside/failure.ts'
import type { RiskJudge, RiskLevel, RiskQuestion } from '../../../src/outside/risk/risk.ts'
import {
  type Fault,
  faults,
  goplusRefuses,
  goplusSays,
  type ProviderServer,
  providerKey,
  startChainalysis,
  startGoplus,
  startWebacy,
  webacySays,
} from '../../parts/risk-providers.ts'
import { chainalysisAt, type Env, goplusAt, openedRisk, outageOf, refusalOf, verdictIn, webacyAt } from './opened.ts'

const webacy = startWebacy()
const goplus = startGoplus()
const chainalysis = startChainalysis()
const servers: readonly ProviderServer[] = [webacy, goplus, chainalysis]

afterEach(() => {
  webacy.sanctioned.clear()
  for (const server of servers) {
    server.fault = undefined
    server.says.clear()
    server.asked.length = 0
  }
})

const evm = `0x${'ab'.repeat(20)}`
const sol = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ton = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const onBase: RiskQuestion = { address: evm, chain: 'base', chainId: 8453 }
const harmless = { overallRisk: 0, riskLevel: 'low', sanctioned: false, poisoned: false }
const sanctioned = { overallRisk: 100, riskLevel: 'critical', sanctioned: true, poisoned: false }

/** A new one each time, so that no fault of an earlier test is remembered. */
async function providerOf(env: Env, timeoutMs?: number): Promise<RiskJudge> {
  return (await openedRisk(env, timeoutMs)).standard!
}
const all: readonly [string, ProviderServer, Env][] = [
  ['webacy', webacy, webacyAt(webacy.url)],
  ['goplus', goplus, goplusAt(goplus.url)],
  ['chainalysis', chainalysis, chainalysisAt(chainalysis.url)],
]

describe('webacy', () => {
  const assess = async (wallet = onBase) => (await providerOf(webacyAt(webacy.url))).assess(wallet)

  test.each<[number, string]>([
    [0, 'low'],
    [23, 'low'],
    [23.05, 'medium'],
    [23.1, 'medium'],
    [50, 'medium'],
    [50.01, 'high'],
    [100, 'high'],
  ])('a risk of %p is %s', async (overallRisk, riskLevel) => {
    webacy.says.set(evm, webacySays(overallRisk))
    expect(verdictIn(await assess())).toEqual({ ...harmless, overallRisk, riskLevel })
  })

  test('is asked twice, about risk and about sanctions, each on the chain of the question', async () => {
    const { sources, checked, blocks } = await assess()
    expect(webacy.asked.toSorted()).toEqual([`/addresses/${evm}?chain=base`, `/addresses/sanctioned/${evm}?chain=base`])
    expect(sources).toEqual(['risk.webacy'])
    expect(checked).toEqual(['sanctions', 'activity', 'poisoning'])
    expect(blocks).toEqual([])
  })

  test('a sanctioned wallet is critical, whatever its risk', async () => {
    webacy.says.set(evm, webacySays(1))
    webacy.sanctioned.add(evm)
    expect(verdictIn(await assess())).toEqual(sanctioned)
  })

  test.each<[string, object]>([
    ['the published form', { tag: 'address_poisoning', severity: 'high', description: 'Dust' }],
    ['a list of tags', { score: 4, tags: [{ key: 'address_poisoning', name: 'Address Poisoning', severity: 9 }] }],
    ['a name alone', { tags: [{ name: 'Address Poisoning' }] }],
    ['a name beside a key that does not say it', { tags: [{ key: 'ap', name: 'Address Poisoning' }] }],
    ['a list of words', { tags: ['other', 'address_poisoning'] }],
  ])('poisoning is found in %s', async (_, issue) => {
    webacy.says.set(evm, webacySays(30, [{ tag: 'other' }, issue]))
    expect((await assess()).poisoned).toBe(true)
  })

  test('issues keep tag, severity and description; without a severity that is known, they are as grave as the wallet', async () => {
    webacy.says.set(
      evm,
      webacySays(30, [
        { tag: 'mixer', severity: 'high', description: 'Used a mixer' },
        {
          score: 2,
          tags: [{ key: 'young', name: 'Young wallet', severity: 2, description: 'Two days old' }],
          more: {},
        },
        {},
      ]),
    )
    expect((await assess()).issues).toEqual([
      { tag: 'mixer', severity: 'high', description: 'Used a mixer' },
      { tag: 'young', severity: 'medium', description: 'Two days old' },
      { tag: 'untagged', severity: 'medium', description: '' },
    ])
  })

  test('issues are bounded in number, the gravest first, and in length; hidden characters are removed', async () => {
    const long = 'é'.repeat(1000)
    const tricky = { tag: 'a\u202Eb\u0000c\nd', severity: 'critical', description: 'one\r\ntwo\u2028three\u200B' }
    const many = Array.from({ length: 200 }, (_, index) => ({
      tag: `${index}${long}`,
      severity: 'low',
      description: long,
    }))
    webacy.says.set(evm, webacySays(30, [...many, tricky]))
    const { issues } = await assess()
    expect(issues).toHaveLength(20)
    expect(issues[0]).toEqual({ tag: 'a b c d', severity: 'critical', description: 'one two three' })
    expect([...issues[1]!.tag]).toHaveLength(64)
    expect([...issues[1]!.description]).toHaveLength(300)
    expect(JSON.stringify(issues).length).toBeLessThan(20 * 500)
  })

  test('wallets of other networks are asked about by their short name, escaped', async () => {
    await assess({ address: sol, chain: 'sol' })
    await assess({ address: ton, chain: 'ton' })
    expect(webacy.asked).toContain(`/addresses/${sol}?chain=sol`)
    expect(webacy.asked).toContain(`/addresses/${ton.replace(':', '%3A')}?chain=ton`)
  })

  test.each<[string, unknown]>([
    ['no risk', { issues: [] }],
    ['a risk in words', { ...webacySays(1), overallRisk: '1' }],
    ['a risk below 0', webacySays(-1)],
    ['a risk above 100', webacySays(101)],
    ['no risk yet', { ...webacySays(1), overallRisk: null }],
    ['no issues', { overallRisk: 1 }],
    ['issues that are no list', { ...webacySays(1), issues: {} }],
    ['issues that are words', webacySays(1, ['mixer'] as unknown as object[])],
    ['tags of another kind', webacySays(1, [{ tags: [7] }])],
    ['a list', [webacySays(1)]],
  ])('%s: could not be looked up', async (_, body) => {
    webacy.says.set(evm, body)
    expect(await outageOf(assess())).toMatchObject({ fault: 'malformed', source: 'risk.webacy' })
  })

  test('an EVM wallet on a chain that it does not know is asked about on Ethereum, for sanctions alone', async () => {
    const assessment = await assess({ address: evm, chain: 'eip155:84532', chainId: 84_532 })
    expect(assessment).toMatchObject({ sanctioned: false, checked: ['sanctions'] })
    expect(assessment.asked).toMatchObject([
      { chains: ['eth'], notAsked: [{ chain: 'eip155:84532', reason: 'CHAIN_NOT_COVERED' }] },
    ])
    expect(webacy.asked.toSorted()).toEqual([`/addresses/${evm}?chain=eth`, `/addresses/sanctioned/${evm}?chain=eth`])
  })
})

describe('goplus', () => {
  const assess = async (wallet = onBase, env = goplusAt(goplus.url)) => (await providerOf(env)).assess(wallet)

  test('no flag is no risk', async () => {
    const assessment = await assess()
    expect(verdictIn(assessment)).toEqual(harmless)
    expect(assessment).toMatchObject({ issues: [], sources: ['risk.goplus'], checked: ['sanctions', 'activity'] })
    expect(goplus.asked).toEqual([`/api/v1/address_security/${evm}?chain_id=8453`])
  })

  test.each<[string, string, number, string]>([
    ['stealing_attack', '1', 80, 'high'],
    ['phishing_activities', '1', 80, 'high'],
    ['cybercrime', '1', 80, 'high'],
    ['money_laundering', '1', 80, 'high'],
    ['mixer', '1', 80, 'high'],
    ['financial_crime', '1', 80, 'high'],
    ['darkweb_transactions', '1', 80, 'high'],
    ['blackmail_activities', '1', 80, 'high'],
    ['malicious_mining_activities', '1', 80, 'high'],
    ['fake_kyc', '1', 80, 'high'],
    ['fake_token', '1', 80, 'high'],
    ['honeypot_related_address', '1', 80, 'high'],
    ['blacklist_doubt', '1', 45, 'medium'],
    ['fake_standard_interface', '1', 45, 'medium'],
    ['gas_abuse', '1', 45, 'medium'],
    ['reinit', '1', 45, 'medium'],
  ])('%s is a risk of its own', async (flag, value, overallRisk, riskLevel) => {
    goplus.says.set(evm, goplusSays({ [flag]: value }))
    const assessment = await assess()
    expect(verdictIn(assessment)).toEqual({ ...harmless, overallRisk, riskLevel })
    expect(assessment.issues).toEqual([
      {
        tag: flag,
        severity: riskLevel as RiskLevel,
        description: `GoPlus lists this wallet under ${flag.replaceAll('_', ' ')}`,
      },
    ])
  })

  test('malicious contracts count, and the worst flag decides', async () => {
    goplus.says.set(evm, goplusSays({ number_of_malicious_contracts_created: '2', reinit: '1' }))
    const { overallRisk, issues } = await assess()
    expect(overallRisk).toBe(80)
    expect(issues.map(({ tag }) => tag)).toEqual(['reinit', 'malicious_contracts_created'])
  })

  test('a sanctioned wallet is critical', async () => {
    goplus.says.set(evm, goplusSays({ sanctioned: '1' }))
    expect(verdictIn(await assess())).toEqual(sanctioned)
  })

  test('a token is sent where there is one', async () => {
    expect(
      verdictIn(await assess(onBase, { ...goplusAt(goplus.url), PROOFGATE_RISK_GOPLUS_API_KEY: providerKey })),
    ).toEqual(harmless)
  })

  test.each<[string, unknown, OutsideFault, number]>([
    ['too many calls (4029)', goplusRefuses(4029, 'too many requests'), 'rate-limited', 30],
    ['a token that is unknown (4023)', goplusRefuses(4023, 'Access token not found'), 'credentials', 5],
    ['an app that is unknown (4010)', goplusRefuses(4010, 'app_key not exist'), 'credentials', 5],
    ['a part of the answer (2)', { ...goplusSays(), code: 2 }, 'unreachable', 15],
    ['a system error (5000)', goplusRefuses(5000, 'system error'), 'malformed', 5],
    ['an unknown code with a result', { ...goplusSays(), code: 0 }, 'malformed', 5],
    ['no code', { result: goplusSays().result }, 'malformed', 5],
    ['a code in words', { ...goplusSays(), code: '1' }, 'malformed', 5],
    ['no result', { code: 1, message: 'ok' }, 'malformed', 5],
    ['null for a result', { code: 1, message: 'ok', result: null }, 'malformed', 5],
    ['an empty result', { code: 1, message: 'ok', result: {} }, 'malformed', 5],
    ['no word about sanctions', goplusSays({ sanctioned: undefined as unknown as string }), 'malformed', 5],
    ['no word about theft', goplusSays({ stealing_attack: undefined as unknown as string }), 'malformed', 5],
    ['an empty flag', goplusSays({ mixer: '' }), 'malformed', 5],
    ['a flag of another value', goplusSays({ fake_kyc: '2' }), 'malformed', 5],
    ['a flag that is a number', goplusSays({ sanctioned: 0 as unknown as string }), 'malformed', 5],
  ])('%s: could not be looked up', async (_, body, fault, retryAfterSeconds) => {
    goplus.says.set(evm, body)
    const error = await outageOf(assess())
    expect({ fault: error.fault, source: error.source, retryAfterSeconds: error.retryAfterSeconds }).toEqual({
      fault,
      source: 'risk.goplus',
      retryAfterSeconds,
    })
  })

  test('another network is refused with the chains it knows', async () => {
    const refusal = await refusalOf(assess({ address: sol, chain: 'sol' }))
    expect(refusal.message).toContain('wallets of sol')
    expect(refusal.message).toContain('eth, base, bsc, pol, opt, arb')
    expect(goplus.asked).toEqual([])
  })

  test('an EVM wallet on a chain that it does not know is asked about on Ethereum, and every flag counts', async () => {
    const elsewhere = { address: evm, chain: 'eip155:84532', chainId: 84_532 }
    expect(await assess(elsewhere)).toMatchObject({ overallRisk: 0, sanctioned: false, checked: ['sanctions'] })
    expect(goplus.asked).toEqual([`/api/v1/address_security/${evm}?chain_id=1`])
    goplus.says.set(evm, goplusSays({ phishing_activities: '1' }))
    expect(await assess(elsewhere)).toMatchObject({ overallRisk: 80, riskLevel: 'high' })
  })
})

describe('chainalysis', () => {
  const assess = async (wallet = onBase) => (await providerOf(chainalysisAt(chainalysis.url))).assess(wallet)
  const ofac = {
    category: 'sanctions',
    name: 'SANCTIONS: OFAC SDN Mallory 2026-01-01',
    description: 'Mallory is on the SDN list',
    url: 'https://home.treasury.gov/',
  }

  test('no identification is no risk, and sanctions are all that was looked at', async () => {
    const assessment = await assess()
    expect(verdictIn(assessment)).toEqual(harmless)
    expect(assessment).toMatchObject({ issues: [], sources: ['risk.chainalysis'], checked: ['sanctions'] })
    expect(chainalysis.asked).toEqual([`/api/v1/address/${evm}`])
  })

  test.each<[string, object, string, string]>([
    ['sanctions', ofac, 'sanctions', ofac.name],
    ['one with another category', { category: 'other', name: null, description: 'Why' }, 'other', 'Why'],
    ['one without any word', {}, 'sanctions', ''],
  ])('an identification makes it sanctioned: %s', async (_, identification, tag, description) => {
    chainalysis.says.set(evm, { identifications: [identification] })
    const assessment = await assess()
    expect(verdictIn(assessment)).toEqual(sanctioned)
    expect(assessment.issues).toEqual([{ tag, severity: 'critical', description }])
  })

  test.each<[string, unknown]>([
    ['no list', {}],
    ['null for a list', { identifications: null }],
    ['a list of words', { identifications: ['sanctions'] }],
    ['a number', 0],
  ])('%s: could not be looked up', async (_, body) => {
    chainalysis.says.set(evm, body)
    expect(await outageOf(assess())).toMatchObject({ fault: 'malformed', source: 'risk.chainalysis' })
  })

  test.each(['sol', 'btc'])('knows wallets of %s', async (chain) => {
    expect(verdictIn(await assess({ address: sol, chain }))).toEqual(harmless)
  })

  test('knows an EVM wallet on whatever EVM chain', async () => {
    expect(verdictIn(await assess({ address: evm, chain: 'eip155:84532', chainId: 84_532 }))).toEqual(harmless)
  })

  test.each(['ton', 'sui', 'stellar'])('wallets of %s are in no sanctions list: refused', async (chain) => {
    expect((await refusalOf(assess({ address: ton, chain }))).message).toContain(
      'eth, base, bsc, pol, opt, arb, sol, sei, btc',
    )
  })
})

const meaning: Readonly<Record<Fault, { readonly fault: OutsideFault; readonly retryAfterSeconds?: number }>> = {
  'its key is refused (401)': { fault: 'credentials' },
  'its key is refused (403)': { fault: 'credentials' },
  'it wants fewer calls (429)': { fault: 'rate-limited', retryAfterSeconds: 17 },
  'it has a fault of its own (500)': { fault: 'unreachable' },
  'it does not know the path (404)': { fault: 'malformed' },
  'it answers 404 with what would be harmless': { fault: 'malformed' },
  'it answers with HTML': { fault: 'malformed' },
  'it answers with half a document': { fault: 'malformed' },
  'it answers with nothing': { fault: 'malformed' },
  'it answers with null': { fault: 'malformed' },
  'it answers with an error object and 200': { fault: 'malformed' },
  'it answers with other JSON': { fault: 'malformed' },
  'it answers with 2 MB': { fault: 'malformed' },
  'it redirects': { fault: 'malformed' },
  'it hangs': { fault: 'timeout' },
}

describe.each(all)('%s could not be asked', (name, server, env) => {
  test.each(Object.keys(faults) as Fault[])('when %s', async (fault) => {
    server.fault = fault
    const patience = fault === 'it hangs' ? 200 : undefined
    const error = await outageOf((await providerOf(env, patience)).assess(onBase))
    expect(error).toMatchObject({ ...meaning[fault], source: `risk.${name}` })
    expect(`${error.message} ${error.mend}`).not.toContain(providerKey)
    expect(`${error.message} ${error.mend}`).not.toContain(server.url)
  })

  test('when no server listens at its address', async () => {
    const nowhere = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value === server.url ? 'http://127.0.0.1:9' : value]),
    )
    expect(await outageOf((await providerOf(nowhere)).assess(onBase))).toMatchObject({ fault: 'unreachable' })
  })
})

test.each<[string, Env]>([
  ['webacy', { ...webacyAt(webacy.url), PROOFGATE_RISK_WEBACY_API_KEY: 'another' }],
  ['goplus', { ...goplusAt(goplus.url), PROOFGATE_RISK_GOPLUS_API_KEY: 'another' }],
  ['chainalysis', { ...chainalysisAt(chainalysis.url), PROOFGATE_RISK_CHAINALYSIS_API_KEY: 'another' }],
])('%s could not be asked with another key', async (_, env) => {
  const { fault, message } = await outageOf((await providerOf(env)).assess(onBase))
  expect(fault).toBe('credentials')
  expect(message).not.toContain('another')
})
