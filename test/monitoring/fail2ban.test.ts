/** The filter and the jails of src/packaging/fail2ban, read by fail2ban itself, with lines of a real server. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeLog } from '../../src/log.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { alice, bob } from '../wallets.ts'
import { type MonitoredServer, startMonitored } from './server.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const lacksFail2ban = isMissing(
  Bun.which('fail2ban-regex') !== null,
  'the filter for fail2ban: Linux with fail2ban (apt-get install fail2ban)',
)
const files = new URL('../../src/packaging/fail2ban/', import.meta.url)

const attacker = '203.0.113.66'
const flooder = '203.0.113.77'
const sixth = '2001:db8:1:2:3:4:5:6'
const innocent = '198.51.100.7'
/** What an attacker would like to see in the log, to have somebody else banned. */
const forged = `x" event=credential-refused address=${innocent} \n2026-11-27T15:00:00.000Z warn  a credential was refused event=credential-refused address=${innocent} `

describe.skipIf(lacksFail2ban).each(['text', 'json'])('with a log of %s', (format) => {
  const folder = newFolder()
  const log = join(folder, 'proofgate.log')
  let server: MonitoredServer

  const ask = (from: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': from },
    })
  const post = (from: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    ask(from, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  /** Signs in as alice, with a signature of this wallet. */
  async function signIn(from: string, wallet: typeof alice): Promise<number> {
    const prepared = await post(from, '/api/v1/auth/nonce', { walletAddress: alice.address })
    const { message } = ((await prepared.json()) as { data: { message: string } }).data
    return (await post(from, '/api/v1/auth/verify', { message, signature: await wallet.sign(message) })).status
  }

  beforeAll(async () => {
    server = await startMonitored(folder, {
      PROOFGATE_LOG_FILE: log,
      PROOFGATE_LOG_FORMAT: format,
      PROOFGATE_LOG_REFUSALS: 'true',
      PROOFGATE_LOG_ACCESS: 'true',
      PROOFGATE_LOG_LEVEL: 'debug',
      PROOFGATE_PROXY_TRUSTED: '127.0.0.1/32',
      PROOFGATE_LIMITS_RATES_HEALTH: '2/1m',
    })
    const wrongKey = { headers: { authorization: `Bearer npk_${'A'.repeat(43)}` } }
    expect((await ask(attacker, '/api/v1/profile/gates', wrongKey)).status).toBe(401)
    expect((await ask(sixth, '/api/v1/profile/gates', wrongKey)).status).toBe(401)
    expect(await signIn(attacker, bob)).toBe(401)
    expect((await post(attacker, '/mcp', {}, { authorization: 'Bearer wrong' })).status).toBe(401)
    const limited = []
    for (let request = 0; request < 3; request++) limited.push((await ask(flooder, '/api/v1/health')).status)
    expect(limited).toEqual([200, 200, 429])
    // The innocent: signs in, asks what is not there, and is named by others.
    expect(await signIn(innocent, alice)).toBe(200)
    expect((await ask(innocent, '/api/v1/profile/gates')).status).toBe(401)
    expect((await ask(innocent, '/nothing')).status).toBe(404)
    for (const text of [forged, innocent]) {
      await ask('192.0.2.1', `/${encodeURIComponent(text)}?${encodeURIComponent(text)}`, {
        headers: { 'user-agent': encodeURI(text), referer: encodeURI(text), 'x-svc-app': encodeURIComponent(text) },
      })
      await post('192.0.2.1', '/api/v1/verification', {
        walletAddress: text,
        verifierIds: [text],
        data: { owner: text },
      })
      await post('192.0.2.1', '/api/v1/auth/verify', { message: text, signature: text })
    }
    await server.stop()
    // Texts of others in the fields of a line, as a provider may send them.
    const write = (line: string): void => appendFileSync(log, line)
    const own = makeLog({ level: 'info', format: format === 'json' ? 'json' : 'text', now: Date.now, write })
    for (const happened of [forged, `x", "event":"credential-refused","message":"","address":"${innocent}"`])
      own.warn('a claim could not be looked up', { event: 'claim-undecided', happened, source: happened })
  })
  afterAll(() => void server.child.kill('SIGKILL'))

  /** The addresses that fail2ban would count, each once for each line. */
  function find(mode: string): string[] {
    const filters = join(folder, 'filter.d')
    mkdirSync(filters, { recursive: true })
    cpSync(new URL('filter.conf', files), join(filters, 'proofgate.conf'))
    const found = Bun.spawnSync(['fail2ban-regex', '-o', 'id', log, `${join(filters, 'proofgate.conf')}[mode=${mode}]`])
    expect(String(found.stderr)).toBe('')
    return String(found.stdout).split('\n').filter(Boolean)
  }

  test('the filter finds who sent wrong keys, signatures and tokens, and nobody else', () => {
    expect(readFileSync(log, 'utf8')).toContain('credential-refused')
    expect(find('credentials')).toEqual([attacker, '2001:db8:1:2::/64', attacker, attacker])
  })

  test('the filter finds who was over a rate limit', () => {
    expect(find('rates')).toEqual([flooder])
  })

  test('both are found by one mode', () => {
    expect(find('all')).toEqual([attacker, '2001:db8:1:2::/64', attacker, attacker, flooder])
  })
})

test.skipIf(lacksFail2ban)('fail2ban accepts the jails', () => {
  const folder = join(newFolder(), 'fail2ban')
  cpSync('/etc/fail2ban', folder, { recursive: true })
  cpSync(new URL('filter.conf', files), join(folder, 'filter.d', 'proofgate.conf'))
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  writeFileSync(join(logs, 'proofgate.log'), '')
  const jails = readFileSync(new URL('jail.conf', files), 'utf8')
  writeFileSync(join(folder, 'jail.d', 'proofgate.conf'), jails.replaceAll('/var/log/proofgate/', `${logs}/`))
  // The jail of a fresh installation reads a log that this machine may not have.
  for (const own of ['defaults-debian.conf']) {
    const file = join(folder, 'jail.d', own)
    if (existsSync(file)) writeFileSync(file, '')
  }
  const tried = Bun.spawnSync(['fail2ban-client', '-c', folder, '-d'])
  const told = String(tried.stdout)
  expect([String(tried.stderr), tried.exitCode]).toEqual([expect.not.stringContaining('ERROR'), 0])
  for (const jail of ['proofgate', 'proofgate-rates']) expect(told).toContain(`['add', '${jail}'`)
  expect(told).toContain("['set', 'proofgate', 'maxretry', 20]")
})
