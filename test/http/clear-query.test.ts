/** Every route refuses a declared query parameter that has two values, or whose name is misspelled in case or brackets. */
import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { listRoutes } from '../../src/app.ts'
import { makeQueryCheck } from '../../src/http/clear-query.ts'
import { startApp } from '../app.ts'
import { apply, definitionOf, gatesPath } from '../gates/gate.ts'
import { alice } from '../wallets.ts'
import { expectRefused } from './refused.ts'

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false', PROOFGATE_OPERATOR_WALLETS: alice.address })
const session = await app.signIn(alice)

const routes = listRoutes(app.parts).flatMap(({ method, path, shapes, isOffered }) => {
  const names = Object.keys(shapes.query?.properties ?? {})
  return names.length > 0 && isOffered ? [[method, path, names] as const] : []
})

test('routes with parameters are found', () => expect(routes.length).toBeGreaterThan(12))

describe.each(routes)('%s %s', (method, path, names) => {
  const ask = (query: string) =>
    app.request(`${path.replace(/:\w+/g, 'x')}?${query}`, {
      method,
      ...(method === 'GET' ? {} : { body: JSON.stringify(definitionOf({})) }),
      headers: { ...session.headers, 'content-type': 'application/json' },
    })

  test('refuses two values of one parameter', async () => {
    for (const name of names) {
      const hint = new RegExp(`^${name} is given more than once with different values: give it once, with commas`)
      const escaped = name.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
      for (const again of [name, escaped]) expectRefused(await ask(`${name}=1&${again}=2`), 'VALIDATION_ERROR', hint)
    }
  })

  test('refuses another spelling of a name', async () => {
    for (const name of names)
      for (const spelled of [name.toUpperCase(), `${name}[]`, `${name}[0]`])
        expectRefused(await ask(`${encodeURIComponent(spelled)}=1`), 'VALIDATION_ERROR', new RegExp(`mean ${name}\\?`))
  })
})

describe('a list of proofs', () => {
  const list = `/api/v1/proofs/by-wallet/${alice.address}`

  test('takes one value that is repeated', async () => {
    const { body } = await app.get(`${list}?limit=2&limit=2`)
    expect(body.data.pagination.limit).toBe(2)
  })

  test.each([
    'visibility=owner&visibility=public',
    'includePrivate=true&includePrivate=false',
    'isPublicRead=true&isPublicRead=false',
  ])('does not choose between %s', async (query) => {
    expectRefused(
      await app.get(`${list}?${query}`, session.headers),
      'VALIDATION_ERROR',
      /give it once, with commas between the values of a list$/,
    )
  })
})

describe('a plan that is asked for and not', () => {
  test('changes no gate', async () => {
    const definition = definitionOf({ gateId: 'gate_planned' })
    const answer = await app.post(`${gatesPath}?plan=true&plan=false`, { definition }, session.headers)
    expectRefused(answer, 'VALIDATION_ERROR', /^plan is given more than once/)
    expect((await app.get(`${gatesPath}/gate_planned`, session.headers)).status).toBe(404)
  })

  test.each(['Plan=true', 'plan[]=true', 'PLAN=1'])('is refused as %s where nothing can be planned', async (query) => {
    expect((await apply(app, definitionOf({ gateId: 'gate_kept' }))).status).toBe(200)
    const answer = await app.post(`${gatesPath}/gate_kept/status?${query}`, { status: 'paused' }, session.headers)
    expectRefused(answer, 'VALIDATION_ERROR', /cannot be planned/)
  })
})

test('a list may be repeated', () => {
  const check = makeQueryCheck(Type.Object({ words: Type.Array(Type.String()), word: Type.String() }))
  const ask = (query: string) => () => check({ request: new Request(`http://server.example/?${query}`) })
  expect(ask('words=a&words=b&other=1&other=2')).not.toThrow()
  expect(ask('word=a&word=b')).toThrow(/more than once/)
})
