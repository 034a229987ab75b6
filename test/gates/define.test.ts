import { describe, expect, test } from 'bun:test'
import { checkDefinition } from '../../src/gates/definition/define.ts'
import { writeSentence } from '../../src/gates/definition/finding.ts'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { apply, contract, definitionOf, gatesPath, secretText } from './gate.ts'

const { parts } = await startApp()
const sentences = (definition: unknown, level = 'error') =>
  checkDefinition(definition, parts)
    .findings.filter((finding) => finding.level === level)
    .map(writeSentence)

const requirement = { verifierId: 'ownership-basic' }
const nested = (depth: number): unknown => (depth === 0 ? 'r1' : { any: [nested(depth - 1)] })

describe('a definition is refused', () => {
  test.each<[string, object, string]>([
    ['another character in the id', { gateId: 'gate/one' }, 'gateId must be 1 to 80 characters of a-z A-Z 0-9 : _ -'],
    ['an emoji in the id', { gateId: 'gate_🗝' }, 'gateId must be 1 to 80 characters of a-z A-Z 0-9 : _ -'],
    ['an id of 81 characters', { gateId: 'a'.repeat(81) }, 'gateId is longer than 80 characters'],
    ['an empty id', { gateId: '' }, 'gateId is empty'],
    ['the id of a list', { gateId: 'discoverable' }, 'gateId is a reserved word: choose another'],
    ['no name', { name: undefined }, 'name is missing'],
    ['a name of spaces', { name: ' \u00a0 ' }, 'name holds no letter, digit or sign: write a text'],
    ['a name of one combining mark', { name: '\u0301' }, 'name holds no letter, digit or sign: write a text'],
    ...(
      [
        ['that turns the direction', 'Free \u202epaid', 'U+202E at position 6'],
        ['of no width', 'Hol\u200bders', 'U+200B at position 4'],
        ['that joins Latin letters', 'Hol\u200dders', 'U+200D at position 4'],
        ['that joins nothing', '👩‍💻 Holders \u200d', 'U+200D at position 13'],
        ['that stands for no character', 'Hol\ufdd0ders', 'U+FDD0 at position 4'],
        ['beyond the planes that are used', 'Hol\u{1ffff}ders', 'U+1FFFF at position 4'],
        ['of a note without a head', '\u{1d159}', 'U+1D159 at position 1'],
      ] as const
    ).flatMap(([what, text, where]) =>
      (
        [
          ['name', { name: text }],
          ['rewards[0].label', { rewards: [{ kind: 'access_granted', label: text }] }],
        ] as const
      ).map(([path, members]): [string, object, string] => [
        `a character ${what} in ${path}`,
        members,
        `${path} holds a character that nobody sees (${where}): write it without it`,
      ]),
    ),
    [
      'a name with a line feed',
      { name: 'Holders\nfree: yes' },
      'name holds a line break (U+000A at position 8): write it without it',
    ],
    [
      'half of a surrogate pair',
      { name: 'Holders \ud83d' },
      'name holds half of a surrogate pair, which is not valid text',
    ],
    ['a name of 201 characters', { name: 'n'.repeat(201) }, 'name is longer than 200 characters'],
    ['an unknown member', { color: 'red' }, 'color does not exist'],
    [
      'a final block of what reads no chain',
      { requirements: [{ ...requirement, final: true }] },
      'requirements[0].final works only with verifiers that read a chain (ownership-licensed, contract-ownership, nft-ownership, token-holding): leave it out for ownership-basic',
    ],
    [
      'a second reading of what reads no chain',
      { requirements: [{ ...requirement, recheck: true }] },
      'requirements[0].recheck works only with verifiers that read a chain (ownership-licensed, contract-ownership, nft-ownership, token-holding): leave it out for ownership-basic',
    ],
    [
      '17 second readings',
      { requirements: [8, 9].map((minCount) => ({ verifierId: 'nft-ownership', minCount, recheck: true })) },
      'requirements have 17 proofs read again for each fulfillment, and the limit is 16: lower minCount, or remove recheck from some',
    ],
    ['no requirement', { requirements: [] }, 'requirements needs at least 1 entry'],
    ['33 requirements', { requirements: Array(33).fill(requirement) }, 'requirements has more than 32 entries'],
    [
      'an unknown verifier',
      { requirements: [{ verifierId: 'nope' }] },
      'requirements[0].verifierId is unknown: there is no verifier "nope"',
    ],
    [
      'one id twice',
      { requirements: [{ ...requirement, id: 'r2' }, requirement] },
      'requirements[1].id is "r2", the id of requirements[0]: choose another',
    ],
    [
      'a path that is none',
      { requirements: [{ ...requirement, match: [{ path: 'a..b', op: 'eq', value: '' }] }] },
      'requirements[0].match[0].path must be a path of names with dots between them',
    ],
    [
      'another comparison',
      { requirements: [{ ...requirement, match: [{ path: 'a', op: 'gt', value: '1' }] }] },
      'requirements[0].match[0].op must be one of eq, gte, lte',
    ],
    [
      'a least that is no number',
      { requirements: [{ ...requirement, match: [{ path: 'a', op: 'gte', value: 'much' }] }] },
      'requirements[0].match[0].value must be a number such as "80" or "0.5" for gte',
    ],
    [
      'a condition that nothing can meet',
      { requirements: [{ ...requirement, match: [{ path: 'a', op: 'eq', value: ' ' }] }] },
      'requirements[0].match[0].value is empty: give a value, or leave the condition out',
    ],
    [
      'a number in place of its text',
      { requirements: [{ ...requirement, match: [{ path: 'a', op: 'eq', value: 5 }] }] },
      'requirements[0].match[0].value must be a text',
    ],
    [
      'a rule that names nobody',
      { rule: { all: ['r1', 'r7'] } },
      'rule.all[1] names a requirement that does not exist: use "r1"',
    ],
    [
      'a rule of another form',
      { rule: { all: ['r1'], any: ['r1'] } },
      'rule must be the id of a requirement, or an object with either "all" or "any"',
    ],
    ['a rule of a number', { rule: 5 }, 'rule must be the id of a requirement'],
    ['an empty group', { rule: { any: [] } }, 'rule.any needs at least 1 entry'],
    ['a rule five levels deep', { rule: nested(5) }, 'is nested deeper than 4 levels'],
    [
      'a rule of 129 parts',
      { rule: { any: Array(5).fill({ all: Array(30).fill('r1') }) } },
      'rule has more than 128 parts',
    ],
    [
      'a requirement that the rule forgets',
      { requirements: [requirement, requirement], rule: 'r1' },
      'requirements[1] ("r2") is not named in rule',
    ],
    [
      'an end before the start',
      { schedule: { startsAt: '2026-02-01T00:00:00Z', endsAt: '2026-02-01T00:30:00+01:00' } },
      'schedule.endsAt must come after schedule.startsAt',
    ],
    [
      'the 30th of February',
      { schedule: { startsAt: '2026-02-30T00:00:00Z' } },
      'schedule.startsAt is not an existing day and time',
    ],
    [
      'a moment without its offset',
      { schedule: { startsAt: '2026-02-01T00:00:00' } },
      'schedule.startsAt must be a moment with its offset',
    ],
    ['a supply of nothing', { supply: 0 }, 'supply must be a whole number from 1 to 1000000000'],
    [
      'a price of nothing',
      { price: { amountUsd: '0.00', methods: ['x402'] } },
      'price.amountUsd is zero: leave price out',
    ],
    [
      'a price as a number',
      { price: { amountUsd: 5, methods: ['card'] } },
      'price.amountUsd must be US dollars as a text such as "4.99"',
    ],
    ['a negative price', { price: { amountUsd: '-5', methods: ['card'] } }, 'price.amountUsd must be US dollars'],
    ['no way to pay', { price: { amountUsd: '5', methods: [] } }, 'price.methods needs at least 1 entry'],
    [
      'a way to pay twice',
      { price: { amountUsd: '5', methods: ['card', 'card'] } },
      'price.methods names something twice',
    ],
    [
      'ways to pay that are not configured',
      { price: { amountUsd: '5', methods: ['card'] } },
      'price.methods[0] "stripe" cannot be used: it ',
    ],
    [
      'a reward without its value',
      { rewards: [{ kind: 'redirect' }] },
      'rewards[0].value is missing: redirect hands out an address',
    ],
    [
      'an access reward with a value',
      { rewards: [{ kind: 'access_granted', value: 'x' }] },
      'rewards[0].value must be left out',
    ],
    [
      'a redirect over http',
      { rewards: [{ kind: 'redirect', value: 'http://shop.example/' }] },
      'rewards[0].value must begin with https://',
    ],
    [
      'a redirect into a script',
      { rewards: [{ kind: 'redirect', value: 'javascript:alert(1)' }] },
      'rewards[0].value must begin with https://',
    ],
    [
      'a download of a file',
      { rewards: [{ kind: 'download', value: 'file:///etc/passwd' }] },
      'rewards[0].value must begin with https://',
    ],
    [
      'a download that is no address',
      { rewards: [{ kind: 'download', value: 'book.pdf' }] },
      'rewards[0].value must be a whole address',
    ],
    [
      'an address with a password',
      { rewards: [{ kind: 'download', value: 'https://me:pw@shop.example/' }] },
      'rewards[0].value must hold no user name and no password',
    ],
    [
      'a text of spaces to reveal',
      { rewards: [{ kind: 'reveal', value: '  ' }] },
      'rewards[0].value holds no letter, digit or sign: write a text',
    ],
    [
      'a listing that nobody may see',
      { listing: { label: 'x' }, policy: { visibility: 'private' } },
      'listing is not possible: policy.visibility is private',
    ],
    ['a way back over http', { successReturnUrl: 'http://shop.example/' }, 'successReturnUrl must begin with https://'],
    ['a list where a table belongs', { policy: [] }, 'policy must be an object with members'],
    ['a text where a list belongs', { requirements: 'ownership-basic' }, 'requirements must be a list'],
  ])('with %s', (_, members, sentence) => {
    expect(sentences(JSON.parse(JSON.stringify(definitionOf(members))))).toContainEqual(
      expect.stringContaining(sentence),
    )
  })

  test.each([
    [null, 'null'],
    [5, 'a number'],
    ['x', 'a text'],
    [[], 'a list'],
  ])('when it is no object: %p', (value, found) => {
    expect(sentences(value)).toEqual([`definition must be an object with members, and is ${found}`])
  })

  test('with everything that is wrong at once, and never with the value that is', () => {
    const rewards = [
      { kind: 'redirect', value: `not-an-address-${secretText}` },
      { kind: 'gift', value: secretText },
    ]
    const { findings } = checkDefinition(definitionOf({ name: 5, rewards, supply: -1 }), parts)
    expect(findings.map(writeSentence)).toEqual([
      'name must be a text, and is a number',
      'supply must be a whole number from 1 to 1000000000',
      'rewards[1].kind must be one of access_granted, redirect, download, reveal',
    ])
    expect(JSON.stringify(findings)).not.toContain(secretText)
  })
})

describe('a definition is right', () => {
  test.each<[string, object]>([
    ['with an emoji in its name', { name: 'Keys 🗝️ 👨‍👩‍👧' }],
    ['with a name from right to left', { name: 'שערי זהב', description: 'مرحبا\nسطر' }],
    ['with an id of 80 characters', { gateId: `a:b_c-${'9'.repeat(74)}` }],
    ['with a redirect to this machine', { rewards: [{ kind: 'redirect', value: 'http://localhost:3000/x' }] }],
    ['with a rule of four levels', { rule: nested(4) }],
    ['with a rule that names one of two', { requirements: [requirement, requirement], rule: { any: ['r1', 'r2'] } }],
    [
      'with a price to the sixth digit, as a draft',
      { status: 'draft', price: { amountUsd: '0.000001', methods: ['x402'], recipient: contract } },
    ],
  ])('%s', (_, members) => {
    expect(sentences(definitionOf(members))).toEqual([])
  })

  test.each<[string, object, string]>([
    [
      'a verifier that is not offered here',
      { requirements: [{ verifierId: 'nft-ownership' }] },
      'requirements[0].verifierId cannot be proved here now: "nft-ownership" is not offered here',
    ],
    ['a schedule that is over', { schedule: { endsAt: '2020-01-01T00:00:00Z' } }, 'schedule.endsAt is over'],
    ['more for one wallet than there is', { supply: 1, perWallet: 2 }, 'perWallet is more than supply'],
    [
      'nothing that must be met',
      { requirements: [{ ...requirement, optional: true }] },
      'requirements are all optional: any one of them is enough',
    ],
  ])('and warns of %s', (_, members, sentence) => {
    expect(sentences(definitionOf(members))).toEqual([])
    expect(sentences(definitionOf(members), 'warning')).toContainEqual(expect.stringContaining(sentence))
  })
})

describe('over HTTP', () => {
  test.each<[string, object, 'VALIDATION_ERROR' | 'GATE_MISCONFIGURED', RegExp]>([
    ['a wrong id', { gateId: 'a b' }, 'VALIDATION_ERROR', /gateId must be 1 to 80 characters/],
    ['an id of 81 characters', { gateId: 'a'.repeat(81) }, 'VALIDATION_ERROR', /gateId must be 1 to 80 characters/],
    [
      'two mistakes',
      { name: 5, supply: 0 },
      'VALIDATION_ERROR',
      /name must be a text, and is a number \(and 1 more: see details\.findings\)/,
    ],
    [
      'no recipient and no token',
      { price: { amountUsd: '5', methods: ['stablecoin'] } },
      'GATE_MISCONFIGURED',
      /price\.methods\[0\] "usdc" cannot be used/,
    ],
    ['an unknown verifier', { requirements: [{ verifierId: 'x' }] }, 'GATE_MISCONFIGURED', /there is no verifier "x"/],
  ])('%s: the owner is told what to mend, and nothing is stored', async (_, members, code, hint) => {
    const app = await startApp()
    const answer = await leavesNothing(app.parts, () => apply(app, definitionOf(members)))
    expectRefused(answer, code, hint)
    expect(JSON.stringify(answer.body)).not.toContain(secretText)
    for (const { path, message, level } of answer.body.error.details.findings) {
      expect(path).toMatch(/^\w/)
      expect(message.length).toBeGreaterThan(5)
      expect(['error', 'warning']).toContain(level)
    }
  })

  test('a stranger is not told what is wrong: the signature is checked first', async () => {
    const app = await startApp()
    const signed = await app.ownerBody(alice, {
      action: 'apply_gate',
      gateId: 'gate_holders',
      digest: `0x${'0'.repeat(64)}`,
    })
    expectRefused(await app.post(gatesPath, { definition: definitionOf({ name: 5 }), ...signed }), 'SIGNATURE_INVALID')
  })

  test.each([[undefined], ['text'], [[]], [null]])('a body whose definition is %p is refused', async (definition) => {
    const app = await startApp()
    const signed = await app.ownerBody(alice, { action: 'apply_gate', gateId: 'x', digest: '0x' })
    expectRefused(await app.post(gatesPath, { definition, ...signed }), 'VALIDATION_ERROR')
  })

  test('a definition of a megabyte is too large for a request', async () => {
    const app = await startApp()
    const answer = await apply(app, definitionOf({ description: 'x'.repeat(1_048_576) }))
    expectRefused(answer, 'PAYLOAD_TOO_LARGE')
  })

  test.each([['gate%20one'], ['a'.repeat(81)], ['gate%2Fone'], ['%F0%9F%97%9D']])(
    'no gate can be read by an id such as %s',
    async (id) => {
      const app = await startApp()
      expectRefused(await app.get(`${gatesPath}/${id}`), 'VALIDATION_ERROR', /gateId/)
    },
  )
})
