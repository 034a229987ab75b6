/** Tests which addresses may be called, against ranges counted here and not by node:net. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type AddressGuard, makeGuard, makePublicGuard, type Resolve } from '../../../src/outside/http/address-guard.ts'

const resolvingTo =
  (...addresses: readonly string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const listed = async (guard: AddressGuard, host: string): Promise<string[]> =>
  (await guard.permitted(host)).map(({ address }) => address)

/** Calls an address through both guards: a name resolves to it, for operators' and for users' addresses. */
async function isCalled(address: string, privateNetworks: readonly string[] = []): Promise<boolean> {
  const [configured, fromUser] = await Promise.all([
    listed(makeGuard(privateNetworks, resolvingTo(address)), 'name.example'),
    listed(makePublicGuard(resolvingTo(address)), 'name.example'),
  ])
  if (privateNetworks.length === 0) expect(fromUser).toEqual(configured)
  return configured.length > 0
}

describe('a name that resolves to', () => {
  test.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['ten', '10.0.0.1'],
    ['carrier-grade NAT, first', '100.64.0.0'],
    ['carrier-grade NAT, last', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback further on', '127.255.255.254'],
    ['link local', '169.254.1.1'],
    ['the metadata service', '169.254.169.254'],
    ['172.16', '172.16.0.1'],
    ['172.31, last', '172.31.255.255'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['the 6to4 relay', '192.88.99.1'],
    ['192.168', '192.168.0.1'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv4 in IPv6, old form', '::127.0.0.1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped, in hexadecimal', '::ffff:a00:1'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
    ['NAT64 of the metadata service', '64:ff9b::a9fe:a9fe'],
    ['NAT64 of a network of one’s own', '64:ff9b:1::1'],
    ['discard', '100::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 documentation, new', '3fff::1'],
    ['6to4 of a private address', '2002:a00:1::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ['the metadata service over IPv6', 'fd00:ec2::254'],
    ['IPv6 link local', 'fe80::1'],
    ['IPv6 link local with a zone', 'fe80::1%eth0'],
    ['any address with a zone', '2606:4700::1111%eth0'],
    ['site local', 'fec0::1'],
    ['IPv6 multicast', 'ff02::1'],
  ])('%s is not called', async (_, address) => {
    expect(await isCalled(address)).toBe(false)
  })

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00::1',
    '64:ff9b::8.8.8.8',
  ])('the public address %s is called', async (address) => {
    expect(await isCalled(address)).toBe(true)
  })

  test('any IPv4 address is called exactly when no special-purpose range holds it', async () => {
    const octets = (address: string): number => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
    const isSpecial = (value: number): boolean =>
      [
        ['0.0.0.0', '0.255.255.255'],
        ['10.0.0.0', '10.255.255.255'],
        ['100.64.0.0', '100.127.255.255'],
        ['127.0.0.0', '127.255.255.255'],
        ['169.254.0.0', '169.254.255.255'],
        ['172.16.0.0', '172.31.255.255'],
        ['192.0.0.0', '192.0.0.255'],
        ['192.0.2.0', '192.0.2.255'],
        ['192.88.99.0', '192.88.99.255'],
        ['192.168.0.0', '192.168.255.255'],
        ['198.18.0.0', '198.19.255.255'],
        ['198.51.100.0', '198.51.100.255'],
        ['203.0.113.0', '203.0.113.255'],
        ['224.0.0.0', '255.255.255.255'],
      ].some(([first, last]) => octets(first!) <= value && value <= octets(last!))
    const nearEdges = fc
      .constantFrom(...[10, 100, 127, 169, 172, 192, 198, 203, 223, 224])
      .chain((first) => fc.integer({ min: first * 2 ** 24, max: first * 2 ** 24 + 2 ** 24 - 1 }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), nearEdges), async (value) => {
        const dotted = [24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.')
        const expected = !isSpecial(value)
        expect([dotted, await isCalled(dotted)]).toEqual([dotted, expected])
        expect([dotted, await isCalled(`64:ff9b::${dotted}`)]).toEqual([dotted, expected])
      }),
      { numRuns: 2000 },
    )
  })

  test('several addresses is called at the public ones', async () => {
    const guard = makeGuard([], resolvingTo('10.0.0.1', '1.1.1.1', '::1', '2a00::1'))
    expect(await guard.permitted('name.example')).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2a00::1', family: 6 },
    ])
  })

  test('a text that is not an address is never called', async () => {
    expect(await isCalled('internal.example')).toBe(false)
  })
})

describe('for a configured address', () => {
  test('a name may resolve into outside.private_networks, and into nothing beside them', async () => {
    const networks = ['10.1.0.0/16', 'fd12::/16', '192.168.7.7']
    for (const address of ['10.1.0.1', '10.1.255.255', 'fd12::5', '192.168.7.7'])
      expect([address, await isCalled(address, networks)]).toEqual([address, true])
    for (const address of ['10.0.255.255', '10.2.0.0', 'fd13::5', '192.168.7.8', '::ffff:10.1.2.3', '127.0.0.1'])
      expect([address, await isCalled(address, networks)]).toEqual([address, false])
  })

  test.each(['http://127.0.0.1:8545', 'http://10.0.0.5', 'http://[::1]:8545', 'http://[fd00::5]', 'http://2130706433'])(
    '%s is called without a look-up',
    async (url) => {
      const { hostname } = new URL(url)
      const guard = makeGuard([], () => Promise.reject(new Error('the resolver was asked')))
      expect(await listed(guard, hostname)).toEqual([hostname.replace(/[[\]]/g, '')])
    },
  )

  test('localhost means the loopback addresses, and no resolver is asked', async () => {
    const guard = makeGuard([], () => Promise.reject(new Error('the resolver was asked')))
    expect(await listed(guard, 'localhost')).toEqual(['127.0.0.1', '::1'])
  })

  test.each(['localhost.', 'LOCALHOST.example', 'sub.localhost'])('%s is a name like any other', async (name) => {
    expect(await listed(makeGuard([], resolvingTo('127.0.0.1')), name)).toEqual([])
  })

  test.each(['ftp://example.com', 'file:///etc/passwd', 'data:,x', 'ws://example.com'])('%s is refused', (url) => {
    expect(makeGuard([]).findObjection(new URL(url))).toBe('is not an http(s) address')
  })

  test('the error of the resolver is passed on', async () => {
    const guard = makeGuard([], () => Promise.reject(new Error('SERVFAIL')))
    await expect(guard.permitted('name.example')).rejects.toThrow('SERVFAIL')
  })
})

describe('for an address that a user wrote', () => {
  test.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://017700000001',
    'https://127.1',
    'https://0',
    'https://１２７.０.０.１',
    'https://10.0.0.5',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[fd00:ec2::254]',
    'https://[64:ff9b::a9fe:a9fe]',
  ])('%s is not called', async (url) => {
    const parsed = new URL(url)
    const guard = makePublicGuard(() => Promise.reject(new Error('the resolver was asked')))
    expect(guard.findObjection(parsed)).toBeUndefined()
    expect(await listed(guard, parsed.hostname)).toEqual([])
  })

  test('localhost is a name, and where it leads is judged', async () => {
    expect(await listed(makePublicGuard(resolvingTo('127.0.0.1', '::1')), 'localhost')).toEqual([])
  })

  test('a public address may be written as it is', async () => {
    expect(await listed(makePublicGuard(), '1.1.1.1')).toEqual(['1.1.1.1'])
    expect(await listed(makePublicGuard(), '[2606:4700:4700::1111]')).toEqual(['2606:4700:4700::1111'])
  })

  test.each([
    ['http://example.com', 'is not an https address'],
    ['ftp://example.com', 'is not an https address'],
    ['https://example.com:8443', 'names a port, and only the standard one is called'],
    ['https://example.com:22', 'names a port, and only the standard one is called'],
    ['https://user@example.com', 'holds a user name or password'],
    ['https://:secret@example.com', 'holds a user name or password'],
  ])('%s is refused', (url, objection) => {
    expect(makePublicGuard().findObjection(new URL(url))).toBe(objection)
  })

  test.each(['https://example.com', 'https://example.com:443/path?query'])('%s is not', (url) => {
    expect(makePublicGuard().findObjection(new URL(url))).toBeUndefined()
  })
})

test('an address with a zone is no URL', () => {
  expect(URL.canParse('http://[fe80::1%25eth0]/')).toBe(false)
  expect(URL.canParse('http://[fe80::1%eth0]/')).toBe(false)
})
