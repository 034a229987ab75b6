/**
 * The faults of a deployment and their remedies, for `proofgate doctor` and the operator's dashboard. This folder owns
 * the findings; those two display them.
 */

import type { Config } from '../config/schema.ts'
import { limitWait } from '../limit-wait.ts'
import { OutsideError } from '../outside/failure.ts'
import type { Outside } from '../outside/outside.ts'
import type { Probe } from '../outside/probe.ts'
import { paymentMethods } from '../payments/index.ts'
import { makePublishingProbes } from '../publishing/probe.ts'
import type { Catalog } from '../verifiers/index.ts'
import { makeBucketProbes } from './bucket-clock.ts'
import { examineDisk } from './disk.ts'
import type { Found } from './found.ts'

interface Deployment {
  readonly config: Config
  readonly outside: Outside
  readonly now: () => number
}

/** Every network source in the configuration. Makes no call yet. */
const listProbes = ({ config, outside, now }: Deployment): readonly Probe[] => [
  ...outside.probes,
  ...makeBucketProbes(config, now),
  ...makePublishingProbes({ config, outside }),
  ...paymentMethods.flatMap((method) => method.makeProbes?.({ config, outside }) ?? []),
]

/** Tries all of them once, at the same time. A source is given up after `withinEachMs`. */
export const examineAll = (
  deployment: Deployment,
  { withinEachMs, more = [] }: { readonly withinEachMs?: number; readonly more?: readonly Probe[] } = {},
): Promise<readonly Found[]> =>
  Promise.all([...listProbes(deployment), ...more].map((probe) => examine(probe, withinEachMs)))

/** The findings that need no call, the disk included, for check-config. Doctor reports the same. */
export async function examineLocally(deployment: Deployment): Promise<readonly Found[]> {
  const local = listProbes(deployment).filter(({ isLocal }) => isLocal)
  const found = await Promise.all(local.map((probe) => examine(probe, undefined)))
  return [...examineDisk(deployment.config), ...found].filter(({ level }) => level !== 'ok')
}

async function examine({ setting, run }: Probe, withinEachMs: number | undefined): Promise<Found> {
  try {
    const finding =
      withinEachMs === undefined ? run() : limitWait(run(), withinEachMs, () => makeSlowError(setting, withinEachMs))
    return { setting, ...(await finding) }
  } catch (error) {
    if (error instanceof OutsideError) return { setting, level: 'fail', says: error.happened, mend: error.mend }
    return { setting, level: 'fail', says: error instanceof Error ? error.message : String(error) }
  }
}

const makeSlowError = (setting: string, ms: number): OutsideError =>
  new OutsideError(
    'timeout',
    setting,
    `did not finish within ${ms / 1000} s`,
    'see whether the service runs and can be reached, or lower outside.timeout_seconds',
  )

export interface Offered {
  readonly offered: readonly string[]
  /** Verifiers that are not offered, and the setting that enables each. */
  readonly absent: readonly { readonly id: string; readonly why: string }[]
}

export const readOffered = (catalog: Catalog): Offered => ({
  offered: [...catalog.enabled.keys()],
  absent: [...catalog.known.keys()]
    .filter((id) => !catalog.enabled.has(id))
    .map((id) => ({ id, why: catalog.absence(id) })),
})
