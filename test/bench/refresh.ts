import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Goal, ours, peer } from './contenders.ts'
import type { RefreshChains } from './load.ts'
import { rssMegabytes } from './process.ts'
import { emptyFolder, type Launch, launch, listening, load, type RunningServer } from './server.ts'
import { refreshForm, signPeopleIn } from './sign-in.ts'
import { inTurns, type SpeedRun, type SpeedRuns, speedRun } from './speed.ts'

/**
 * Measures the refresh grant of the token endpoint. Each request trades a refresh token for an access token, a JWT, and
 * the next refresh token.
 */

const connections = 32
const people = 256
const warmUpAtLeast = 2000

export type TokenServerId = 'oidc' | 'ours'

export interface TokenServer extends Launch {
  readonly id: TokenServerId
  readonly name: string
  readonly share: number
  /** Environment of a round's first start, where the server itself makes the grants. */
  readonly seedEnv?: (file: string) => Record<string, string>
  /** Makes the grants through the running server, where the server does not make them at its start. */
  readonly seed?: (server: RunningServer) => Promise<RefreshChains>
}

export const refreshGoals: readonly Goal<TokenServerId>[] = [{ who: 'ours', than: 'oidc', factor: 7 }]

/** Address that stays the same after a restart on another port, because tokens name it. */
export const address = 'http://127.0.0.1:8787'

export function tokenServers(executable: string, say: (line: string) => void): TokenServer[] {
  const list: TokenServer[] = []
  const node = Bun.which('node')
  if (node)
    list.push({
      ...peer(node, 'peers/oidc-provider.mjs'),
      id: 'oidc',
      name: 'oidc-provider + better-sqlite3, Node',
      share: 0.2,
      seedEnv: (file) => ({ SEED: String(people), SEED_FILE: file }),
    })
  else say('oidc-provider is left out: there is no node here.')
  list.push({
    ...ours(executable, { PROOFGATE_BASE_URL: address }),
    id: 'ours',
    name: 'Proofgate',
    share: 1,
    seed: async ({ port }) => {
      const { clientId, refreshTokens } = await signPeopleIn({ port, address })
      return { path: '/api/v1/auth/mcp/token', form: refreshForm(clientId, address), tokens: refreshTokens }
    },
  })
  return list
}

export const measureRefresh = (
  list: readonly TokenServer[],
  rounds: number,
  requests: number,
  say: (line: string) => void,
): Promise<SpeedRuns<TokenServerId>> =>
  inTurns(list, rounds, (contender) => runOnce(contender, Math.ceil(requests * contender.share)), say)

async function runOnce(contender: TokenServer, requests: number): Promise<SpeedRun> {
  const folder = emptyFolder(contender.id)
  const file = join(folder, 'chains.json')
  const first = launch({ ...contender, env: seeding(contender, file) }, folder)
  let run: SpeedRun
  try {
    await listening(first)
    if (contender.seed) writeFileSync(file, JSON.stringify(await contender.seed(first)))
    await probe(first, file)
    const warmUp = Math.max(warmUpAtLeast, requests)
    const result = await load(first, { connections, warmUp, requests, source: { refresh: file } })
    run = speedRun(result, rssMegabytes(first.pid))
  } finally {
    // The server is killed without warning, and must still know every successor that it issued.
    await first.stop('SIGKILL')
  }
  const again = launch(contender, folder)
  try {
    await listening(again)
    const { tokens } = chainsIn(file)
    if (tokens.length !== people - 1) throw new Error(`${people - 1} chains began, ${tokens.length} ended`)
    for (const token of tokens) await refreshed(again, file, token)
  } finally {
    await again.stop('SIGKILL')
  }
  return run
}

const seeding =
  ({ env, seedEnv }: TokenServer, file: string): Launch['env'] =>
  (port, folder) => ({ ...env(port, folder), ...seedEnv?.(file) })

const chainsIn = (file: string): RefreshChains => JSON.parse(readFileSync(file, 'utf8'))

/** Proves on one chain that the server does the work: it rotates tokens, issues a JWT, and refuses reuse. */
async function probe(server: RunningServer, file: string): Promise<void> {
  const chains = chainsIn(file)
  const [token = '', ...others] = chains.tokens
  if (others.length !== people - 1) throw new Error(`${people} grants were wanted, ${others.length + 1} made`)
  writeFileSync(file, JSON.stringify({ ...chains, tokens: others }))

  const { access_token, refresh_token } = await refreshed(server, file, token)
  const [head = '', claims = '', signature = ''] = access_token.split('.')
  const { alg, typ } = decoded(head)
  const { jti, sub, aud } = decoded(claims)
  if (alg !== 'ES256' || typ !== 'at+jwt' || !jti || !sub || !aud || signature.length !== 86)
    throw new Error(`the access token is no ES256 at+jwt: ${access_token}`)
  if (refresh_token === token) throw new Error('the refresh token was not rotated')
  await refreshed(server, file, refresh_token)
  for (const dead of [token, 'never-given-out']) {
    const answer = await refresh(server, file, dead)
    const { error } = (await answer.json()) as { error: string }
    if (answer.status !== 400 || error !== 'invalid_grant')
      throw new Error(`a refresh token that is no longer good was answered ${answer.status} ${error}`)
  }
}

const decoded = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())

function refresh({ port }: RunningServer, file: string, token: string): Promise<Response> {
  const { path, form } = chainsIn(file)
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form + encodeURIComponent(token),
  })
}

interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
}

async function refreshed(server: RunningServer, file: string, token: string): Promise<TokenPair> {
  const answer = await refresh(server, file, token)
  if (!answer.ok) throw new Error(`a good refresh token was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as TokenPair
}
