/** The JSON-RPC envelope: tests which messages count as the answer to a request. */
import { afterAll, describe, expect, test } from 'bun:test'
import { askRpc } from '../../../src/outside/chains/json-rpc.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { makeEndpoint } from '../../../src/outside/http/endpoint.ts'
import { faultOf } from './solana-chain.ts'

let answer: () => Response
let heard: unknown
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    heard = { type: request.headers.get('content-type'), body: await request.json() }
    return answer()
  },
})
afterAll(() => server.stop(true))

const endpoint = makeEndpoint('chains.here.rpc[0]', server.url.href, {
  timeoutMs: 1000,
  attempts: 1,
  guard: makeGuard([]),
})
const askingFor = (reply: unknown, status = 200) => {
  answer = () => Response.json(reply, { status })
  return askRpc(endpoint, 'method', ['parameter', 7])
}

describe('a request', () => {
  test('carries the method, the parameters and an id', async () => {
    await askingFor({ jsonrpc: '2.0', id: 1, result: 'yes' })
    expect(heard).toEqual({
      type: 'application/json',
      body: { jsonrpc: '2.0', id: 1, method: 'method', params: ['parameter', 7] },
    })
  })
})

describe('an answer', () => {
  test.each([
    ['a result', { result: { a: [1] } }, { result: { a: [1] } }],
    ['nothing as a result', { result: null }, { result: null }],
    ['a result beside an error that is null', { result: 0, error: null }, { result: 0 }],
    [
      'an error',
      { error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } },
      { error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } },
    ],
    [
      'an error to a request that was not understood',
      { id: null, error: { code: -32700, message: 'Parse error' } },
      { error: { code: -32700, message: 'Parse error', data: undefined } },
    ],
  ])('is %s', async (_, members, found) => {
    expect(await askingFor({ jsonrpc: '2.0', id: 1, ...members })).toEqual(found)
  })

  test('may come with a status of its own', async () => {
    const error = { code: -32600, message: 'Invalid request' }
    expect(await askingFor({ jsonrpc: '2.0', id: 1, error }, 400)).toEqual({ error: { ...error, data: undefined } })
  })

  test.each([
    ['another id', { jsonrpc: '2.0', id: 2, result: 1 }, 'belongs to another request'],
    ['an id of text', { jsonrpc: '2.0', id: '1', result: 1 }, 'belongs to another request'],
    ['a result without an id', { jsonrpc: '2.0', id: null, result: 1 }, 'belongs to another request'],
    ['no version', { id: 1, result: 1 }, 'is not JSON-RPC 2.0'],
    ['another version', { jsonrpc: '1.0', id: 1, result: 1 }, 'is not JSON-RPC 2.0'],
    ['a list', [{ jsonrpc: '2.0', id: 1, result: 1 }], 'is not JSON-RPC 2.0'],
    ['nothing', null, 'is not JSON-RPC 2.0'],
    ['neither result nor error', { jsonrpc: '2.0', id: 1 }, 'has a result and an error, or neither'],
    ['an error of text', { jsonrpc: '2.0', id: 1, error: 'no' }, 'has an error without a code'],
    [
      'both',
      { jsonrpc: '2.0', id: 1, result: 1, error: { code: 1, message: 'no' } },
      'has a result and an error, or neither',
    ],
    ['an error without a code', { jsonrpc: '2.0', id: 1, error: { message: 'no' } }, 'has an error without a code'],
    ['a code of text', { jsonrpc: '2.0', id: 1, error: { code: '1', message: 'no' } }, 'has an error without a code'],
    ['an error without a text', { jsonrpc: '2.0', id: 1, error: { code: 1 } }, 'has an error without a code'],
  ])('is refused with %s', async (_, reply, says) => {
    expect(await faultOf(askingFor(reply))).toMatchObject({
      fault: 'malformed',
      source: 'chains.here.rpc[0]',
      happened: `gave an answer to method that ${says}`,
    })
  })

  test('is refused when it is larger than allowed', async () => {
    answer = () => Response.json({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(1000) })
    expect(await askRpc(endpoint, 'method', [], { maxBytes: 2000 })).toHaveProperty('result')
    expect((await faultOf(askRpc(endpoint, 'method', [], { maxBytes: 500 }))).fault).toBe('malformed')
  })
})
