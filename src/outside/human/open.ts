/** The providers of the configuration. Makes no call. */
import type { Chains, EvmChain, Hex } from '../chains/chain.ts'
import { OutsideError } from '../failure.ts'
import { makeEndpoint } from '../http/endpoint.ts'
import { type Finding, makeKnownProbe, type Probe } from '../probe.ts'
import type { OutsideTools } from '../tools.ts'
import type { Human, HumanProvider } from './human.ts'
import { openPassport, type PassportSettings, readScore } from './passport.ts'
import { openSemaphore, readRoot, type SemaphoreGroup } from './semaphore.ts'
import { openWorldId, probeWorldId, type WorldIdSettings } from './worldid.ts'
import { findRegistry, openZkPassport, type ZkPassportSettings } from './zkpassport.ts'

export interface HumanSettings {
  /** Empty: `<brand>-v1` alone. */
  readonly scopes: readonly string[]
  readonly zkpassport: {
    /** The name of a chain. */
    readonly chain?: string | undefined
    readonly verifier: string
    readonly sanctionsRegistry: number
    readonly salted: boolean
    readonly devMode: boolean
  }
  readonly semaphore: {
    readonly roots: readonly string[]
    /** The name of a chain. */
    readonly chain?: string | undefined
    readonly contract: string
    readonly group?: string | undefined
  }
  readonly worldid: {
    readonly appId?: string | undefined
    readonly rpId?: string | undefined
    readonly signingKey?: string | undefined
    readonly credentials: readonly string[]
    readonly url: string
  }
  readonly passport: {
    readonly apiKey?: string | undefined
    readonly scorerId?: string | undefined
    readonly minScore: number
    readonly url: string
  }
}

export function openHuman(
  settings: HumanSettings,
  brand: string,
  chains: Chains,
  { policy }: OutsideTools,
): { readonly human: Human; readonly probes: readonly Probe[] } {
  const { zkpassport: z, semaphore: s, worldid: w, passport: p } = settings
  const [scope = `${brand}-v1`, ...otherScopes] = settings.scopes
  const providers: HumanProvider[] = []
  const probes: Probe[] = []

  const onPassports = readZkPassport(z, chains)
  if (onPassports) {
    providers.push(openZkPassport(onPassports))
    probes.push({ setting: 'human.zkpassport', run: () => probeZkPassport(onPassports) })
  }
  const group = readGroup(s, chains)
  if (group || s.roots.length > 0) providers.push(openSemaphore({ roots: s.roots, group }))
  if (group) probes.push({ setting: 'human.semaphore', run: () => probeGroup(group) })
  const id = w.rpId ?? w.appId
  if (id !== undefined) {
    const onWorld: WorldIdSettings = {
      endpoint: makeEndpoint('human.worldid', w.url, policy),
      id,
      credentials: w.credentials,
      signingKey: w.signingKey as Hex | undefined,
    }
    providers.push(openWorldId(onWorld))
    probes.push({
      setting: 'human.worldid',
      run: async () => {
        await probeWorldId(onWorld, scope)
        return { level: 'ok', says: `knows ${id}, and refuses a proof of zeros` }
      },
    })
  }
  if (p.apiKey !== undefined && p.scorerId !== undefined) {
    const onScores: PassportSettings = {
      endpoint: makeEndpoint('human.passport', p.url, policy),
      apiKey: p.apiKey,
      scorerId: p.scorerId,
      minScore: p.minScore,
    }
    providers.push(openPassport(onScores))
    probes.push({ setting: 'human.passport', run: () => probePassport(onScores) })
  }
  probes.push(...findGaps(settings, chains))
  return {
    human: {
      all: providers,
      scopes: [scope, ...otherScopes],
      provider: (name) => providers.find((one) => one.name === name),
    },
    probes,
  }
}

/** Reports partial settings: their provider is disabled, and this says why. */
function findGaps({ zkpassport: z, semaphore: s, passport: p }: HumanSettings, chains: Chains): Probe[] {
  const fail = (setting: string, says: string, mend: string) => [
    makeKnownProbe(setting, { level: 'fail' as const, says, mend }),
  ]
  const findChainGap = (setting: string, name: string | undefined) =>
    name === undefined || findEvmChain(chains, name)
      ? []
      : fail(
          setting,
          `names ${name}, which is no EVM chain that is configured`,
          `add [chains.${name}] with an eip155 id`,
        )
  const findPairGap = (setting: string, isSet: boolean, other: string, isOtherSet: boolean) =>
    isSet && !isOtherSet ? fail(setting, `means nothing without ${other}`, `set ${other} as well`) : []
  return [
    ...findChainGap('human.zkpassport.chain', z.chain),
    ...findChainGap('human.semaphore.chain', s.chain),
    ...findPairGap('human.semaphore.chain', s.chain !== undefined, 'human.semaphore.group', s.group !== undefined),
    ...findPairGap('human.semaphore.group', s.group !== undefined, 'human.semaphore.chain', s.chain !== undefined),
    ...findPairGap(
      'human.passport.api_key',
      p.apiKey !== undefined,
      'human.passport.scorer_id',
      p.scorerId !== undefined,
    ),
    ...findPairGap(
      'human.passport.scorer_id',
      p.scorerId !== undefined,
      'human.passport.api_key',
      p.apiKey !== undefined,
    ),
  ]
}

const findEvmChain = (chains: Chains, name: string | undefined): EvmChain | undefined =>
  chains.all.find((chain): chain is EvmChain => chain.kind === 'evm' && chain.name === name)

function readZkPassport(z: HumanSettings['zkpassport'], chains: Chains): ZkPassportSettings | undefined {
  const chain = findEvmChain(chains, z.chain)
  return (
    chain && {
      chain,
      verifier: z.verifier as Hex,
      devMode: z.devMode,
      salted: z.salted,
      sanctionsRegistry: z.sanctionsRegistry,
    }
  )
}

function readGroup(s: HumanSettings['semaphore'], chains: Chains): SemaphoreGroup | undefined {
  const chain = findEvmChain(chains, s.chain)
  return chain && s.group !== undefined ? { chain, contract: s.contract as Hex, id: BigInt(s.group) } : undefined
}

async function probeZkPassport(settings: ZkPassportSettings): Promise<Finding> {
  const { verifier, chain } = settings
  if ((await findRegistry(settings)) !== undefined)
    return { level: 'ok', says: `answers as the root verifier at ${verifier} on ${chain.chain}` }
  return {
    level: 'fail',
    says: `no root verifier of ZKPassport stands at ${verifier} on ${chain.chain}`,
    mend: 'set human.zkpassport.verifier, or another chain',
  }
}

async function probeGroup(group: SemaphoreGroup): Promise<Finding> {
  try {
    const root = await readRoot(group)
    if (root !== 0n) return { level: 'ok', says: `the group ${group.id} has the root ${root}` }
    return { level: 'warn', says: `the group ${group.id} has no members`, mend: 'add members, or name another group' }
  } catch (error) {
    if (error instanceof OutsideError && error.fault === 'malformed')
      return { level: 'fail', says: error.happened, mend: error.mend }
    throw error
  }
}

/** The burn address. */
const harmless = '0x000000000000000000000000000000000000dead'

async function probePassport(settings: PassportSettings): Promise<Finding> {
  const { score } = await readScore(settings, harmless)
  return score < settings.minScore
    ? { level: 'ok', says: `answers: score ${score} for ${harmless}` }
    : {
        level: 'warn',
        says: `gives ${harmless} the score ${score}, and nobody owns that wallet`,
        mend: 'raise human.passport.min_score, or see what the scorer counts',
      }
}
