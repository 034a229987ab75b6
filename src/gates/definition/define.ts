/** A definition as somebody hands it in, checked in full: shape, contradictions, and what this deployment lacks. */

import type { GateDefinition } from '../gate.ts'
import { contradictionsIn } from './contradictions.ts'
import { type Finding, wrong } from './finding.ts'
import { accountFindings } from './named-accounts.ts'
import { withMethodIds } from './price-names.ts'
import { shapeFindings } from './shape.ts'
import { sizeFindings } from './size.ts'
import { type HereTools, lackingHere } from './support.ts'

export type DefineTools = HereTools

export type Checked =
  /** `findings` are warnings. */
  | { readonly definition: GateDefinition; readonly findings: readonly Finding[] }
  /** At least one of them is an error. */
  | { readonly definition?: undefined; readonly findings: readonly Finding[] }

/** A draft may ask for what is not here yet, and so may a gate that is for another server: then that is a warning. */
export function checkDefinition(written: unknown, tools: DefineTools, isForHere = true): Checked {
  const value = withMethodIds(written)
  const shape = shapeFindings(value)
  if (shape.length > 0) return { findings: shape }
  const definition = value as GateDefinition
  const findings = [
    ...sizeFindings(definition),
    ...contradictionsIn(definition, tools.now()),
    ...accountFindings(definition),
    ...readingFindings(definition, tools),
    ...lackingIn(definition, tools, isForHere),
  ]
  return findings.some(({ level }) => level === 'error') ? { findings } : { definition, findings }
}

/** `final` and `recheck` of what reads no chain would keep everybody out, or do nothing. */
function readingFindings({ requirements }: GateDefinition, { catalog: { known } }: DefineTools): Finding[] {
  const able = [...known.values()].flatMap(({ id, readsState }) => (readsState ? [id] : []))
  return requirements.flatMap((requirement, at) =>
    able.includes(requirement.verifierId) || !known.has(requirement.verifierId)
      ? []
      : (['final', 'recheck'] as const).flatMap((member) =>
          requirement[member]
            ? [
                wrong(
                  ['requirements', at, member],
                  `is for what is read from a chain (${able.join(', ')}): leave it out for ${requirement.verifierId}`,
                ),
              ]
            : [],
        ),
  )
}

function lackingIn(definition: GateDefinition, tools: DefineTools, isForHere: boolean): Finding[] {
  const findings = lackingHere(definition, tools)
  const isUnknownVerifier = ({ unknown }: Finding) => unknown !== undefined
  return definition.status === 'draft' || !isForHere
    ? findings.map((finding) => (isUnknownVerifier(finding) ? finding : { ...finding, level: 'warning' }))
    : findings
}
