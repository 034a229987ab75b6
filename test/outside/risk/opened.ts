/** Opens the sources of risk from a configuration, and reads the errors that they throw. */
import { loadConfig } from '../../../src/config/load.ts'
import { openChains } from '../../../src/outside/chains/open.ts'
import { OutsideError, UnanswerableError } from '../../../src/outside/failure.ts'
import { makeGuard } from '../../../src/outside/http/address-guard.ts'
import { openRisk } from '../../../src/outside/risk/open.ts'
import type { RiskAssessment } from '../../../src/outside/risk/risk.ts'
import { readVerifierTables } from '../../../src/verifiers/settings.ts'
import { startOfTime } from '../../app.ts'
import { providerKey } from '../../parts/risk-providers.ts'

export type Env = Readonly<Record<string, string>>

/** Makes one attempt, so that a fault of the tests is asked for once. */
export async function openedRisk(env: Env, timeoutMs = 3000) {
  const config = await loadConfig({ env, cwd: '/nonexistent' })
  const tools = { policy: { timeoutMs, attempts: 1, guard: makeGuard([]) }, now: () => startOfTime }
  const { chains } = openChains(config.chains, tools)
  const { risk, probes } = openRisk(readVerifierTables(config).risk, config.chains, chains, tools)
  return { ...risk, probes }
}

export const webacyAt = (url: string): Env => ({
  PROOFGATE_RISK_PROVIDER: 'webacy',
  PROOFGATE_RISK_WEBACY_API_KEY: providerKey,
  PROOFGATE_RISK_WEBACY_URL: url,
})
export const goplusAt = (url: string): Env => ({ PROOFGATE_RISK_PROVIDER: 'goplus', PROOFGATE_RISK_GOPLUS_URL: url })
export const chainalysisAt = (url: string): Env => ({
  PROOFGATE_RISK_PROVIDER: 'chainalysis',
  PROOFGATE_RISK_CHAINALYSIS_API_KEY: providerKey,
  PROOFGATE_RISK_CHAINALYSIS_URL: url,
})

/** The error of a look-up that must not have an answer. */
export async function outageOf(asked: Promise<unknown>): Promise<OutsideError> {
  const error = await asked.then(
    (answer) => new Error(`it was answered: ${JSON.stringify(answer)}`),
    (reason) => reason,
  )
  if (error instanceof OutsideError) return error
  throw error
}

export async function refusalOf(asked: Promise<unknown>): Promise<UnanswerableError> {
  const error = await asked.then(
    (answer) => new Error(`it was answered: ${JSON.stringify(answer)}`),
    (reason) => reason,
  )
  if (error instanceof UnanswerableError) return error
  throw error
}

/** Picks the members that gates and the policy read. */
export const verdictIn = ({ overallRisk, riskLevel, sanctioned, poisoned }: RiskAssessment): object => ({
  overallRisk,
  riskLevel,
  sanctioned,
  poisoned,
})
