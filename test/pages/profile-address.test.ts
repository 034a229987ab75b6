/** /profile, the address by which clients know what the dashboard is here. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'

let app: TestApp
let browser: SignedInBrowser
beforeAll(async () => {
  app = await startApp()
  browser = await app.signIn()
})

const leadsTo = async (address: string, headers: Record<string, string> = {}) => {
  const { status, headers: sent } = await app.get(address, headers)
  expect(status).toBe(303)
  const place = new URL(sent.get('location')!, `https://proofs.example/prefix${address}`)
  return place.href.replace('https://proofs.example/prefix', '')
}

describe('a person who is signed in', () => {
  test.each([
    ['/profile', '/'],
    ['/profile?tab=proofs', '/'],
    ['/profile?tab=agents', '/'],
    ['/profile?tab=account', '/keys'],
    ['/profile?tab=keys', '/keys'],
    ['/profile?tab=credits', '/payments'],
    ['/profile?tab=payments', '/payments'],
    ['/profile?tab=gates', '/gates'],
    ['/profile?tab=apps', '/apps'],
    ['/profile?tab=secrets', '/secrets'],
    ['/profile?tab=wallets', '/wallets'],
    ['/profile?tab=shared-with-me', '/shared-with-me'],
    ['/profile?tab=sessions', '/sessions'],
    ['/profile?tab=Account', '/keys'],
    ['/profile?tab=nonsense', '/'],
    ['/profile?tab=constructor', '/'],
    ['/profile?tab=', '/'],
    ['/profile?tab=gates&tab=//evil.example', '/gates'],
    ['/profile?tab=//evil.example', '/'],
  ])('%s leads to %s', async (address, place) => {
    expect(await leadsTo(address, browser.headers)).toBe(place)
  })
})

test.each([
  ['/profile', '/'],
  ['/profile?tab=account', '/keys'],
])('%s leads a stranger to sign in first, and then to %s', async (address, place) => {
  expect(await leadsTo(address)).toBe(`/login?returnTo=${encodeURIComponent(place)}`)
})

test.each(['/profile', '/profile?tab=credits'])('signing in may lead to %s', async (returnTo) => {
  const { status, body } = await app.get(`/verify?intent=login&returnTo=${encodeURIComponent(returnTo)}`)
  expect(status).toBe(200)
  expect(body).toContain(` data-next="${returnTo.slice(1)}"`)
})

test('an address below it is unknown', async () => {
  expect((await app.get('/profile/keys', browser.headers)).status).toBe(404)
})
