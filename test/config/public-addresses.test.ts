import { expect, test } from 'bun:test'
import { buildPublicAddresses } from '../../src/config/public-addresses.ts'
import { load } from './folder.ts'

test.each([
  ['127.0.0.1', 8787, 'http://127.0.0.1:8787'],
  ['0.0.0.0', 1234, 'http://127.0.0.1:1234'],
  ['::', 8787, 'http://localhost:8787'],
  ['::1', 8787, 'http://[::1]:8787'],
  ['localhost', 80, 'http://localhost'],
])('listening on %s port %d, all three addresses are %s', async (host, port, address) => {
  const config = await load({ env: { PROOFGATE_HOST: host, PROOFGATE_PORT: '0' } })
  expect(buildPublicAddresses(config, port)).toEqual({ baseUrl: address, authUrl: address, mcpUrl: address })
})

test('the other two follow base_url unless they are set', async () => {
  const config = await load({ toml: 'base_url = "https://a.example/x"\nmcp_url = "https://mcp.example"' })
  expect(buildPublicAddresses(config, 1)).toEqual({
    baseUrl: 'https://a.example/x',
    authUrl: 'https://a.example/x',
    mcpUrl: 'https://mcp.example',
  })
})
