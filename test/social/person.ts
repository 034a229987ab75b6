/** A person with a browser that goes to a provider and comes back: the steps of a sign-in, over HTTP. */
import type { Answer, TestApp } from '../app.ts'
import { clientId, clientSecret, type Doing, type RunningProvider, visitProvider } from '../parts/oidc-provider.ts'
import { alice, type TestWallet } from '../wallets.ts'

const api = '/api/v1/auth/oauth'

/** Settings for a provider under a name, as environment variables. */
export function socialSettings(name: string, settings: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = `PROOFGATE_SOCIAL_${name.toUpperCase()}_`
  const all = { client_id: clientId, client_secret: clientSecret, ...settings }
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value === '' ? [] : [[prefix + key.toUpperCase(), value]])),
  )
}

/** A generic OpenID provider with the name "local". */
export const localSettings = (provider: RunningProvider, more: Readonly<Record<string, string>> = {}) =>
  socialSettings('local', { provider: 'oidc', issuer: provider.issuer, ...more })

export interface Browser {
  readonly headers: Record<string, string>
}

export const newBrowser = (): Browser => ({ headers: {} })

export interface Begun {
  readonly id: string
  readonly browser: Browser
  readonly state: string
  readonly authorizationUrl: string
  readonly answer: Answer
}

export async function start(
  app: TestApp,
  id = 'local',
  {
    wallet = alice,
    browser = newBrowser(),
    returnTo,
  }: { readonly wallet?: TestWallet; readonly browser?: Browser; readonly returnTo?: string } = {},
): Promise<Begun> {
  const body = { walletAddress: wallet.address, ...(returnTo === undefined ? {} : { returnTo }) }
  const answer = await app.post(`${api}/start/${id}`, body, browser.headers)
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0]
  if (cookie !== undefined) browser.headers.cookie = cookie
  const { state = '', authorizationUrl = '' } = answer.body?.data ?? {}
  return { id, browser, state, authorizationUrl, answer }
}

/** The browser follows the provider back to this server. */
export const comeBack = (app: TestApp, to: URL, browser: Browser): Promise<Answer> =>
  app.get(`${to.pathname}${to.search}`, browser.headers)

/** Start, the provider's pages, and back. */
export async function signInThere(
  app: TestApp,
  id = 'local',
  { wallet = alice, ...doing }: Doing & { readonly wallet?: TestWallet } = {},
) {
  const begun = await start(app, id, { wallet })
  if (begun.answer.status !== 200) throw new Error(`not started: ${JSON.stringify(begun.answer.body)}`)
  const to = await visitProvider(begun.authorizationUrl, doing)
  const page = await comeBack(app, to, begun.browser)
  return { ...begun, to, page }
}

export const exchange = (
  app: TestApp,
  { id, state, browser }: Pick<Begun, 'id' | 'state' | 'browser'>,
  wallet: TestWallet = alice,
): Promise<Answer> => app.post(`${api}/${id}/exchange`, { state, walletAddress: wallet.address }, browser.headers)

/** All of it, to the token. */
export async function tokenFor(
  app: TestApp,
  id = 'local',
  more: Doing & { readonly wallet?: TestWallet } = {},
): Promise<string> {
  const back = await signInThere(app, id, more)
  const answer = await exchange(app, back, more.wallet)
  if (answer.status !== 200) throw new Error(`no token: ${JSON.stringify(answer.body)}`)
  return answer.body.data.internalSocialToken
}

export const claimOf = (verifierId: string, data: object) => ({ verifierIds: [verifierId], data })
