import { expect, test } from 'bun:test'
import { messages } from './folder.ts'

const chain = (name: string, more = '', id = 'eip155:1') =>
  `[chains.${name}]\nchain = "${id}"\nrpc = ["https://a.example"]\n${more}\n`

test.each([
  [
    'more endpoints must agree than there are',
    chain('main', 'agree = 2'),
    'proofgate.toml:4: chains.main.agree: 2 endpoints cannot agree where rpc has 1: add addresses to rpc, or lower agree',
  ],
  [
    'a chain cannot prove its state',
    chain('main', 'proofs = true', 'solana:mainnet'),
    'proofgate.toml:4: chains.main.proofs: solana:mainnet has no proofs of its state that anybody could check: leave proofs out (it is for EVM chains)',
  ],
  [
    'one chain stands there twice',
    chain('main') + chain('other'),
    'proofgate.toml:6: chains.other.chain: chains.main is eip155:1 already: put the addresses of both into one rpc',
  ],
])('the configuration is refused when %s', async (_, toml, message) => {
  expect(await messages({ toml })).toEqual([message])
})

const agreeing = (rpc: readonly string[], more = '') =>
  `[chains.main]\nchain = "eip155:1"\nrpc = ${JSON.stringify(rpc)}\nagree = 2\n${more}\n`
const only = 'proofgate.toml:4: chains.main.agree: 2 endpoints cannot agree where only 1 counts'
const orLower = 'add addresses of other hosts to rpc, or lower agree'
const orCount = `${orLower}; agree_counts = "addresses" is for one host that leads to different nodes`

test.each([
  ['as it is', 'https://a.example/key'],
  ['in other case', 'HTTPS://A.Example/key'],
  ['with the port that is meant anyway', 'https://a.example:443/key'],
  ['with a slash at the end', 'https://a.example/key//'],
  ['with the dot of the root', 'https://a.example./key'],
])('an rpc entry that is repeated %s is reported as such, and counts once', async (_, repeated) => {
  const repeats =
    'proofgate.toml:3: chains.main.rpc[1]: rpc[1] repeats rpc[0], and one endpoint is not asked twice: remove it, or give the address of another endpoint'
  const rpc = ['https://a.example/key', repeated]
  expect(await messages({ toml: agreeing(rpc).replace('agree = 2', '') })).toEqual([repeats])
  for (const more of ['', 'agree_counts = "addresses"'])
    expect(await messages({ toml: agreeing(rpc, more) })).toEqual([
      repeats,
      `${only} (rpc[1] leads to the same address as rpc[0]): ${orLower}`,
    ])
})

test('a list of addresses is not repeated in messages, as it may hold keys', async () => {
  const rpc = Array.from({ length: 11 }, (_, index) => `https://${index}.example/${'key'.repeat(2)}`)
  const [message] = await messages({ toml: agreeing(rpc) })
  expect(message).toContain('found a list')
  expect(message).not.toContain('keykey')
})

test.each([
  ['by another port', 'https://a.example:8443/key'],
  ['by another path', 'https://a.example/other'],
  ['by another key', 'https://a.example/key?key=2'],
  ['without TLS', 'http://a.example/key'],
])('one host counts once, also when it is reached %s, unless addresses count', async (_, other) => {
  expect(await messages({ toml: agreeing(['https://a.example/key', other]) })).toEqual([
    `${only} (rpc[1] leads to the same host as rpc[0]): ${orCount}`,
  ])
  expect(await messages({ toml: agreeing(['https://a.example/key', other], 'agree_counts = "addresses"') })).toEqual([])
})

test('every shared place is named when too few endpoints count', async () => {
  const rpc = [
    'https://a.example',
    'https://b.example',
    'https://a.example/1',
    'https://b.example/2',
    'https://a.example/3',
  ]
  const [message] = await messages({ toml: agreeing(rpc).replace('agree = 2', 'agree = 3') })
  expect(message).toContain(
    '3 endpoints cannot agree where only 2 count (rpc[2] and rpc[4] lead to the same host as rpc[0], rpc[3] leads to the same host as rpc[1])',
  )
})

test('every port of this machine counts, and other hosts do', async () => {
  expect(await messages({ toml: agreeing(['http://127.0.0.1:8545', 'http://localhost:8546']) })).toEqual([])
  expect(await messages({ toml: agreeing(['https://a.example', 'https://b.example']) })).toEqual([])
  for (const same of ['http://localhost:8545', 'http://[::1]:8545/', 'http://[::ffff:7f00:1]:8545'])
    expect((await messages({ toml: agreeing(['http://127.0.0.1:8545', same]) })).length).toBe(2)
})

const ways = [
  ['mapped', '[::ffff:5db8:d822]'],
  ['compatible', '[::5db8:d822]'],
  ['translated without a state', '[::ffff:0:5db8:d822]'],
  ['behind NAT64', '[64:ff9b::5db8:d822]'],
] as const

test.each(ways)('an IPv4 address inside an IPv6 one is that address: %s', async (_, written) => {
  const rpc = ['http://93.184.216.34:8545/key', `http://${written}:8545/key`]
  for (const order of [rpc, rpc.toReversed()]) {
    const [repeats, tooFew] = await messages({ toml: agreeing(order) })
    expect(repeats).toContain('rpc[1] repeats rpc[0]')
    expect(tooFew).toContain(only)
  }
  const [shared] = await messages({ toml: agreeing([rpc[0]!, `http://${written}:8546`]) })
  expect(shared).toContain('rpc[1] leads to the same host as rpc[0]')
})

test('the IPv4 address behind a 6to4 network is one host, and two addresses', async () => {
  const rpc = ['http://93.184.216.34:8545', 'http://[2002:5db8:d822::1]:8545']
  const [shared, ...others] = await messages({ toml: agreeing(rpc) })
  expect(shared).toContain('rpc[1] leads to the same host as rpc[0]')
  expect(others).toEqual([])
  const two = ['http://[2002:5db8:d822::1]:8545', 'http://[2002:5db8:d822:7::2]:8545']
  expect((await messages({ toml: agreeing(two) })).length).toBe(1)
  expect(await messages({ toml: agreeing(rpc, 'agree_counts = "addresses"') })).toEqual([])
})

test('IPv6 addresses that hold another IPv4 address, or none, are separate hosts', async () => {
  for (const other of [
    '[64:ff9b::5db8:d823]',
    '[2002:5db8:d823::1]',
    '[2001:db8::5db8:d822]',
    '[64:ff9b:1::5db8:d822]',
    '[1::5db8:d822]',
  ])
    expect(await messages({ toml: agreeing(['http://93.184.216.34:8545', `http://${other}:8545`]) })).toEqual([])
  for (const same of ['http://[::7f00:1]:8545', 'http://[::]:8545', 'http://[::1]:8545'])
    expect((await messages({ toml: agreeing(['http://127.0.0.1:8545', same]) })).length).toBe(2)
  expect(await messages({ toml: agreeing(['http://127.0.0.1:8545', 'http://[::7f00:1]:8546']) })).toEqual([])
})

test.each(['base_url', 'auth_url', 'mcp_url'])(
  'X2 %s is refused with plain http, unless it is this machine',
  async (key) => {
    for (const address of [
      'http://example.com',
      'http://10.0.0.1:8787',
      'http://127.0.0.1.example.com',
      'http://0.0.0.0:1',
    ])
      expect(await messages({ toml: `${key} = "${address}"` })).toEqual([
        expect.stringMatching(new RegExp(`^proofgate.toml:1: ${key}: plain http would show tokens`)),
      ])
    for (const address of ['http://127.0.0.1:8787', 'http://[::1]:8787', 'http://localhost', 'https://example.com'])
      expect(await messages({ toml: `${key} = "${address}"` })).toEqual([])
  },
)

test.each(['https://example.com/', 'https://example.com?a=1', 'https://example.com#a'])(
  'X3 %s is not a public address',
  async (address) => {
    for (const key of ['base_url', 'auth_url', 'mcp_url'])
      expect((await messages({ toml: `${key} = "${address}"` })).length).toBe(1)
  },
)

test('two chains with as many endpoints as must agree are in order', async () => {
  expect(await messages({ toml: chain('main') + chain('other', '', 'eip155:10') })).toEqual([])
})

test('a contradiction that came by the environment is named by its variable', async () => {
  const [message] = await messages({ toml: chain('main'), env: { PROOFGATE_CHAINS_MAIN_AGREE: '3' } })
  expect(message).toStartWith('environment: PROOFGATE_CHAINS_MAIN_AGREE: 3 endpoints cannot agree')
})
