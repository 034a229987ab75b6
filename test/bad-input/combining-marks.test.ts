/** Text with more than 30 combining marks in a row is refused wherever a request can carry text. */

import { describe, expect, test } from 'bun:test'
import { verifyEnvelope } from '../../src/client/client.ts'
import { sign } from '../../src/commands/sign.ts'
import { verify } from '../../src/commands/verify.ts'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { listReadings } from '../../src/outside/moderation/readable.ts'
import { isStreamSafe } from '../../src/stream-safe.ts'
import { startApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { apply, definitionOf, gatesPath } from '../gates/gate.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { mcpOf } from '../mcp/mcp.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { setMember } from '../parts/row-maker.ts'
import vectors from '../vectors/envelopes.json' with { type: 'json' }
import { alice } from '../wallets.ts'
import { listBodyRoutes } from './body-routes.ts'

const newFolder = temporaryFolders()

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
/** U+0315 has a higher combining class than U+0300: a run of both is what normalization must sort. */
const marks = (count: number): string => '\u0315'.repeat(Math.ceil(count / 2)) + '\u0300'.repeat(Math.floor(count / 2))
const unsafe = `e${marks(31)}`
const safe = `e${marks(30)}`

const routes = await listBodyRoutes(app)

describe.each(routes)('POST %s', (path, headers) => {
  test.each([
    ['a value', { data: { list: [1, { content: unsafe }] } }, '/data/list/1/content', 'body data.list[1].content: '],
    ['a member name', { data: { 'a/b': { [unsafe]: 1 } } }, '/data/a~1b', 'body data.a/b: '],
    ['a text of marks alone', { data: { content: marks(31) } }, '/data/content', 'body data.content: '],
  ])('refuses it in %s, and names the place', async (_, body, where, told) => {
    for (const text of [JSON.stringify(body), escaped(JSON.stringify(body))]) {
      const answer = await leavesNothing(app.parts, () => app.post(path, text, headers))
      expectRefused(answer, 'VALIDATION_ERROR', /more than 30 combining marks in a row.*remove some/)
      expect(answer.body.error.message).toStartWith(told)
      expect(answer.body.error.details).toMatchObject({ in: 'body', path: where })
    }
  })
})

test('a body has 120,000 marks at most, because sorting them takes the longest of all', async () => {
  const ask = (count: number) => {
    const content = safe.repeat(count / 30)
    return app.post('/api/v1/verification/standardize', {
      walletAddress: alice.address,
      verifierIds: ['ownership-basic'],
      data: { owner: alice.address, content: content.slice(0, 20_000), more: content.slice(20_000) },
      signedTimestamp: app.now(),
    })
  }
  expect((await ask(120_000)).status).toBe(200)
  const answer = await leavesNothing(app.parts, () => ask(120_030))
  expectRefused(answer, 'VALIDATION_ERROR', /more than 120000 combining marks.*send fewer/)
})

/** Every character beyond ASCII as an escape of JSON. */
const escaped = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('text that is accepted', () => {
  test.each([
    ['30 marks in a row', safe],
    ['many runs of 30 marks', safe.repeat(200)],
    ['more marks with a grapheme joiner between them', `e${marks(30)}\u034f${marks(30)}`],
    ['emoji, Arabic with vowel signs, Thai and Devanagari', '👩‍👩‍👧‍👦 مُحَمَّدٌ ภาษาไทย हिन्दी'],
  ])('%s can be signed and proven', async (_, content) => {
    expect(
      (await app.submit(alice, { verifierIds: ['ownership-basic'], data: { owner: alice.address, content } })).status,
    ).toBe(200)
    app.wait(1)
  })
})

describe('outside JSON bodies', () => {
  test('a query parameter is refused by its name', async () => {
    const answer = await app.get(`/api/v1/proofs/check?walletAddress=${alice.address}&q=${encodeURIComponent(unsafe)}`)
    expectRefused(answer, 'VALIDATION_ERROR', /^query parameter q: a text/)
    expect(answer.body.error.details).toMatchObject({ in: 'query', path: '/q' })
  })

  test('the name of a query parameter and a segment of the path are refused', async () => {
    const named = await app.get(`/api/v1/proofs/check?${encodeURIComponent(unsafe)}=1`)
    expectRefused(named, 'VALIDATION_ERROR', /^query: the name of a parameter has more than 30 combining marks/)
    const inPath = await app.get(`/api/v1/proofs/by-wallet/${encodeURIComponent(unsafe)}`)
    expectRefused(inPath, 'VALIDATION_ERROR', /^path: segment 5 has more than 30 combining marks/)
  })

  test('OAuth refuses a form and a registration in its own form', async () => {
    const form = await app.request('/api/v1/auth/mcp/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: unsafe }),
    })
    expect(form).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(form.body.error_description).toMatch(/^body grant_type: .*30 combining marks/)
    const registration = await app.post('/oauth/register', {
      client_name: unsafe,
      redirect_uris: ['https://a.example/'],
    })
    expect(registration.status).toBe(400)
    expect(registration.body.error_description).toMatch(/^body client_name: .*30 combining marks/)
  })

  test('MCP arguments are refused as invalid parameters, with the path', async () => {
    const mcp = mcpOf(app)
    const token = await mcp.tokenOf()
    const data = { content: unsafe }
    const { status, body } = await mcp.send(token, 'tools/call', { name: 'svc_verify', arguments: { data } })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: -32602, data: { path: '/params/arguments/data/content' } })
    expect(body.error.message).toMatch(/30 combining marks/)
  })

  test.each([
    ['toml', `owner = "${alice.address}"\n[[gates]]\ngate_id = "g"\nname = "${escaped(unsafe)}"\n`, { line: 4 }],
    ['json', `{"gates":[{"gateId":"g","name":"${escaped(unsafe)}"}]}`, {}],
  ])('a gate file in %s cannot spell the marks with escapes', async (format, text, place) => {
    const { headers } = await app.signIn(alice)
    const { status, body } = await app.post(`${gatesPath}/preview`, { policy: { text, format } }, headers)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ publishable: false, gates: [] })
    const why = expect.stringMatching(/^has more than 30 combining marks/)
    expect(body.data.findings).toEqual([
      { path: 'gates[0].name', code: 'UNREADABLE_TEXT', message: why, values: { why }, level: 'error', ...place },
    ])
  })

  test('a pasted sign-in token is refused', async () => {
    const token = `pgs_${Buffer.from(JSON.stringify({ message: unsafe, signature: '0x12' })).toString('base64url')}`
    expectRefused(await app.post('/api/v1/auth/verify', { token }), 'VALIDATION_ERROR', /30 combining marks/)
  })
})

describe('the check for combining marks needs no server', () => {
  const { request, did, qHash, signature, signatureMethod } = vectors.find(
    ({ name }) => name === 'evm ownership-basic',
  )!
  const proof = { qHash, did, ...request, signature, signatureMethod }

  test.each([
    ['its data', { ...proof, data: { content: unsafe } }, /^data: content has more than 30 combining marks/],
    ['its verifier ids', { ...proof, verifierIds: [unsafe] }, /verifierIds/],
  ])('in proofgate verify and the client module, which refuse a proof with marks in %s', async (_, changed, fault) => {
    const { out, code } = await run(verify, ['-'], {
      stdin: JSON.stringify(changed),
      now: () => request.signedTimestamp,
    })
    expect(code).not.toBe(0)
    expect(out).not.toMatch(/^VALID/m)
    const { verdict, faults } = await verifyEnvelope(changed, { now: request.signedTimestamp })
    expect(verdict).toBe('invalid')
    expect(faults.join()).toMatch(fault)
  })

  test('in proofgate sign, which does not sign such a text', async () => {
    const signed = run(sign, ['--text', '-', '--key', 'my.key'], { cwd: newFolder(), stdin: unsafe })
    await expect(signed).rejects.toThrow(/30 combining marks/)
  })

  test('in canonical JSON, which names the place', () => {
    expect(() => writeCanonicalJson({ a: [unsafe] })).toThrow(/^a\[0\] has more than 30 combining marks/)
  })
})

describe('text that is already here', () => {
  test('a gate stored before the rule can be replaced, and equals no new definition', async () => {
    await apply(app, definitionOf({ gateId: 'old' }))
    const { changes } = (await app.parts.db.write([
      {
        sql: `UPDATE gate_versions SET definition = ${setMember('definition', '$.name', 'CAST(?1 AS TEXT)')} WHERE definition LIKE '%Holders%'`,
        params: [unsafe],
      },
    ])) as { changes: number[] }
    expect(changes[0]).toBeGreaterThan(0)
    expect((await app.get(`${gatesPath}/old`)).status).toBe(200)
    const replaced = await apply(app, definitionOf({ gateId: 'old' }))
    expect(replaced.status).toBe(200)
    expect(replaced.body.data.version).toBe(2)
  })

  test('escapes in moderated content make no run of marks', () => {
    const readings = listReadings(`fuck${escaped(marks(2000))}`)
    expect(readings[1]).toStartWith('fuck')
    expect(isStreamSafe(readings[1]!)).toBe(false)
    expect([...readings[1]!].length).toBe(2004)
    // A single run of 2,000 marks would be sorted as a whole, moving higher-class marks to its end.
    expect([...readings[1]!].slice(4, 34)).toEqual(Array.from({ length: 30 }, () => '\u0315'))
  })
})
