import { expect, test } from 'bun:test'
import { checkConfig } from '../../src/config/check.ts'
import { folders } from './folder.ts'

const folder = folders()

const key = 'ab'.repeat(32)

async function applied(toml: string, env: Record<string, string> = {}) {
  const { settings } = await checkConfig({ env, cwd: folder({ 'proofgate.toml': toml, key }) })
  return new Map(settings.map(({ key, value, source }) => [key, `${value} from ${source}`]))
}

test('every setting is there with its value and where it was set', async () => {
  const settings = await applied(
    'port = 1\n[verifiers.access]\nwallet-link = "key"\n[cors]\norigins = [\n"https://a.example"]',
    {
      PROOFGATE_LOG_LEVEL: 'debug',
      PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY: 'key',
    },
  )

  expect(settings.get('port')).toBe('1 from proofgate.toml:1')
  expect(settings.get('verifiers.access.wallet-link')).toBe('"key" from proofgate.toml:3')
  expect(settings.get('verifiers.access.agent-identity')).toBe('"key" from PROOFGATE_VERIFIERS_ACCESS_AGENT_IDENTITY')
  expect(settings.get('cors.origins')).toBe('["https://a.example"] from proofgate.toml:5')
  expect(settings.get('log.level')).toBe('"debug" from PROOFGATE_LOG_LEVEL')
  expect(settings.get('log.format')).toBe('"text" from default')
  expect(settings.get('base_url')).toBe('<not set: http://<host>:<port>> from default')
})

test('every setting has its default without a file', async () => {
  const { file, settings } = await checkConfig({ env: {}, cwd: folder() })
  expect(file).toBeUndefined()
  expect(new Set(settings.map(({ source }) => source))).toEqual(new Set(['default']))
  expect(settings.find(({ key }) => key === 'verifiers.access')?.value).toBe('{}')
})

test('wrong settings are shown as they were found, beside the findings', async () => {
  const { findings, settings } = await checkConfig({ env: { PROOFGATE_PORT: 'x' }, cwd: folder() })
  expect(findings).toHaveLength(1)
  expect(settings.find(({ key }) => key === 'port')).toEqual({ key: 'port', value: '"x"', source: 'PROOFGATE_PORT' })
})

test.each([
  ['the file', `master_key = "${key}"`, {}, 'proofgate.toml:1'],
  ['the file, wrong', 'master_key = "abab"', {}, 'proofgate.toml:1'],
  ['the file, as a list', 'master_key = ["abab"]', {}, 'proofgate.toml:1'],
  ['the environment', '', { PROOFGATE_MASTER_KEY: key }, 'PROOFGATE_MASTER_KEY'],
  ['a file of its own', '', { PROOFGATE_MASTER_KEY_FILE: 'key' }, 'PROOFGATE_MASTER_KEY_FILE'],
])('a secret from %s is not shown', async (_, toml, env, source) => {
  const settings = await applied(toml, env as Record<string, string>)
  expect(settings.get('master_key')).toBe(`<set, not shown> from ${source}`)
  expect([...settings.values()].join()).not.toContain('abab')
})
