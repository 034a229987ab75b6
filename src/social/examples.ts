/** Examples of signing in at another provider. */
import { type ExampleSource, story } from '../http/example.ts'

const { time, wallet } = story
const provider = 'github'
const state = 'Zk3bV0m2xJ1cQ8sT5uW7yA9dF4gH6jK0lM2nP4qR6tU'
const clientId = 'Iv1.8a61f9b3a7aba766'

const writeQuery = (baseUrl: string): URLSearchParams =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${baseUrl}/api/v1/auth/oauth/callback/${provider}`,
    state,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })

/** By operationId. */
export const socialExamples = {
  listSocialProviders: {
    response: {
      success: true,
      data: [
        { id: 'github', label: 'GitHub', kinds: ['social'] },
        { id: 'google', label: 'Google', kinds: ['org'] },
      ],
    },
  },
  startSocialSignIn: (baseUrl) => ({
    params: { provider },
    request: { walletAddress: wallet, returnTo: '/verify?verifiers=ownership-social' },
    response: {
      success: true,
      data: {
        authorizationUrl: `https://github.com/login/oauth/authorize?${writeQuery(baseUrl)}`,
        state,
        expiresAt: time + 600_000,
      },
    },
  }),
  exchangeSocialSignIn: {
    params: { provider },
    request: { state, walletAddress: wallet },
    response: {
      success: true,
      data: {
        internalSocialToken: 'v1.q8VbT2yZc4WdX1eR.Jk3mN5pQ7sU9wY1aC3eG5iK7mO9qS1uW3yA5cE7gI9kM1oQ',
        provider,
        handle: 'octocat',
        expiresAt: time + 60_000,
      },
    },
  },
} as const satisfies Readonly<Record<string, ExampleSource>>
