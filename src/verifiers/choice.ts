/** The verifiers that the operator chose: [verifiers] of the configuration, regardless of their other requirements. */
import { suggestNearest } from '../config/suggest.ts'
import type { Verifier } from './verifier.ts'

export type AccessLevel = 'public' | 'key'

export interface VerifierChoice {
  /** Exactly these. */
  readonly enabled?: readonly string[] | undefined
  readonly disabled: readonly string[]
  readonly access: Readonly<Record<string, AccessLevel>>
}

/** The members of a verifier that the choice depends on. */
type Choosable = Pick<Verifier, 'id' | 'isOptIn'>

const listDefaults = (known: readonly Choosable[]): readonly string[] =>
  known.flatMap(({ id, isOptIn }) => (isOptIn ? [] : [id]))

/** Keeps the order of `known`. */
export const listChosen = (known: readonly Choosable[], { enabled, disabled }: VerifierChoice): readonly string[] =>
  (enabled ?? listDefaults(known)).filter((id) => !disabled.includes(id))

export interface SwitchedOff {
  readonly setting: 'verifiers.enabled' | 'verifiers.disabled'
  readonly verifierIds: readonly string[]
}

/** Lists the verifiers that settings remove from the defaults. */
export function listSwitchedOff(known: readonly Choosable[], { enabled, disabled }: VerifierChoice): SwitchedOff[] {
  const unnamed = enabled ? listDefaults(known).filter((id) => !enabled.includes(id)) : []
  return [
    { setting: 'verifiers.enabled' as const, verifierIds: unnamed.filter((id) => !disabled.includes(id)) },
    {
      setting: 'verifiers.disabled' as const,
      verifierIds: known.map(({ id }) => id).filter((id) => disabled.includes(id)),
    },
  ].filter((one) => one.verifierIds.length > 0)
}

/** Shown at start-up, and by check-config and doctor. */
export const tellSwitchedOff = ({ setting, verifierIds }: SwitchedOff): string =>
  setting === 'verifiers.enabled'
    ? `verifiers.enabled does not name ${verifierIds.join(', ')}, and so switches them off; without it all are offered`
    : `verifiers.disabled switches off ${verifierIds.join(', ')}`

/** The setting that would switch the verifier on, as a clause. */
export function describeSwitch({ id, isOptIn }: Choosable, { enabled, disabled }: VerifierChoice): string {
  const beside = enabled ? '' : ', beside all others that shall stay'
  const steps = [
    ...(disabled.includes(id) ? ['take it out of verifiers.disabled'] : []),
    ...(enabled?.includes(id) || (!enabled && !isOptIn) ? [] : [`add it to verifiers.enabled${beside}`]),
  ]
  return `the operator can ${steps.join(', and ')}`
}

export interface UnknownVerifier {
  /** Path of the setting that switches it off. */
  readonly setting: string
  readonly problem: string
}

export function findUnknown(known: readonly string[], { enabled = [], disabled, access }: VerifierChoice) {
  const named = [
    ...enabled.map((id) => ({ id, setting: 'verifiers.enabled' })),
    ...disabled.map((id) => ({ id, setting: 'verifiers.disabled' })),
    ...Object.keys(access).map((id) => ({ id, setting: `verifiers.access.${id}` })),
  ]
  return named.flatMap(({ id, setting }): UnknownVerifier[] => {
    if (known.includes(id)) return []
    const meant = suggestNearest(id, known)
    const hint = meant === undefined ? `. There are: ${known.join(', ')}` : `; did you mean "${meant}"?`
    return [{ setting, problem: `there is no verifier "${id}"${hint}` }]
  })
}
