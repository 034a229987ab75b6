/** /g/{gateId}: the short link of a gate, for messages and posters. */
import { afterAll, expect, test } from 'bun:test'
import { startApp } from '../app.ts'

const app = await startApp()
afterAll(() => app.close())

const follow = async (path: string) => {
  const { status, headers } = await app.get(path, { accept: 'text/html' })
  const location = headers.get('location')
  return { status, to: location === null ? null : new URL(location, `http://localhost:8787${path}`).href }
}

test('leads to the checkout of the gate, on the same server', async () => {
  expect(await follow('/g/gate_members')).toEqual({
    status: 303,
    to: 'http://localhost:8787/verify?gateId=gate_members',
  })
})

test('leaves an id that no gate can have to the page, and leads nowhere else', async () => {
  const odd = encodeURIComponent('//evil.example/?x=1&gateId=y#z')
  const { status, to } = await follow(`/g/${odd}`)
  expect(status).toBe(303)
  expect(to).toBe(`http://localhost:8787/verify?gateId=${odd}`)
  const { status: shown, body } = await app.get(new URL(to!).pathname + new URL(to!).search, { accept: 'text/html' })
  expect(shown).toBe(400)
  expect(body).toContain('This link does not work')
})

test('without an id is no page', async () => {
  expect((await follow('/g/')).status).toBe(404)
})
