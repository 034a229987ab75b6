/** An old version of a gate, to be applied again. */
import type { Parts } from '../../parts.ts'
import { checkDefinition, type DefineTools } from '../definition/define.ts'
import type { Finding } from '../definition/finding.ts'
import { makeFindingsError } from '../definition/refuse-findings.ts'
import type { Gate, GateDefinition } from '../gate.ts'
import { findDefinition, readRewards } from '../store.ts'

/** The definition as it was handed in, rewards and all, without a status. Undefined when there is no such version. */
export async function readVersionDefinition(
  parts: Pick<Parts, 'db' | 'sealer'>,
  gate: Gate,
  version: number,
): Promise<GateDefinition | undefined> {
  const kept = await findDefinition(parts, gate.id, version)
  if (!kept) return undefined
  const rewards = await readRewards(parts, gate, version)
  const { rewards: _, ...definition } = kept
  return { ...definition, ...(rewards.length > 0 ? { rewards: [...rewards] } : {}) }
}

/** The warnings of a version that is to apply again. Errors: GATE_MISCONFIGURED, where it could not be active here. */
export function requireApplicable(
  definition: GateDefinition,
  { status }: Pick<Gate, 'status'>,
  tools: DefineTools,
): readonly Finding[] {
  const checked = checkDefinition(status === 'active' ? definition : { ...definition, status: 'draft' }, tools)
  if (!checked.definition) throw makeFindingsError(checked.findings)
  return checked.findings
}

export const explainUnknownVersion = (version: number, gate: Pick<Gate, 'version'>): string =>
  version <= gate.version
    ? `version ${version} is not kept any more: the list of versions says which are`
    : `there is no version ${version}: the gate has versions 1 to ${gate.version}`
