/** Servers on one database tell where their settings differ, and no setting can be read from what they compare. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { listDifferences, writeSettingsMark } from '../../src/processes/settings-mark.ts'
import { useFolder } from '../parts/folders.ts'
import { openWorld, passSeconds } from './world.ts'

const key = new Uint8Array(32).fill(7)
const mark = (env: Record<string, string> = {}, toml = '', masterKey = key): Promise<string> =>
  useFolder(async (cwd) => {
    writeFileSync(join(cwd, 'proofgate.toml'), toml)
    return writeSettingsMark(await loadConfig({ env, cwd }), masterKey)
  })

describe('the settings of two servers', () => {
  test.each([
    ['base_url', { PROOFGATE_BASE_URL: 'https://proofs.example' }],
    ['base_url', { PROOFGATE_PORT: '9999' }],
    ['limits', { PROOFGATE_LIMITS_SEVERAL: 'each' }],
    ['verifiers', { PROOFGATE_VERIFIERS_DISABLED: 'wallet-link' }],
    ['operator', { PROOFGATE_OPERATOR_WALLETS: '0x2682F1afA9e879dCeA444D8d93895c4bCbf55076' }],
  ])('differ in %s', async (name, env) => {
    expect(listDifferences(await mark(), await mark(env))).toEqual([name])
    expect(listDifferences(await mark(env), await mark())).toEqual([name])
  })

  const own = { PROOFGATE_BASE_URL: 'https://proofs.example' }
  test.each([
    ['port and host', { PROOFGATE_PORT: '9999', PROOFGATE_HOST: '0.0.0.0' }],
    ['the data folder', { PROOFGATE_DATA: '/srv/data' }],
    ['the proxy', { PROOFGATE_PROXY_TRUSTED: '10.0.0.1/32' }],
    ['monitors', { PROOFGATE_LIMITS_MONITORS: '10.0.0.1/32' }],
    ['the log', { PROOFGATE_LOG_LEVEL: 'debug' }],
  ])('may differ in %s', async (_, env) => {
    expect(listDifferences(await mark(own), await mark({ ...own, ...env }))).toEqual([])
  })

  test('are the same in another order, and with other nodes of a chain', async () => {
    const one = '[chains.base]\nchain = "eip155:8453"\nrpc = ["https://one.example"]\nagree = 1'
    const other = '[chains.base]\nagree = 1\nrpc = ["https://two.example"]\nchain = "eip155:8453"'
    expect(listDifferences(await mark(own, one), await mark(own, other))).toEqual([])
    expect(listDifferences(await mark(own, one), await mark(own))).toEqual(['chains'])
  })

  test('of a version that has no mark differ in nothing', async () => {
    expect(listDifferences(await mark(), null)).toEqual([])
  })

  test('cannot be guessed from the mark without the master key', async () => {
    expect(listDifferences(await mark(own), await mark(own, '', new Uint8Array(32).fill(8)))).toContain('base_url')
  })
})

describe('a server that has other settings than another one', () => {
  const list = ({ conditions }: Awaited<ReturnType<typeof startTwo>>['one']) =>
    conditions.list().map(({ name, says }) => [name, says])
  async function startTwo(settings = '{"limits":"b"}') {
    const world = await openWorld()
    const [one, other] = [world.startProcess('one', '{"limits":"a"}'), world.startProcess('two', settings)]
    return { world, one, other }
  }

  test('is told on both after half a minute, until it has ended', async () => {
    const { world, one, other } = await startTwo()
    await passSeconds(world, 29, [one, other])
    expect([list(one), list(other)]).toEqual([[], []])
    await passSeconds(world, 3, [one, other])
    const told = [['settings-differ', 'servers on this database have different settings: limits']]
    expect([list(one), list(other)]).toEqual([told, told])
    await other.processes.leave()
    await passSeconds(world, 1, [one])
    expect(list(one)).toEqual([])
  })

  test('is told nothing where all agree', async () => {
    const { world, one, other } = await startTwo('{"limits":"a"}')
    await passSeconds(world, 40, [one, other])
    expect([list(one), list(other)]).toEqual([[], []])
  })
})
