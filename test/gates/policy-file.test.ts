import { describe, expect, test } from 'bun:test'
import { writePath } from '../../src/gates/definition/finding.ts'
import { camelCase, type Spelling, snakeCase } from '../../src/gates/definition/member-case.ts'
import { readPolicy } from '../../src/gates/definition/policy-file.ts'
import { startApp } from '../app.ts'

const { parts } = await startApp()

const values: Readonly<Record<string, string>> = { WORD: 'xyzzy', 'word.txt': 'plugh' }

function read(parsed: unknown, spelling: Spelling = camelCase) {
  const policy = readPolicy(parsed, spelling, {
    ...parts,
    isForHere: true,
    valueFrom(source) {
      const value = values['env' in source ? source.env : source.file]
      return value === undefined ? { fault: 'names nothing that is there' } : { value }
    },
  })
  return { ...policy, said: policy.findings.map(({ path, message }) => `${writePath(path)} ${message}`) }
}

const gate = { gateId: 'one', name: 'One', requirements: [{ verifierId: 'ownership-basic' }] }
const inJson = (members: object) => read({ gates: [{ ...gate, ...members }] })

describe('a policy file', () => {
  test('in TOML has names with underscores, and data in an example keeps its own names', () => {
    const { gates, owner } = read(
      Bun.TOML.parse(
        `
        owner = "0xabc"
        [[gates]]
        gate_id = "one"
        name = "One"
        success_return_url = "https://shop.example/"
        [[gates.requirements]]
        verifier_id = "nft-ownership"
        max_age_ms = 1000
        final = true
        recheck = true
        match = [{ path = "input.contractAddress", op = "eq", value = "0xabc" }]
        [gates.price]
        amount_usd = "5"
        methods = ["card"]
        refund_threshold_percent = 60
        [[gates.cases]]
        name = "a holder"
        expect = "pass"
        [[gates.cases.proofs]]
        verifier_id = "nft-ownership"
        age_hours = 0.5
        is_final = false
        [gates.cases.proofs.data.input]
        contractAddress = "0xabc"
        contract_name = "kept as it is"
      `.replace('name = "One"', 'name = "One"\nstatus = "draft"'),
      ),
      snakeCase,
    )
    expect(owner).toBe('0xabc')
    expect(gates).toEqual([
      {
        definition: {
          gateId: 'one',
          name: 'One',
          status: 'draft',
          successReturnUrl: 'https://shop.example/',
          requirements: [
            {
              verifierId: 'nft-ownership',
              maxAgeMs: 1000,
              final: true,
              recheck: true,
              match: [{ path: 'input.contractAddress', op: 'eq', value: '0xabc' }],
            },
          ],
          price: { amountUsd: '5', methods: ['card'], refundThresholdPercent: 60 },
        },
        examples: [
          {
            name: 'a holder',
            expect: 'pass',
            proofs: [
              {
                verifierId: 'nft-ownership',
                ageHours: 0.5,
                isFinal: false,
                data: { input: { contractAddress: '0xabc', contract_name: 'kept as it is' } },
              },
            ],
          },
        ],
      },
    ])
  })

  test('takes the value of a reward from where it says', () => {
    const { gates } = inJson({
      rewards: [
        { kind: 'reveal', value: 'here' },
        { kind: 'reveal', valueEnv: 'WORD' },
        { kind: 'reveal', valueFile: 'word.txt', label: 'The word' },
      ],
    })
    expect(gates?.[0]?.definition.rewards).toEqual([
      { kind: 'reveal', value: 'here' },
      { kind: 'reveal', value: 'xyzzy' },
      { kind: 'reveal', value: 'plugh', label: 'The word' },
    ])
  })

  test('names each mistake once, at its path as the file spells it, with the allowed values', () => {
    const { said, findings } = read(
      {
        ownr: 'x',
        gates: [
          {
            gateId: 'one',
            name: 'One',
            requirements: [{ verifier_id: 'ownership-basic', max_age: 5, min_count: 0 }],
            rewards: [{ kind: 'reveal', value_env: 'NOPE' }],
          },
        ],
      },
      snakeCase,
    )
    expect(said).toEqual([
      'ownr does not exist',
      'gates[0].gateId does not exist',
      'gates[0].requirements[0].max_age does not exist',
      'gates[0].rewards[0].value_env names nothing that is there',
      'gates[0].gate_id is missing',
      'gates[0].requirements[0].min_count must be a whole number from 1 to 1000',
    ])
    expect(findings[1]?.unknown?.known).toContain('gate_id')
  })

  test.each<[string, object, string]>([
    [
      'two places for one value',
      { rewards: [{ kind: 'reveal', value: 'a', valueEnv: 'WORD' }] },
      'gates[0].rewards[0] has more than one of value, valueEnv and valueFile',
    ],
    [
      'a value that is not there',
      { rewards: [{ kind: 'reveal', valueFile: 'gone.txt' }] },
      'gates[0].rewards[0].valueFile names nothing that is there',
    ],
    [
      'an example that expects neither',
      { cases: [{ name: 'x', expect: 'maybe' }] },
      'gates[0].cases[0].expect must be one of pass, fail',
    ],
    [
      'an example that passes because of something',
      { cases: [{ name: 'x', expect: 'pass', because: 'TOO_OLD' }] },
      'gates[0].cases[0].because works only in cases with expect = "fail"',
    ],
    [
      'an example of an unknown verifier',
      { cases: [{ name: 'x', expect: 'pass', proofs: [{ verifierId: 'nope' }] }] },
      'gates[0].cases[0].proofs[0].verifierId is unknown: there is no verifier "nope"',
    ],
    [
      'an example of no verifier',
      { cases: [{ name: 'x', expect: 'pass', proofs: [{ data: {} }] }] },
      'gates[0].cases[0].proofs[0] needs either a verifier with its data, or the rows of several verifiers',
    ],
    ['a contradiction of the gate', { supply: 0 }, 'gates[0].supply must be a whole number'],
  ])('refuses %s', (_, members, sentence) => {
    const { gates, said } = inJson(members)
    expect(gates).toBeUndefined()
    expect(said).toHaveLength(1)
    expect(said[0]).toStartWith(sentence)
  })

  test.each<[string, unknown, string]>([
    ['without gates', {}, 'gates is missing'],
    ['with no gate', { gates: [] }, 'gates needs at least 1 entry'],
    ['with a text for a gate', { gates: ['x'] }, 'gates[0] must be an object with members, and is a text'],
    ['with a number for its owner', { gates: [gate], owner: 5 }, 'owner must be a wallet address, and is a number'],
    [
      'with two gates of one id',
      { gates: [gate, { ...gate, name: 'Two' }] },
      'gates[1].gateId is the id of gates[0]: choose another',
    ],
  ])('is refused %s', (_, parsed, sentence) => {
    expect(read(parsed).said).toEqual([sentence])
  })

  test('reports the first fifty of a thousand mistakes', () => {
    expect(read({ gates: Array.from({ length: 400 }, () => ({ a: 1, b: 2, c: 3 })) }).findings).toHaveLength(50)
  })
})
