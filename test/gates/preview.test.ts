/** POST /api/v1/profile/gates/preview: what a gate would be, for whoever writes it. */
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
  test('says what a new gate would be, in one spelling and in plain words, and stores nothing', async () => {
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
      text: 'Whoever has claimed the content with the hash abc, gets a secret text (“The word”).',
    })
    expect(JSON.stringify(body)).not.toContain(secretText)
  })

  test('shows what changes against the version that is published', async () => {
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

  test('what is not finished is answered with findings at their members, not refused', async () => {
    const app = await startApp()
    const preview = await previewer(app)
    const { status, body } = await preview({
      definition: { gateId: 'g', name: '', requirements: [{ verifierId: 'token-holdings' }], nmae: 'x' },
    })
    expect(status).toBe(200)
    expect(body.data.publishable).toBe(false)
    expect(body.data.gates).toEqual([])
    expect(body.data.findings).toContainEqual({ path: 'name', message: 'is empty', level: 'error' })
    expect(body.data.findings).toContainEqual({
      path: 'nmae',
      message: 'does not exist; did you mean "name"?',
      level: 'error',
    })
    const unknown = await preview({ definition: definitionOf({ requirements: [{ verifierId: 'token-holdin' }] }) })
    expect(unknown.body.data.findings[0].message).toContain('did you mean "token-holding"?')
    expect(unknown.body.data.gates[0].lines[0].text).toContain('has a proof of token-holdin')
  })

  test('what is only not filled in yet does not keep the rest from being told', async () => {
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
      'Whoever has claimed the content with the hash abc, and pays … USD, gets a secret text (“The word”).',
    )
    const wrong = await preview({ definition: definitionOf({ price: { amountUsd: 5, methods: 'all' } }) })
    expect(wrong.body.data.gates).toEqual([])
  })

  test('an id of another owner is a finding that says no more than that', async () => {
    const app = await startApp()
    await apply(app, definitionOf({ status: 'draft', name: 'Plans of Alice' }))
    const preview = await previewer(app, mallory)
    const { body } = await preview({ definition: definitionOf() })
    expect(body.data).toMatchObject({
      publishable: false,
      gates: [{ outcome: 'impossible', currentVersion: 0, difference: [] }],
    })
    expect(body.data.findings).toEqual([
      { path: 'gateId', message: expect.stringContaining('belongs to another owner'), level: 'error' },
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
      message: 'does not exist; did you mean "gate_id"?',
      level: 'error',
      line: 4,
    })
    const json = JSON.stringify({ gates: [definitionOf()] })
    expect((await preview({ policy: { text: json, format: 'json' } })).body.data.gates[0].gateId).toBe('gate_holders')
    for (const [text, format, hint] of [
      ['name = Club', 'toml', /not TOML: a text without quotes/],
      ['{"gates": [', 'json', /not JSON/],
      ['{"gates": [], "gates": []}', 'json', /twice/],
      ['[]', 'json', /./],
    ] as const) {
      const { body, status } = await preview({ policy: { text, format } })
      expect(status).toBe(200)
      expect(body.data.gates).toEqual([])
      expect(body.data.findings[0].message).toMatch(hint)
    }
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
      'tables behind a key that is read no further',
      `${'Z.'.repeat(65)}Y=1\n${Array.from({ length: 9_000 }, (_, at) => `[${at}]`).join('\n')}`,
    ],
    ['one key of thousands of names', `${'a.'.repeat(32_700)}b=1`],
    ['a list of thousands', `a = [${'1,'.repeat(32_000)}]`],
    [
      'lists in lists',
      Array.from({ length: 400 }, (_, at) => `k${at} = ${'['.repeat(64)}${']'.repeat(64)}`).join('\n'),
    ],
  ])('TOML that would take long is not parsed at all: %s', async (_, text) => {
    const preview = await previewer(await startApp())
    const { body } = await preview({ policy: { text, format: 'toml' } })
    expect(body.data.findings).toEqual([
      expect.objectContaining({ line: 1, message: expect.stringContaining('longer or deeper than gates are') }),
    ])
  })

  test.each([
    ['its length', `a = {${Array.from({ length: 9_000 }, (_, at) => `k${at}=1`).join()}}`],
    ['its settings', Array.from({ length: 2_001 }, (_, at) => `k${at}=1`).join('\n')],
  ])('TOML that would take long is told to be too much, by %s', async (_, text) => {
    const app = await startApp()
    const { body } = await (await previewer(app))({ policy: { text, format: 'toml' } })
    expect(body.data.findings).toEqual([
      { path: 'definition', message: expect.stringContaining('more TOML than a server reads'), level: 'error' },
    ])
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
