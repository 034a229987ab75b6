/** The checks of doctor on the sources of risk. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding, Probe } from '../../../src/outside/probe.ts'
import { startOfTime } from '../../app.ts'
import { type Anvil, startAnvil } from '../../parts/anvil.ts'
import { deploy } from '../../parts/contracts/contracts.ts'
import { temporaryFolder } from '../../parts/folders.ts'
import { providerKey, startChainalysis, startGoplus, startWebacy, webacySays } from '../../parts/risk-providers.ts'
import { chainalysisAt, type Env, goplusAt, openedRisk, outageOf, webacyAt } from './opened.ts'

const folder = temporaryFolder()
const dead = '0x000000000000000000000000000000000000dead'

const probesOf = async (env: Env): Promise<readonly Probe[]> => (await openedRisk(env)).probes
const settingsOf = async (env: Env): Promise<string[]> => (await probesOf(env)).map(({ setting }) => setting)
async function runOf(env: Env, setting: string): Promise<Finding> {
  const probe = (await probesOf(env)).find((one) => one.setting === setting)
  if (!probe) throw new Error(`no probe of ${setting}`)
  return probe.run()
}

describe('the deny list', () => {
  const listWith = (text: string, ageMs: number): Env => {
    const path = join(folder, 'deny.txt')
    writeFileSync(path, text)
    const changed = (startOfTime - ageMs) / 1000
    utimesSync(path, changed, changed)
    return { PROOFGATE_RISK_DENY_LIST: path }
  }
  const minute = 60_000

  test.each<[number, string]>([
    [-5 * minute, '0 minutes'],
    [119 * minute, '119 minutes'],
    [120 * minute, '2 hours'],
    [72 * 60 * minute, '3 days'],
  ])('is counted, with its age of %p ms', async (ageMs, ago) => {
    const env = listWith(`${dead}\n0x${'1'.repeat(40)}\n`, ageMs)
    expect(await runOf(env, 'risk.deny_list')).toEqual({ level: 'ok', says: `holds 2 addresses, changed ${ago} ago` })
  })

  test('is worth a word when it is empty', async () => {
    expect(await runOf(listWith('# none yet\n', 0), 'risk.deny_list')).toMatchObject({ level: 'warn' })
  })

  test('is a failure when it cannot be read', async () => {
    const { message } = await outageOf(runOf(listWith('nonsense', 0), 'risk.deny_list'))
    expect(message).toContain('line 1')
  })
})

describe('a provider', () => {
  const webacy = startWebacy()
  const goplus = startGoplus()
  const chainalysis = startChainalysis()

  test('is asked about a harmless wallet', async () => {
    webacy.says.set(dead, webacySays(12))
    const finding = { level: 'ok', says: `answers: risk 12 of 100 (low) for ${dead}` } as const
    expect(await runOf(webacyAt(webacy.url), 'risk.webacy')).toEqual(finding)
    const harmless = { level: 'ok', says: `answers: risk 0 of 100 (low) for ${dead}` } as const
    expect(await runOf(goplusAt(goplus.url), 'risk.goplus')).toEqual(harmless)
    expect(await runOf(chainalysisAt(chainalysis.url), 'risk.chainalysis')).toEqual(harmless)
  })

  test('is asked although the operator’s list names that wallet', async () => {
    const path = join(folder, 'dead.txt')
    writeFileSync(path, dead)
    expect(await runOf({ ...webacyAt(webacy.url), PROOFGATE_RISK_DENY_LIST: path }, 'risk.webacy')).toMatchObject({
      level: 'ok',
    })
  })

  test('gets a warning when it finds the burn address sanctioned', async () => {
    chainalysis.says.set(dead, { identifications: [{ category: 'sanctions' }] })
    expect(await runOf(chainalysisAt(chainalysis.url), 'risk.chainalysis')).toMatchObject({ level: 'warn' })
  })

  test('with a wrong key is a failure that names the remedy, not the key', async () => {
    const error = await outageOf(
      runOf({ ...webacyAt(webacy.url), PROOFGATE_RISK_WEBACY_API_KEY: 'stale-key' }, 'risk.webacy'),
    )
    expect(error).toMatchObject({ fault: 'credentials', source: 'risk.webacy' })
    expect(`${error.message} ${error.mend}`).not.toContain('stale-key')
    expect(error.mend).toContain('key')
  })

  test('is not asked unless it is configured, and a missing risk.provider is reported', async () => {
    expect(await settingsOf({})).toEqual([])
    const keyAlone = { PROOFGATE_RISK_CHAINALYSIS_API_KEY: providerKey }
    expect(await settingsOf(keyAlone)).toEqual(['risk.chainalysis', 'risk.selectable'])
    expect(await runOf(keyAlone, 'risk.selectable')).toMatchObject({
      level: 'warn',
      says: 'chainalysis is configured, and nobody asks it',
    })
    expect(await runOf({ PROOFGATE_RISK_PROVIDER: 'webacy' }, 'risk.provider')).toEqual({
      level: 'fail',
      says: 'names webacy, which is not configured: wallet-risk is absent',
      mend: 'set risk.webacy.api_key',
    })
  })
})

describe('doctor names the providers', () => {
  const webacy = startWebacy()
  const two = { ...webacyAt(webacy.url), PROOFGATE_RISK_PROVIDER: '', PROOFGATE_RISK_PROVIDERS: 'webacy,goplus' }

  test.each([
    ['all', 'each that can judge must answer'],
    ['any', 'one answer is enough'],
    ['fallback', 'the next when the one before could not be asked'],
  ])('with the policy %s', async (policy, words) => {
    const env = { ...two, PROOFGATE_RISK_POLICY: policy }
    expect(await runOf(env, 'risk.providers')).toEqual({
      level: 'ok',
      says: `wallets are judged by webacy and goplus: ${words}`,
    })
  })

  test('is missing while one of them is not configured, and that is a failure', async () => {
    const env = { ...two, PROOFGATE_RISK_PROVIDERS: 'webacy,chainalysis', PROOFGATE_RISK_POLICY: 'any' }
    expect((await openedRisk(env)).standard).toBeUndefined()
    expect(await runOf(env, 'risk.providers')).toMatchObject({ level: 'fail', mend: 'set risk.chainalysis.api_key' })
  })

  test('it also names those that a request may choose', async () => {
    const env = { ...two, PROOFGATE_RISK_PROVIDERS: 'webacy', PROOFGATE_RISK_SELECTABLE: 'goplus' }
    expect(await runOf(env, 'risk.selectable')).toEqual({
      level: 'ok',
      says: 'a request may choose goplus in their place',
    })
    const without = { ...env, PROOFGATE_RISK_SELECTABLE: 'chainalysis' }
    expect(await runOf(without, 'risk.selectable')).toMatchObject({
      level: 'fail',
      mend: 'set risk.chainalysis.api_key',
    })
  })

  test('cannot be said twice', () =>
    expect(openedRisk({ ...two, PROOFGATE_RISK_PROVIDER: 'webacy' })).rejects.toThrow(/says who judges already/))
})

describe('a sanctions oracle', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 8453 })
  })
  afterAll(() => anvil?.stop())
  const setting = 'chains.base.sanctions_oracle'
  const at = (contract?: string): Env => ({
    PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
    PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    ...(contract === undefined ? {} : { PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: contract }),
  })

  test('is asked', async () => {
    const oracle = await deploy(anvil, 'SanctionsOracle')
    const finding = await runOf(at(oracle.address), setting)
    expect(finding).toMatchObject({ level: 'ok' })
    expect(finding.says).toMatch(/^answers at block \d+: 0x0+dead is not sanctioned$/)
    await oracle.write('set', [dead, true])
    expect(await runOf(at(oracle.address), setting)).toMatchObject({ level: 'warn' })
  })

  test('is a failure where the address holds no contract, or another one', async () => {
    expect((await outageOf(runOf(at(dead), setting))).message).toContain('there is no contract')
    const token = await deploy(anvil, 'Erc20', [6])
    expect((await outageOf(runOf(at(token.address), setting))).source).toBe(setting)
  })

  test('is missed when embedded has no list either', async () => {
    expect(await runOf(at(), 'risk.providers')).toMatchObject({
      level: 'warn',
      mend: 'set risk.deny_list, or sanctions_oracle of a chain',
    })
    expect(await settingsOf(at(dead))).toEqual([setting, 'risk.providers'])
    expect(await runOf(at(dead), 'risk.providers')).toEqual({ level: 'ok', says: 'wallets are judged by embedded' })
  })
})
