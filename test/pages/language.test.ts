import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'

const app = await startApp()
const headingIn = async (headers: Record<string, string>, path = '/login') =>
  /<html lang="(\w+)">[\s\S]*<h1>([^<]*)</.exec((await app.get(path, headers)).body)?.slice(1)

const english = ['en', 'Sign in']
const german = ['de', 'Anmelden']

describe('the language of a page', () => {
  test.each([
    ['nothing', {}, english],
    ['German', { 'accept-language': 'de' }, german],
    ['Swiss German', { 'accept-language': 'de-CH,de;q=0.9' }, german],
    ['a language that the pages do not have, then German', { 'accept-language': 'fr,de;q=0.5' }, german],
    ['English more than German', { 'accept-language': 'de;q=0.5, en;q=0.8' }, english],
    ['anything but German', { 'accept-language': 'de;q=0, *' }, english],
    ['a language that is a member of every object', { 'accept-language': 'constructor, toString' }, english],
    ['nonsense', { 'accept-language': ';;;q=x,,' }, english],
  ])('follows a browser that asks for %s', async (_, headers, shown) => {
    expect(await headingIn(headers)).toEqual(shown)
  })

  test('is the one that the person switched to, whatever the browser asks for', async () => {
    expect(await headingIn({ cookie: 'proofgate_language=de', 'accept-language': 'en' })).toEqual(german)
    expect(await headingIn({ cookie: 'proofgate_language=xx', 'accept-language': 'de' })).toEqual(german)
  })

  test('differs for refusals and the start page, too, and caches are told', async () => {
    const asked = { 'accept-language': 'de', accept: 'text/html' }
    expect(await headingIn(asked, '/nowhere')).toEqual(['de', 'Seite nicht gefunden'])
    const start = await app.get('/', asked)
    expect(start.body).toContain('Nachweise mit Ihrer Wallet')
    expect(start.headers.get('vary')).toBe('Accept-Language, Cookie, Accept-Encoding')
    expect((await app.get('/', { accept: 'text/html' })).body).toContain('Prove it with your wallet')
  })
})

describe('a switch of the language', () => {
  const change = (form: Record<string, string>, more: Record<string, string> = {}) =>
    app.request('/language', {
      method: 'POST',
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:8787', ...more },
    })

  test('is remembered in a cookie and leads back to the page', async () => {
    const answer = await change({ language: 'de', back: '/verify?verifiers=ownership-basic&x=%2F' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('./verify?verifiers=ownership-basic&x=%2F')
    const cookie = answer.headers.get('set-cookie')!
    expect(cookie).toContain('proofgate_language=de; Path=/;')
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Lax')
  })

  test.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/javascript:alert(1)',
    '/\r\nset-cookie: x=1',
    '',
  ])('never leaves this server, even for %j', async (back) => {
    const answer = await change({ language: 'en', back })
    expect(answer.status).toBe(303)
    const place = new URL(answer.headers.get('location')!, 'http://localhost:8787/language')
    expect(place.origin).toBe('http://localhost:8787')
    expect(answer.headers.get('set-cookie')).not.toContain('x=1')
  })

  test('by a form of another site is refused', async () => {
    const answer = await change({ language: 'de' }, { 'sec-fetch-site': 'cross-site' })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('to a language that there is not is refused, and names those that there are', async () => {
    const answer = await change({ language: 'xx', back: '/' })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(JSON.stringify(answer.body)).toContain('give one of en, de')
  })

  test('is offered on the page, with the way back', async () => {
    const { body } = await app.get('/verify?verifiers=ownership-basic')
    expect(body).toContain('<input type="hidden" name="back" value="/verify?verifiers=ownership-basic">')
    expect(body).toContain('<button class="link" name="language" value="de" lang="de">Deutsch</button>')
  })
})

test('the start page names the operator and a way to reach them, where the settings do', async () => {
  const named = await startApp({
    PROOFGATE_PAGES_OPERATOR_NAME: 'Rook & Sons',
    PROOFGATE_PAGES_OPERATOR_CONTACT: 'rook@example.com',
  })
  const { body } = await named.get('/', { accept: 'text/html' })
  expect(body).toContain('Run by <bdi>Rook &amp; Sons</bdi>.')
  expect(body).toContain('<a href="mailto:rook@example.com" rel="noreferrer">Contact the operator</a>')
  const page = await startApp({ PROOFGATE_PAGES_OPERATOR_CONTACT: 'https://example.com/contact' })
  expect((await page.get('/', { accept: 'text/html' })).body).toContain('href="https://example.com/contact"')
  expect((await app.get('/', { accept: 'text/html' })).body).not.toContain('Contact the operator')
  for (const wrong of ['javascript:alert(1)', 'nobody', 'http://example.com'])
    await expect(startApp({ PROOFGATE_PAGES_OPERATOR_CONTACT: wrong })).rejects.toThrow('OPERATOR_CONTACT')
})
