/**
 * A real OpenID provider on loopback (oidc-provider, with its own pages for signing in and consent). People go through
 * those pages with a browser's cookies. For providers of plain OAuth the same one answers at /user.
 */
import { createServer, type Server } from 'node:http'
import { type Context, Provider } from 'oidc-provider'

export const clientId = 'proofgate'
export const clientSecret = 'a-secret-of-this-server-0123456789'

type Step = (context: Context, next: () => Promise<void>) => Promise<void> | void

export interface ProviderOptions {
  /** Claims about the person who signs in with this name. */
  readonly claims?: (login: string) => Readonly<Record<string, unknown>>
  /** The answer of /user about the owner of a token: any JSON, of any provider. */
  readonly user?: (login: string) => unknown
  /** Before everything the provider does itself. */
  readonly before?: Step | undefined
  /** Path of the issuer below the host. */
  readonly path?: string
  readonly authentication?: 'client_secret_basic' | 'client_secret_post' | 'none'
  readonly jwks?: object
  /** Address of the server that people are sent back to. */
  readonly backTo?: string
}

export interface RunningProvider {
  readonly issuer: string
  readonly origin: string
  /** Requests that came, as `GET /path`. */
  readonly requests: readonly string[]
  /** Bodies of the answers of the token endpoint, with the tokens that were given out. */
  readonly tokens: readonly string[]
  stop(): void
}

const running: Server[] = []

export async function oidcProvider(options: ProviderOptions = {}): Promise<RunningProvider> {
  const server = createServer()
  running.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  const origin = `http://127.0.0.1:${port}`
  const issuer = `${origin}${options.path ?? ''}`
  const authentication = options.authentication ?? 'client_secret_basic'
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        ...(authentication === 'none' ? {} : { client_secret: clientSecret }),
        redirect_uris: ['local', 'github', 'google', 'microsoft', 'x', 'other'].map(
          (id) => `${options.backTo ?? 'http://localhost:8787'}/api/v1/auth/oauth/callback/${id}`,
        ),
        token_endpoint_auth_method: authentication,
      },
    ],
    claims: {
      openid: ['sub', 'hd', 'tid', 'oid', 'idp', 'xms_edov', 'org_domain'],
      email: ['email'],
      profile: ['preferred_username', 'name', 'followers'],
    },
    scopes: ['openid', 'email', 'profile', 'read:user', 'tweet.read', 'users.read'],
    conformIdTokenClaims: false,
    cookies: { keys: ['keys of a test'] },
    ...(options.jwks ? { jwks: options.jwks } : {}),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, ...options.claims?.(login) }),
    }),
  })

  const requests: string[] = []
  const tokens: string[] = []
  provider.use(async (context, next) => {
    requests.push(`${context.method} ${context.path}`)
    if (options.before) await options.before(context, () => answer(context, next))
    else await answer(context, next)
    // Its pages load fonts from another server, which tests cannot reach.
    if (typeof context.body === 'string') context.body = context.body.replace(/@import url\([^)]*\);/g, '')
    if (context.path === '/token') tokens.push(JSON.stringify(context.body))
  })
  async function answer(context: Context, next: () => Promise<void>): Promise<void> {
    if (context.path !== '/user') return next()
    const token = await provider.AccessToken.find(context.headers.authorization?.replace(/^bearer /i, '') ?? '')
    context.status = token ? 200 : 401
    context.body = token ? options.user?.(token.accountId) : { message: 'Bad credentials' }
  }
  const handle = provider.callback()
  server.on('request', (request, response) => {
    // A provider below a path, as one tenant among others.
    const { path } = options
    if (path && request.url?.startsWith(`${path}/`)) {
      Object.assign(request, { originalUrl: request.url, url: request.url.slice(path.length) })
    }
    handle(request, response)
  })
  return { issuer, origin, requests, tokens, stop: () => stop(server) }
}

function stop(server: Server): void {
  server.closeAllConnections()
  server.close()
}

/** Every provider of this file. */
export function stopProviders(): void {
  for (const server of running.splice(0)) stop(server)
}

/** A person's actions when the provider asks. */
export interface Doing {
  readonly login?: string
  readonly consents?: boolean
}

/**
 * Goes to the address and through the provider's pages, until the provider sends the person away. Returns where to.
 * Cookies are kept for as long as the visit lasts.
 */
export async function visitProvider(address: string, { login = 'alice', consents = true }: Doing = {}): Promise<URL> {
  const home = new URL(address).origin
  const cookies = new Map<string, string>()
  let url = new URL(address)
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step++) {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: form } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split(/=(.*)/s) as [string, string]
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    form = undefined
    const page = await response.text()
    const to = response.headers.get('location')
    if (to !== null) {
      url = new URL(to, url)
      if (url.origin !== home) return url
      continue
    }
    const [, action] = /<form[^>]+action="([^"]+)"/.exec(page) ?? []
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
    const [, abort] = /href="([^"]+\/abort)"/.exec(page) ?? []
    if (prompt === 'consent' && !consents && abort) {
      url = new URL(abort, url)
      continue
    }
    if (action === undefined || prompt === undefined)
      throw new Error(`${response.status} at ${url}: ${page.slice(0, 500)}`)
    url = new URL(action, url)
    form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) })
  }
  throw new Error('the provider asks without end')
}
