/** Calls at the MCP endpoint of the real app, in both eras, as raw requests. */
import Ajv from 'ajv/dist/2020.js'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { closed } from '../contract.ts'
import { grantTo } from '../oauth/grant.ts'
import { alice, type TestWallet } from '../wallets.ts'

export const modern = '2026-07-28'
export const handshake = ['2025-11-25', '2025-06-18', '2025-03-26']

export const accepting = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A message with its headers, as a client of the version sends it. */
export function messageOf(version: string, method: string, params: Readonly<Record<string, unknown>> = {}) {
  if (version !== modern)
    return {
      headers: { ...accepting, 'mcp-protocol-version': version },
      body: { jsonrpc: '2.0', id: 1, method, params } as Record<string, unknown>,
    }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  return {
    headers: {
      ...accepting,
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } } as Record<string, unknown>,
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export interface ToolResult {
  readonly isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any
  readonly text: string
}

export type TestMcp = Awaited<ReturnType<typeof startMcp>>

export async function startMcp(env: Record<string, string> = {}) {
  const app = await startApp(env)
  return { ...app, ...mcpOf(app) }
}

const ajv = new Ajv({ strict: false })

/** Closes schemas as test/contract.ts does: every member is described, except in objects described without members. */
const strictly = (schema: object): object =>
  closed(JSON.parse(JSON.stringify(schema, (name, value) => (isEmptyProperties(name, value) ? undefined : value))))

const isEmptyProperties = (name: string, value: unknown): boolean =>
  name === 'properties' && Object.keys(value as object).length === 0

export function mcpOf(app: TestApp) {
  const send = (
    token: string | undefined,
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    { version = modern, headers = {} }: { version?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const message = messageOf(version, method, params)
    return app.post('/mcp', message.body, {
      ...message.headers,
      ...(token === undefined ? {} : bearer(token)),
      ...headers,
    })
  }
  return {
    send,

    tokenOf: async (wallet: TestWallet = alice, scope?: string): Promise<string> =>
      (await grantTo(app.parts, wallet, scope)).token,

    /** A tool call that reaches the tool. The answer must match the tool's own schema, without unknown members. */
    async tool(token: string, name: string, args: object = {}, version = modern): Promise<ToolResult> {
      const answer = await send(token, 'tools/call', { name, arguments: args }, { version })
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
      const { result } = answer.body
      if (!result) throw new Error(`${name}: ${JSON.stringify(answer.body)}`)
      const text: string = result.content[0].text
      if (result.isError) {
        if (result.structuredContent) throw new Error(`${name}: an error with structured content`)
        return { isError: true, data: JSON.parse(text), text }
      }
      const listed = (await send(token, 'tools/list')).body.result.tools.find(
        (one: { name: string }) => one.name === name,
      )
      const validate = ajv.compile(strictly(listed.outputSchema))
      if (!validate(result.structuredContent))
        throw new Error(`${name} is not what its schema says: ${ajv.errorsText(validate.errors)}`)
      return { isError: false, data: result.structuredContent, text }
    },
  }
}
