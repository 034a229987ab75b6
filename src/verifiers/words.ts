/** The words of a verifier for pages, gates and summaries of proofs. Runs in browsers, too. */
import { type Criteria, isolateLine, type PhraseTools } from './phrases.ts'
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
  /** The task of the person, as a sentence. */
  readonly lead: string
  /** What the proof will say, as a sentence. */
  readonly says?: string
  /** For a proof that says less than a stranger may take it to say: what it shows, and what it does not. */
  readonly doesNotSay?: string
  /** For a verifier that needs configuration: what it needs, and for the operator the settings that give it. */
  readonly lacks?: { readonly what: string; readonly remedy: string }
  /**
   * A proof in a few words, as alternatives: the first with all its members in the evidence is used. `{path}` stands
   * for a value, and `{~path}` for a shortened one. Without a summary, the title names the proof.
   */
  readonly summary?: readonly string[]
  /**
   * What a proof says of its wallet, in words that follow the wallet. Alternatives like those of the summary, in which
   * `{content}` is the beginning of the kept text.
   */
  readonly statement?: readonly string[]
  readonly fields?: readonly CriterionField[]
  /** Names of facts, by the member of the evidence. Common members have a name on every page. */
  readonly names?: Readonly<Record<string, string>>
  /** Appended to the lead when a setting limits its promise. */
  extendLead?(settings: VerifierSettings): string
}

export interface VerifierWords extends PageWords {
  /** A requirement of a gate, as words that follow "whoever". */
  requirement(criteria: Criteria, tools: PhraseTools): string
}

type Values = Readonly<Record<string, unknown>>

/** Fills the first alternative with all its members in the evidence. Empty without a match. */
export function fillSummary(alternatives: readonly string[], evidence: Values): string {
  for (const alternative of alternatives) {
    let isFilled = true
    const filled = alternative.replace(/\{(~?)([^}]+)\}/g, (_, short: string, path: string) => {
      const value = readMember(evidence, path)
      if (value === '') isFilled = false
      return isolateLine(short === '' ? value : shorten(value))
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
