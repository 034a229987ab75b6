/** The access token itself, and every way in which it can fail to be one. Rows M3, M7, M10, M11 and M13. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { openAccessTokens } from '../../src/oauth/access-token.ts'
import { revokeFamily } from '../../src/oauth/family-store.ts'
import { listKeys } from '../../src/oauth/key-store.ts'
import { makeHandle } from '../../src/oauth/lineage.ts'
import { rotateSigningKey } from '../../src/oauth/signing-key.ts'
import { dropProfile } from '../../src/profiles/store.ts'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { grantTo, type TestGrant } from './grant.ts'

let app: TestApp
let grant: TestGrant
beforeEach(async () => {
  app = await startApp()
  grant = await grantTo(app.parts, alice)
})
afterEach(() => app.close())

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwks = async (): Promise<JSONWebKeySet> => (await app.get('/.well-known/jwks.json')).body

/** The private key of the server, as only it can open it. */
async function serverKey(): Promise<{ readonly kid: string; readonly privateKey: KeyObject }> {
  const { kid, sealed } = (await listKeys(app.parts.db))[0]!
  const jwk = JSON.parse(app.parts.sealer.open(sealed, `oauth key ${kid}`))
  return { kid, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

function signed(header: object, claims: object, key: KeyObject): string {
  const text = `${encoded(header)}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

describe('M7 an access token', () => {
  test('has the type, the key id and the claims of the interface and of RFC 9068', async () => {
    const { kid } = (await listKeys(app.parts.db))[0]!
    expect(decodeProtectedHeader(grant.token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid })
    const claims = claimsOf(grant.token)
    expect(claims).toEqual({
      iss: 'http://localhost:8787',
      aud: 'http://localhost:8787/mcp',
      sub: `sub-${alice.address.toLowerCase()}`,
      did: `did:pkh:eip155:84532:${alice.address.toLowerCase()}`,
      azp: 'svc-cli',
      client_id: 'svc-cli',
      scope: 'svc:core svc:profile svc:secrets',
      token_use: 'mcp_access',
      auth_time: app.now() / 1000,
      iat: app.now() / 1000,
      exp: app.now() / 1000 + 3600,
      jti: expect.stringMatching(/^[A-Za-z0-9_-]{22}\.0\.[A-Za-z0-9_-]{11}$/),
    })
  })

  test('can be verified with the published keys', async () => {
    const { payload } = await jwtVerify(grant.token, createLocalJWKSet(await jwks()), {
      typ: 'at+jwt',
      issuer: 'http://localhost:8787',
      audience: 'http://localhost:8787/mcp',
      currentDate: new Date(app.now()),
    })
    expect(payload.jti).toBe(claimsOf(grant.token).jti)
  })

  test('identifies its holder and its scopes', async () => {
    const holder = await grant.tokens.verify(grant.token)
    expect(holder).toMatchObject({
      clientId: 'svc-cli',
      scopes: ['svc:core', 'svc:profile', 'svc:secrets'],
      subject: `sub-${alice.address.toLowerCase()}`,
      expiresAt: app.now() + 3_600_000,
    })
    expect(holder?.identity).toMatchObject({ via: 'access-token', scopes: new Set(['core', 'profile', 'secrets']) })
    expect(await holder?.identity.listAccounts()).toEqual([
      { wallet: alice.address.toLowerCase(), contractOn: undefined },
    ])
  })

  test('carries no scope of another brand into the identity', async () => {
    const other = await grantTo(app.parts, alice, 'svc:core other:secrets offline_access')
    expect((await other.tokens.verify(other.token))?.identity.scopes).toEqual(new Set(['core']))
  })

  test('is signed with RS256 where that is configured', async () => {
    const rsa = await startApp({ PROOFGATE_OAUTH_SIGNING_ALG: 'RS256' })
    const { token, tokens } = await grantTo(rsa.parts, alice)
    expect(decodeProtectedHeader(token).alg).toBe('RS256')
    expect(await tokens.verify(token)).toBeDefined()
    const set = (await rsa.get('/.well-known/jwks.json')).body
    expect(set.keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256' })
    await jwtVerify(token, createLocalJWKSet(set), { currentDate: new Date(rsa.now()) })
    await rsa.close()
  })
})

describe('M3 a token is refused when', () => {
  const refused: Record<string, (token: string) => Promise<string> | string> = {
    'its algorithm is none': async (token) => {
      const [, payload] = token.split('.')
      return `${encoded({ alg: 'none', typ: 'at+jwt', kid: (await serverKey()).kid })}.${payload}.`
    },
    'its algorithm is none and a signature is there': async (token) => {
      const [, payload, signature] = token.split('.')
      return `${encoded({ alg: 'none', typ: 'at+jwt', kid: (await serverKey()).kid })}.${payload}.${signature}`
    },
    'it is an HMAC under the public key': async (token) => {
      const key = JSON.stringify((await jwks()).keys[0])
      const text = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid: (await serverKey()).kid })}.${token.split('.')[1]}`
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    },
    'its payload was altered': (token) => {
      const [header, , signature] = token.split('.')
      return `${header}.${encoded({ ...claimsOf(token), sub: 'somebody-else' })}.${signature}`
    },
    'its key is foreign': (token) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return signed({ alg: 'ES256', typ: 'at+jwt', kid: 'foreign' }, claimsOf(token), privateKey)
    },
    'its key is foreign and says it is ours': async (token) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return signed({ alg: 'ES256', typ: 'at+jwt', kid: (await serverKey()).kid }, claimsOf(token), privateKey)
    },
    'it brings its key along as jwk': async (token) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const jwk = publicKey.export({ format: 'jwk' })
      return signed({ alg: 'ES256', typ: 'at+jwt', kid: (await serverKey()).kid, jwk }, claimsOf(token), privateKey)
    },
    'it says where its key is (jku)': (token) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const header = { alg: 'ES256', typ: 'at+jwt', kid: 'k', jku: 'https://evil.example/jwks.json' }
      return signed(header, claimsOf(token), privateKey)
    },
    'a part is missing': (token) => token.split('.').slice(0, 2).join('.'),
    'a part is added': (token) => `${token}.AAAA`,
    'it is empty': () => '',
    'it is a very long text': (token) => token + 'A'.repeat(100_000),
    'it is no token at all': () => 'Zm9v.YmFy.YmF6',
  }
  test.each(Object.entries(refused))('%s', async (_, altered) => {
    expect(await grant.tokens.verify(grant.token)).toBeDefined()
    expect(await grant.tokens.verify(await altered(grant.token))).toBeUndefined()
  })
})

describe('M10 a token of our own key is refused when', () => {
  const wrong: Record<string, (claims: { jti?: string }) => object> = {
    'its audience is another one': (claims) => ({ ...claims, aud: 'https://other.example/mcp' }),
    'its audience has a trailing slash': (claims) => ({ ...claims, aud: 'http://localhost:8787/mcp/' }),
    'its audience is a list': (claims) => ({ ...claims, aud: ['http://localhost:8787/mcp'] }),
    'its issuer is another one': (claims) => ({ ...claims, iss: 'https://other.example' }),
    'its use is another one': (claims) => ({ ...claims, token_use: 'id' }),
    'its use is missing': (claims) => ({ ...claims, token_use: undefined }),
    'its jti is of no grant': (claims) => ({ ...claims, jti: `${'A'.repeat(22)}.0.AAAAAAAAAAA` }),
    'its jti is of a generation that was never given out': ({ jti, ...claims }) => ({
      ...claims,
      jti: jti?.replace('.0.', '.1.'),
    }),
    'its jti is none of ours': (claims) => ({ ...claims, jti: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    'its jti is missing': (claims) => ({ ...claims, jti: undefined }),
    'its jti is no text': (claims) => ({ ...claims, jti: 7 }),
    'it names another subject': (claims) => ({ ...claims, sub: 'somebody-else' }),
    'its end is missing': (claims) => ({ ...claims, exp: undefined }),
  }
  test.each(Object.entries(wrong))('%s', async (_, change) => {
    const { kid, privateKey } = await serverKey()
    const header = { alg: 'ES256', typ: 'at+jwt', kid }
    const claims = claimsOf(grant.token)
    expect(await grant.tokens.verify(signed(header, claims, privateKey))).toBeDefined()
    expect(await grant.tokens.verify(signed(header, change(claims), privateKey))).toBeUndefined()
  })

  test.each(['JWT', undefined, 'at+jwt2'])('its type is %p', async (typ) => {
    const { kid, privateKey } = await serverKey()
    expect(await grant.tokens.verify(signed({ alg: 'ES256', typ, kid }, claimsOf(grant.token), privateKey))).toBe(
      undefined,
    )
  })

  test('it has expired', async () => {
    app.wait(3_599_000)
    expect(await grant.tokens.verify(grant.token)).toBeDefined()
    app.wait(1_000)
    expect(await grant.tokens.verify(grant.token)).toBeUndefined()
  })

  test('it was signed and never stored', async () => {
    const subject = `sub-${alice.address.toLowerCase()}`
    const unstored = { handle: makeHandle(), generation: 0 }
    const { token } = await grant.tokens.mint(
      { subject, did: '', clientId: 'svc-cli', scope: 'svc:core', signedInAt: app.now() },
      unstored,
    )
    expect(await grant.tokens.verify(token)).toBeUndefined()
  })
})

describe('M11 a token is invalid at once', () => {
  test('when its family is revoked', async () => {
    await app.parts.db.write([revokeFamily(grant.family, 'revoked_by_person', app.now())])
    expect(await grant.tokens.verify(grant.token)).toBeUndefined()
  })
  test('when its profile is deleted', async () => {
    await app.parts.db.write([dropProfile(grant.profile)])
    expect(await grant.tokens.verify(grant.token)).toBeUndefined()
  })
  test('when the link of the wallet that signed in has ended', async () => {
    await app.parts.db.write([
      { sql: 'UPDATE oauth_families SET link_proof = 4711 WHERE id = ?1', params: [grant.family] },
    ])
    expect(await grant.tokens.verify(grant.token)).toBeUndefined()
  })
})

describe('M13 after a rotation', () => {
  const kids = async () => (await jwks()).keys.map(({ kid }) => kid)
  const signsWith = async (): Promise<string> => (await openAccessTokens(app.parts).keys.current()).kid

  test('the new key is published for five minutes before it signs, and tokens of the old one stay valid', async () => {
    const old = await signsWith()
    const kid = await rotateSigningKey(app.parts)
    app.wait(1000)
    expect(await kids()).toEqual([kid, old])
    expect(await signsWith()).toBe(old)
    app.wait(298_000)
    expect(await signsWith()).toBe(old)
    const last = await grantTo(app.parts, alice)
    app.wait(1000)
    expect(await signsWith()).toBe(kid)
    app.wait(3_590_000)
    expect(decodeProtectedHeader(last.token).kid).toBe(old)
    expect(await grant.tokens.verify(last.token)).toBeDefined()
    expect(await kids()).toEqual([kid, old])
    app.wait(75_000)
    expect(await kids()).toEqual([kid])
  })

  test('a server that runs already notices a key that another process made', async () => {
    const running = openAccessTokens(app.parts)
    const old = (await running.keys.current()).kid
    const kid = await rotateSigningKey(app.parts)
    app.wait(301_000)
    expect((await running.keys.current()).kid).toBe(kid)
    const fresh = await grantTo(app.parts, alice)
    expect(decodeProtectedHeader(fresh.token).kid).not.toBe(old)
    expect(await grant.tokens.verify(fresh.token)).toBeDefined()
  })

  test('two that need the first key at once make one', async () => {
    const fresh = await startApp()
    const both = [openAccessTokens(fresh.parts), openAccessTokens(fresh.parts)]
    const [one, other] = await Promise.all(both.map(({ keys }) => keys.current()))
    expect(one!.kid).toBe(other!.kid)
    expect(await listKeys(fresh.parts.db)).toHaveLength(1)
    await fresh.close()
  })

  test('a change of the algorithm rotates by itself', async () => {
    await app.parts.db.write([
      { sql: "UPDATE oauth_keys SET alg = 'RS256', created_at = 0 WHERE retired_at IS NULL", params: [] },
    ])
    const old = (await listKeys(app.parts.db))[0]!.kid
    const keys = openAccessTokens(app.parts).keys
    await keys.current()
    expect(await listKeys(app.parts.db)).toHaveLength(2)
    expect((await keys.current()).kid).toBe(old)
    app.wait(300_000)
    expect((await keys.current()).alg).toBe('ES256')
  })

  test('a key sealed under another master key is retired, and a new one signs at once', async () => {
    const { kid } = (await listKeys(app.parts.db))[0]!
    await app.parts.db.write([{ sql: "UPDATE oauth_keys SET sealed = 'v1.AAAA.AAAAAAAAAAAAAAAAAAAAAAAA'", params: [] }])
    const keys = openAccessTokens(app.parts).keys
    expect((await keys.current()).kid).not.toBe(kid)
    // Tokens that it signed are still known by its public half.
    expect(await grant.tokens.verify(grant.token)).toBeDefined()
  })
})

test('X4 the database holds only a name and sealed text of a token and of its key', async () => {
  const { jti } = claimsOf(grant.token)
  const rows = JSON.stringify([
    await select(app.parts.db, 'SELECT * FROM oauth_families').all(),
    await listKeys(app.parts.db),
  ])
  expect(rows).toContain(jti.split('.')[0]!)
  for (const secret of [jti, grant.token, (await serverKey()).privateKey.export({ format: 'jwk' }).d!])
    expect(rows).not.toContain(secret)
})

describe('the metadata', () => {
  test.each(['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/mcp'])(
    '%s',
    async (path) => {
      const { status, body, headers } = await app.get(path, { origin: 'https://client.example' })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=300')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(body).toEqual({
        issuer: 'http://localhost:8787',
        authorization_endpoint: 'http://localhost:8787/oauth/authorize',
        token_endpoint: 'http://localhost:8787/api/v1/auth/mcp/token',
        revocation_endpoint: 'http://localhost:8787/api/v1/auth/mcp/revoke',
        registration_endpoint: 'http://localhost:8787/oauth/register',
        jwks_uri: 'http://localhost:8787/.well-known/jwks.json',
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: ['svc:core', 'svc:profile', 'svc:secrets', 'offline_access'],
        authorization_response_iss_parameter_supported: true,
        resource_indicators_supported: true,
        protected_resources: ['http://localhost:8787/mcp'],
        service_documentation: 'http://localhost:8787/docs',
      })
    },
  )

  test('is not served at another suffix', async () => {
    expect((await app.get('/.well-known/oauth-authorization-server/other')).status).toBe(404)
  })

  test('X1 does not follow the headers of the request', async () => {
    const { body } = await app.get('/.well-known/oauth-authorization-server', {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    })
    expect(body.issuer).toBe('http://localhost:8787')
    expect(JSON.stringify(body)).not.toContain('evil')
  })
})
