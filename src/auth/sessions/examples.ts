/** Examples of signing in. Nonces and session ids are random: no test sends these, but each fits its schema. */
import { type ExampleSource, story } from '../../http/example.ts'

const { address, did, time, wallet } = story
const nonce = '0mjugl0w03f1e0c5b7a92d46881f3ab5c77e2901d64b8fce2a9b15d07e43c8f61'
const signature =
  '0x2f0d7e6c1b1f4f2a8f6d3f9d1f0a6f5f2c9f0d7d4b8a5f2b1c3e6d9a8b7c6d5e1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091b'
const sessionId = '3f9c1a7be2d40586'
const scopes = ['svc:core', 'svc:profile']
const oneDayMs = 86_400_000
/** The author of the examples, as tokens name it. */
export const exampleSubjectId = 'prf_5d0e7c1fb2a34968'.padEnd(36, '0')
const subjectId = exampleSubjectId
const csrfToken = 'c3a1'.padEnd(64, '0')
const expiresAt = time + 600_000

const makeMessage = (baseUrl: string): string =>
  [
    `${new URL(baseUrl).host} wants you to sign in with your Ethereum account:`,
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

/** By operationId. */
export const sessionExamples = {
  prepareSignIn: (baseUrl) => ({
    request: { walletAddress: wallet },
    response: { success: true, data: { nonce, message: makeMessage(baseUrl), expiresAt, chain: 'eip155:84532' } },
  }),
  getNonce: (baseUrl) => ({
    response: { success: true, data: { nonce, domain: new URL(baseUrl).host, uri: baseUrl, expiresAt } },
  }),
  signIn: (baseUrl) => ({
    request: { message: makeMessage(baseUrl), signature },
    response: {
      success: true,
      data: { authenticated: true, subjectId, did, address, csrfToken, expiresAt: time + 30 * oneDayMs },
    },
  }),
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
  signOut: { response: { success: true, data: { authenticated: false } } },
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
  endSession: { params: { id: sessionId }, response: { success: true, data: { id: sessionId, ended: true } } },
} as const satisfies Readonly<Record<string, ExampleSource>>
