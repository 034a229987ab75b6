import { describe, expect, test } from 'bun:test'
import { isResolver } from '../../../src/config/address.ts'
import { listNameServers, parseNameServer, readSystemNameServers } from '../../../src/outside/dns/name-server.ts'
import { failureOf } from '../http/calling.ts'

describe('the address of a resolver', () => {
  test.each([
    ['9.9.9.9', '9.9.9.9', 53],
    ['127.0.0.1:5301', '127.0.0.1', 5301],
    ['2620:fe::fe', '2620:fe::fe', 53],
    ['[2620:fe::fe]:5353', '2620:fe::fe', 5353],
  ])('%s', (text, host, port) => {
    expect(isResolver(text)).toBe(true)
    expect(parseNameServer(text)).toEqual({ host, port })
  })
})

describe('resolv.conf', () => {
  test('names up to three servers, in order; comments, names and other lines do not count', () => {
    const text = [
      '# nameserver 192.0.2.1',
      'search example.test',
      'nameserver 192.0.2.2',
      'nameserver\t2001:db8::3   ',
      'nameserver resolver.example.test',
      'nameserver fe80::1%eth0',
      'options nameserver 192.0.2.9',
      'nameserver 192.0.2.4',
    ].join('\n')
    expect(listNameServers(text)).toEqual([
      { host: '192.0.2.2', port: 53 },
      { host: '2001:db8::3', port: 53 },
      { host: 'fe80::1%eth0', port: 53 },
    ])
  })

  test.each(['/nonexistent/resolv.conf', '/dev/null'])('is reported when it names no name server: %s', async (file) => {
    expect(await failureOf(readSystemNameServers('dns.resolvers[0]', file))).toMatchObject({
      fault: 'unreachable',
      source: 'dns.resolvers[0]',
      happened: `means the name servers of ${file}, which names none`,
      mend: 'give the address of a resolver instead of "system"',
    })
  })
})
