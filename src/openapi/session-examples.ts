/** Examples of signing in. Nonces, keys and session ids are random: no test sends these, but each fits its schema. */
import type { Example } from './examples.ts'

const nonce = '0mjugl0w03f1e0c5b7a92d46881f3ab5c77e2901d64b8fce2a9b15d07e43c8f61'
const signature =
  '0x2f0d7e6c1b1f4f2a8f6d3f9d1f0a6f5f2c9f0d7d4b8a5f2b1c3e6d9a8b7c6d5e1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091b'
const keyId = 'key_8f1d2c3b4a596877'
const clientId = 'c_s3zQ0Qd1Wc2pB7m9XhJ4Tg'
const secretId = `0x${'5ec2e7'.padEnd(64, '0')}`
const second = '0x1efecb61a2f80aa34d3b9218b564a64d05946290'
const link = `0x${'11a4ed'.padEnd(64, '0')}`
const sessionId = '3f9c1a7be2d40586'
const scopes = ['svc:core', 'svc:profile']
const siteCode = 'sc_Zm9yIGFwcC5leGFtcGxlLmNvbQ'.padEnd(46, 'A')
const oneDayMs = 86_400_000

const traces = { pending: false }

export function sessionExamplesAt({
  baseUrl,
  wallet,
  time,
}: {
  /** Of the API; sign-in is shown at the same address. */
  readonly baseUrl: string
  /** As its wallet spells it. */
  readonly wallet: string
  readonly time: number
}): Readonly<Record<string, Example>> {
  const address = wallet.toLowerCase()
  const did = `did:pkh:eip155:84532:${address}`
  const subjectId = 'prf_5d0e7c1fb2a34968'.padEnd(36, '0')
  const csrfToken = 'c3a1'.padEnd(64, '0')
  const expiresAt = time + 600_000
  const domain = new URL(baseUrl).host
  const message = [
    `${domain} wants you to sign in with your Ethereum account:`,
    wallet,
    '',
    'Sign in. This costs nothing and sends no transaction.',
    '',
    `URI: ${baseUrl}`,
    'Version: 1',
    'Chain ID: 84532',
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(time).toISOString()}`,
    `Expiration Time: ${new Date(expiresAt).toISOString()}`,
  ].join('\n')
  const nothing = { delegations: 0, agents: 0, accessGrants: 0 }
  const keyMembers = { keyId, prefix: 'npk_Q2xpZW', name: 'Nightly report', scopes, createdAt: time }
  const key = { ...keyMembers, endsWith: nothing }
  const revokedKey = { ...keyMembers, lastUsedAt: null, revokedAt: time + oneDayMs, ended: nothing }
  const secret = { id: secretId, alias: 'OPENAI_API_KEY', type: 'single', walletAddress: address, createdAt: time }
  const unused = { lastUsedAt: null, revokedAt: null }
  return {
    prepareSignIn: {
      request: { walletAddress: wallet },
      response: { success: true, data: { nonce, message, expiresAt, chain: 'eip155:84532' } },
    },
    getNonce: { response: { success: true, data: { nonce, domain, uri: baseUrl, expiresAt } } },
    signIn: {
      request: { message, signature },
      response: {
        success: true,
        data: { authenticated: true, subjectId, did, address, csrfToken, expiresAt: time + 30 * oneDayMs },
      },
    },
    getMe: {
      response: {
        success: true,
        data: {
          authenticated: true,
          needsOnboarding: false,
          subjectId,
          did,
          address,
          accounts: [{ address, contractOn: null, isPrimary: true }],
          csrfToken,
          scopes: [...scopes, 'svc:secrets'],
          via: 'session',
        },
      },
    },
    agreeToSite: {
      request: { returnUrl: 'https://app.example.com/signed-in' },
      response: {
        success: true,
        data: { code: siteCode, origin: 'https://app.example.com', expiresAt: time + 60_000 },
      },
    },
    exchangeSiteCode: {
      request: { code: siteCode },
      response: {
        success: true,
        data: {
          walletAddress: address,
          chain: 'eip155:84532',
          did,
          subjectId,
          origin: 'https://app.example.com',
          agreedAt: time,
          gate: null,
          proofs: [],
        },
      },
    },
    listSessions: {
      response: {
        success: true,
        data: {
          sessions: [
            {
              id: sessionId,
              agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
              browser: 'Firefox on Linux',
              wallet: address,
              linked: false,
              createdAt: time,
              seenAt: time,
              expiresAt: time + 30 * oneDayMs,
              current: true,
            },
          ],
        },
      },
    },
    createAccessKey: {
      request: { name: key.name, scopes: ['core', 'profile'] },
      response: { success: true, data: { ...key, ...unused, key: 'npk_Q2xpZW'.padEnd(47, 'A') } },
    },
    listAccessKeys: { response: { success: true, data: { keys: [{ ...key, ...unused }] } } },
    listApps: {
      response: {
        success: true,
        data: {
          apps: [
            {
              clientId,
              name: 'An assistant',
              firstParty: false,
              scopes,
              returnsTo: ['localhost'],
              connectedAt: time,
              lastUsedAt: time + 3_600_000,
              endsWith: { delegations: 1, agents: 1, accessGrants: 0 },
            },
          ],
          truncated: false,
        },
        timestamp: new Date(time).toISOString(),
      },
    },
    disconnectApp: {
      response: { success: true, data: { clientId, connected: false }, timestamp: new Date(time).toISOString() },
    },
    listWallets: {
      response: {
        success: true,
        data: {
          primary: { account: address, address, contractOn: null },
          linked: [
            {
              account: second,
              address: second,
              contractOn: null,
              relationship: 'personal',
              label: 'Phone',
              linkedAt: time,
              qHash: link,
              signsIn: true,
              openSessions: 1,
              apps: 0,
              endsWith: nothing,
            },
          ],
          linkedBy: [],
        },
      },
    },
    unlinkWallet: {
      response: {
        success: true,
        data: { account: second, linked: false, revoked: [link], endedSessions: 1, endedApps: 0 },
      },
    },
    listSecrets: { response: { success: true, data: { secrets: [secret] } } },
    createSecret: {
      request: { alias: secret.alias, type: 'single', content: 'what the agent needs' },
      response: { success: true, data: secret },
    },
    revokeSecret: {
      response: {
        success: true,
        data: { id: secret.id, alias: secret.alias, revokedAt: time + oneDayMs, alreadyRevoked: false, traces },
      },
    },
    signOut: { response: { success: true, data: { authenticated: false } } },
    signOutEverywhere: { response: { success: true, data: { authenticated: false } } },
    deleteProfile: { response: { success: true, data: { deleted: true, traces } } },
    endSession: { response: { success: true, data: { id: sessionId, ended: true } } },
    revokeThisAccessKey: { response: { success: true, data: revokedKey } },
    revokeAccessKey: { response: { success: true, data: revokedKey } },
  }
}

export const sessionParameterExamples: Readonly<Record<string, string>> = {
  id: sessionId,
  keyId,
  clientId,
  account: second,
  secretId,
}
