/** Providers from the operator's side: the configuration, and doctor. */
import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doctor } from '../../src/commands/doctor.ts'
import { loadConfig } from '../../src/config/load.ts'
import { providers } from '../../src/outside/social/providers.ts'
import { readVerifierTables } from '../../src/verifiers/settings.ts'
import { run } from '../commands/terminal.ts'
import { messages } from '../config/folder.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { clientSecret, oidcProvider, type ProviderOptions, stopProviders } from '../parts/oidc-provider.ts'

const newFolder = temporaryFolders()

afterEach(stopProviders)

const toml = (lines: string, name = 'local'): string => `[social.${name}]\n${lines}`

describe('the configuration', () => {
  test.each(Object.keys(providers).filter((name) => name !== 'oidc'))(
    'of %s needs no more than a client',
    async (name) => {
      expect(await messages({ toml: toml(`provider = "${name}"\nclient_id = "a"`, name) })).toEqual([])
    },
  )

  test.each([
    [
      'a provider that is not built in',
      'provider = "myspace"\nclient_id = "a"',
      /social\.local\.provider: expected one of/,
    ],
    ['oidc without an issuer', 'provider = "oidc"\nclient_id = "a"', /oidc needs to know whose: set issuer/],
    ['no client', 'provider = "github"', /social\.local\.client_id/],
    ['an issuer over plain http', 'provider = "oidc"\nissuer = "http://id.example.com"\nclient_id = "a"', /plain http/],
    [
      'a token endpoint over plain http',
      'provider = "github"\ntoken_endpoint = "http://10.0.0.1/"\nclient_id = "a"',
      /plain http/,
    ],
    ['an organization claim of GitHub', 'provider = "github"\norg_claim = "company"\nclient_id = "a"', /built in/],
    [
      'a profile page that runs a script',
      'provider = "github"\nprofile_url = "javascript:{handle}"\nclient_id = "a"',
      /profile_url/,
    ],
    ['a trait without a member', 'provider = "github"\ntraits = ["followers"]\nclient_id = "a"', /traits/],
    ['a setting that does not exist', 'provider = "github"\nclient_id = "a"\nsecret = "b"', /secret/],
  ])('is refused with %s', async (_, lines, problem) => {
    const found = await messages({ toml: toml(lines) })
    expect(found.join('\n')).toMatch(problem)
  })

  test('is refused where a well-known name stands for another provider', async () => {
    const found = await messages({ toml: toml('provider = "discord"\nclient_id = "a"', 'github') })
    expect(found).toEqual([expect.stringContaining('would show discord accounts as accounts of github')])
    const own = toml('provider = "oidc"\nissuer = "https://github.example.com"\nclient_id = "a"', 'github')
    expect(await messages({ toml: own })).toEqual([])
  })

  test('takes the secret from a file', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, 'secret'), 'a-secret-in-a-file\n')
    const config = await loadConfig({
      env: {
        PROOFGATE_SOCIAL_GITHUB_PROVIDER: 'github',
        PROOFGATE_SOCIAL_GITHUB_CLIENT_ID: 'a',
        PROOFGATE_SOCIAL_GITHUB_CLIENT_SECRET_FILE: 'secret',
      },
      cwd,
    })
    expect(readVerifierTables(config).social.github).toMatchObject({
      provider: 'github',
      clientId: 'a',
      clientSecret: 'a-secret-in-a-file',
    })
  })
})

describe('doctor', () => {
  async function examine(options: ProviderOptions, more = '', secret = clientSecret) {
    const provider = await oidcProvider(options)
    const cwd = newFolder()
    const lines = `provider = "oidc"\nissuer = "${provider.issuer}"\nclient_id = "proofgate"\nclient_secret = "${secret}"\n${more}`
    writeFileSync(join(cwd, 'proofgate.toml'), `[outside]\nattempts = 1\n${toml(lines)}`)
    const printed = await run(doctor, ['--json'], { cwd })
    const finding = printed.json.findings.find((one: { setting: string }) => one.setting === 'social.local')
    return { ...printed, finding }
  }

  test('says of a provider that it answers and knows this server', async () => {
    const { finding, json, out } = await examine({})
    expect(finding).toMatchObject({ level: 'ok' })
    expect(json.offered).toContain('ownership-social')
    expect(out).not.toContain(clientSecret)
  })

  test('finds a secret that is unknown to the provider', async () => {
    const { finding, code, out } = await examine({}, '', 'another-secret-than-the-right-one')
    expect(code).toBe(1)
    expect(finding).toMatchObject({ level: 'fail' })
    expect(finding.mend).toMatch(/key|secret/)
    expect(out).not.toContain('another-secret')
  })

  test('finds a provider that describes itself as another one', async () => {
    const { finding } = await examine({
      before: async (context, next) => {
        await next()
        if (context.path.endsWith('openid-configuration'))
          context.body = { ...(context.body as object), issuer: 'https://evil.example' }
      },
    })
    expect(finding).toMatchObject({ level: 'fail', mend: expect.stringContaining('issuer') })
  })

  test('does not blame a provider that looks at the redirect address first', async () => {
    const { finding } = await examine({
      before: async (context, next) => {
        await next()
        if (context.path === '/token') context.body = { error: 'redirect_uri_mismatch' }
      },
    })
    expect(finding).toMatchObject({ level: 'warn', mend: expect.stringContaining('/api/v1/auth/oauth/callback/local') })
  })

  test('finds a provider that is down', async () => {
    const { finding } = await examine({
      before: (context) => {
        context.status = 500
      },
    })
    expect(finding).toMatchObject({ level: 'fail' })
  })

  test('names the missing settings where no provider is configured', async () => {
    const { out } = await run(doctor, [], { cwd: newFolder() })
    expect(out).toMatch(/"ownership-social" is not offered here: it needs a provider to sign in to/)
    expect(out).toMatch(/"ownership-org-oauth" is not offered here: it needs a provider that shows organizations/)
  })
})
