/** POST /api/v1/profile/gates/preview: the effect of a gate, before it is published. */
import { describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, mallory } from '../wallets.ts'
import { apply, definitionOf, gatesPath, readerHeaders, secretText } from './gate.ts'

const path = `${gatesPath}/preview`

async function previewer(app: TestApp, wallet = alice) {
  const { headers } = await app.signIn(wallet)
  return (body: object) => app.post(path, body, headers)
}

const tomlOf = (gates: string) => `owner = "${alice.address}"\n${gates}`
const goodToml = tomlOf(`
[[gates]]
gate_id = "club"
name = "Club"
requirements = [{ verifier_id = "ownership-basic" }]
rewards = [{ kind = "reveal", value = "${secretText}" }]
`)

describe('POST /api/v1/profile/gates/preview', () => {
  test('describes a new gate, in one spelling and in plain words, and stores nothing', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    const { status, body } = await leavesNothing(app.parts, () => preview({ definition: definitionOf({ policy: {} }) }))
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ publishable: true, findings: [] })
    const [gate] = body.data.gates
    expect(gate).toMatchObject({ gateId: 'gate_holders', status: 'active', outcome: 'created', currentVersion: 0 })
    expect(gate.definition.requirements[0].id).toBe('r1')
    expect(gate.definition.policy).toBeUndefined()
    expect(gate.lines[0]).toEqual({
      path: 'requirements',
      text: 'Anyone who has claimed the content with the hash abc gets a secret text (“The word”).',
    })
    expect(JSON.stringify(body)).not.toContain(secretText)
  })

  test('shows the changes against the published version', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const preview = await previewer(app)
    const { body } = await preview({ definition: definitionOf({ name: 'Keepers' }) })
    expect(body.data.gates[0]).toMatchObject({
      outcome: 'changed',
      currentVersion: 1,
      difference: [{ change: 'changed', path: 'name', before: '"Holders"', after: '"Keepers"' }],
    })
    expect((await preview({ definition: definitionOf() })).body.data.gates[0].outcome).toBe('unchanged')
  })

  test('answers an unfinished definition with findings instead of a refusal', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    const { status, body } = await preview({
      definition: { gateId: 'g', name: '', requirements: [{ verifierId: 'token-holdings' }], nmae: 'x' },
    })
    expect(status).toBe(200)
    expect(body.data.publishable).toBe(false)
    expect(body.data.gates).toEqual([])
    expect(body.data.findings).toContainEqual({
      path: 'name',
      code: 'EMPTY',
      values: {},
      message: 'is empty',
      level: 'error',
    })
    expect(body.data.findings).toContainEqual({
      path: 'nmae',
      code: 'UNKNOWN_MEMBER',
      values: { meant: 'name' },
      message: 'does not exist; did you mean "name"?',
      level: 'error',
    })
    const unknown = await preview({ definition: definitionOf({ requirements: [{ verifierId: 'token-holdin' }] }) })
    expect(unknown.body.data.findings[0].message).toContain('did you mean "token-holding"?')
    expect(unknown.body.data.gates[0].lines[0].text).toContain('has a proof of token-holdin')
  })

  test('checks the rest of a definition when some members are still empty', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    const { body } = await preview({
      definition: definitionOf({
        name: '',
        price: { amountUsd: '', methods: [] },
        rewards: [{ kind: 'reveal', value: '', label: 'The word' }],
      }),
    })
    expect(body.data.publishable).toBe(false)
    expect(body.data.findings.map(({ path }: { path: string }) => path).sort()).toEqual([
      'name',
      'price.amountUsd',
      'price.methods',
      'rewards[0].value',
    ])
    expect(body.data.gates).toMatchObject([{ outcome: 'impossible', difference: [] }])
    expect(body.data.gates[0].definition).toBeUndefined()
    expect(body.data.gates[0].lines[0].text).toBe(
      'Anyone who has claimed the content with the hash abc and pays … USD gets a secret text (“The word”).',
    )
    const wrong = await preview({ definition: definitionOf({ price: { amountUsd: 5, methods: 'all' } }) })
    expect(wrong.body.data.gates).toEqual([])
  })

  test('reports an id of another owner without details', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ status: 'draft', name: 'Plans of Alice' }))
    const preview = await previewer(app, mallory)
    const { body } = await preview({ definition: definitionOf() })
    expect(body.data).toMatchObject({
      publishable: false,
      gates: [{ outcome: 'impossible', currentVersion: 0, difference: [] }],
    })
    expect(body.data.findings).toEqual([
      {
        path: 'gateId',
        code: 'ID_TAKEN',
        values: { why: expect.any(String) },
        message: expect.stringContaining('belongs to another owner'),
        level: 'error',
      },
    ])
    expect(JSON.stringify(body)).not.toContain('Plans of Alice')
  })

  test('reads the text of a policy file, TOML or JSON, and says in which line it is wrong', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    const good = await preview({ policy: { text: goodToml, format: 'toml' } })
    expect(good.body.data).toMatchObject({ publishable: true, gates: [{ gateId: 'club' }] })
    expect(JSON.stringify(good.body)).not.toContain(secretText)

    const wrong = await preview({ policy: { text: goodToml.replace('gate_id', 'gate_idd'), format: 'toml' } })
    expect(wrong.body.data.findings).toContainEqual({
      path: 'gates[0].gate_idd',
      code: 'UNKNOWN_MEMBER',
      values: { meant: 'gate_id' },
      message: 'does not exist; did you mean "gate_id"?',
      level: 'error',
      line: 4,
    })
    const json = JSON.stringify({ gates: [definitionOf()] })
    expect((await preview({ policy: { text: json, format: 'json' } })).body.data.gates[0].gateId).toBe('gate_holders')
    for (const [text, format, hint] of [
      ['name = Club', 'toml', /not TOML: a text without quotes/],
      ['a = 1\nname = "Club\nb = 1', 'toml', /does not end on its line: the second quote may be missing/],
      ["a = 1\r\nname = 'Club\r\nb = 1", 'toml', /does not end on its line: the second quote may be missing/],
      ['a = 1\nname = "Club', 'toml', /never closed: the second quote may be missing/],
      ['name = "a\u0001"', 'toml', /control characters/],
      ['{"gates": [', 'json', /not JSON/],
      ['{"gates": [], "gates": []}', 'json', /twice/],
      ['[]', 'json', /./],
    ] as const) {
      const { body, status } = await preview({ policy: { text, format } })
      expect(status).toBe(200)
      expect(body.data.gates).toEqual([])
      expect(body.data.findings[0].message).toMatch(hint)
      if (hint.source.includes('second quote')) expect(body.data.findings[0].line).toBe(2)
    }
  })

  test.each([
    [1, 0],
    [20, 0],
    [30, 10],
  ])('reports, of a file of %i gates, that the answer leaves out %i', async (count, untold) => {
    const preview = await previewer(await startApp())
    const gates = Array.from({ length: count }, (_, at) => definitionOf({ gateId: `gate_${at}` }))
    const { body } = await preview({ policy: { text: JSON.stringify({ gates }), format: 'json' } })
    expect(body.data).toMatchObject({ publishable: true, untold })
    expect(body.data.gates).toHaveLength(count - untold)
  })

  test('a file from a browser names neither files nor variables of the server', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    for (const source of ['value_env = "PATH"', 'value_file = "/etc/hostname"']) {
      const { body } = await preview({
        policy: { text: goodToml.replace(/value = "[^"]*"/, source), format: 'toml' },
      })
      expect(body.data.publishable).toBe(false)
      expect(body.data.findings[0].message).toContain('where only the command line finds it')
    }
  })

  test.each([
    ['a list that never ends', '[', 'json'],
    ['a name of half a megabyte', `{"${'x'.repeat(400_000)}": 1}`, 'json'],
    ['a hundred thousand mistakes', `{"gates": [${Array.from({ length: 60_000 }, () => '1').join()}]}`, 'json'],
    [
      'five hundred gates with nothing right',
      `{"gates": [${Array.from({ length: 500 }, () => '{"q":1}').join()}]}`,
      'json',
    ],
    ['quotes that never close', `a = """${'"'.repeat(200_000)}`, 'toml'],
    ['tables upon tables', Array.from({ length: 40_000 }, (_, at) => `[a${at}]`).join('\n'), 'toml'],
    ['as many keys as fit', Array.from({ length: 1_990 }, (_, at) => `[a${at}]`).join('\n'), 'toml'],
    ['many keys in one line', `a = {${Array.from({ length: 7_000 }, (_, at) => `k${at}=1`).join()}}`, 'toml'],
    ['a key nested without end', `${'a.'.repeat(100_000)}a = 1`, 'toml'],
    [
      'markup and a prototype',
      '{"gates":[{"__proto__":{"gateId":"x"},"constructor":1,"name":"<img src=x onerror=alert(1)>"}]}',
      'json',
    ],
  ] as const)('answers %s with a short list of findings', async (_, text, format) => {
    const app = await startApp()
    const preview = await previewer(app)
    const { status, body } = await leavesNothing(app.parts, () => preview({ policy: { text, format } }))
    expect(status).toBe(200)
    expect(body.data.publishable).toBe(false)
    expect(body.data.findings.length).toBeGreaterThan(0)
    expect(body.data.findings.length).toBeLessThanOrEqual(60)
    expect(JSON.stringify(body).length).toBeLessThan(60_000)
  })

  test.each([
    [
      'tables behind a deep key',
      `${'Z.'.repeat(65)}Y=1\n${Array.from({ length: 9_000 }, (_, at) => `[${at}]`).join('\n')}`,
    ],
    ['a list of thousands', `a = [${'1,'.repeat(32_000)}]`],
    ['thousands of settings', Array.from({ length: 6_000 }, (_, at) => `k${at}=1`).join('\n')],
    [
      'lists in lists',
      Array.from({ length: 400 }, (_, at) => `k${at} = ${'['.repeat(64)}${']'.repeat(64)}`).join('\n'),
    ],
  ])('a text of 60 kB with %s is parsed, and each finding has its line', async (_, text) => {
    const preview = await previewer(await startApp())
    const { body } = await preview({ policy: { text, format: 'toml' } })
    expect(body.data.findings[0]).toMatchObject({ message: 'does not exist', line: expect.any(Number) })
    expect(body.data.findings.length).toBeLessThanOrEqual(60)
  })

  test.each([
    ['one key of thousands of names', `${'a.'.repeat(32_700)}b=1`, 1],
    ['thousands of lists, one within the other', `a = 1\nb = ${'['.repeat(20_000)}`, 2],
    ['thousands of tables, one within the other', `a = 1\nb = ${'{a='.repeat(9_000)}1${'}'.repeat(9_000)}`, 2],
  ])('%s is told to be too deep, with its line', async (_, text, line) => {
    const preview = await previewer(await startApp())
    const { body } = await preview({ policy: { text, format: 'toml' } })
    expect(body.data.findings).toEqual([
      {
        path: 'definition',
        code: 'UNREADABLE_TEXT',
        values: { why: 'this is not TOML: nested too deeply' },
        message: 'this is not TOML: nested too deeply',
        level: 'error',
        line,
      },
    ])
  })

  test.each([
    ['letters of one byte', `a = "${'x'.repeat(65_536)}"`],
    ['letters of three bytes', `a = "${'漢'.repeat(21_900)}"`],
    ['a text that is no TOML', `${'#'.repeat(65_536)}\n= = =`],
  ])('TOML of more than 65,536 bytes is refused before it is parsed: %s', async (_, text) => {
    const preview = await previewer(await startApp())
    const { body } = await preview({ policy: { text, format: 'toml' } })
    expect(body.data.findings).toEqual([
      {
        path: 'definition',
        code: 'UNREADABLE_TEXT',
        values: { why: expect.any(String) },
        message: expect.stringContaining('more TOML than a server reads (65536 bytes)'),
        level: 'error',
      },
    ])
  })

  test.each([
    ['TOML', `\ufeff${goodToml}`, 'toml'],
    ['JSON', `\ufeff${JSON.stringify({ gates: [definitionOf({ gateId: 'club' })] })}`, 'json'],
  ])('a byte order mark before %s is read past', async (_, text, format) => {
    const preview = await previewer(await startApp())
    const { body } = await preview({ policy: { text, format } })
    expect(body.data).toMatchObject({ publishable: true, gates: [{ gateId: 'club' }] })
  })

  test('lines are right after a byte order mark', async () => {
    const preview = await previewer(await startApp())
    const text = `\ufeff${goodToml.replace('gate_id', 'gate_idd')}`
    const { body } = await preview({ policy: { text, format: 'toml' } })
    expect(body.data.findings).toContainEqual(expect.objectContaining({ path: 'gates[0].gate_idd', line: 4 }))
  })

  test.each([
    ['as wide as a body', { any: Array.from({ length: 29_000 }, () => 'r1') }, /more than 32 entries/],
    [
      'of thirty-two groups of thirty-two',
      { any: Array.from({ length: 32 }, () => ({ all: Array.from({ length: 32 }, () => 'r1') })) },
      /more than 128 parts/,
    ],
    ['of five levels', { any: [{ any: [{ any: [{ any: [{ any: ['r1'] }] }] }] }] }, /deeper than 4 levels/],
    ['with an id of 100 kB', 'x'.repeat(100_000), /longer than 32 characters/],
  ])('nothing is told of a rule %s but what is wrong with it', async (_, rule, message) => {
    const preview = await previewer(await startApp())
    for (const name of ['', 'Club']) {
      const { status, body } = await preview({ definition: definitionOf({ name, rule }) })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ publishable: false, gates: [] })
      expect(body.data.findings).toContainEqual({
        path: expect.stringMatching(/^rule/),
        code: expect.any(String),
        values: { most: expect.any(Number) },
        message: expect.stringMatching(message),
        level: 'error',
      })
      expect(JSON.stringify(body).length).toBeLessThan(5_000)
    }
  })

  test('a requirement that the rule names a hundred times makes a sentence that is cut', async () => {
    const preview = await previewer(await startApp())
    const match = Array.from({ length: 16 }, (_, at) => ({ path: `member${at}`, op: 'eq', value: 'مرحبا'.repeat(60) }))
    const requirements = [{ id: 'r1', verifierId: 'ownership-basic', match }]
    const rule = { any: [1, 2, 3].map(() => ({ all: Array.from({ length: 32 }, () => 'r1') })) }
    const { body } = await preview({ definition: definitionOf({ requirements, rule }) })
    const [line] = body.data.gates[0].lines
    expect(line.text).toContain('(the definition has the rest) gets a secret text')
    expect(line.text.length).toBeLessThan(4_000)
    expect(line.text.split('\u2068').length).toBe(line.text.split('\u2069').length)
  })

  test('a difference of long texts is cut and says so', async () => {
    const app = await startApp()
    const match = (letter: string) =>
      Array.from({ length: 16 }, (_, at) => ({ path: `m${at}`, op: 'eq', value: letter.repeat(1_900) }))
    const requirements = (letter: string) =>
      Array.from({ length: 1 }, () => ({ verifierId: 'ownership-basic', match: match(letter) }))
    await apply(app, definitionOf({ requirements: requirements('a') }))
    const preview = await previewer(app)
    const { body } = await preview({ definition: definitionOf({ requirements: requirements('b') }) })
    const { difference } = body.data.gates[0]
    expect(difference).toHaveLength(16)
    expect(difference[0]).toMatchObject({ path: 'requirements.r1.match[0]', truncated: true })
    expect(difference[0].before.length).toBeLessThanOrEqual(1_001)
    expect(JSON.stringify(difference).length).toBeLessThan(70_000)
    expect(body.data.gates[0].outcome).toBe('changed')
  })

  test('a list of rewards that is too long opens no kept value', async () => {
    const app = await startApp()
    await apply(app, definitionOf())
    const preview = await previewer(app)
    const rewards = Array.from({ length: 2_000 }, () => ({ kind: 'reveal', valueFrom: { version: 1, reward: 0 } }))
    const { body } = await preview({ definition: definitionOf({ rewards }) })
    expect(body.data.findings[0]).toMatchObject({ path: 'rewards', message: 'has more than 16 entries' })
    expect(body.data.findings.length).toBeLessThanOrEqual(50)
    expect(body.data.gates).toEqual([])
  })

  test('thousands of unknown verifiers in the cases of a file are fifty findings', async () => {
    const preview = await previewer(await startApp())
    const rows = Array.from({ length: 16 }, () => ({ verifierId: 'nobody-knows' }))
    const proofs = Array.from({ length: 20 }, () => ({ rows }))
    const cases = Array.from({ length: 30 }, (_, at) => ({ name: `case ${at}`, expect: 'fail', proofs }))
    const text = JSON.stringify({ gates: [{ ...definitionOf(), cases }] })
    const { body } = await preview({ policy: { text, format: 'json' } })
    expect(body.data.findings).toHaveLength(50)
  })

  test('a file of 1 MB is refused with its size, before anything is read of it', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    expectRefused(
      await preview({ policy: { text: 'x'.repeat(1_048_576), format: 'toml' } }),
      'PAYLOAD_TOO_LARGE',
      /bytes|large/,
    )
  })

  test('a definition whose name is emoji, right-to-left text and markup comes back as it is', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    const name = '👩‍👩‍👧 مرحبا <b>bold</b>'
    const { body } = await preview({ definition: definitionOf({ name }) })
    expect(body.data.gates[0].definition.name).toBe(name)
  })

  test.each(['__proto__', 'constructor', 'preview', 'test', 'a:b_c-D'])(
    '%s is an id like any other',
    async (gateId) => {
      const app = await startApp()
      const preview = await previewer(app)
      expect((await preview({ definition: definitionOf({ gateId }) })).body.data).toMatchObject({
        publishable: true,
        gates: [{ gateId, currentVersion: 0 }],
      })
      await apply(app, definitionOf({ gateId }))
      expect((await preview({ definition: definitionOf({ gateId }) })).body.data.gates[0].outcome).toBe('unchanged')
      const { headers } = await app.signIn(alice)
      const passes = await app.get(`${gatesPath}/${encodeURIComponent(gateId)}/fulfillments`, headers)
      expect(passes.body.data).toEqual({ totalCount: 0, fulfillments: [], nextCursor: null })
    },
  )

  test.each([
    ['both', { definition: {}, policy: { text: '', format: 'toml' } }],
    ['neither', {}],
  ])('a body with %s is refused', async (_, body) => {
    const app = await startApp()
    expectRefused(await (await previewer(app))(body), 'VALIDATION_ERROR', /one of them/)
  })

  test('is for people who are signed in, with the token of their page, and for signers', async () => {
    const app = await startApp()
    const body = { definition: definitionOf() }
    expectRefused(await app.post(path, body), 'WALLET_AUTH_REQUIRED')
    const { cookie, headers } = await app.signIn(alice)
    expectRefused(await app.post(path, body, { cookie }), 'FORBIDDEN', /X-CSRF-Token/)
    expectRefused(await app.post(path, body, { ...headers, origin: 'https://evil.example' }), 'FORBIDDEN')
    expect((await app.post(path, body, await readerHeaders(app))).status).toBe(200)
  })
})
