/** How the evidence of a verifier tells what providers looked at: a statement counts only where its ground was looked at. */

type Evidence = Readonly<Record<string, unknown>>

/** A condition, as far as a judgement depends on it. */
export interface Asking {
  readonly name: string
  /** Every member that the condition may mean. */
  readonly members: ReadonlySet<string>
  /** Whether the evidence has the value. */
  hasValue(): boolean
}

export interface Judgement {
  /** Everything that was looked at. */
  listChecked(evidence: Evidence): readonly string[]
  /** The topics that the condition rests on. Empty where it is about something else. */
  listNeeded(asking: Asking, checked: readonly string[]): readonly string[]
}

export const listTexts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
