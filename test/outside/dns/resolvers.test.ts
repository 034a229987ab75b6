import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { runAttempt } from '../../../src/outside/dns/attempt.ts'
import { listNameServers } from '../../../src/outside/dns/name-server.ts'
import { askFirst, makeChangingSource } from '../../../src/outside/dns/source.ts'
import { type Asked, type DnsServer, deadPort, rcodes, type Script, startDns, txt } from '../../parts/dns.ts'
import { failureOf } from '../http/calling.ts'
import { opened, policyWith } from './asking.ts'

const name = '_svc.example.test'
const first = await startDns()
const second = await startDns({ [name]: [txt('second')] })
afterEach(() => {
  first.zone.clear()
  first.script = undefined
  first.asked.splice(0)
  second.asked.splice(0)
})
afterAll(() => Promise.all([first.stop(), second.stop()]))

const deadAddress = async (): Promise<string> => `127.0.0.1:${await deadPort()}`
const silent: Script = () => []
const isRoot = (asked: Asked): boolean => asked.name === ''
const countOf = (server: DnsServer, wanted = name): number =>
  server.asked.filter((asked) => asked.name === wanted).length
const failing: Script = (asked) => [
  asked.answer(({ header }) => {
    header.rcode = rcodes.servfail
  }),
]

describe('several resolvers', () => {
  const { txt: ask } = opened([first.address, second.address])

  test('the first one is asked, and the second one is not', async () => {
    first.zone.set(name, [txt('first')])
    expect(await ask(name)).toMatchObject({ records: ['first'], source: 'dns.resolvers[0]' })
    expect(second.asked).toHaveLength(0)
  })

  test('"no such name" is an answer: no other resolver is asked', async () => {
    expect(await ask(name)).toMatchObject({ outcome: 'no-such-name', source: 'dns.resolvers[0]' })
    expect(second.asked).toHaveLength(0)
  })

  test('the second one takes over when the first fails (SERVFAIL)', async () => {
    first.script = failing
    expect(await ask(name)).toMatchObject({ records: ['second'], source: 'dns.resolvers[1]' })
  })

  test('the second one takes over when the first hangs', async () => {
    first.script = silent
    const { txt: askBriefly } = opened([first.address, second.address], { timeoutMs: 400 })
    expect(await askBriefly(name)).toMatchObject({ records: ['second'], source: 'dns.resolvers[1]' })
  })

  test('the second one takes over when no server listens at the address of the first', async () => {
    const { txt: askAfterDead } = opened([await deadAddress(), second.address])
    expect(await askAfterDead(name)).toMatchObject({ records: ['second'], source: 'dns.resolvers[1]' })
  })

  test('an internal fault is thrown, and counts neither as an answer nor as an outage', async () => {
    const { promise: broken, reject } = Promise.withResolvers<never>()
    reject(new TypeError('ours'))
    const source = { setting: 'a', txt: () => broken, examine: () => broken }
    await expect(askFirst('dns.resolvers', [source, source], name)).rejects.toThrow(TypeError)
  })

  test('when every one fails, the failure names each fault', async () => {
    first.script = failing
    const { txt: askBoth } = opened([first.address, await deadAddress()])
    expect(await failureOf(askBoth(name))).toMatchObject({
      fault: 'unreachable',
      source: 'dns.resolvers',
      happened: expect.stringMatching(
        /^gave no answer \(dns\.resolvers\[0\] answered SERVFAIL.*; dns\.resolvers\[1\] cannot be reached\)$/,
      ),
      mend: expect.stringContaining('; '),
    })
  })
})

describe('an address that leads nowhere', () => {
  test.each([
    ['over IPv4', async () => deadAddress()],
    ['over IPv6', async () => `[::1]:${await deadPort()}`],
  ])('is unreachable %s, and not waited for', async (_, address) => {
    const { txt: ask } = opened([await address()], { timeoutMs: 30_000 })
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'unreachable', happened: 'cannot be reached' })
  })
})

describe('a lost packet', () => {
  test('goes out again after a second, with the same id', async () => {
    first.zone.set(name, [txt('a')])
    first.script = (asked) => (countOf(first) === 1 ? [] : [asked.answer()])
    const { txt: ask } = opened([first.address], { timeoutMs: 5000 })
    expect(await ask(name)).toMatchObject({ records: ['a'] })
    const [lost, again] = first.asked.map((asked) => ({ id: asked.answer().readUInt16BE(0), from: asked.from }))
    expect(again).toEqual(lost!)
  })

  test('is asked again from another port for each question', async () => {
    const { txt: ask } = opened([first.address])
    for (let turn = 0; turn < 8; turn++) await ask(name)
    expect(new Set(first.asked.map(({ from }) => from)).size).toBeGreaterThan(4)
  })
})

describe('a resolver that is down', () => {
  test('is asked outside.attempts times, and left alone after five failures', async () => {
    first.script = silent
    const { txt: ask } = opened([first.address], { timeoutMs: 50, attempts: 2 })
    for (const asked of [2, 4, 5]) {
      await failureOf(ask(name))
      expect(countOf(first)).toBe(asked)
    }
    expect(await failureOf(ask(name))).toMatchObject({
      fault: 'unreachable',
      happened: expect.stringContaining('left alone'),
      retryAfterSeconds: 10,
    })
    expect(countOf(first)).toBe(5)
  })

  test('is not left alone for one name: hanging name servers of one domain do not affect other names', async () => {
    first.zone.set('_svc.other.test', [txt('a')])
    first.script = (asked) => (asked.name === name ? [] : [asked.answer()])
    const { txt: ask } = opened([first.address], { timeoutMs: 300, attempts: 2 })
    for (let turn = 0; turn < 6; turn++) expect(await failureOf(ask(name))).toMatchObject({ fault: 'timeout' })
    expect(first.asked.filter(isRoot)).toHaveLength(6)
    expect(await ask('_svc.other.test')).toMatchObject({ records: ['a'] })
  })

  test('is not left alone for one failing name: wrong DNSSEC signatures do not affect other names', async () => {
    first.zone.set('_svc.other.test', [txt('a')])
    first.script = (asked) => (asked.name === name ? failing(asked) : [asked.answer()])
    const { txt: ask } = opened([first.address], { attempts: 2 })
    for (let turn = 0; turn < 8; turn++) expect(await failureOf(ask(name))).toMatchObject({ fault: 'unreachable' })
    // Each time for the records, and for an alias that may be why.
    expect(countOf(first)).toBe(16)
    expect(await ask('_svc.other.test')).toMatchObject({ records: ['a'] })
  })
})

describe('a question that is given up', () => {
  test('leaves no socket behind', async () => {
    first.script = silent
    const sockets = async (): Promise<number> =>
      [...new Bun.Glob('*').scanSync({ cwd: '/dev/fd', onlyFiles: false })].length
    const { txt: ask } = opened([first.address], { timeoutMs: 20 })
    await failureOf(ask(name))
    const before = await sockets()
    for (let turn = 0; turn < 4; turn++) await failureOf(ask(name))
    expect(await sockets()).toBeLessThanOrEqual(before)
  })
})

describe('"system"', () => {
  const at = (port: number) => ({ host: '127.0.0.1', port })
  let current = [at(first.port)]
  const system = makeChangingSource('dns.resolvers[0]', policyWith(), async () => current)

  test('means the name servers of the system at the moment of the question', async () => {
    expect(await system.txt(name)).toMatchObject({ outcome: 'no-such-name', source: 'dns.resolvers[0]' })
    current = [at(second.port)]
    expect(await system.txt(name)).toMatchObject({ records: ['second'], source: 'dns.resolvers[0]' })
  })

  test('in their order: the next one takes over, and the one that is down is left alone for a while', async () => {
    const port = await deadPort()
    current = [at(port), at(second.port)]
    for (let turn = 0; turn < 5; turn++) expect(await system.txt(name)).toMatchObject({ records: ['second'] })
    const back = await startDns({ [name]: [txt('back')] }, port)
    try {
      expect(await system.txt(name)).toMatchObject({ records: ['second'] })
      expect(back.asked).toEqual([])
    } finally {
      await back.stop()
    }
  })

  test('reads /etc/resolv.conf', async () => {
    const { probes } = opened(['system'], { timeoutMs: 100 })
    const servers = listNameServers(await Bun.file('/etc/resolv.conf').text())
    expect(servers.length).toBeGreaterThan(0)
    const finding = await probes[0]!.run()
    for (const { host } of servers) expect(finding.says).toContain(`${host} port 53 `)
  })
})

test('an attempt ends at its time limit, whatever it waits for', async () => {
  const forever = runAttempt('dns.resolvers[0]', 20, () => new Promise<never>(() => undefined))
  expect(await failureOf(forever)).toMatchObject({ fault: 'timeout', happened: 'did not answer within 0.02 s' })
})
