/** The probes of `proofgate doctor` for the sources of risk. */
import { OutsideError } from '../failure.ts'
import type { Finding, Probe } from '../probe.ts'
import { type DenyList, denyListSetting } from './deny-list.ts'
import type { RiskProvider } from './risk.ts'
import { isSanctioned, type SanctionsOracle } from './sanctions-oracle.ts'

/** The burn address. */
const harmless = '0x000000000000000000000000000000000000dead'

const minuteMs = 60_000

export const denyListProbe = (denyList: DenyList, now: () => number): Probe => ({
  setting: denyListSetting,
  isLocal: true,
  async run(): Promise<Finding> {
    const { entries, changedAt } = await denyList.state()
    if (entries === 0)
      return { level: 'warn', says: 'holds no address', mend: 'write one in each line, or remove the setting' }
    return { level: 'ok', says: `holds ${entries} addresses, changed ${describeAge(now() - changedAt)} ago` }
  },
})

export const makeProviderProbe = (setting: string, provider: RiskProvider): Probe => ({
  setting,
  async run(): Promise<Finding> {
    const { overallRisk, riskLevel, sanctioned } = await provider.assess({
      address: harmless,
      chain: 'eth',
      chainId: 1,
    })
    const answer = `risk ${overallRisk} of 100 (${riskLevel}) for ${harmless}`
    return sanctioned
      ? { level: 'warn', says: `answers: ${answer}, as sanctioned`, mend: 'ask the provider: nobody owns that wallet' }
      : { level: 'ok', says: `answers: ${answer}` }
  },
})

export const makeOracleProbe = (oracle: SanctionsOracle): Probe => ({
  setting: oracle.setting,
  async run(): Promise<Finding> {
    const view = await oracle.chain.at()
    if ((await view.readCode(oracle.contract)) === '0x')
      throw new OutsideError(
        'malformed',
        oracle.setting,
        `names ${oracle.contract}, and there is no contract on ${oracle.chain.chain}`,
        'give the address of the oracle on this chain',
      )
    const sanctioned = await isSanctioned(oracle, view, harmless)
    return sanctioned
      ? { level: 'warn', says: `says that ${harmless} is sanctioned`, mend: 'see whether it is the right contract' }
      : { level: 'ok', says: `answers at block ${view.blockNumber}: ${harmless} is not sanctioned` }
  },
})

function describeAge(ageMs: number): string {
  const minutes = Math.max(0, Math.floor(ageMs / minuteMs))
  if (minutes < 120) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  return minutes < 2880 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / 1440)} days`
}
