/** Credentials for the worst requests, had from the running server as a browser and a client have them. */
import { createHash } from 'node:crypto'
import { signText } from './bodies.ts'
import { people, walletOf } from './worst-store.ts'

export interface Browser {
  readonly cookie: string
  readonly csrf: string
}

export interface Credentials {
  readonly browsers: Readonly<Record<keyof typeof people, Browser>>
  readonly accessKey: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly clientId: string
  readonly brand: string
}

const callback = 'http://127.0.0.1:43301/callback'
const codeVerifier = 'a-code-verifier-of-forty-three-characters-or-more'

export async function signIn(origin: string): Promise<Credentials> {
  const browsers = {} as Record<keyof typeof people, Browser>
  for (const [person, wallet] of Object.entries(people))
    browsers[person as keyof typeof people] = await browserOf(origin, wallet)
  const { owner } = browsers
  const made = await postJson(
    `${origin}/api/v1/auth/profile-keys`,
    { name: 'worst' },
    { cookie: owner.cookie, 'x-csrf-token': owner.csrf },
  )
  const brand = await brandOf(origin)
  const clientId = `${brand}-cli`
  const tokens = await tokensOf(origin, owner, clientId)
  return { browsers, accessKey: made.data.key, brand, clientId, ...tokens }
}

async function browserOf(origin: string, wallet: number): Promise<Browser> {
  const [, address] = [wallet, walletOf(Object.keys(people)[wallet] as keyof typeof people)]
  const { data } = await postJson(`${origin}/api/v1/auth/nonce`, { walletAddress: address })
  const answer = await fetch(`${origin}/api/v1/auth/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: data.message, signature: signText(data.message, wallet) }),
  })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (!answer.ok || cookie === undefined) throw new Error(`signing in was answered ${answer.status}`)
  const { data: person } = (await answer.json()) as { data: { csrfToken: string } }
  return { cookie, csrf: person.csrfToken }
}

async function brandOf(origin: string): Promise<string> {
  const metadata = (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json()) as {
    scopes_supported: string[]
  }
  return metadata.scopes_supported.find((scope) => scope.endsWith(':core'))!.split(':')[0]!
}

/** The command-line client needs no registration and no consent. */
async function tokensOf(origin: string, { cookie }: Browser, clientId: string) {
  const resource = `${origin}/mcp`
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'worst',
    resource,
  })
  const allowed = await fetch(`${origin}/oauth/authorize?${query}`, { headers: { cookie }, redirect: 'manual' })
  const code = new URL(allowed.headers.get('location') ?? origin).searchParams.get('code')
  if (!code) throw new Error(`authorize was answered ${allowed.status}: ${(await allowed.text()).slice(0, 400)}`)
  const answer = await fetch(`${origin}/api/v1/auth/mcp/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: clientId,
      code_verifier: codeVerifier,
      resource,
    }),
  })
  const pair = (await answer.json()) as { access_token: string; refresh_token: string }
  if (!answer.ok) throw new Error(`the code was answered ${answer.status}`)
  return { accessToken: pair.access_token, refreshToken: pair.refresh_token }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several routes
async function postJson(url: string, body: object, headers: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${text.slice(0, 400)}`)
  return JSON.parse(text)
}
