import { createHash, randomBytes } from 'node:crypto'
import { signText, walletAddresses } from './bodies.ts'

/** Signs people in at Proofgate and lets one client act for them, as hosts of MCP servers do. */

/** Differs from the command-line client's, which needs no registration and no consent. */
const redirectUri = 'http://127.0.0.1:4000/oauth/callback'
/** A larger number would only queue. */
const atOnce = 16

export interface SignedIn {
  readonly clientId: string
  /** One of each per person. */
  readonly accessTokens: readonly string[]
  readonly refreshTokens: readonly string[]
}

/** The port that the server listens on, and the address that it calls its own. */
export interface Place {
  readonly port: number
  readonly address: string
}

export async function signPeopleIn(place: Place): Promise<SignedIn> {
  const { client_id: clientId } = (await asked(place, '/oauth/register', {
    json: { redirect_uris: [redirectUri], client_name: 'Bench', token_endpoint_auth_method: 'none' },
  }).then(readJson)) as { client_id: string }
  const pairs: { access_token: string; refresh_token: string }[] = []
  for (let from = 0; from < walletAddresses.length; from += atOnce) {
    const indexes = walletAddresses.slice(from, from + atOnce).map((_, offset) => from + offset)
    pairs.push(...(await Promise.all(indexes.map((index) => grantOf(place, clientId, index)))))
  }
  return {
    clientId,
    accessTokens: pairs.map((pair) => pair.access_token),
    refreshTokens: pairs.map((pair) => pair.refresh_token),
  }
}

export const refreshForm = (clientId: string, address: string): string =>
  `${new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, resource: `${address}/mcp` })}&refresh_token=`

async function grantOf(place: Place, clientId: string, index: number) {
  const session = await sessionOf(place, index)
  const verifier = randomBytes(32).toString('base64url')
  const code = await codeFor(place, session, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'bench',
    resource: `${place.address}/mcp`,
  })
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
    resource: `${place.address}/mcp`,
  }
  const pair = await asked(place, '/api/v1/auth/mcp/token', { form }).then(readJson)
  return pair as { access_token: string; refresh_token: string }
}

/** The session cookie, as `name=value`. */
async function sessionOf(place: Place, index: number): Promise<string> {
  const prepared = await asked(place, '/api/v1/auth/nonce', { json: { walletAddress: walletAddresses[index] } })
  const { message } = ((await readJson(prepared)) as { data: { message: string } }).data
  const signed = await asked(place, '/api/v1/auth/verify', { json: { message, signature: signText(message, index) } })
  const cookie = signed.headers.get('set-cookie')?.split(';')[0]
  if (!signed.ok || cookie === undefined) throw new Error(`signing in was answered ${await shown(signed)}`)
  return cookie
}

async function codeFor(place: Place, cookie: string, query: Record<string, string>): Promise<string> {
  const page = await asked(place, `/oauth/authorize?${new URLSearchParams(query)}`, { headers: { cookie } })
  const text = await page.text()
  const handle = /name="handle" value="([^"]+)"/.exec(text)?.[1]
  if (handle === undefined)
    throw new Error(
      `instead of the consent page came ${page.status} ${page.headers.get('location')}: ${text.slice(0, 800)}`,
    )
  const ticked = [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, word]) => word)
  const form = { handle, decision: 'allow', scope: ticked.join(' ') }
  const answer = await asked(place, '/oauth/consent', { form, headers: { cookie } })
  const target = answer.headers.get('location')
  const code = target && new URL(target).searchParams.get('code')
  if (!code) throw new Error(`consent was answered ${await shown(answer)}`)
  return code
}

interface Asking {
  readonly json?: object
  readonly form?: Record<string, string>
  readonly headers?: Record<string, string>
}

function asked({ port }: Place, path: string, { json, form, headers = {} }: Asking): Promise<Response> {
  const type = json ? { 'content-type': 'application/json' } : {}
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: json || form ? 'POST' : 'GET',
    headers: { ...type, ...headers },
    redirect: 'manual',
    ...(json || form ? { body: json ? JSON.stringify(json) : new URLSearchParams(form) } : {}),
  })
}

async function readJson(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`${answer.url} was answered ${await shown(answer)}`)
  return answer.json()
}

const shown = async (answer: Response): Promise<string> => `${answer.status}: ${(await answer.text()).slice(0, 800)}`
