/** Endpoints of OAuth and MCP are described in the shapes of those protocols; test/contract.ts holds answers to them. */
import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { conforms } from '../contract.ts'
import { operationsOf, published, publishedByDefault } from './published.ts'

const document = await publishedByDefault()
const protocols = operationsOf(document).filter(({ operation }) => operation['x-protocol'])

describe('the description of OAuth and MCP', () => {
  test('has the endpoints with the shape of their refusals', () => {
    const told = protocols.map(({ method, path, operation }) => ({
      at: `${method} ${path}`,
      protocol: operation['x-protocol'],
      takes: Object.keys(operation.requestBody?.content ?? {}),
      refuses: operation.responses['400']!.content!['application/json']!.schema.$ref?.split('/').at(-1),
    }))
    const form = ['application/x-www-form-urlencoded']
    const json = ['application/json']
    expect(told.sort((a, b) => (a.at < b.at ? -1 : 1))).toEqual([
      { at: 'get /oauth/authorize', protocol: 'RFC 6749', takes: [], refuses: 'OAuthErrorAnswer' },
      { at: 'post /api/v1/auth/mcp/revoke', protocol: 'RFC 7009', takes: form, refuses: 'OAuthErrorAnswer' },
      { at: 'post /api/v1/auth/mcp/token', protocol: 'RFC 6749', takes: form, refuses: 'OAuthErrorAnswer' },
      { at: 'post /mcp', protocol: 'the Model Context Protocol', takes: json, refuses: 'JsonRpcError' },
      { at: 'post /oauth/register', protocol: 'RFC 7591', takes: json, refuses: 'OAuthErrorAnswer' },
    ])
  })

  test('names the challenge of the MCP endpoint, and where its tokens come from', () => {
    const { responses, security } = protocols.find(({ path }) => path === '/mcp')!.operation
    expect(Object.keys(responses['401']!.headers!)).toEqual(['WWW-Authenticate'])
    expect(security).toEqual([{ accessToken: [] }, { accessKey: [] }])
    const { flows } = document.components.securitySchemes.accessToken as unknown as {
      flows: { authorizationCode: { tokenUrl: string; scopes: object } }
    }
    expect(flows.authorizationCode.tokenUrl).toBe('http://localhost:8787/api/v1/auth/mcp/token')
    expect(Object.keys(flows.authorizationCode.scopes)).toEqual([
      'svc:core',
      'svc:profile',
      'svc:secrets',
      'offline_access',
    ])
  })

  test('is absent without an MCP endpoint', async () => {
    const without = await published(await startApp({ PROOFGATE_MCP_ENABLED: 'false' }))
    expect(Object.keys(without.paths).filter((path) => /oauth\/(auth|reg)|mcp|well-known/.test(path))).toEqual([
      // The card of an agent that has proofs here needs no MCP.
      '/.well-known/agent-card.json',
    ])
    expect(without.tags.map(({ name }) => name)).not.toContain('mcp')
    expect(without.components.securitySchemes).not.toHaveProperty('accessToken')
    expect(without.components.schemas).not.toHaveProperty('OAuthErrorAnswer')
  })

  test('a refusal of another shape is named', async () => {
    const app = await startApp()
    const refused = await app.post('/oauth/register', {})
    expect(refused.body.error).toBe('invalid_redirect_uri')
    const { error_description: _, ...body } = refused.body
    await expect(conforms({ ...refused, body }, 'POST', '/oauth/register')).rejects.toThrow('error_description')
    const unknown = { ...refused, body: { ...refused.body, error: 'nope' } }
    await expect(conforms(unknown, 'POST', '/oauth/register')).rejects.toThrow('/error must be equal to one of')
    const stranger = await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })
    expect(stranger.status).toBe(401)
    await expect(conforms({ ...stranger, headers: new Headers() }, 'POST', '/mcp')).rejects.toThrow(
      'content type is none',
    )
    const headers = new Headers({ 'content-type': 'application/json' })
    await expect(conforms({ ...stranger, headers }, 'POST', '/mcp')).rejects.toThrow('WWW-Authenticate is missing')
  })
})
