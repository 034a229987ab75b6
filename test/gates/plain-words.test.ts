/** A definition in plain words, which foreign text cannot distort. */
import { describe, expect, test } from 'bun:test'
import { listPlainLines } from '../../src/gates/definition/plain-words.ts'
import { describeRequirement } from '../../src/gates/definition/requirement-words.ts'
import type { GateDefinition } from '../../src/gates/gate.ts'
import { knownVerifiers } from '../../src/verifiers/index.ts'

const tools = { verifiers: knownVerifiers, chainName: (id: string) => (id === '8453' ? 'Base' : undefined) }
const token = {
  verifierId: 'token-holding',
  match: [
    { path: 'input.contractAddress', op: 'eq' as const, value: '0xabc' },
    { path: 'input.chainId', op: 'eq' as const, value: '8453' },
    { path: 'input.minBalance', op: 'gte' as const, value: '5' },
  ],
}
const base: GateDefinition = { gateId: 'g', name: 'G', requirements: [token] }
const textOf = (definition: object, status: 'active' | 'draft' = 'active') =>
  listPlainLines({ ...base, ...definition }, status, tools).map(({ text }) => text)

describe('a gate in plain words', () => {
  test('says who gets in, for how much, what they get, how many and when', () => {
    const definition = {
      price: { amountUsd: '12.50', methods: ['stablecoin', 'card'] },
      rewards: [{ kind: 'reveal', label: 'The word' }],
      supply: 12,
      perWallet: 1,
      schedule: { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-02-01T01:00:00+01:00' },
    }
    expect(textOf(definition)).toEqual([
      'Anyone who holds at least 5 of the token 0xabc on Base and pays 12.50 USD (Stablecoin or Card) gets a secret text (“The word”).',
      'Total limit: 12.',
      'Limit for each wallet: 1.',
      'From 2026-01-01 00:00 UTC to 2026-02-01 00:00 UTC.',
      'Everyone sees it. It is not listed publicly.',
    ])
  })

  test('says the same in German, with the names that the forms have', () => {
    const definition: GateDefinition = {
      ...base,
      price: { amountUsd: '12.50', methods: ['stablecoin', 'card'] },
      rewards: [{ kind: 'reveal', label: 'Das Wort' }],
      requirements: [{ ...token, maxAgeMs: 86_400_000 }],
      supply: 12,
      policy: { visibility: 'private' },
    }
    expect(listPlainLines(definition, 'draft', { ...tools, language: 'de' }).map(({ text }) => text)).toEqual([
      'Wer „Token-Guthaben“ nachweist (Contract des Tokens: 0xabc, Chain: Base, Mindestens: 5) (Nachweis höchstens 1 Tag alt) und 12,50 USD (Stablecoin oder Karte) bezahlt, bekommt einen geheimen Text („Das Wort“).',
      'Limit insgesamt: 12.',
      'Nur Sie sehen dieses Gate und können es nutzen.',
      'Das Gate ist ein Entwurf. Nur Sie sehen es.',
    ])
  })

  test('has German words for each verifier', () => {
    for (const verifierId of knownVerifiers.keys())
      expect(describeRequirement({ verifierId }, { ...tools, language: 'de' })).toMatch(/^„.+“ nachweist$/)
  })

  test('says from which refund the reward is taken back, where that is not all of it', () => {
    const describeThreshold = (refundThresholdPercent: number) =>
      textOf({ price: { amountUsd: '5', methods: ['card'], refundThresholdPercent } })
    expect(describeThreshold(60)).toContain('A refund of at least 60 % of the payment takes the reward back.')
    expect(describeThreshold(100).join()).not.toMatch(/refund/)
  })

  test('says all of, any of, and their nesting, as the rule does', () => {
    const requirements = [
      { id: 'a', verifierId: 'ownership-basic' },
      { id: 'b', verifierId: 'proof-of-human' },
      { id: 'c', verifierId: 'wallet-risk' },
    ]
    const [all] = textOf({ requirements })
    expect(all).toBe(
      'Anyone who has claimed content, has shown to be a person, and has a wallet that passed the risk check is let in.',
    )
    const [tree] = textOf({ requirements, rule: { all: ['c', { any: ['a', 'b'] }] } })
    expect(tree).toBe(
      'Anyone who has a wallet that passed the risk check and (has claimed content or has shown to be a person) is let in.',
    )
    const [any] = textOf({ requirements: requirements.map((one) => ({ ...one, optional: true })) })
    expect(any).toContain('has claimed content, has shown to be a person, or has a wallet')
  })

  test('names the required provider and checks', () => {
    const match = (path: string, value: string) => ({ path, op: 'eq' as const, value })
    const [text] = textOf({
      requirements: [
        {
          verifierId: 'wallet-risk',
          match: [match('provider', 'webacy'), match('provider', 'chainalysis'), match('checked', 'sanctions')],
        },
      ],
    })
    expect(text).toBe(
      'Anyone who has a wallet that passed the risk check by webacy and chainalysis with a look at sanctions is let in.',
    )
  })

  test('says of a draft that it is visible to nobody else', () => {
    expect(textOf({}, 'draft')).toContain('It is a draft. Only its owner sees it.')
  })
})

describe('a requirement in words', () => {
  test.each([
    [
      'what no phrase tells stands after it',
      { verifierId: 'proof-of-human', match: [{ path: 'provider', op: 'eq', value: 'z' }] },
      'has shown to be a person (provider is z)',
    ],
    [
      'an upper bound is never read as a lower one',
      { verifierId: 'token-holding', match: [{ path: 'input.minBalance', op: 'lte', value: '5' }] },
      'holds a token (input.minBalance at most 5)',
    ],
    [
      'several, and how old',
      { verifierId: 'nft-ownership', minCount: 3, maxAgeMs: 7 * 86_400_000 },
      'holds an NFT, 3 different ones by a proof of the last 7 days',
    ],
    [
      'what is asked of the chain',
      { verifierId: 'nft-ownership', final: true, recheck: true },
      'holds an NFT in a block that is final, checked again when they pass',
    ],
    ['a verifier that nobody described', { verifierId: '__proto__' }, 'has a proof of __proto__'],
    ['one whose name is a member of every object', { verifierId: 'constructor' }, 'has a proof of constructor'],
  ] as const)('%s', (_, requirement, words) => {
    expect(describeRequirement(requirement as never, tools)).toBe(words)
  })

  test('text of others is isolated, and cannot end its isolation', () => {
    const handle = '\u2069\u202eevil مرحبا\u2066'
    const words = describeRequirement(
      { verifierId: 'ownership-social', match: [{ path: 'handle', op: 'eq', value: handle }] },
      tools,
    )
    expect(words).toBe('has shown an account \u2068\u202eevil مرحبا\u2069 at a social service')
  })

  test('a value of any length stays a short sentence', () => {
    const words = describeRequirement(
      { verifierId: 'ownership-dns-txt', match: [{ path: 'domain', op: 'eq', value: '😀'.repeat(1000) }] },
      tools,
    )
    expect(words.length).toBeLessThan(200)
    expect(words.isWellFormed()).toBe(true)
  })
})
