/** The providers of the configuration. Makes no call. */
import { OutsideError } from '../failure.ts'
import type { Finding, Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import { makePlan, type ProviderSettings } from './plan.ts'
import { openRootFetch } from './root-fetch.ts'
import { type Connected, openSignIn } from './sign-in.ts'
import type { Social } from './social.ts'

export function openSocial(
  settings: Readonly<Record<string, ProviderSettings>>,
  { policy, now }: OutsideTools,
): { readonly social: Social; readonly probes: readonly Probe[] } {
  const connected = Object.entries(settings).map(([id, one]) => {
    const plan = makePlan(id, one)
    return { plan, provider: openSignIn(plan, openRootFetch(plan.setting, plan.trusted, policy), now) }
  })
  const byId = new Map(connected.map(({ provider }) => [provider.id, provider]))
  return {
    social: { providers: [...byId.values()], provider: (id) => byId.get(id) },
    probes: connected.map(({ plan, provider }) => makeProbe(plan.setting, provider)),
  }
}

/** Doctor does not know the redirect address, and it makes no difference to a code that does not exist. */
const anywhere = 'https://proofgate.invalid/callback'

const makeProbe = (setting: string, provider: Connected): Probe => ({
  setting,
  async run(): Promise<Finding> {
    const outcome = await provider.tryCode(anywhere).catch((error: unknown) => {
      if (error instanceof OutsideError && error.happened.includes('redirect')) return 'elsewhere' as const
      throw error
    })
    if (outcome === 'elsewhere')
      return {
        level: 'warn',
        says: 'answers, and does not look at a code before it has looked at the redirect address',
        mend: `see whether {auth_url}/api/v1/auth/oauth/callback/${provider.id} is registered there`,
      }
    if (outcome === 'refused')
      return { level: 'ok', says: 'answers, knows this client, and refuses a code that is none' }
    throw new OutsideError(
      'wrong-source',
      setting,
      'accepts a code that nobody was given',
      'see whether token_endpoint is that of the provider',
    )
  },
})
