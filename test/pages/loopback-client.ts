/** An OAuth client as command lines and assistants are: it registers itself, and listens on loopback for its code. */
import { afterEach } from 'bun:test'
import { createHash } from 'node:crypto'

const codeVerifier = 'a verifier that only this test knows, and 43 characters'.replace(/\W/g, '-')
export const state = 'a state with + / and "quotes"'

/**
 * /callback on 127.0.0.1 belongs to the command-line client, which needs no consent, so this client uses another path.
 */
const callbackPath = '/oauth/callback'

/** Listens as a client does while the person is in the browser. */
function listen() {
  const calls: URL[] = []
  const first = Promise.withResolvers<URL>()
  const listener = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const url = new URL(request.url)
      if (url.pathname === callbackPath) {
        calls.push(url)
        first.resolve(url)
      }
      return new Response('<!doctype html><title>Done</title>You can close this window.', {
        headers: { 'content-type': 'text/html' },
      })
    },
  })
  return {
    address: `http://127.0.0.1:${listener.port}${callbackPath}`,
    calls,
    first: first.promise,
    stop: () => listener.stop(true),
  }
}

export interface Client {
  readonly id: string
  readonly path: string
  readonly listener: ReturnType<typeof listen>
  redeem(code: string): Promise<Response>
}

const clients: Client[] = []
afterEach(() => {
  for (const { listener } of clients.splice(0)) listener.stop()
})

export async function newClient(origin: string, name = 'Example Assistant', redirectUri?: string): Promise<Client> {
  const listener = listen()
  const redirect = redirectUri ?? listener.address
  const answer = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirect] }),
  })
  const { client_id: id } = (await answer.json()) as { client_id: string }
  const resource = `${origin}/mcp`
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    resource,
    scope: 'svc:core svc:profile svc:secrets offline_access',
  })
  const client: Client = {
    id,
    path: `/oauth/authorize?${parameters}`,
    listener,
    redeem: (code) =>
      fetch(`${origin}/api/v1/auth/mcp/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirect,
          client_id: id,
          code_verifier: codeVerifier,
          resource,
        }).toString(),
      }),
  }
  clients.push(client)
  return client
}
