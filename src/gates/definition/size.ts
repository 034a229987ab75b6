/**
 * Bounds of a definition as a whole. The shape bounds each member, and many long members together would make every check
 * of the gate expensive. Gates that were published before these bounds are checked within the budget of a request.
 */

import type { GateDefinition } from '../gate.ts'
import { type Finding, makeError } from './finding.ts'

/** Bytes of the definition as JSON, without the values of its rewards. */
export const mostDefinitionBytes = 65_536
export const mostConditions = 256
/** Bytes of the paths and values of all conditions. */
export const mostConditionBytes = 32_768
/** Sum of minCount over the requirements. */
export const mostCounted = 1_000
/** Claims that one fulfillment may read again: the sum of minCount over the requirements with `recheck`. */
export const mostRechecked = 16

export function checkSize({ rewards, ...definition }: GateDefinition): Finding[] {
  const { requirements } = definition
  const conditions = requirements.flatMap(({ match = [] }) => match)
  const conditionBytes = conditions.reduce((sum, { path, value }) => sum + countBytes(path) + countBytes(value), 0)
  const withoutValues = rewards?.map(({ value: _, ...reward }) => reward)
  const definitionBytes = countBytes(JSON.stringify({ ...definition, rewards: withoutValues }))
  const counted = requirements.reduce((sum, { minCount = 1 }) => sum + minCount, 0)
  const rechecked = requirements.reduce((sum, { recheck, minCount = 1 }) => sum + (recheck ? minCount : 0), 0)
  return [
    ...(definitionBytes > mostDefinitionBytes
      ? [makeError([], 'DEFINITION_TOO_LARGE', { bytes: definitionBytes, most: mostDefinitionBytes })]
      : []),
    ...(conditions.length > mostConditions
      ? [makeError(['requirements'], 'TOO_MANY_CONDITIONS', { count: conditions.length, most: mostConditions })]
      : []),
    ...(conditionBytes > mostConditionBytes
      ? [makeError(['requirements'], 'CONDITIONS_TOO_LARGE', { bytes: conditionBytes, most: mostConditionBytes })]
      : []),
    ...(counted > mostCounted
      ? [makeError(['requirements'], 'TOO_MANY_PROOFS', { count: counted, most: mostCounted })]
      : []),
    ...(rechecked > mostRechecked
      ? [makeError(['requirements'], 'TOO_MANY_RECHECKS', { count: rechecked, most: mostRechecked })]
      : []),
  ]
}

const countBytes = (text: string): number => Buffer.byteLength(text)
