/** A submitted definition, checked in full: shape, contradictions, and this deployment's missing configuration. */

import type { GateDefinition } from '../gate.ts'
import { listContradictions } from './contradictions.ts'
import { type Finding, makeError } from './finding.ts'
import { checkAccounts } from './named-accounts.ts'
import { replaceMethodNames } from './price-names.ts'
import { checkShape } from './shape.ts'
import { checkSize } from './size.ts'
import { type HereTools, listUnsupported } from './support.ts'

export type DefineTools = HereTools

export type Checked =
  /** `findings` are warnings. */
  | { readonly definition: GateDefinition; readonly findings: readonly Finding[] }
  /** At least one of them is an error. */
  | { readonly definition?: undefined; readonly findings: readonly Finding[] }

/** A draft may require unsupported features, and so may a gate for another server: then that is a warning. */
export function checkDefinition(written: unknown, tools: DefineTools, isForHere = true): Checked {
  const value = replaceMethodNames(written)
  const shape = checkShape(value)
  if (shape.length > 0) return { findings: shape }
  const definition = value as GateDefinition
  const findings = [
    ...checkSize(definition),
    ...listContradictions(definition, tools.now()),
    ...checkAccounts(definition, tools.catalog.known),
    ...checkReading(definition, tools),
    ...listMissingSettings(definition, tools, isForHere),
  ]
  return findings.some(({ level }) => level === 'error') ? { findings } : { definition, findings }
}

/** `final` and `recheck` of what reads no chain would keep everybody out, or do nothing. */
function checkReading({ requirements }: GateDefinition, { catalog: { known } }: DefineTools): Finding[] {
  const able = [...known.values()].flatMap(({ id, readsState }) => (readsState ? [id] : []))
  return requirements.flatMap((requirement, at) =>
    able.includes(requirement.verifierId) || !known.has(requirement.verifierId)
      ? []
      : (['final', 'recheck'] as const).flatMap((member) =>
          requirement[member]
            ? [
                makeError(['requirements', at, member], 'NO_CHAIN_STATE', {
                  able: able.join(', '),
                  verifierId: requirement.verifierId,
                }),
              ]
            : [],
        ),
  )
}

function listMissingSettings(definition: GateDefinition, tools: DefineTools, isForHere: boolean): Finding[] {
  const findings = listUnsupported(definition, tools)
  const isUnknownVerifier = ({ unknown }: Finding) => unknown !== undefined
  return definition.status === 'draft' || !isForHere
    ? findings.map((finding) => (isUnknownVerifier(finding) ? finding : { ...finding, level: 'warning' }))
    : findings
}
