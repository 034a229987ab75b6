/** A listening server, a browser, people who are signed in to it, and how their dashboard is judged. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { type Hosted, keyOf, openHosted } from './hosted-stage.ts'
import { judged as judgedWhole } from './looks.ts'
import type { Visit, VisitOptions } from './visit.ts'

export interface SignedIn {
  /** In lower case. */
  readonly address: string
  /** Headers that the person's browser sends, for calls of the API beside the page. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Dashboards extends Hosted {
  /** Signs in over HTTP with the key of a digit or a whole key. Each call opens another session. */
  sessionOf(key: string, agent?: string): Promise<SignedIn>
  /** A browser profile in which that person is signed in, at a place of the dashboard. */
  openAs(key: string, place?: string, options?: VisitOptions): Promise<Visit & { readonly person: SignedIn }>
}

/** Everything besides is that of openHosted. */
export async function openDashboards(env: Record<string, string> = {}, folder?: string): Promise<Dashboards> {
  const hosted = await openHosted(env, folder)
  const sessionOf = (key: string, agent?: string) => signIn(hosted.origin, wholeKey(key), agent)
  return {
    ...hosted,
    sessionOf,
    async openAs(key, place = '/', options) {
      const person = await sessionOf(key)
      const visit = await hosted.open(options)
      await carry(visit, hosted.origin, person)
      await visit.goto(place)
      return { ...visit, person }
    },
  }
}

const wholeKey = (key: string): `0x${string}` => (key.startsWith('0x') ? (key as `0x${string}`) : keyOf(key))

async function signIn(origin: string, key: `0x${string}`, agent = 'Test browser'): Promise<SignedIn> {
  const account = privateKeyToAccount(key)
  const post = (path: string, body: object) =>
    fetch(`${origin}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify(body),
    })
  const prepared = await (await post('nonce', { walletAddress: account.address })).json()
  const { message } = prepared.data
  const answer = await post('verify', { message, signature: await account.signMessage({ message }) })
  const { data } = await answer.json()
  expect(data.authenticated).toBe(true)
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!
  return { address: account.address.toLowerCase(), headers: { cookie, 'x-csrf-token': data.csrfToken, origin } }
}

/** Puts the session into the cookies of a browser profile. */
export async function carry({ context }: Visit, origin: string, { headers }: SignedIn): Promise<void> {
  const [name, value] = headers.cookie!.split('=') as [string, string]
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
}

/** Judges the visible window, because its lists have no end. `name` begins with dashboard-. */
export const judged = (page: Page, name: string): Promise<void> => judgedWhole(page, name, { fullPage: false })
