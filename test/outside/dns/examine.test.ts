import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeChangingSource } from '../../../src/outside/dns/source.ts'
import { type Asked, authenticated, deadPort, rcodes, type Script, startDns } from '../../parts/dns.ts'
import { failureOf } from '../http/calling.ts'
import { opened, policyWith } from './asking.ts'

const server = await startDns()
const other = await startDns()
beforeEach(() => {
  server.script = undefined
  server.asked.splice(0)
})
afterAll(() => Promise.all([server.stop(), other.stop()]))

const examine = (requireDnssec = false) => opened([server.address], { timeoutMs: 400 }, requireDnssec).probes[0]!.run()
/** RD. */
const wantsRecursion = (asked: Asked): boolean => (asked.answer()[2]! & 1) === 1
const validating: Script = (asked) => [
  asked.answer(({ header }) => {
    header.z = authenticated
  }),
]
const failing: Script = (asked) => [
  asked.answer(({ header, answers }) => {
    header.rcode = rcodes.refused
    answers.splice(0)
  }),
]

describe('doctor at a resolver', () => {
  test('has one probe for each, named after its setting', () => {
    const { probes } = opened([server.address, 'system', 'https://127.0.0.1:1/dns-query'])
    expect(probes.map(({ setting }) => setting)).toEqual(['dns.resolvers[0]', 'dns.resolvers[1]', 'dns.resolvers[2]'])
  })

  test('asks for the name servers of the root, and is content with them', async () => {
    expect(await examine()).toEqual({ level: 'ok', says: 'answers, and does not validate (DNSSEC)' })
    expect(server.asked.map(({ name, type }) => ({ name, type }))).toEqual([{ name: '', type: 2 }])
  })

  test('says when it validates, which dns.require_dnssec needs', async () => {
    expect(await examine(true)).toEqual({
      level: 'warn',
      says: 'answers, and does not validate (DNSSEC), so that every claim would be refused',
      mend: 'use a resolver that validates, or set dns.require_dnssec to false',
    })
    server.script = validating
    expect(await examine(true)).toEqual({ level: 'ok', says: 'answers, and validates (DNSSEC)' })
  })

  test('warns of one that refuses, which a server of private zones may', async () => {
    server.script = failing
    expect(await examine()).toMatchObject({
      level: 'warn',
      says: 'answers REFUSED when it is asked for the root',
      mend: expect.stringContaining('private zones'),
    })
  })

  test('warns of one that is there and does not get as far as the root', async () => {
    server.script = (asked) => (wantsRecursion(asked) ? [] : [asked.answer()])
    expect(await examine()).toMatchObject({ level: 'warn', says: 'is there, and does not find the root in time' })
  })

  test('fails without an answer', async () => {
    server.script = () => []
    expect(await failureOf(examine())).toMatchObject({ fault: 'timeout', happened: 'did not answer within 0.4 s' })
  })
})

describe('doctor at "system"', () => {
  const at = (port: number) => ({ host: '127.0.0.1', port })
  const examineAll = (...ports: readonly number[]) =>
    makeChangingSource('dns.resolvers[0]', policyWith(), async () => ports.map(at)).examine(false)

  test('reports the answer of each name server', async () => {
    expect(await examineAll(server.port, other.port)).toEqual({
      level: 'ok',
      says: `127.0.0.1 port ${server.port} answers, and does not validate (DNSSEC); 127.0.0.1 port ${other.port} answers, and does not validate (DNSSEC)`,
    })
  })

  test('warns when one of them is down, and fails when all are', async () => {
    const dead = await deadPort()
    expect(await examineAll(dead, other.port)).toMatchObject({
      level: 'warn',
      says: expect.stringMatching(/ cannot be reached; .* answers/),
      mend: expect.stringContaining('see whether the resolver runs'),
    })
    expect(await examineAll(dead)).toMatchObject({ level: 'fail' })
  })
})
