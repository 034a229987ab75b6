/** The words of a verifier: what the pages, the gates and the summaries of proofs say of it. Runs in browsers, too. */
import type { Criteria, PhraseTools } from './phrases.ts'
import type { VerifierSettings } from './verifier-settings.ts'

/** A field by which the author of a gate asks for a value of the evidence. Other criteria are typed as rows. */
export interface CriterionField {
  readonly label: string
  /** The member of the evidence. */
  readonly path: string
  readonly op: 'eq' | 'gte' | 'lte'
  readonly kind?: 'address' | 'chain' | 'number' | readonly (readonly [value: string, label: string])[]
  readonly hint?: string
}

/** The words that pages show, as data: the server hands them to the scripts of its pages. */
export interface PageWords {
  readonly title: string
  /** What the verifier asks of a person, as a sentence. */
  readonly lead: string
  /**
   * A proof in a few words, as alternatives: the first whose members the evidence has. `{path}` stands for a value, and
   * `{~path}` for one that is cut short. Without a summary a proof is called by the title.
   */
  readonly summary?: readonly string[]
  readonly fields?: readonly CriterionField[]
}

export interface VerifierWords extends PageWords {
  /** A requirement of a gate, as words that follow "whoever". */
  requirement(criteria: Criteria, tools: PhraseTools): string
  /** Appended to the lead where a setting limits what the lead promises. */
  extendLead?(settings: VerifierSettings): string
}

type Values = Readonly<Record<string, unknown>>

/** Fills the first alternative whose members the evidence has. Empty where none fits. */
export function fillSummary(alternatives: readonly string[], evidence: Values): string {
  for (const alternative of alternatives) {
    let isFilled = true
    const filled = alternative.replace(/\{(~?)([^}]+)\}/g, (_, short: string, path: string) => {
      const value = readMember(evidence, path)
      if (value === '') isFilled = false
      return short === '' ? value : shorten(value)
    })
    if (isFilled) return filled
  }
  return ''
}

function readMember(evidence: Values, path: string): string {
  let value: unknown = evidence
  for (const name of path.split('.')) value = (value as Values | null | undefined)?.[name]
  return String(value ?? '')
}

const shorten = (text: string): string =>
  /^0x[0-9a-f]{16,}$/i.test(text) || text.length > 60 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text
