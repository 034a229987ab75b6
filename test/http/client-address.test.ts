import { describe, expect, test } from 'bun:test'
import { isFromThisMachine, makeClientReaders } from '../../src/http/client-address.ts'

const readersOf = (trusted: readonly string[], monitors: readonly string[] = []) =>
  makeClientReaders({ proxy: { trusted }, limits: { monitors } })
const clientAddressFrom = (trusted: readonly string[]) => readersOf(trusted).clientAddress

const requestWith = (forwarded: string | undefined) =>
  new Request('http://localhost/', forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } })

describe('a server without a configured proxy', () => {
  const addressOf = clientAddressFrom([])

  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'local'],
  ])('counts the peer %p as %p, and ignores the header', (peer, expected) => {
    expect(addressOf(requestWith('6.6.6.6'), peer)).toBe(expected)
  })
})

describe('behind a proxy at 10.0.0.0/8, 192.0.2.1 or fd00::/8', () => {
  const addressOf = clientAddressFrom(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])

  test.each([
    ['the one hop', '10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['the rightmost hop, not what the client wrote before it', '10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['the rightmost hop that is no proxy', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9, 192.0.2.1', '1.2.3.4'],
    ['the proxy itself when there is no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['the proxy itself when every hop is a proxy', '10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.1'],
    ['the proxy itself when the header is nonsense', '10.0.0.1', 'unknown, <script>, 999.1.1.1', '10.0.0.1'],
    [
      'the proxy itself when the last hop is nonsense: the client wrote the rest',
      '10.0.0.1',
      '6.6.6.6, unknown',
      '10.0.0.1',
    ],
    ['a hop without its port', '10.0.0.1', '6.6.6.6, 1.2.3.4:5678', '1.2.3.4'],
    ['an IPv6 hop without its port', '10.0.0.1', '[2001:db8:1:2::5]:5678, 10.0.0.2', '2001:db8:1:2::/64'],
    ['an IPv4 hop in IPv6 dress', '::ffff:10.0.0.1', '::FFFF:1.2.3.4', '1.2.3.4'],
    ['the /64 of an IPv6 hop', 'fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['nobody but the peer, which is no proxy', '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['the peer, next to the one address that is a proxy', '192.0.2.2', '1.2.3.4', '192.0.2.2'],
    ['the IPv6 peer, which is no proxy', '2001:db8::9', '1.2.3.4', '2001:db8:0:0::/64'],
  ])('counts %s', (_, peer, forwarded, expected) => {
    expect(addressOf(requestWith(forwarded), peer)).toBe(expected)
  })
})

test('two spellings of one IPv6 network are one key', () => {
  const addressOf = clientAddressFrom(['10.0.0.1'])
  const spelled = ['2001:db8:0:2::1', '2001:DB8:0:2:0:0:0:1', '2001:0db8:0000:0002::5', '2001:db8:0:2:ffff:1:2:3']
  expect(new Set(spelled.map((address) => addressOf(requestWith(address), '10.0.0.1'))).size).toBe(1)
})

describe('a monitor of the server', () => {
  const proxied = ['10.0.0.0/8', '127.0.0.1']
  test.each([
    ['a program on this machine', [], '127.0.0.1', {}, true],
    ['one that asks by IPv6', [], '::1', {}, true],
    ['one in IPv6 dress', [], '::ffff:127.0.0.1', {}, true],
    ['a configured monitor', [], '192.0.2.7', {}, true],
    ['a configured monitor behind a configured proxy', proxied, '10.0.0.1', { 'x-forwarded-for': '192.0.2.7' }, true],
    ['a program on this machine, where a proxy is configured there', proxied, '127.0.0.1', {}, true],
    ['a stranger', [], '192.0.2.8', {}, false],
    ['a stranger who says to be on this machine', [], '192.0.2.8', { 'x-forwarded-for': '127.0.0.1' }, false],
    ['a stranger behind a proxy on this machine that is not configured', [], '127.0.0.1', { via: '1.1 caddy' }, false],
    ['the same, where the proxy says for whom it asks', [], '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }, false],
    ['a stranger behind a configured proxy', proxied, '127.0.0.1', { 'x-forwarded-for': '192.0.2.8' }, false],
    [
      'one who wrote the name of a monitor before',
      proxied,
      '10.0.0.1',
      { 'x-forwarded-for': '192.0.2.7, 192.0.2.8' },
      false,
    ],
    ['a client that a proxy does not name', proxied, '127.0.0.1', { 'x-forwarded-for': 'unknown' }, false],
    ['a client whose hops are all proxies', proxied, '127.0.0.1', { 'x-forwarded-for': '10.0.0.9' }, false],
    ['a request without a peer', [], undefined, {}, false],
  ])('%s', (_, trusted, peer, headers, expected) => {
    const request = new Request('http://localhost/', { headers: headers as Record<string, string> })
    expect(readersOf(trusted, ['192.0.2.7']).isMonitor(request, peer)).toBe(expected)
  })
})

describe('a request from this machine itself', () => {
  test.each([
    ['a program on it', '127.0.0.1', {}, true],
    ['one that asks by IPv6', '::1', {}, true],
    ['one whose IPv4 address is mapped', '::ffff:127.0.0.1', {}, true],
    ['a stranger', '192.0.2.8', {}, false],
    ['anybody through a proxy that names the client', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
    ['anybody through a proxy that names itself only', '127.0.0.1', { via: '1.1 caddy' }, false],
    ['anybody through a proxy with a header of its own', '127.0.0.1', { 'x-real-ip': '192.0.2.8' }, false],
    ['a request without a peer', undefined, {}, false],
  ])('%s', (_, peer, headers, expected) => {
    const request = new Request('http://localhost/', { headers: headers as Record<string, string> })
    expect(isFromThisMachine(request, peer)).toBe(expected)
  })
})
