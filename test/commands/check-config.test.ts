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

describe('proofgate check-config', () => {
  test('with nothing configured everything is right, and every setting is shown with its default', async () => {
    const { code, out } = await check(undefined)
    expect(code).toBe(0)
    expect(out).toStartWith('File: none; every setting has a default\nThe configuration is right.\n')
    expect(out).toMatch(/^ {2}signing\.hub_chain_id +84532 +default$/m)
    expect(out).not.toContain('Worth a thought')
  })

  test('shows everything that is wrong at once, each with its place and its mend', async () => {
    const { code, out } = await check('port = 70000\n[signing]\nhub_chan_id = 3')
    expect(code).toBe(78)
    expect(out).toContain('2 things are wrong; the server would not start:')
    expect(out).toContain('  proofgate.toml:1: port: expected a whole number from 0 to 65535, found 70000')
    expect(out).toContain(
      'proofgate.toml:3: signing.hub_chan_id: there is no such setting; did you mean signing.hub_chain_id?',
    )
  })

  test.each([
    [
      'enabled = ["ownership-basics"]',
      'proofgate.toml:2: verifiers.enabled: there is no verifier "ownership-basics"; did you mean "ownership-basic"?',
    ],
    ['enabled = ["xyz"]', 'verifiers.enabled: there is no verifier "xyz". Enabled here: ownership-basic, '],
    ['access = { xyz = "key" }', 'proofgate.toml:2: verifiers.access.xyz: there is no verifier "xyz"'],
  ])('finds verifiers that this build does not have: %s', async (line, message) => {
    const { code, json } = await check(`[verifiers]\n${line}`, ['--json'])
    expect(code).toBe(78)
    expect(json.problems).toEqual([expect.stringContaining(message)])
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
      '[chains.base]\nchain = "eip155:8453"\nrpc = ["https://a.example", "https://b.example"]\nagree = 2',
      'chains.base.stale_after_seconds is 900: of as many endpoints as must agree the oldest decides',
    ],
    [
      '[chains.base]\nchain = "eip155:8453"\nrpc = ["https://a.example"]\nproofs = true',
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

  test('a configuration for the internet as it should be needs no advice', async () => {
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
