/** The rule of a gate: which of its requirements must be met. Decided here; evaluated, explained and shown elsewhere. */

/** The id of a requirement, all of these, or any of these. */
export type RuleNode = string | { readonly all: readonly RuleNode[] } | { readonly any: readonly RuleNode[] }

interface Named {
  readonly id?: string | undefined
  readonly optional?: boolean | undefined
}

/** `r1`, `r2`, … where the owner gave no id. */
export const nameRequirement = ({ id }: Named, at: number): string => id ?? `r${at + 1}`

/**
 * The rule of a definition, else all required requirements. If all are optional, any of them: a gate without conditions
 * would admit everybody.
 */
export function chooseRule({
  rule,
  requirements,
}: {
  readonly rule?: unknown
  readonly requirements: readonly Named[]
}): RuleNode {
  if (rule !== undefined) return rule as RuleNode
  const required = requirements.flatMap((one, at) => (one.optional ? [] : [nameRequirement(one, at)]))
  return required.length > 0 ? { all: required } : { any: requirements.map(nameRequirement) }
}

/** `satisfied` holds the ids of the requirements that are met. */
export function isRuleMet(rule: RuleNode, satisfied: ReadonlySet<string>): boolean {
  if (typeof rule === 'string') return satisfied.has(rule)
  return 'all' in rule
    ? rule.all.every((member) => isRuleMet(member, satisfied))
    : rule.any.some((member) => isRuleMet(member, satisfied))
}

/** The ids that a rule names. */
export function listRuleIds(rule: RuleNode): Set<string> {
  if (typeof rule === 'string') return new Set([rule])
  return new Set(('all' in rule ? rule.all : rule.any).flatMap((member) => [...listRuleIds(member)]))
}
