/** The operator's list stands before every provider: a wallet in it is sanctioned here, whatever the provider thinks. */
import { type DenyList, denyListSetting } from './deny-list.ts'
import { assessmentOf, type RiskProvider } from './risk.ts'

export const withDenyList = (denyList: DenyList, provider: RiskProvider): RiskProvider => ({
  name: provider.name,
  async assess(wallet) {
    if (await denyList.has(wallet.address))
      return assessmentOf({
        overallRisk: 100,
        sanctioned: true,
        poisoned: false,
        issues: [{ tag: 'deny_list', severity: 'critical', description: 'The operator of this server lists it' }],
        checked: ['sanctions'],
        sources: [denyListSetting],
      })
    const assessment = await provider.assess(wallet)
    return {
      ...assessment,
      checked: [...new Set(['sanctions' as const, ...assessment.checked])],
      sources: [denyListSetting, ...assessment.sources],
    }
  },
})
