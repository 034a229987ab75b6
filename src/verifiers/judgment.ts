/** Describes what providers judged, by the evidence: a condition counts only if its topic was checked. */

type Evidence = Readonly<Record<string, unknown>>

/** The part of a condition that a judgment needs. */
export interface Asking {
  readonly name: string
  /** Every member that the condition may refer to. */
  readonly members: ReadonlySet<string>
  /** Whether the evidence has the value. */
  hasValue(): boolean
}

export interface Judgment {
  /** All topics that were checked. */
  listChecked(evidence: Evidence): readonly string[]
  /** The topics that the condition rests on. Empty for an unrelated condition. */
  listNeeded(asking: Asking, checked: readonly string[]): readonly string[]
}

export const listTexts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
