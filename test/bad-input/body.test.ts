import { describe, expect, test } from 'bun:test'
import { type Answer, startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { alice, bob } from '../wallets.ts'
import { listBodyRoutes } from './body-routes.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
await app.prove(alice)

/**
 * All but the route that takes signed bytes. A new one is tested here without a change. Forms are in
 * test/oauth/token.test.ts. Routes without a body, and those of operators, are in test/http/routing.test.ts.
 */
const routes = await listBodyRoutes(app)

/** The body was read, and refused for a missing member. */
const expectLacking = (answer: Answer): void =>
  answer.status === 401
    ? expectRefused(answer, 'WALLET_AUTH_REQUIRED', /sign/)
    : expectRefused(
        answer,
        'VALIDATION_ERROR',
        /(?:is|are) missing|needs qHashes|send message and signature|send returnUrl|give definition or policy/,
      )
const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels)

describe.each(routes)('POST %s', (path, headers) => {
  const sendRaw = (body: BodyInit, contentType?: string) =>
    app.request(path, {
      method: 'POST',
      body,
      headers: { ...headers, ...(contentType === undefined ? {} : { 'content-type': contentType }) },
    })
  const json = (body: BodyInit) => sendRaw(body, 'application/json')

  test.each<[string, BodyInit, RegExp]>([
    ['nothing', '', /it is empty/],
    ['blanks', '   ', /not JSON/],
    ['half of an object', '{"a":', /not JSON/],
    ['a comma too many', '{"a":1,}', /not JSON/],
    ['single quotes', "{'a':1}", /not JSON/],
    ['two values', '{} {}', /not JSON/],
    ['NaN', '{"a":NaN}', /not JSON/],
    ['Infinity', '{"a":-Infinity}', /not JSON/],
    ['a hexadecimal number', '{"a":0x10}', /not JSON/],
    ['a leading zero', '{"a":01}', /not JSON/],
    ['a comment', '{/* a */}', /not JSON/],
    ['a raw line feed in a string', '{"a":"\n"}', /not JSON/],
    ['a zero byte', '{"a":1}\0', /not JSON/],
    ['a form', 'a=1&b=2', /not JSON/],
    ['XML', '<?xml version="1.0"?><a/>', /not JSON/],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d), /not valid UTF-8/],
    ['UTF-8 cut in the middle', Uint8Array.of(0x22, 0xe2, 0x82, 0x22), /not valid UTF-8/],
    ['an overlong slash', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), /not valid UTF-8/],
    ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), /not valid UTF-8/],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), /not JSON/],
    ['33 levels of arrays', `{"data":${nested(32)}}`, /at most 32 levels/],
    [
      '10,001 members in many objects',
      `{"data":[${'{"a":1,"b":2},'.repeat(4_999)}{"a":1,"b":2}],"c":1}`,
      /more than 10000 members together: send fewer/,
    ],
    [
      '30,001 items in many lists',
      `{"data":[${'[0,0],'.repeat(9_999)}0,0,0,0]}`,
      /more than 30000 values together: send fewer/,
    ],
    ['100,000 levels of arrays', nested(100_000), /at most 32 levels/],
    ['100,000 levels of objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, /at most 32 levels/],
    ['half of a surrogate pair in a value', '{"a":"\\ud83d"}', /surrogate pair/],
    ['half of a surrogate pair in a key', '{"\\udc00":1}', /surrogate pair/],
    ['two high halves', '{"a":"\\ud83d\\ud83d"}', /surrogate pair/],
    ['an array', '[]', /body: must be an object, and is a list/],
    ['null', 'null', /body: must be an object, and is null/],
    ['a string', '"a"', /body: must be an object, and is a text/],
    ['a number', '1e999', /body: must be an object, and is a number/],
  ])('%s is refused, and the message says why', async (_, body, hint) => {
    const answer = await leavesNothing(app.parts, () => json(body))
    expectRefused(answer, 'VALIDATION_ERROR', hint)
  })

  test.each([
    ['none', undefined],
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['a form with parts', 'multipart/form-data; boundary=x'],
    ['JSON of another kind', 'application/json-patch+json'],
    ['JSON as text', 'text/json'],
    ['nonsense', ';;;'],
    ['two types', 'text/plain, application/json'],
  ])('the content type: %s is refused with 415', async (_, contentType) => {
    const bytes = new TextEncoder().encode('{}')
    const answer = await leavesNothing(app.parts, () => sendRaw(bytes, contentType))
    expectRefused(answer, 'UNSUPPORTED_MEDIA_TYPE', /send the header "Content-Type: application\/json"/)
  })

  test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])(
    'a body packed by %s is refused with 415',
    async (coding) => {
      const packed = { ...headers, 'content-type': 'application/json', 'content-encoding': coding }
      for (const body of [Bun.gzipSync('{}'), '{}']) {
        const send = () => app.request(path, { method: 'POST', body, headers: packed })
        const answer = await leavesNothing(app.parts, send)
        expectRefused(answer, 'UNSUPPORTED_MEDIA_TYPE', /must not be compressed/)
        expect(answer.headers.get('accept-encoding')).toBe('identity')
      }
    },
  )

  test.each(['application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y'])(
    'the content type %p is accepted',
    async (contentType) => {
      expectLacking(await sendRaw('{}', contentType))
    },
  )

  test('a body of 1 MB is refused with 413, whatever is in it', async () => {
    for (const body of [`{"a":"${'x'.repeat(1_000_000)}"}`, new Uint8Array(1_000_000)])
      expectRefused(await leavesNothing(app.parts, () => json(body)), 'PAYLOAD_TOO_LARGE', /524288 bytes/)
  })

  test('an unprintable value is a mistake of the sender, and no internal fault', async () => {
    for (const value of ['{"toString":0}', '{"valueOf":null,"toString":{}}', '[{"toString":1}]', '{"toJSON":1}'])
      for (const member of ['walletAddress', 'verifierIds', 'qHashes', 'signature', 'chain'])
        expect([400, 401]).toContain((await json(`{"${member}":${value}}`)).status)
  })

  test('built-in members of JavaScript objects do not count as sent', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const answer = await leavesNothing(app.parts, () =>
        json(`{"${name}":{"walletAddress":"${alice.address}","qHashes":["0x00"]}}`),
      )
      expectLacking(answer)
    }
    expect(({} as Record<string, unknown>).walletAddress).toBeUndefined()
  })
})

describe('the limits of a body', () => {
  test('exactly the largest is read, one byte more is not', async () => {
    const small = await startApp({ PROOFGATE_LIMITS_BODY_BYTES: '1024' })
    const text = JSON.stringify({ walletAddress: alice.address, filler: '' })
    const padded = (size: number) => text.replace('""}', `"${'x'.repeat(size - text.length)}"}`)
    expect((await small.post('/api/v1/profile/did/resolve', padded(1024))).status).toBe(200)
    expectRefused(await small.post('/api/v1/profile/did/resolve', padded(1025)), 'PAYLOAD_TOO_LARGE', /1024 bytes/)
  })

  test('the deepest allowed nesting is read, one level more is not', async () => {
    const body = (levels: number) => `{"walletAddress":"${alice.address}","deep":${nested(levels - 1)}}`
    expect((await app.post('/api/v1/profile/did/resolve', body(32))).status).toBe(200)
    expectRefused(await app.post('/api/v1/profile/did/resolve', body(33)), 'VALIDATION_ERROR', /limits\.json_depth/)
  })

  test('a whole surrogate pair is a character like any other', async () => {
    const body = `{"walletAddress":"${alice.address}","note":"\\ud83d\\ude00"}`
    expect((await app.post('/api/v1/profile/did/resolve', body)).status).toBe(200)
  })

  test('with two members of one name means the last, as in every JavaScript client that signs', async () => {
    const answer = await app.post(
      '/api/v1/profile/did/resolve',
      `{"walletAddress":"${alice.address}","walletAddress":"${bob.address}"}`,
    )
    expect(answer.body.data.walletAddress).toBe(bob.address.toLowerCase())
  })

  test('the message never repeats the input, which may be a secret', async () => {
    const answer = await app.post('/api/v1/profile/did/resolve', { walletAddress: { secret: 'hunter2' } })
    expectRefused(answer, 'VALIDATION_ERROR')
    expect(JSON.stringify(answer.body)).not.toContain('hunter2')
  })
})
