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
    'one chain stands there twice',
    chain('main') + chain('other'),
    'proofgate.toml:6: chains.other.chain: chains.main is eip155:1 already: put the addresses of both into one rpc',
  ],
])('the configuration is refused when %s', async (_, toml, message) => {
  expect(await messages({ toml })).toEqual([message])
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
  'X3 %s is no public address',
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
