/** The whole flow as two well-known client libraries do it, against a server that listens. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { listen, type TestServer } from '../http/socket.ts'
import { bob } from '../wallets.ts'
import { type Person, personAt } from './person.ts'

setDefaultTimeout(60_000)

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await listen({ PROOFGATE_LIMITS_ENABLED: 'false' })
  person = await personAt(server.url)
})
afterAll(() => server.stop())

const redirectUri = 'http://localhost:49152/callback'
const overHttp = { [oauth.allowInsecureRequests]: true } as const

test('oauth4webapi: discovery, registration, code, refresh, an access token by RFC 9068, revocation', async () => {
  const issuer = new URL(server.url)
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp }),
  )
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { redirect_uris: [redirectUri], client_name: 'oauth4webapi', token_endpoint_auth_method: 'none' },
      overHttp,
    ),
  )
  const resource = `${server.url}/mcp`
  const codeVerifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(as.authorization_endpoint!)
  address.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      resource,
    }),
  )
  // This checks state and iss.
  const parameters = oauth.validateAuthResponse(as, client, await person.allow(address), state)
  const granted = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirectUri, codeVerifier, {
      additionalParameters: { resource },
      ...overHttp,
    }),
  )
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, oauth.None(), granted.refresh_token!, {
      additionalParameters: { resource },
      ...overHttp,
    }),
  )
  expect(refreshed.refresh_token).not.toBe(granted.refresh_token)

  const request = new Request(resource, { headers: { authorization: `Bearer ${refreshed.access_token}` } })
  const claims = await oauth.validateJwtAccessToken(as, request, resource, overHttp)
  expect(claims).toMatchObject({ client_id: client.client_id, scope: refreshed.scope!, token_use: 'mcp_access' })

  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, oauth.None(), refreshed.access_token, overHttp),
  )
  const again = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refreshed.refresh_token!, {
    additionalParameters: { resource },
    ...overHttp,
  })
  expect(oauth.processRefreshTokenResponse(as, client, again)).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('openid-client: the same, registered by itself, with the errors it knows', async () => {
  const config = await openid.dynamicClientRegistration(
    new URL(server.url),
    { redirect_uris: [redirectUri], client_name: 'openid-client', token_endpoint_auth_method: 'none' },
    openid.None(),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const resource = `${server.url}/mcp`
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const expectedState = openid.randomState()
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    scope: 'svc:core offline_access',
    resource,
  })
  const other = await personAt(server.url, bob)
  const checks = { pkceCodeVerifier, expectedState }
  const granted = await openid.authorizationCodeGrant(config, await other.allow(address), checks, { resource })
  expect(granted).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'svc:core offline_access' })
  const refreshed = await openid.refreshTokenGrant(config, granted.refresh_token!, { resource })
  expect(refreshed.access_token).not.toBe(granted.access_token)
  expect(openid.refreshTokenGrant(config, granted.refresh_token!, { resource })).rejects.toMatchObject({
    error: 'invalid_grant',
    status: 400,
  })
  await openid.tokenRevocation(config, refreshed.access_token)
})
