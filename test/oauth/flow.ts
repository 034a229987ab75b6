/** A client of the authorization server, step by step, over HTTP. */
import { createHash } from 'node:crypto'
import { openAccessTokens } from '../../src/oauth/access-token.ts'
import type { Answer, TestApp } from '../app.ts'
import { alice, type TestWallet } from '../wallets.ts'

export const resource = 'http://localhost:8787/mcp'
export const issuer = 'http://localhost:8787'
/** Redirect URI of the command-line client. */
export const cliCallback = 'http://127.0.0.1:43301/callback'
export const callback = 'http://localhost:43301/callback'
export const codeVerifier = 'a-code-verifier-of-forty-three-characters-or-more'
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
export const allScopes = 'svc:core svc:profile svc:secrets offline_access'

export type Parameters = Readonly<Record<string, string | undefined>>

/** Undefined takes a parameter away. */
const encoded = (parameters: Parameters): string =>
  new URLSearchParams(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()

export const authorizeParameters = (changes: Parameters = {}): Parameters => ({
  response_type: 'code',
  client_id: 'svc-cli',
  redirect_uri: cliCallback,
  code_challenge: challengeOf(codeVerifier),
  code_challenge_method: 'S256',
  state: 'a state',
  resource,
  ...changes,
})

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

export type Flow = ReturnType<typeof flowOf>

export function flowOf(app: TestApp) {
  const tokens = openAccessTokens(app.parts)
  const form = (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
    app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body,
    })
  const authorize = (parameters: Parameters, headers: Record<string, string> = {}): Promise<Answer> =>
    app.get(`/oauth/authorize?${encoded(parameters)}`, headers)
  const tokenRequest = (parameters: Parameters): Promise<Answer> => form('/api/v1/auth/mcp/token', encoded(parameters))

  const register = (metadata: object): Promise<Answer> => app.post('/oauth/register', metadata)
  async function newClient(redirectUris = [callback], name = 'A client'): Promise<string> {
    const { status, body } = await register({ redirect_uris: redirectUris, client_name: name })
    if (status !== 201) throw new Error(`not registered: ${JSON.stringify(body)}`)
    return body.client_id
  }

  const redeemParameters = (code: string, changes: Parameters = {}): Parameters => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: cliCallback,
    client_id: 'svc-cli',
    code_verifier: codeVerifier,
    resource,
    ...changes,
  })
  const refreshParameters = (token: string, changes: Parameters = {}): Parameters => ({
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: 'svc-cli',
    resource,
    ...changes,
  })
  const redeem = (code: string, changes: Parameters = {}) => tokenRequest(redeemParameters(code, changes))
  const refresh = (token: string, changes: Parameters = {}) => tokenRequest(refreshParameters(token, changes))
  const revoke = (token: string, changes: Parameters = {}) =>
    form('/api/v1/auth/mcp/revoke', encoded({ token, client_id: 'svc-cli', ...changes }))

  /** A code for the command-line client, which no person is asked about. */
  async function newCode(changes: Parameters = {}, wallet: TestWallet = alice): Promise<string> {
    app.wait(1)
    const { cookie } = await app.signIn(wallet)
    const answer = await authorize(authorizeParameters(changes), { cookie })
    const code = returnedBy(answer).searchParams.get('code')
    if (!code) throw new Error(`no code: ${answer.headers.get('location')} ${JSON.stringify(answer.body)}`)
    return code
  }
  async function newTokens(changes: Parameters = {}, wallet: TestWallet = alice): Promise<Tokens> {
    const { status, body } = await redeem(await newCode(changes, wallet))
    if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
    return body
  }

  return {
    form,
    authorize,
    register,
    newClient,
    tokenRequest,
    redeem,
    refresh,
    revoke,
    newCode,
    newTokens,
    redeemParameters,
    refreshParameters,
    /** Sends a person's answer on the consent page. */
    consent: (handle: string, decision: string, headers: Record<string, string>, more: Parameters = {}) =>
      form('/oauth/consent', encoded({ handle, decision, ...more }), headers),
    /** Allows what is ticked on a consent page, as it was shown. */
    allow: (page: string, headers: Record<string, string>, more: Parameters = {}) =>
      form(
        '/oauth/consent',
        encoded({ handle: handleIn(page), decision: 'allow', scope: tickedIn(page), ...more }),
        headers,
      ),
    async revokeProof(wallet: TestWallet, qHash: string): Promise<void> {
      const body = await app.ownerBody(wallet, { action: 'revoke_proof', qHash })
      const answer = await app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)
      if (answer.status !== 200) throw new Error(`not revoked: ${JSON.stringify(answer.body)}`)
    },
    /** Whether an access token opens anything. */
    opens: async (accessToken: string): Promise<boolean> => (await tokens.verify(accessToken)) !== undefined,
  }
}

/** Returns the target of a redirect. */
export function returnedBy({ status, headers, body }: Answer): URL {
  const location = headers.get('location')
  if (status !== 303 || location === null) throw new Error(`no redirect but ${status}: ${JSON.stringify(body)}`)
  return new URL(location)
}

export const handleIn = (page: string): string => /name="handle" value="([^"]+)"/.exec(page)?.[1] ?? ''

/** The scopes that a consent page shows with a tick. A browser sends each as a field, which means the same. */
export const tickedIn = (page: string): string => choicesIn(page, / checked>/)

/** All scopes that a consent page lets a person choose. */
export const choicesIn = (page: string, which = /./): string =>
  [...page.matchAll(/<input type="checkbox" name="scope" value="([^"]+)"[^>]*>/g)]
    .filter(([input]) => which.test(input))
    .map(([, word]) => word)
    .join(' ')
