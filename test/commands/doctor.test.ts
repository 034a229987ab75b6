import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doctor } from '../../src/commands/doctor.ts'
import { ConfigError } from '../../src/config/load.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453, timestamp: Math.floor(Date.now() / 1000) })
})
afterAll(() => anvil?.stop())

function examine(toml: string, args: string[] = []) {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'proofgate.toml'), toml)
  return run(doctor, args, { cwd })
}
const base = (rpc: string, chain = 'eip155:8453') =>
  `[chains.base]\nchain = "${chain}"\nrpc = [${rpc
    .split(' ')
    .map((url) => `"${url}"`)
    .join(', ')}]`

describe('proofgate doctor', () => {
  test('calls no server when nothing is configured, and names the absent verifiers and why', async () => {
    const { code, out } = await examine('[moderation]\ntext = "none"')
    expect(code).toBe(0)
    expect(out).toContain('Nothing outside is configured, so nothing was called')
    expect(out).toMatch(/"nft-ownership" is not offered here: it needs a chain.*\[chains\.<name>\]/)
    expect(out).toMatch(/"ownership-dns-txt" is not offered here: it .*dns\.resolvers/)
    expect(out).toContain('"ownership-licensed" is switched off here')
  })

  test('names the block of a chain that answers, and the verifiers that it enables', async () => {
    const { code, out, json } = await examine(base(anvil.url), ['--json'])
    expect(code).toBe(0)
    expect(json.ok).toBe(true)
    expect(json.findings[0]).toMatchObject({ setting: 'chains.base.rpc[0]', level: 'ok' })
    expect(json.findings[0].says).toContain('eip155:8453')
    expect(json.offered).toContain('nft-ownership')
    expect(out).not.toContain(anvil.url)
  })

  test.each([
    ['another chain than it is said to be', () => base(anvil.url, 'eip155:1'), /eip155:8453|8453/],
    ['nobody', () => base('http://127.0.0.1:1'), /.+/],
  ])('says how to mend an address that leads to %s', async (_, toml, says) => {
    const { code, json } = await examine(toml(), ['--json'])
    expect(code).toBe(1)
    expect(json.ok).toBe(false)
    const [finding] = json.findings
    expect(finding).toMatchObject({ setting: 'chains.base.rpc[0]', level: 'fail' })
    expect(finding.says).toMatch(says)
    expect(finding.mend.length).toBeGreaterThan(10)
  })

  test('shows a person which of several fails, and the exit code shows it to a script', async () => {
    const { code, out } = await examine(base(`${anvil.url} http://127.0.0.1:1`))
    expect(code).toBe(1)
    expect(out).toMatch(/^ {2}ok {4}chains\.base\.rpc\[0\]/m)
    expect(out).toMatch(/^ {2}FAIL {2}chains\.base\.rpc\[1\]/m)
    expect(out).toContain('One source does not answer as needed.')
  })

  test('leaves mistakes of the configuration to check-config', () =>
    expect(examine('port = 70000')).rejects.toThrow(ConfigError))

  test('shows no address and no key', async () => {
    const { out } = await examine(
      `${base('http://127.0.0.1:1/v2/very-secret-key')}\n[risk.webacy]\napi_key = "k3y"\nurl = "http://127.0.0.1:1"`,
    )
    expect(out).not.toContain('very-secret-key')
    expect(out).not.toContain('k3y')
    expect(out).not.toContain('127.0.0.1')
  })
})
