/** Facts of the serving server in a guide: addresses, brand, tables from the code. */
import { describe, expect, test } from 'bun:test'
import { errorKinds } from '../../src/errors.ts'
import { fillGuide } from '../../src/guides/fill.ts'
import { startApp } from '../app.ts'

const here = async (env: Record<string, string> = {}) => {
  const { parts } = await startApp(env)
  return { addresses: parts.addresses(), brand: parts.config.brand, catalog: parts.catalog }
}

describe('the addresses', () => {
  test('are those of the configuration, by the purpose of the path', async () => {
    const server = await here({
      PROOFGATE_BASE_URL: 'https://proofs.example.com',
      PROOFGATE_AUTH_URL: 'https://auth.example.com',
      PROOFGATE_MCP_URL: 'https://mcp.example.com',
    })
    const written = [
      'curl http://127.0.0.1:8787/api/v1/health',
      '[here](http://127.0.0.1:8787)',
      'http://127.0.0.1:8787/mcp',
      'http://127.0.0.1:8787/.well-known/oauth-protected-resource/mcp',
      'http://127.0.0.1:8787/.well-known/oauth-authorization-server',
      'http://127.0.0.1:8787/api/v1/auth/mcp/token',
      'http://127.0.0.1:87871/another',
    ]
    expect(fillGuide(written.join('\n'), server).split('\n')).toEqual([
      'curl https://proofs.example.com/api/v1/health',
      '[here](https://proofs.example.com)',
      'https://mcp.example.com/mcp',
      'https://mcp.example.com/.well-known/oauth-protected-resource/mcp',
      'https://auth.example.com/.well-known/oauth-authorization-server',
      'https://auth.example.com/api/v1/auth/mcp/token',
      'http://127.0.0.1:87871/another',
    ])
  })
})

describe('the brand', () => {
  test('replaces the prefix of every name that derives from it', async () => {
    const server = await here({ PROOFGATE_BRAND: 'acme' })
    const names: Readonly<Record<string, string>> = {
      '`svc_proofs_check`': '`acme_proofs_check`',
      'svc:core svc:profile': 'acme:core acme:profile',
      '_svc.example.com': '_acme.example.com',
      'the label `_svc`': 'the label `_acme`',
      'client_id=svc-cli': 'client_id=acme-cli',
      'X-Svc-App: x': 'X-Acme-App: x',
      'x-svc-app: x': 'x-acme-app: x',
      svcPersonhoodId: 'acmePersonhoodId',
      'svc.runtime-mount.v1': 'acme.runtime-mount.v1',
    }
    for (const [written, shown] of Object.entries(names)) expect(fillGuide(written, server)).toBe(shown)
  })

  test('leaves words alone that are no such name', async () => {
    const server = await here({ PROOFGATE_BRAND: 'acme' })
    for (const text of ['brand = "svc"', 'by default `svc`.', 'proofgate.default.svc.cluster.local', 'mysvc_name'])
      expect(fillGuide(text, server)).toBe(text)
  })
})

describe('the tables', () => {
  test('say for each absent verifier what is missing', async () => {
    const table = fillGuide('<!-- verifiers -->', await here({ PROOFGATE_VERIFIERS_ACCESS_WALLET_LINK: 'key' }))
    expect(table).toMatch(/^\| `ownership-basic` \| .+ \| yes \|$/m)
    expect(table).toMatch(/^\| `wallet-link` \| .+ \| with an access key \|$/m)
    expect(table).toMatch(/^\| `token-holding` \| .+ \| no: it needs a chain: add \\\[chains\.\\<name>\\\] .+ \|$/m)
  })

  test('show each setting with its default, and never a value of this server', async () => {
    const table = fillGuide('<!-- settings -->', await here({ PROOFGATE_BRAND: 'acme', PROOFGATE_PORT: '1234' }))
    expect(table).toMatch(/^\| `brand` \| `"svc"` \| .+ \|$/m)
    expect(table).toContain('### `[signing]`')
    expect(table).toMatch(/^\| `signing\.max_age_seconds` \| `300` \| .+ Unit: seconds\. .+ \|$/m)
    expect(table).toMatch(/^\| `chains\.<name>\.rpc` \|/m)
    expect(table).not.toContain('acme')
    expect(table).not.toContain('1234')
  })

  test('show every error code with its status and its meaning', async () => {
    const table = fillGuide('<!-- errors -->', await here())
    for (const [code, { status }] of Object.entries(errorKinds))
      expect(table).toMatch(new RegExp(`^\\| \`${code}\` \\| ${status} \\| .{10,} \\| (later|no) \\|$`, 'm'))
  })

  test('have as many cells in each row as in the first', async () => {
    const server = await here()
    for (const name of ['verifiers', 'errors', 'settings']) {
      const rows = fillGuide(`<!-- ${name} -->`, server)
        .split('\n')
        .filter((line) => line.startsWith('|'))
      const cells = new Set(rows.map((row) => row.split(/(?<!\\)\|/).length))
      expect(`${name}: ${cells.size}`).toBe(`${name}: 1`)
    }
  })
})
