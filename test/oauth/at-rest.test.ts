/** X4 the disk holds no usable credential after clients have done everything they can. */

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listen } from '../http/socket.ts'
import { newFolder } from '../journeys/server.ts'
import { select } from '../parts/select.ts'
import { onlyOnSqlite } from '../parts/test-database.ts'
import { alice } from '../wallets.ts'
import { authorizeParameters, callback, codeVerifier, handleIn, tickedIn } from './flow.ts'
import { personAt } from './person.ts'

setDefaultTimeout(60_000)
const folder = newFolder()
afterAll(() => folder.remove())

test.skipIf(onlyOnSqlite('a data folder'))(
  'X4 the files of the server hold no code, token, key, handle or session id that was on the wire',
  async () => {
    const server = await listen({ PROOFGATE_DATA: folder.path, PROOFGATE_LIMITS_ENABLED: 'false' })
    const lines: string[] = []
    const secrets = new Map<string, string>()
    const post = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const response = await fetch(server.url + path, {
        method: 'POST',
        headers,
        body: new URLSearchParams(fields),
        redirect: 'manual',
      })
      const text = await response.text()
      lines.push(text)
      return { location: response.headers.get('location'), text }
    }

    const { cookie } = await personAt(server.url, alice)
    secrets.set('the session id', cookie.split('=')[1]!)
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback], client_name: 'A client' }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const resource = `${server.url}/mcp`
    const query = String(
      new URLSearchParams(
        authorizeParameters({ client_id, redirect_uri: callback, resource, state: 'state-of-the-client' }) as Record<
          string,
          string
        >,
      ),
    )
    const codes: string[] = []
    for (let times = 0; times < 2; times++) {
      const page = await (
        await fetch(`${server.url}/oauth/authorize?prompt=consent&${query}`, { headers: { cookie } })
      ).text()
      const handle = handleIn(page)
      secrets.set(`consent handle ${times}`, handle)
      const { location } = await post(
        '/oauth/consent',
        { handle, decision: 'allow', scope: tickedIn(page) },
        { cookie },
      )
      const code = new URL(location!).searchParams.get('code')!
      codes.push(code)
      secrets.set(`code ${times}`, code)
    }
    const unanswered = handleIn(
      await (await fetch(`${server.url}/oauth/authorize?prompt=consent&${query}`, { headers: { cookie } })).text(),
    )
    secrets.set('a consent handle that nobody answered', unanswered)
    secrets.set('the code verifier', codeVerifier)
    const token = async (fields: Record<string, string>) =>
      JSON.parse((await post('/api/v1/auth/mcp/token', { client_id, resource, ...fields })).text)
    let tokens = await token({
      grant_type: 'authorization_code',
      code: codes[0]!,
      redirect_uri: callback,
      code_verifier: codeVerifier,
    })
    for (let times = 0; times < 3; times++) {
      secrets.set(`refresh token ${times}`, tokens.refresh_token)
      secrets.set(`access token ${times}`, tokens.access_token)
      const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1], 'base64url').toString())
      secrets.set(`jti ${times}`, claims.jti)
      tokens = await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })
    }
    secrets.set('the newest refresh token', tokens.refresh_token)
    const key = await fetch(`${server.url}/api/v1/auth/profile-keys`, {
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/json',
        'x-csrf-token': await (async () => {
          const me = await fetch(`${server.url}/api/v1/auth/me`, { headers: { cookie } })
          return ((await me.json()) as { data: { csrfToken: string } }).data.csrfToken
        })(),
      },
      body: JSON.stringify({ name: 'A key' }),
    })
    secrets.set('the access key', ((await key.json()) as { data: { key: string } }).data.key)
    const sealed = (await select<{ sealed: string; kid: string }>(
      server.parts.db,
      'SELECT sealed, kid FROM oauth_keys',
    ).get())!
    secrets.set('the signing key', JSON.parse(server.parts.sealer.open(sealed.sealed, `oauth key ${sealed.kid}`)).d)

    for (const [name, secret] of secrets) expect([name, secret?.length > 20]).toEqual([name, true])
    const look = (when: string): void => {
      for (const file of readdirSync(folder.path)) {
        const bytes = readFileSync(join(folder.path, file))
        for (const [name, secret] of secrets)
          for (const form of [Buffer.from(secret), Buffer.from(secret.replace(/^[a-z]+_/, ''), 'base64url')])
            expect([when, file, name, bytes.includes(form)]).toEqual([when, file, name, false])
      }
    }
    look('while it runs')
    await server.stop()
    look('when it has stopped')
    expect(statSync(join(folder.path, 'master.key')).mode & 0o777).toBe(0o600)
  },
)
