import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkConfigCommand } from '../../src/commands/check-config.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

function check(toml: string | undefined, args: string[] = [], env: Record<string, string> = {}) {
  const cwd = newFolder()
  if (toml !== undefined) writeFileSync(join(cwd, 'proofgate.toml'), toml)
  return run(checkConfigCommand, args, { cwd, env })
}

const oracle = `sanctions_oracle = "0x${'22'.repeat(20)}"`

describe('proofgate check-config', () => {
  test('with nothing configured everything is right, and every setting is shown with its default on request', async () => {
    const { code, out } = await check(undefined)
    expect(code).toBe(0)
    expect(out).toStartWith('File: none; every setting has a default\n')
    expect(out).toEndWith('\nThe configuration is right.\n')
    expect(out).toMatch(/^\d+ settings have their default; --all shows them\.$/m)
    expect(out).not.toContain('signing.hub_chain_id')
    expect(out).not.toContain('Worth a thought')
    const { out: all } = await check(undefined, ['--all'])
    expect(all).toMatch(/^ {2}signing\.hub_chain_id +84532 +default$/m)
    expect(all).toEndWith('\nThe configuration is right.\n')
  })

  test('shows all mistakes at once, each with its place and its remedy', async () => {
    const { code, out } = await check('port = 70000\n[signing]\nhub_chan_id = 3')
    expect(code).toBe(78)
    expect(out).toEndWith(
      [
        '2 things are wrong; the server would not start:',
        '  proofgate.toml:1: port: expected a whole number from 0 to 65535, found 70000 (example: port =',
        '    8787)',
        '  proofgate.toml:3: signing.hub_chan_id: there is no such setting; did you mean',
        '    signing.hub_chain_id? (example: hub_chain_id = 84532)',
        '',
      ].join('\n'),
    )
  })

  test.each([
    ['gates as code', '[[gates]]\ngate_id = "club"', /policy file of gates: .*"proofgate gates test proofgate.toml"/],
    ['gates as code, in JSON', '{"gates":[{"gateId":"club"}]}', /policy file of gates/],
    ['a portable proof', '{"qHash":"0x12","signature":"0x34"}', /"proofgate verify proofgate.toml"/],
    ['an answer with a portable proof', '{"data":{"portableProof":{"qHash":"0x","signature":"0x"}}}', /verify/],
    ['MCP servers', '{"mcpServers":{"here":{"url":"http://127.0.0.1:8787/mcp"}}}', /"proofgate guide assistants"/],
    ['the policy of an agent', '{"permissions":["read"],"runtimePolicy":{}}', /"proofgate guide assistants"/],
    ['other JSON', '{"port":8787}', /this is JSON, and the configuration is TOML/],
    ['environment variables', '# ours\nPROOFGATE_PORT=8787\nexport PROOFGATE_HOST=x', /environment variables/],
    ['environment variables of several programs', 'NODE_ENV=x\nPROOFGATE_PORT=80', /environment variables/],
    ['MCP servers in TOML', '[mcp_servers.here]\nurl = "http://127.0.0.1"', /"proofgate guide assistants"/],
    ['JSON with a comment', '{ // ours\n"port": 80 }', /this is JSON, .* not complete or not correct/],
    ['JSON that is cut off', '{"port":80,', /this is JSON, .* not complete or not correct/],
    ['a list in JSON', '[{"port":80}]', /this is JSON/],
    ['a file for Docker Compose', 'services:\n  gate:\n    image: x\n    ports:\n      - "80:80"', /looks like YAML/],
    ['a Dockerfile', '# ours\nFROM debian\nRUN true', /this is a Dockerfile/],
    ['the file of another program', '[package]\nname="x"\n[dependencies]\n[features]', /another program/],
  ])('says that %s is no configuration, and names the command for it', async (_, text, told) => {
    const { code, json } = await check(text, ['--json'])
    expect(code).toBe(78)
    expect(json.problems).toEqual([expect.stringMatching(told)])
    expect(json.problems[0]).toStartWith('proofgate.toml: ')
  })

  test.each([
    ['a typo', 'prot = 1', /^proofgate.toml:1: prot: there is no such setting; did you mean port\?/],
    ['gates that are no tables', 'gates = [1]', /^proofgate.toml:1: gates: expected a table, found a list/],
    [
      'settings in a list of gates',
      'port = 80\n[[gates]]\naccept_bare_wallet = true',
      /gates: expected a table, found a list/,
    ],
    ['a list of gates beside settings', 'port = 80\n[[gates]]\ngate_id = "a"', /gates: expected a table, found a list/],
    [
      'a variable among settings',
      'host = "x"\nPROOFGATE_PORT = 80',
      /an environment variable: in this file it is port/,
    ],
  ])('explains %s as before', async (_, text, told) => {
    const { json } = await check(text, ['--json'])
    expect(json.problems).toEqual([expect.stringMatching(told)])
  })

  test('suggests the settings that are meant, however many names are misspelled', async () => {
    const { json } = await check('Port = 80\nBase-Url = "x"\nhost_name = "y"\n[payment]\n[rates]', ['--json'])
    expect(json.problems).toEqual(
      expect.arrayContaining([expect.stringContaining('did you mean port?'), expect.stringContaining('[payment')]),
    )
    expect(json.problems.length).toBeGreaterThan(3)
  })

  test.each([
    [
      'enabled = ["ownership-basics"]',
      'proofgate.toml:2: verifiers.enabled: there is no verifier "ownership-basics"; did you mean "ownership-basic"?',
    ],
    ['enabled = ["xyz"]', 'verifiers.enabled: there is no verifier "xyz". There are: ownership-basic, '],
    [
      'disabled = ["wallet-lnk"]',
      'proofgate.toml:2: verifiers.disabled: there is no verifier "wallet-lnk"; did you mean "wallet-link"?',
    ],
    [
      'disabled = ["wallet-link"]\nenabled = ["wallet-link"]',
      'proofgate.toml:2: verifiers.disabled: "wallet-link" stands in verifiers.enabled as well: take it out of one of the two',
    ],
    ['access = { xyz = "key" }', 'proofgate.toml:2: verifiers.access.xyz: there is no verifier "xyz"'],
  ])('finds verifiers that this build does not have: %s', async (line, message) => {
    const { code, json } = await check(`[verifiers]\n${line}`, ['--json'])
    expect(code).toBe(78)
    expect(json.problems).toEqual([expect.stringContaining(message)])
  })

  test.each([
    [
      'enabled = ["ownership-basic", "wallet-link"]',
      'verifiers.enabled does not name ownership-social, ownership-pseudonym, ',
    ],
    ['disabled = ["wallet-link"]', 'verifiers.disabled switches off wallet-link'],
    ['disabled = ["wallet-link", "agent-identity"]', 'verifiers.disabled switches off wallet-link, agent-identity'],
  ])('says which verifiers %s removes', async (line, said) => {
    const { code, out } = await check(`[verifiers]\n${line}`)
    expect(code).toBe(0)
    expect(out).toContain(`Switched off:\n  ${said}`)
    const { json } = await check(`[verifiers]\n${line}`, ['--json'])
    expect(json.switchedOff).toHaveLength(1)
  })

  test('says nothing about removed verifiers where all are on', async () => {
    const { out } = await check('[verifiers]\npseudonym_ttl_days = 1')
    expect(out).not.toContain('Switched off')
  })

  test('names the variable that a wrong value comes from', async () => {
    const { json } = await check(undefined, ['--json'], { PROOFGATE_VERIFIERS_ENABLED: 'nope' })
    expect(json.problems[0]).toStartWith('PROOFGATE_VERIFIERS_ENABLED: verifiers.enabled: there is no verifier "nope"')
  })

  test.each([
    ['host = "0.0.0.0"', 'base_url is not set, and others can reach this server'],
    ['base_url = "https://proofs.example.com"', 'proxy.trusted is empty'],
    ['[limits]\nenabled = false', 'anybody may keep the server busy'],
    ['[cors]\norigins = []', 'no page of another origin'],
    ['[moderation]\nimage = "google-vision"', 'which needs moderation.google_vision.api_key'],
    [`[publishing]\nprivate_key = "0x${'11'.repeat(32)}"`, 'no chain has eas: nothing can be published'],
    [
      `[chains.base]\nchain = "eip155:8453"\nrpc = ["https://a.example", "https://b.example"]\nagree = 2\n${oracle}`,
      'chains.base.stale_after_seconds is 900: of as many endpoints as must agree the oldest decides',
    ],
    [
      `[chains.base]\nchain = "eip155:8453"\nrpc = ["https://a.example"]\nproofs = true\n${oracle}`,
      'chains.base.agree is 1, and chains.base.proofs is true: one endpoint alone says which block is the right one',
    ],
    [
      `[payments.stablecoin.usdc]\nchain = "eip155:8453"\ntoken = "0x${'11'.repeat(20)}"`,
      'payments.stablecoin.usdc.chain is eip155:8453, which no table [chains.<name>] has',
    ],
    [
      '[verifiers]\nenabled = ["ownership-basic", "nft-ownership"]',
      '"nft-ownership" is not offered here: it needs a chain',
    ],
  ])('advises, and does not fail, on %s', async (toml, advice) => {
    const { code, json } = await check(toml, ['--json'])
    expect(code).toBe(0)
    expect(json).toMatchObject({ ok: true, problems: [], advice: [expect.stringContaining(advice)] })
  })

  const coin = `[payments.stablecoin.usdc]\nchain = "eip155:8453"\ntoken = "0x${'11'.repeat(20)}"`
  const base = '[chains.base]\nchain = "eip155:8453"\nrpc = ["http://127.0.0.1:1"]'
  const webhook = 'webhook_secret = "whsec_one"'

  test.each<[string, string, readonly string[]]>([
    [
      'a facilitator without a stablecoin',
      '[payments.x402]\nfacilitator_url = "http://127.0.0.1:1"',
      [
        'payments.x402.facilitator_url: x402 needs a table [payments.stablecoin.<name>]: x402 payments are not offered; complete the settings',
      ],
    ],
    [
      'a facilitator whose token is on no chain',
      `[payments.x402]\nfacilitator_url = "http://127.0.0.1:1"\n${coin}`,
      [
        'payments.stablecoin.usdc.chain is eip155:8453, which no table [chains.<name>] has',
        'payments.x402.facilitator_url: x402 needs a table [chains.<name>] with chain = "eip155:8453"',
      ],
    ],
    [
      'a test key while payments must be live',
      `[payments.stripe]\nsecret_key = "sk_test_one"\n${webhook}`,
      [
        'payments.stripe.secret_key: needs a key of the live mode',
        'change payments.stripe.secret_key or payments.stripe.live',
      ],
    ],
    [
      'a live key while they must not be',
      `[payments.stripe]\nlive = false\nsecret_key = "rk_live_one"\n${webhook}`,
      ['payments.stripe.secret_key: needs a key of the test mode'],
    ],
    [
      'a key of Stripe that pages may know',
      `[payments.stripe]\nsecret_key = "pk_live_one"\n${webhook}`,
      ['payments.stripe.secret_key: is no secret key of Stripe: it begins with sk_ or rk_, and this one does not'],
    ],
    [
      'the two keys of Stripe in each other’s place',
      '[payments.stripe]\nsecret_key = "whsec_one"\nwebhook_secret = "sk_live_one"',
      [
        'payments.stripe.secret_key: is no secret key of Stripe',
        'payments.stripe.webhook_secret: is no signing secret of a webhook of Stripe: it begins with whsec_, and this one does not',
      ],
    ],
    [
      'a webhook without a key',
      `[payments.stripe]\n${webhook}`,
      ['payments.stripe.webhook_secret: means nothing without payments.stripe.secret_key'],
    ],
    [
      'cards without a webhook',
      '[payments.stripe]\nsecret_key = "sk_live_one"',
      [
        'payments.stripe.webhook_secret: is not set, and without a webhook payments, refunds and disputes are found late',
      ],
    ],
    [
      'judges of wallets whose key is missing',
      '[risk]\nproviders = ["webacy", "chainalysis"]\nselectable = ["webacy"]',
      [
        'risk.providers: names webacy, which is not configured: wallet-risk is absent; set risk.webacy.api_key',
        'risk.providers: names chainalysis, which is not configured: wallet-risk is absent; set risk.chainalysis.api_key',
        'risk.selectable: names webacy, which is not configured: no request can choose it; set risk.webacy.api_key',
      ],
    ],
    [
      'a judge of wallets whom nobody asks',
      `[risk.webacy]\napi_key = "one"\n${base}\n${oracle}`,
      ['risk.provider', 'webacy is configured, and nobody asks it; add it to risk.providers'],
    ],
    [
      'embedded judges that know no sanctions',
      base,
      [
        'is embedded, which knows no sanctioned wallet here: no wallet is ever refused as sanctioned; set risk.deny_list',
      ],
    ],
    ['a list of wallets that is none', `[risk]\ndeny_list = "${import.meta.path}"`, ['risk.deny_list: holds']],
    [
      'judges of images whose key is missing',
      '[moderation]\nimage_providers = ["google-vision"]\nselectable = ["google-vision"]',
      [
        'moderation.image_providers names google-vision, which needs moderation.google_vision.api_key',
        'moderation.selectable: names google-vision, which has no key here: no request can choose it',
      ],
    ],
    [
      'proofs of people that are set by half',
      '[human.passport]\napi_key = "one"\n[human.semaphore]\nchain = "base"',
      [
        'human.semaphore.chain: names base, which is no EVM chain that is configured; add [chains.base] with an eip155 id',
        'human.semaphore.chain: means nothing without human.semaphore.group; set human.semaphore.group as well',
        'human.passport.api_key: means nothing without human.passport.scorer_id; set human.passport.scorer_id as well',
      ],
    ],
    [
      'a disk that has less room than must be free',
      '[storage]\nmin_free_mb = 1000000000',
      ['storage.min_free_mb: the disk of '],
    ],
  ])('tells what doctor can tell without a call: %s', async (_, toml, advice) => {
    const { code, json } = await check(toml, ['--json'])
    expect(code).toBe(0)
    for (const one of advice) expect(json.advice.join('\n')).toContain(one)
  })

  test('reports the same fact once, and only what needs attention', async () => {
    const twice = await check(`${coin}\n[publishing]\nprivate_key = "0x${'11'.repeat(32)}"`, ['--json'])
    expect(twice.json.advice).toHaveLength(2)
    const whole = `${base}\n${oracle}\n${coin}
[payments.x402]\nfacilitator_url = "http://127.0.0.1:1"
[payments.stripe]\nsecret_key = "sk_live_one"\n${webhook}
[risk]\nproviders = ["embedded", "goplus"]\nselectable = ["goplus"]`
    expect((await check(whole, ['--json'])).json).toMatchObject({ ok: true, advice: [] })
  })

  test('calls no other server', async () => {
    const asked: string[] = []
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        asked.push(request.url)
        return new Response('{}')
      },
    })
    const there = `http://127.0.0.1:${server.port}`
    await check(
      `${base.replace('http://127.0.0.1:1', there)}\n${coin}
[payments.x402]\nfacilitator_url = "${there}"
[payments.stripe]\nurl = "${there}"\nsecret_key = "sk_live_one"
[risk]\nproviders = ["webacy"]\n[risk.webacy]\nurl = "${there}"\napi_key = "one"`,
    )
    expect(asked).toEqual([])
    await server.stop(true)
  })

  test('gives no advice on a sound configuration for the internet', async () => {
    const { json } = await check(
      'host = "0.0.0.0"\nbase_url = "https://proofs.example.com"\n[proxy]\ntrusted = ["10.0.0.0/8"]',
      ['--json'],
    )
    expect(json).toMatchObject({ ok: true, advice: [], file: 'proofgate.toml' })
  })

  test('shows no secret', async () => {
    const secret = 'ab'.repeat(32)
    const { out } = await check(`master_key = "${secret}"`)
    expect(out).toContain('<set, not shown>')
    expect(out).not.toContain(secret)
  })
})
