/** Tests conditions and criteria without a server. The index must find the same proofs as a full scan. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { mapInOrder } from '../../src/in-order.ts'
import { makeHolder } from '../../src/proofs/account-store.ts'
import { compareDecimals, makeCondition, meets, type Operator } from '../../src/proofs/condition.ts'
import { listAskedFacts, listFacts, listVerifierFacts } from '../../src/proofs/facts.ts'
import { findMatchingRows, isCurrent, listShortfalls, type RowReader } from '../../src/proofs/match.ts'
import { iterateCandidates } from '../../src/proofs/match-store.ts'
import type { ProofRow } from '../../src/proofs/proof.ts'
import type { ProofCriteria } from '../../src/proofs/proof-criteria.ts'
import type { VerifiedRow } from '../../src/proofs/record.ts'
import { findProof } from '../../src/proofs/store.ts'
import { knownVerifiers } from '../../src/verifiers/index.ts'
import { startApp } from '../app.ts'
import { agent, alice, bob } from '../wallets.ts'

describe('a hidden member of a row', () => {
  const record = {
    verifierIds: ['proof-of-human'],
    rows: [
      { verifierId: 'proof-of-human', verified: true, status: '', data: { level: 3 }, hidden: { secret: 7, level: 9 } },
    ],
    meta: {},
    storeOriginalContent: false,
  }
  const ask = (name: string, op: Operator, value: string) => {
    const proofCriteria: ProofCriteria = {
      verifierIds: [],
      requireAll: false,
      conditions: [makeCondition(name, [value], op)],
      tags: [],
    }
    return {
      isMet: findMatchingRows({ record }, proofCriteria, whole) !== undefined,
      shortfalls: listShortfalls({ record }, proofCriteria, whole),
    }
  }

  test('can be compared for equality', () => {
    expect(ask('secret', 'eq', '7').isMet).toBe(true)
    expect(ask('secret', 'eq', '8').isMet).toBe(false)
  })

  test('cannot be compared by order, which would reveal it step by step', () => {
    expect(ask('secret', 'gte', '1').isMet).toBe(false)
    expect(ask('secret', 'lte', '9').isMet).toBe(false)
  })

  test('does not replace a visible member', () => {
    expect(ask('level', 'eq', '3').isMet).toBe(true)
    expect(ask('level', 'eq', '9').isMet).toBe(false)
  })

  test('is not reported where it does not match', () => {
    expect(ask('secret', 'eq', '8').shortfalls).toEqual([
      { code: 'WRONG_VALUE', path: 'secret', op: 'eq', wanted: '8' },
    ])
  })
})

describe('a value is compared', () => {
  test.each<[string, Operator, string, unknown, boolean]>([
    ['handle', 'eq', 'alice', 'alice', true],
    ['handle', 'eq', 'Alice', 'alice', false],
    ['contractAddress', 'eq', '0xAB', '0xab', true],
    ['agentId', 'eq', 'A-LONG-NAME-OF-AN-AGENT', 'a-long-name-of-an-agent', true],
    // The Kelvin sign is not a k.
    ['agentId', 'eq', 'a-long-name-of-an-agent-\u212a', 'a-long-name-of-an-agent-k', false],
    ['chainId', 'eq', '08453', 8453, true],
    ['chainId', 'eq', '0x2105', 8453, true],
    ['chainId', 'eq', '8453.0', 8453, false],
    ['chainId', 'eq', 'base', 8453, false],
    ['tokenId', 'eq', '7', '7', true],
    ['tokenId', 'eq', '0x07', '7', true],
    ['tokenId', 'eq', `${2n ** 256n - 1n}`, `${2n ** 256n - 1n}`, true],
    ['tokenId', 'eq', `${2n ** 256n - 2n}`, `${2n ** 256n - 1n}`, false],
    ['tokenId', 'eq', '', '0', false],
    ['domain', 'eq', 'EXAMPLE.com.', 'example.com', true],
    ['domain', 'eq', 'bücher.example.com', 'xn--bcher-kva.example.com', true],
    ['domain', 'eq', 'xexample.com', 'example.com', false],
    ['minBalance', 'eq', '0.1', '0.10', true],
    ['minBalance', 'eq', '1', '0.99999999999999999999', false],
    ['minBalance', 'eq', '1', '1.00000000000000000001', true],
    ['minBalance', 'gte', '100', '99', false],
    ['minBalance', 'eq', '100', 'much', false],
    ['sanctioned', 'eq', 'false', false, true],
    ['sanctioned', 'eq', 'true', false, false],
    ['sanctioned', 'eq', '0', false, true],
    ['sanctioned', 'eq', '', false, false],
    ['overallRisk', 'lte', '40', 40, true],
    ['overallRisk', 'lte', '40', 41, false],
    ['overallRisk', 'gte', '-1', 0, true],
    ['overallRisk', 'gte', '0', Number.NaN, false],
    ['overallRisk', 'gte', '0', Number.POSITIVE_INFINITY, false],
    ['followers', 'gte', '1000000000000000000000', 1e21, true],
    ['followers', 'gte', '1', [5], false],
    ['followers', 'gte', '1', true, false],
    ['followers', 'eq', '[object Object]', {}, false],
    ['followers', 'eq', '5', '5 ', false],
    ['handle', 'eq', 'null', null, false],
  ])('%s %s %s against %p: %p', (name, op, wanted, found, expected) => {
    expect(meets(found, makeCondition(name, [wanted], op))).toBe(expected)
  })

  test('decimals exactly, however long', () => {
    const digits = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20))
    const textOf = ([value, scale]: [bigint, number]) => {
      const text = `${value < 0n ? -value : value}`.padStart(scale + 1, '0')
      const whole = text.slice(0, text.length - scale)
      return `${value < 0n ? '-' : ''}${whole}${scale > 0 ? `.${text.slice(text.length - scale)}` : ''}`
    }
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        const [x, y] = [a[0] * 10n ** BigInt(20 - a[1]), b[0] * 10n ** BigInt(20 - b[1])]
        expect(compareDecimals(textOf(a), textOf(b))).toBe(x === y ? 0 : x < y ? -1 : 1)
      }),
    )
    for (const odd of ['', ' 1', '1e3', '0x1', '1.', '.5', '1,5', '--1', undefined, null, true, {}])
      expect(compareDecimals(odd, '1')).toBeUndefined()
  })
})

const row = (verifierId: string, data: object, verified = true): VerifiedRow => ({
  verifierId,
  verified,
  status: 'x',
  data: data as VerifiedRow['data'],
})
const proofOf = (...rows: VerifiedRow[]): Pick<ProofRow, 'record'> => ({
  record: { verifierIds: rows.map(({ verifierId }) => verifierId), rows, meta: {}, storeOriginalContent: false },
})
const demandOf = (proofCriteria: Partial<ProofCriteria>): ProofCriteria => ({
  verifierIds: [],
  requireAll: false,
  conditions: [],
  tags: [],
  ...proofCriteria,
})
const whole: RowReader = { readEvidence: ({ data }) => data, verifiers: knownVerifiers }
const matches = (proof: Pick<ProofRow, 'record'>, proofCriteria: Partial<ProofCriteria>) =>
  findMatchingRows(proof, demandOf(proofCriteria), whole) !== undefined
const reasons = (proof: Pick<ProofRow, 'record'>, proofCriteria: Partial<ProofCriteria>) =>
  listShortfalls(proof, demandOf(proofCriteria), whole).map(({ code }) => code)

describe('a proof meets criteria', () => {
  test('by members of input before members beside it', () => {
    const proof = proofOf(row('nft-ownership', { input: { tokenId: '7' }, tokenId: '8' }))
    expect(matches(proof, { conditions: [makeCondition('tokenId', ['7'])] })).toBe(true)
    expect(matches(proof, { conditions: [makeCondition('tokenId', ['8'])] })).toBe(false)
  })

  test('by verified rows only', () => {
    const proof = proofOf(row('nft-ownership', { tokenId: '7' }, false), row('ownership-basic', {}))
    expect(matches(proof, { verifierIds: ['nft-ownership'] })).toBe(false)
    expect(reasons(proof, { verifierIds: ['nft-ownership'] })).toEqual(['NOT_VERIFIED'])
    expect(matches(proof, { verifierIds: ['ownership-basic'] })).toBe(true)
  })

  test('by wallet-risk only where its policy was met', () => {
    const proofCriteria = { verifierIds: ['wallet-risk'], conditions: [makeCondition('riskLevel', ['low'])] }
    const judged = { riskLevel: 'low', checked: ['activity'] }
    expect(matches(proofOf(row('wallet-risk', { ...judged, policyVerified: true })), proofCriteria)).toBe(true)
    for (const policyVerified of [false, undefined, 'true', 1]) {
      const proof = proofOf(row('wallet-risk', { ...judged, policyVerified }))
      expect(matches(proof, proofCriteria)).toBe(false)
      expect(reasons(proof, proofCriteria)).toEqual(['RISK_POLICY'])
    }
  })

  describe('by provider and by checks', () => {
    const risk = (data: object) => proofOf(row('wallet-risk', { policyVerified: true, ...data }))
    const isMet = (data: object, name: string, value: string, op: Operator = 'eq') =>
      matches(risk(data), { conditions: [makeCondition(name, [value], op)] })
    const several = {
      provider: 'goplus',
      sanctioned: false,
      poisoned: false,
      checked: ['sanctions', 'activity'],
      asked: [
        { provider: 'webacy', answered: false, reason: 'UNAVAILABLE' },
        { provider: 'goplus', answered: true, checked: ['sanctions', 'activity'] },
        { provider: 'chainalysis', answered: true, checked: ['sanctions'] },
      ],
    }

    test('each provider that answered counts, and no other', () => {
      for (const name of ['provider', 'input.provider']) {
        expect(isMet(several, name, 'goplus')).toBe(true)
        expect(isMet(several, name, 'chainalysis')).toBe(true)
        expect(isMet(several, name, 'webacy')).toBe(false)
        expect(isMet(several, name, 'embedded')).toBe(false)
      }
      const both = [makeCondition('provider', ['goplus']), makeCondition('provider', ['chainalysis'])]
      expect(matches(risk(several), { conditions: both })).toBe(true)
      const absent = [makeCondition('provider', ['goplus']), makeCondition('provider', ['webacy'])]
      expect(matches(risk(several), { conditions: absent })).toBe(false)
      const shortfalls = listShortfalls(risk(several), demandOf({ conditions: absent }), whole)
      expect(shortfalls).toEqual([
        { code: 'WRONG_VALUE', path: 'provider', op: 'eq', wanted: 'webacy', found: 'goplus, chainalysis' },
      ])
    })

    test('a check that a provider made counts', () => {
      expect(isMet(several, 'checked', 'sanctions')).toBe(true)
      expect(isMet(several, 'checked', 'poisoning')).toBe(false)
      expect(isMet(several, 'sanctioned', 'false')).toBe(true)
      expect(isMet(several, 'sanctioned', 'true')).toBe(false)
    })

    test('a check that no provider made matches no value', () => {
      for (const value of ['false', 'true', '0']) expect(isMet(several, 'poisoned', value)).toBe(false)
      expect(reasons(risk(several), { conditions: [makeCondition('poisoned', ['false'])] })).toEqual(['NOT_CHECKED'])
      expect(isMet({ ...several, checked: [] }, 'sanctioned', 'false')).toBe(false)
      // Another row of the proof may say it.
      const proof = proofOf(
        row('wallet-risk', { policyVerified: true, sanctioned: false, checked: ['activity'] }),
        row('wallet-risk', { policyVerified: true, sanctioned: false, checked: ['sanctions'] }),
      )
      expect(matches(proof, { conditions: [makeCondition('sanctioned', ['false'])] })).toBe(true)
    })

    test.each<[string, object, boolean, boolean]>([
      ['that says it looked', { provider: 'embedded', checked: ['sanctions', 'activity'] }, true, false],
      ['that says it did not', { provider: 'embedded', checked: ['activity'] }, false, false],
      ['of webacy', { provider: 'webacy' }, true, true],
      ['of goplus', { provider: 'goplus' }, true, false],
      ['of chainalysis', { provider: 'chainalysis' }, true, false],
      [
        'of embedded beside a list',
        { provider: 'embedded', sources: ['risk.deny_list', 'chains.base.rpc[0]'] },
        true,
        false,
      ],
      ['of embedded alone', { provider: 'embedded', sources: ['chains.base.rpc[0]'] }, false, false],
      ['of nobody', {}, false, false],
      ['of an inherited name', { provider: 'constructor' }, false, false],
    ])('a proof of before %s tells it as far as it goes', (_, data, sanctions, poisoning) => {
      const row = { sanctioned: false, poisoned: false, ...data }
      expect(isMet(row, 'sanctioned', 'false')).toBe(sanctions)
      expect(isMet(row, 'checked', 'sanctions')).toBe(sanctions)
      expect(isMet(row, 'poisoned', 'false')).toBe(poisoning)
    })

    test.each<[string, Operator, string]>([
      ['riskLevel', 'eq', 'low'],
      ['riskLevel', 'eq', 'critical'],
      ['overallRisk', 'lte', '40'],
      ['overallRisk', 'gte', '0'],
      ['overallRisk', 'eq', '0'],
    ])('%s %s %s counts only where somebody looked at what the wallet did', (name, op, value) => {
      const said = { ...several, riskLevel: value, overallRisk: 0 }
      expect(isMet(said, name, value, op)).toBe(true)
      for (const checked of [['sanctions'], ['sanctions', 'poisoning'], []]) {
        const proof = risk({ ...said, checked })
        const proofCriteria = { conditions: [makeCondition(name, [value], op)] }
        expect(matches(proof, proofCriteria)).toBe(false)
        expect(listShortfalls(proof, demandOf(proofCriteria), whole)).toEqual([
          { code: 'NOT_CHECKED', path: name, op, wanted: value, unchecked: ['activity'] },
        ])
      }
    })

    test.each<[string, object, boolean]>([
      ['of webacy', { provider: 'webacy' }, true],
      ['of goplus', { provider: 'goplus' }, true],
      ['of chainalysis', { provider: 'chainalysis' }, false],
      [
        'of embedded that read a chain',
        { provider: 'embedded', blocks: [{ chain: 'eip155:1', blockNumber: 1 }] },
        true,
      ],
      ['of embedded that read a list alone', { provider: 'embedded', sources: ['risk.deny_list'], blocks: [] }, false],
      ['of nobody', {}, false],
    ])('a level that a proof of before %s gives counts as far as it tells what it rests on', (_, data, counts) => {
      expect(isMet({ riskLevel: 'low', ...data }, 'riskLevel', 'low')).toBe(counts)
      expect(isMet({ overallRisk: 0, ...data }, 'overallRisk', '40', 'lte')).toBe(counts)
    })

    test('the result of one provider counts only for its own checks', () => {
      const asked = [
        { provider: 'goplus', answered: true, riskLevel: 'low', sanctioned: false, checked: ['sanctions', 'activity'] },
        { provider: 'chainalysis', answered: true, riskLevel: 'low', sanctioned: false, checked: ['sanctions'] },
      ]
      const row = { ...several, asked }
      expect(isMet(row, 'asked.0.riskLevel', 'low')).toBe(true)
      expect(isMet(row, 'asked.1.riskLevel', 'low')).toBe(false)
      expect(isMet(row, 'asked.1.sanctioned', 'false')).toBe(true)
      expect(isMet(row, 'asked.7.sanctioned', 'false')).toBe(false)
    })

    test('content is not safe in a category that was not checked', () => {
      const judged = { safe: true, categories: { profanity: false }, scores: { spoof: 0.1 } }
      const meetsOne = (data: object, name: string, value: string, op: Operator = 'eq') =>
        matches(proofOf(row('ai-content-moderation', data)), { conditions: [makeCondition(name, [value], op)] })
      expect(meetsOne(judged, 'safe', 'true')).toBe(true)
      expect(meetsOne({ safe: true }, 'safe', 'true')).toBe(false)
      expect(meetsOne({ safe: true, categories: {} }, 'safe', 'true')).toBe(false)
      expect(meetsOne(judged, 'categories.profanity', 'false')).toBe(true)
      expect(meetsOne(judged, 'scores.spoof', '0.5', 'lte')).toBe(true)
      const lacks = (name: string, op: Operator = 'eq') =>
        listShortfalls(
          proofOf(row('ai-content-moderation', judged)),
          demandOf({ conditions: [makeCondition(name, ['0'], op)] }),
          whole,
        )[0]
      expect(lacks('categories.violence')).toMatchObject({ code: 'NOT_CHECKED', unchecked: ['violence'] })
      expect(lacks('scores.violence', 'lte')).toMatchObject({ code: 'NOT_CHECKED', unchecked: ['violence'] })
      // It was looked at, and not as a figure.
      expect(lacks('scores.profanity', 'lte')).toMatchObject({ code: 'WRONG_VALUE' })
    })

    test('the categories of content are its checks', () => {
      const proof = proofOf(row('ai-content-moderation', { provider: 'embedded', categories: { profanity: false } }))
      const meetsOne = (name: string, value: string) => matches(proof, { conditions: [makeCondition(name, [value])] })
      expect(meetsOne('checked', 'profanity')).toBe(true)
      expect(meetsOne('checked', 'violence')).toBe(false)
      expect(meetsOne('provider', 'embedded')).toBe(true)
    })

    test('rows of other verifiers are compared as they stand', () => {
      const proof = proofOf(row('ownership-social', { provider: 'github', sanctioned: false }))
      expect(matches(proof, { conditions: [makeCondition('provider', ['github'])] })).toBe(true)
      expect(matches(proof, { conditions: [makeCondition('sanctioned', ['false'])] })).toBe(true)
    })
  })

  test('about a past block only where the block is named', () => {
    const proof = proofOf(row('token-holding', { input: { contractAddress: '0xab', blockNumber: 5 } }))
    const named = makeCondition('contractAddress', ['0xab'])
    expect(matches(proof, { conditions: [named] })).toBe(false)
    expect(reasons(proof, { conditions: [named] })).toEqual(['PAST_BLOCK'])
    expect(matches(proof, { conditions: [named, makeCondition('input.blockNumber', ['5'])] })).toBe(true)
    expect(matches(proof, { conditions: [named, makeCondition('blockNumber', ['4'], 'gte')] })).toBe(true)
    expect(matches(proof, { conditions: [named, makeCondition('blockNumber', ['6'])] })).toBe(false)
  })

  test('by the default namespace for a pseudonym without one, and not for other verifiers', () => {
    const namespace = {
      ...makeCondition('namespace', ['svc']),
      byDefault: { verifierId: 'ownership-pseudonym', value: 'svc' },
    }
    expect(matches(proofOf(row('ownership-pseudonym', { handle: 'a' })), { conditions: [namespace] })).toBe(true)
    expect(matches(proofOf(row('ownership-basic', {})), { conditions: [namespace] })).toBe(false)
    const other = { ...namespace, values: ['other'] }
    expect(matches(proofOf(row('ownership-pseudonym', { handle: 'a' })), { conditions: [other] })).toBe(false)
  })

  test('by the holder’s exact address, and never by an order', () => {
    const { record } = proofOf(row('nft-ownership', { input: { ownerAddress: '0xb' } }))
    const proof = { record: { ...record, subjectWallet: '0xb' } }
    expect(matches(proof, { conditions: [makeCondition('ownerAddress', ['0'], 'gte')] })).toBe(false)
    expect(matches(proof, { conditions: [makeCondition('ownerAddress', ['0xB'])] })).toBe(true)
  })

  test('exactly when it has no shortfalls', () => {
    fc.assert(
      fc.property(someProof, someDemand, (proof, proofCriteria) => {
        expect(listShortfalls(proof, proofCriteria, whole).length === 0).toBe(
          findMatchingRows(proof, proofCriteria, whole) !== undefined,
        )
      }),
    )
  })
})

const ids = ['nft-ownership', 'token-holding', 'ownership-basic', 'ownership-pseudonym', 'agent-identity']
const few = fc.constantFrom(
  'a',
  'b',
  '0xAb',
  '0xab',
  '1',
  '01',
  'A-VERY-LONG-WORD-OF-TWENTY',
  'a-very-long-word-of-twenty',
)
const someRow = fc
  .tuple(
    fc.constantFrom(...ids),
    fc.dictionary(fc.constantFrom('contractAddress', 'tokenId', 'contentHash', 'handle', 'agentId', 'chainId'), few),
    fc.dictionary(fc.constantFrom('contractAddress', 'tokenId', 'blockNumber'), few),
    fc.boolean(),
  )
  .map(([id, data, input, hasInput]) => row(id, hasInput ? { ...data, input } : data))
const someProof = fc
  .tuple(
    fc.uniqueArray(someRow, { minLength: 1, maxLength: 3, selector: ({ verifierId }) => verifierId }),
    fc.subarray(['t', 'u']),
  )
  .map(([rows, tags]) => ({ record: { ...proofOf(...rows).record, meta: { tags } } }))
const someDemand: fc.Arbitrary<ProofCriteria> = fc.record({
  verifierIds: fc.subarray(ids, { maxLength: 2 }),
  requireAll: fc.boolean(),
  conditions: fc.array(
    fc
      .tuple(
        fc.constantFrom(
          'contractAddress',
          'input.contractAddress',
          'tokenId',
          'contentHash',
          'handle',
          'agentId',
          'blockNumber',
        ),
        fc.array(few, { minLength: 1, maxLength: 2 }),
        fc.constantFrom<Operator>('eq', 'eq', 'eq', 'gte', 'lte'),
      )
      .map(([name, values, op]) => makeCondition(name, values, op)),
    { maxLength: 2 },
  ),
  tags: fc.subarray(['t', 'u']),
})

describe('the index of facts', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { db, catalog } = app.parts

  test('holds a fact that is asked for, whenever a proof matches', () => {
    // Verifiers that declare a subject are the only ones that carry it; here every row carries anything.
    const known = new Map(
      [...catalog.known].map(([id, verifier]) => [
        id,
        { ...verifier, facts: ['contractAddress', 'contentHash', 'handle', 'agentId'] as const },
      ]),
    )
    fc.assert(
      fc.property(someProof, someDemand, fc.boolean(), (proof, proofCriteria, isPrivate) => {
        if (!findMatchingRows(proof, proofCriteria, whole)) return
        const asked = listAskedFacts(proofCriteria, isPrivate, known)
        if (asked === undefined) return
        const held = new Set(listFacts(proof.record, isPrivate, known))
        expect(asked.some((fact) => held.has(fact))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is not narrowed by a value that is no equal one', () => {
    const proof = proofOf(row('agent-identity', { agentId: '5' }))
    const proofCriteria = demandOf({
      verifierIds: ['agent-identity'],
      conditions: [makeCondition('agentId', ['4'], 'gte')],
    })
    expect(findMatchingRows(proof, proofCriteria, whole)).toBeDefined()
    const held = listFacts(proof.record, false, catalog.known)
    expect(held).toEqual(expect.arrayContaining(listAskedFacts(proofCriteria, false, catalog.known)!))
  })

  test('equals a look at every proof, for wallets with proofs of every kind', async () => {
    const made: string[] = []
    const options = [{ privacyLevel: 'public' }, {}, { privacyLevel: 'public', meta: { tags: ['t'] } }]
    const claims = [
      (at: number) => ({ verifierIds: ['ownership-basic'], data: { owner: alice.address, content: `c${at % 7}` } }),
      (at: number) => ({
        verifierIds: ['ownership-basic'],
        data: { owner: alice.address, reference: { type: 'url', id: `https://r.example/${at % 3}` } },
      }),
      (at: number) => ({
        verifierIds: ['agent-delegation'],
        data: {
          controllerWallet: alice.address,
          agentWallet: at % 2 ? agent.address : bob.address,
          agentId: `a${at % 3}`,
          ...(at % 4 === 0 ? { expiresAt: app.now() + 40 } : {}),
        },
      }),
      (at: number) => ({ verifierIds: ['ownership-pseudonym'], data: { pseudonymId: `name${at % 4}` } }),
      // Found by several facts.
      (at: number) => ({
        verifierIds: ['ownership-basic', 'ownership-pseudonym'],
        data: {
          'ownership-basic': { owner: alice.address, reference: { type: 'url', id: `https://r.example/${at % 3}` } },
          'ownership-pseudonym': { pseudonymId: `name${at % 4}` },
        },
      }),
    ]
    for (let at = 0; at < 60; at++) {
      app.wait(1)
      const claim = claims[at % claims.length]!(at)
      const { body } = await app.submit(alice, { ...claim, options: options[at % options.length] })
      made.push(body.data.qHash)
      if (at % 9 === 0) {
        const qHash = made[at % made.length]!
        await app.post(
          `/api/v1/proofs/revoke-self/${qHash}`,
          await app.ownerBody(alice, { action: 'revoke_proof', qHash }),
        )
      }
    }
    const all = (await mapInOrder(made, async (qHash) => (await findProof(db, qHash))!)).reverse()
    const text = fc.constantFrom(
      'name1',
      'name2',
      'https://r.example/1',
      'https://r.example/2',
      'a0',
      'a1',
      agent.address,
      bob.address.toLowerCase(),
      'url',
    )
    const demands: fc.Arbitrary<ProofCriteria> = fc.record({
      verifierIds: fc.subarray(['ownership-basic', 'agent-delegation', 'ownership-pseudonym']),
      requireAll: fc.boolean(),
      conditions: fc.array(
        fc
          .tuple(
            fc.constantFrom(
              'handle',
              'referenceId',
              'referenceType',
              'agentId',
              'agentWallet',
              'reference.id',
              'content',
            ),
            fc.array(text, { minLength: 1, maxLength: 2 }),
          )
          .map(([name, values]) => makeCondition(name, values)),
        { maxLength: 2 },
      ),
      tags: fc.subarray(['t']),
    })
    let found = 0
    await fc.assert(
      fc.asyncProperty(demands, fc.boolean(), async (proofCriteria, withPrivate) => {
        const now = app.now()
        const wallet = alice.address.toLowerCase()
        const expected = all
          .filter((proof) => isCurrent(proof, now) && (withPrivate || proof.visibility > 0))
          .filter((proof) => findMatchingRows(proof, proofCriteria, whole))
          .map(({ qHash }) => qHash)
        const looked = await Array.fromAsync(
          iterateCandidates(db, {
            holder: makeHolder({ wallet, contractOn: undefined }),
            facts:
              listAskedFacts(proofCriteria, withPrivate, catalog.known) ??
              listVerifierFacts([...catalog.known.keys()], withPrivate),
            visibility: withPrivate ? 0 : 1,
            accepts: (proof) => isCurrent(proof, now),
            limit: 1_000,
            enough: 1_000,
          }),
        )
        const actual = looked.filter((proof) => findMatchingRows(proof, proofCriteria, whole)).map(({ qHash }) => qHash)
        expect(actual).toEqual(expected)
        found += actual.length
      }),
      { numRuns: 500 },
    )
    expect(found).toBeGreaterThan(500)
  })
})
