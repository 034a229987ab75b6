/** The protocol on the wire, by raw requests: 2026-07-28, and the handshake revisions before it. */
import { describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { accepting, bearer, handshake, messageOf, modern, startMcp } from './mcp.ts'

const tool = { name: 'svc_verifiers_catalog', arguments: {} }

/** Capabilities that the server offers: none of its lists changes while it runs. */
const offered = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: false },
  prompts: { listChanged: false },
}

const emptyLists = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const

describe('a client of 2026-07-28', () => {
  test('discovers versions, capabilities and the server name, without a handshake', async () => {
    const app = await startMcp()
    const { status, body, headers } = await app.send(await app.tokenOf(), 'server/discover')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [modern],
      capabilities: offered,
      instructions: expect.stringContaining('svc_context'),
      ttlMs: 300_000,
      cacheScope: 'private',
    })
  })

  test('lists the tools, and may keep the list', async () => {
    const app = await startMcp()
    const { body } = await app.send(await app.tokenOf(), 'tools/list')
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' })
    expect(body.result.tools).toHaveLength(12)
  })

  test('calls a tool', async () => {
    const app = await startMcp()
    const { body } = await app.send(await app.tokenOf(), 'tools/call', tool)
    expect(body.result).toMatchObject({ resultType: 'complete', structuredContent: { success: true } })
  })

  test.each([
    ['another version than the body', { 'mcp-protocol-version': '2025-11-25' }],
    ['another method than the body', { 'mcp-method': 'tools/list' }],
    ['another tool than the body', { 'mcp-name': 'svc_context' }],
    ['the tool in other letters', { 'mcp-name': 'SVC_VERIFIERS_CATALOG' }],
  ])('is refused with -32020 when its headers name %s', async (_, headers) => {
    const app = await startMcp()
    const { status, body } = await app.send(await app.tokenOf(), 'tools/call', tool, { headers })
    expect({ status, code: body.error.code, id: body.id }).toEqual({ status: 400, code: -32020, id: 1 })
  })

  test('may wrap a header value in base64', async () => {
    const app = await startMcp()
    const headers = { 'mcp-name': `=?base64?${btoa(tool.name)}?=` }
    expect((await app.send(await app.tokenOf(), 'tools/call', tool, { headers })).status).toBe(200)
  })

  test.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])(
    'is refused when it lacks the header %s',
    async (name) => {
      const app = await startMcp()
      const message = messageOf(modern, 'tools/call', tool)
      const headers: Record<string, string> = { ...message.headers, ...bearer(await app.tokenOf()) }
      delete headers[name]
      const { status, body } = await app.post('/mcp', message.body, headers)
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: -32020 })
    },
  )

  test('with an unknown version gets the known ones, the same as in server/discover', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const message = messageOf(modern, 'tools/list')
    const text = JSON.stringify(message.body).replaceAll(modern, '2099-01-01')
    const { status, body } = await app.post('/mcp', text, {
      ...message.headers,
      'mcp-protocol-version': '2099-01-01',
      ...bearer(token),
    })
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: -32022 })
    const { result } = (await app.send(token, 'server/discover')).body
    expect(body.error.data).toEqual({ supported: result.supportedVersions, requested: '2099-01-01' })
  })

  test.each([
    ['no _meta', {}],
    ['no capabilities', { _meta: { 'io.modelcontextprotocol/protocolVersion': modern } }],
  ])('with %s is refused with -32602', async (_, params) => {
    const app = await startMcp()
    const { headers } = messageOf(modern, 'tools/list')
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params }
    const { status, body } = await app.post('/mcp', message, { ...headers, ...bearer(await app.tokenOf()) })
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: -32602 })
  })

  test('naming an unknown method gets 404 and -32601', async () => {
    const app = await startMcp()
    const { status, body } = await app.send(await app.tokenOf(), 'tools/burn')
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: -32601 })
  })

  test('may listen for changes, which never occur', async () => {
    const app = await startMcp()
    const { body, headers } = messageOf(modern, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { ...headers, ...bearer(await app.tokenOf()) },
      body: JSON.stringify(body),
    })
    const response = await createApp(app.parts).handle(request)
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    const reader = response.body!.getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    expect(first).toContain('notifications/subscriptions/acknowledged')
    expect(first).not.toContain('toolsListChanged')
  })
})

describe.each(handshake)('a client of %s', (version) => {
  test('shakes hands, gets its version and no session', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    // The first message says the version in the body only.
    const { status, body, headers } = await app.post(
      '/mcp',
      { jsonrpc: '2.0', id: 0, method: 'initialize', params },
      { ...accepting, ...bearer(token) },
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(body.result).toMatchObject({
      protocolVersion: version,
      capabilities: offered,
      serverInfo: { name: 'svc', title: 'Proofgate' },
    })

    const message = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const noted = await app.post('/mcp', message, { ...accepting, 'mcp-protocol-version': version, ...bearer(token) })
    expect({ status: noted.status, body: noted.body }).toEqual({ status: 202, body: undefined })
  })

  test('lists and calls tools, each request on its own', async () => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const { body } = await app.send(token, 'tools/list', {}, { version })
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toContain('svc_context')
    expect(body.result.resultType).toBeUndefined()
    expect((await app.tool(token, 'svc_context', {}, version)).data.success).toBe(true)
    expect((await app.send(token, 'ping', {}, { version })).body.result).toEqual({})
  })

  test('naming an unknown method gets an error', async () => {
    const app = await startMcp()
    const { body } = await app.send(await app.tokenOf(), 'tools/burn', {}, { version })
    expect(body.error.code).toBe(-32601)
  })
})

describe('a handshake client', () => {
  test.each([
    ['initialize', {}, 'params.protocolVersion is missing: it must be a string'],
    ['initialize', undefined, 'params is missing: it must be an object'],
    ['initialize', { protocolVersion: 5 }, 'params.protocolVersion must be a string'],
    ['resources/read', {}, 'params.uri is missing: it must be a string'],
    ['prompts/get', {}, 'params.name is missing: it must be a string'],
    ['tools/list', { cursor: 5 }, 'params.cursor must be a string'],
    ['tools/call', {}, 'params.name is missing: it must be a string'],
    ['tools/call', { name: 'svc_context', arguments: 5 }, 'params.arguments must be an object'],
  ])('sending %s with the params %j gets the mistake in plain words', async (method, params, message) => {
    const app = await startMcp()
    const asked = { jsonrpc: '2.0', id: 'a7', method, ...(params ? { params } : {}) }
    const { status, body } = await app.post('/mcp', asked, { ...accepting, ...bearer(await app.tokenOf()) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 'a7', error: { code: -32602 } })
    expect(body.error.message).toStartWith(message)
    expect(body.error.message).not.toMatch(/[[\]{}]|Invalid input|received/)
    if (method === 'initialize') return
    const modernAnswer = (await app.send(await app.tokenOf(), method, params as never)).body
    expect(modernAnswer.error).toMatchObject({ code: -32602, message: body.error.message })
  })

  test('with an unknown version gets our newest', async () => {
    const app = await startMcp()
    const params = { protocolVersion: '2019-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params }
    const { body } = await app.post('/mcp', message, { ...accepting, ...bearer(await app.tokenOf()) })
    expect(body.result.protocolVersion).toBe('2025-11-25')
  })

  test('naming no version counts as 2025-03-26, and one with an unknown version header is refused', async () => {
    const app = await startMcp()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const own = { ...accepting, ...bearer(await app.tokenOf()) }
    expect((await app.post('/mcp', message, own)).status).toBe(200)
    expect((await app.post('/mcp', message, { ...own, 'mcp-protocol-version': '2024-11-05' })).status).toBe(400)
  })

  test('must accept both forms of an answer', async () => {
    const app = await startMcp()
    const headers = { accept: 'application/json' }
    expect((await app.send(await app.tokenOf(), 'tools/list', {}, { version: '2025-11-25', headers })).status).toBe(406)
  })
})

describe('in both eras', () => {
  test.each(
    [modern, ...handshake].flatMap((version) =>
      Object.entries(emptyLists).map(([method, member]): [string, string, string] => [version, method, member]),
    ),
  )(
    'there are no resources and no prompts, and who asks for the list hears so (%s, %s)',
    async (version, method, member) => {
      const app = await startMcp()
      const { status, body } = await app.send(await app.tokenOf(), method, {}, { version })
      const hints = version === modern ? { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' } : {}
      expect(status).toBe(200)
      expect(body.error).toBeUndefined()
      expect(body.result).toMatchObject({ [member]: [], ...hints })
      if (version !== modern) expect(body.result).toEqual({ [member]: [] })
    },
  )

  test.each([modern, ...handshake])('a named resource or prompt is reported as missing (%s)', async (version) => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const uri = 'file:///etc/passwd'
    const headers: Record<string, string> = version === modern ? { 'mcp-name': uri } : {}
    const read = await app.send(token, 'resources/read', { uri }, { version, headers })
    expect(read.body.error).toEqual({
      code: -32602,
      message: expect.stringContaining('no resources'),
      data: { uri },
    })
    const got = await app.send(token, 'prompts/get', { name: 'hello' }, { version })
    expect(got.body.error).toMatchObject({ code: -32602, message: expect.stringContaining('no prompts') })
  })

  test.each([modern, ...handshake])('completions and subscriptions are not offered (%s)', async (version) => {
    const app = await startMcp()
    const token = await app.tokenOf()
    const asked = [
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'a', value: 'b' } }],
      ['resources/subscribe', { uri: 'file:///etc/passwd' }],
    ] as const
    for (const [method, params] of asked) {
      const { status, body } = await app.send(token, method, params, { version })
      expect([method, status, body.error.code]).toEqual([method, version === modern ? 404 : 200, -32601])
    }
  })

  test.each([modern, ...handshake])('an unknown tool is a JSON-RPC error (%s)', async (version) => {
    const app = await startMcp()
    const { status, body } = await app.send(await app.tokenOf(), 'tools/call', { name: 'svc_burn' }, { version })
    expect({ status, code: body.error.code }).toEqual({ status: 200, code: -32602 })
    expect(body.error.message).toContain('svc_burn')
  })

  test.each([modern, ...handshake])('wrong arguments are an answer for the model (%s)', async (version) => {
    const app = await startMcp()
    const call = { name: 'svc_secret_create', arguments: { alias: '1st', secretType: 'single', content: 'xyzzy' } }
    const { status, body } = await app.send(await app.tokenOf(), 'tools/call', call, { version })
    expect({ status, isError: body.result.isError }).toEqual({ status: 200, isError: true })
    const answer = JSON.parse(body.result.content[0].text)
    expect(answer).toMatchObject({
      success: false,
      error: { code: 'INVALID_ARGUMENTS', details: { argument: 'alias' } },
      message: expect.stringContaining('argument alias must be'),
      next_action: 'fix_arguments_then_retry',
    })
    expect(JSON.stringify(body)).not.toContain('xyzzy')
  })

  test('several messages at once are refused', async () => {
    const app = await startMcp()
    const { body, headers } = messageOf('2025-03-26', 'tools/list')
    const answer = await app.post('/mcp', [body, body], { ...headers, ...bearer(await app.tokenOf()) })
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code: -32600 })
  })

  test.each([
    ['no JSON', '{', accepting, 400],
    ['nothing', '', accepting, 400],
    ['null', 'null', accepting, 400],
    ['half of a surrogate pair', '{"a":"\\ud800"}', accepting, 400],
    ['too deep', `${'['.repeat(40)}${']'.repeat(40)}`, accepting, 400],
    ['not said to be JSON', '{}', { ...accepting, 'content-type': 'text/plain' }, 415],
    ['too large', JSON.stringify({ text: 'x'.repeat(262_144) }), accepting, 413],
  ])('a body that is %s is refused', async (_, body, headers, status) => {
    const app = await startMcp()
    const answer = await app.post('/mcp', body, { ...headers, ...bearer(await app.tokenOf()) })
    expect(answer.status).toBe(status)
  })

  test('a person has a limited number of calls, whichever token is used', async () => {
    const app = await startMcp({ PROOFGATE_LIMITS_RATES_MCP: '2/1m' })
    const tokens = [await app.tokenOf(), await app.tokenOf()]
    for (const token of tokens) expect((await app.send(token, 'tools/list')).headers.get('ratelimit-limit')).toBe('2')
    const refused = await app.send(tokens[0], 'tools/list')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(refused.body.error.message).toContain('per person')
  })
})
