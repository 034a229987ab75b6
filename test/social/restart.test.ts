/** Kills the real program between the steps of a sign-in, and checks its disk and its log. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from '../journeys/server.ts'
import { freePort } from '../parts/free-port.ts'
import { clientSecret, oidcProvider, stopProviders, visitProvider } from '../parts/oidc-provider.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'
import { claimOf, localSettings } from './person.ts'

setDefaultTimeout(60_000)
const folder = newFolder()
let running: ReturnType<typeof run> | undefined
const logs: string[] = []

afterAll(async () => {
  await kill()
  stopProviders()
  folder.remove()
})

const run = (env: Record<string, string>) =>
  Bun.spawn([...program], { env, cwd: folder.path, stdout: 'pipe', stderr: 'pipe' })

async function startAt(origin: string, env: Record<string, string>): Promise<void> {
  running = run(env)
  for (const stream of [running.stdout, running.stderr])
    void new Response(stream).text().then((text) => logs.push(text))
  for (let tries = 0; tries < 200; tries++) {
    const answer = await fetch(`${origin}/api/v1/health`).catch(() => undefined)
    if (answer?.ok) return
    await Bun.sleep(50)
  }
  throw new Error('the program does not answer')
}

async function kill(): Promise<void> {
  running?.kill('SIGKILL')
  await running?.exited
  running = undefined
}

test('a sign-in goes on after the server was killed between any two steps, and leaves no secret behind', async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const provider = await oidcProvider({
    backTo: origin,
    claims: (login) => ({ preferred_username: login, email: `${login}@secret-address.example` }),
  })
  const env = {
    PATH: process.env.PATH ?? '',
    PROOFGATE_PORT: String(port),
    PROOFGATE_DATA: join(folder.path, 'data'),
    PROOFGATE_LOG_LEVEL: 'debug',
    ...localSettings(provider, { scopes: 'openid,profile,email' }),
  }
  const secrets = new Map<string, string>([['the client secret', clientSecret]])
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  const restart = async (): Promise<void> => {
    await kill()
    await startAt(origin, env)
  }

  await startAt(origin, env)
  const begun = await post('/api/v1/auth/oauth/start/local', { walletAddress: alice.address })
  expect(begun.status).toBe(200)
  const { state, authorizationUrl } = begun.body.data
  const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
  secrets.set('state', state)
  secrets.set('nonce', new URL(authorizationUrl).searchParams.get('nonce')!)
  secrets.set('the cookie', cookie.split('=')[1]!)

  await restart()
  const to = await visitProvider(authorizationUrl)
  secrets.set('the code', to.searchParams.get('code')!)
  const page = await fetch(to, { headers: { cookie } })
  expect(page.status).toBe(200)

  await restart()
  const exchanged = await post('/api/v1/auth/oauth/local/exchange', { state, walletAddress: alice.address }, { cookie })
  expect(exchanged.status).toBe(200)
  const { internalSocialToken } = exchanged.body.data
  secrets.set('internalSocialToken', internalSocialToken)

  await restart()
  const claim = {
    walletAddress: alice.address,
    signedTimestamp: Date.now(),
    ...claimOf('ownership-social', { provider: 'local', internalSocialToken }),
  }
  const prepared = await post('/api/v1/verification/standardize', claim)
  const signature = await alice.sign(prepared.body.data.signerString)
  const made = await post('/api/v1/verification', { ...claim, signature })
  expect(made.body.data.verifiedVerifiers[0].data).toMatchObject({ socialUserId: 'alice', handle: 'alice' })

  // A second sign-in that waits for its exchange, and a third that the person never comes back from.
  const second = await post('/api/v1/auth/oauth/start/local', { walletAddress: alice.address }, { cookie })
  const back = await visitProvider(second.body.data.authorizationUrl)
  expect((await fetch(back, { headers: { cookie } })).status).toBe(200)
  secrets.set('the code of the second', back.searchParams.get('code')!)
  secrets.set('the state of the second', second.body.data.state)
  await post('/api/v1/auth/oauth/start/local', { walletAddress: alice.address }, { cookie })

  await kill()
  expect(provider.tokens).toHaveLength(2)
  for (const [nth, text] of provider.tokens.entries())
    for (const [name, value] of Object.entries(JSON.parse(text) as Record<string, unknown>))
      if (typeof value === 'string' && value.length > 20) secrets.set(`${name} ${nth}`, value)
  expect([...secrets.keys()]).toContain('access_token 0')
  expect([...secrets.keys()]).toContain('id_token 1')
  secrets.set('the e-mail address', 'alice@secret-address.example')

  await Bun.sleep(50)
  const data = join(folder.path, 'data')
  const files = readdirSync(data).map((file) => [file, readFileSync(join(data, file))] as const)
  expect(files.some(([, bytes]) => bytes.includes(Buffer.from('social_sign_ins')))).toBe(true)
  for (const [where, bytes] of [...files, ['the log', Buffer.from(logs.join('\n'))] as const])
    for (const [name, secret] of secrets)
      for (const form of [Buffer.from(secret), ...(secret.length > 30 ? [Buffer.from(secret, 'base64url')] : [])])
        expect([where, name, bytes.includes(form)]).toEqual([where, name, false])
  expect(logs.join('').length).toBeGreaterThan(100)
})
