/**
 * The answer for a feature that this server does not offer. Only the operator can change that, and no argument, page or
 * other tool. So the answer names the setting.
 */
import { Type } from '@sinclair/typebox'
import type { Parts } from '../parts.ts'
import { stripVersion } from '../verifiers/id.ts'
import type { Catalog } from '../verifiers/index.ts'
import { makeVerifierNotFound } from '../verifiers/not-found.ts'
import { ToolRefusal } from './tool-refusal.ts'

export const NotOffered = Type.Array(
  Type.Object({ id: Type.String(), why: Type.String({ description: 'And what the operator would have to set.' }) }),
  { description: 'Verifiers that this server knows and does not offer.' },
)

export const listNotOffered = ({ known, enabled, absence }: Catalog) =>
  [...known.keys()].filter((id) => !enabled.has(id)).map((id) => ({ id, why: absence(id) }))

/** The ids that this build knows and this server does not offer. */
export const selectNotOffered = (verifierIds: readonly string[], { known, enabled }: Catalog): string[] =>
  [...new Set(verifierIds.map(stripVersion))].filter((id) => known.has(id) && !enabled.has(id))

/** `next_action`, where only the operator can help. */
export const askOperator = 'ask_the_operator'

export const listOperatorSteps = (whys: readonly string[]): string[] => [
  `Nothing that you or the person can do here changes this; only the operator of this server can. Tell the person: ${whys.join('. ')}.`,
]

/** Errors: ToolRefusal, for what cannot be made here whatever else is right. */
export function requireOffered(verifierIds: readonly string[], { catalog }: Pick<Parts, 'catalog'>): void {
  const [first, ...others] = selectNotOffered(verifierIds, catalog)
  if (first === undefined) return
  const { code, message, details } = makeVerifierNotFound([first, ...others], catalog)
  throw new ToolRefusal(code, message, { action: askOperator, steps: listOperatorSteps([message]) }, details)
}
