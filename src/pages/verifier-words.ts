/**
 * The names of verifiers and their proofs in pages. Runs in browsers, too: the words come from the server with the
 * page.
 */
import type { ProofView } from '../proofs/view.ts'
import type { Verifier } from '../verifiers/verifier.ts'
import type { VerifierSettings } from '../verifiers/verifier-settings.ts'
import { fillSummary, type PageWords } from '../verifiers/words.ts'
import type { Language } from '../web/languages.ts'

/** The words that the dashboard shows for a verifier. */
export interface ShownVerifier extends PageWords {
  readonly readsState?: true
}

/** By verifier id. */
export type WordsById = Readonly<Record<string, ShownVerifier>>

export const findWords = (words: WordsById, id: string): ShownVerifier =>
  Object.hasOwn(words, id) ? words[id]! : { title: id, lead: '' }

type Worded = Pick<Verifier, 'words' | 'translations' | 'readsState'>

const pickWords = ({ words, translations }: Worded, language: Language): PageWords => translations?.[language] ?? words

/** The words for the script of the page, without functions, which JSON would drop. */
export const listPageWords = (verifiers: ReadonlyMap<string, Worded>, language: Language): WordsById =>
  Object.fromEntries([...verifiers].map(([id, verifier]) => [id, pickShown(verifier, language)]))

function pickShown(verifier: Worded, language: Language): ShownVerifier {
  const { title, lead, says, doesNotSay, lacks, summary, statement, fields, names } = pickWords(verifier, language)
  return {
    title,
    lead,
    ...(says ? { says } : {}),
    ...(doesNotSay ? { doesNotSay } : {}),
    ...(lacks ? { lacks } : {}),
    ...(summary ? { summary } : {}),
    ...(statement ? { statement } : {}),
    ...(fields ? { fields } : {}),
    ...(names ? { names } : {}),
    ...(verifier.readsState ? { readsState: true } : {}),
  }
}

/** Writes title and lead for a server with these settings, and what the proof will say. */
export function writeLead(
  verifier: Worded,
  { language, settings }: { readonly language: Language; readonly settings: VerifierSettings },
): { readonly title: string; readonly lead: string; readonly says?: string } {
  const { title, lead, says, extendLead } = pickWords(verifier, language)
  return { title, lead: `${lead}${extendLead?.(settings) ?? ''}`, ...(says === undefined ? {} : { says }) }
}

/** Why this server does not offer a verifier, for the person who asked for it. */
export function describeAbsence(
  verifier: Worded,
  isSwitchedOff: boolean,
  { language, words }: { readonly language: Language; readonly words: { switchedOff: string; askOperator: string } },
): string {
  const { lacks } = pickWords(verifier, language)
  return `${isSwitchedOff || !lacks ? words.switchedOff : lacks.what} ${words.askOperator}`
}

/** A proof in a few words. Empty when the titles of its verifiers say it all. */
export function summarizeProof(
  { verifiedVerifiers = [] }: Pick<ProofView, 'verifiedVerifiers'>,
  words: WordsById,
): string {
  const held =
    verifiedVerifiers.find(({ status }) => status !== 'failed' && status !== 'imported') ?? verifiedVerifiers[0]
  return held ? fillSummary(findWords(words, held.verifierId).summary ?? [], held.data) : ''
}

/** `severalClaims` names a proof of several claims that has no title. */
export function nameProof(
  proof: Pick<ProofView, 'title' | 'verifierIds' | 'verifiedVerifiers'>,
  words: WordsById,
  severalClaims: string,
): string {
  const { title, verifierIds = [] } = proof
  if (title?.trim()) return title
  if (verifierIds.length !== 1) return summarizeProof(proof, words) || severalClaims
  return summarizeProof(proof, words) || findWords(words, verifierIds[0]!).title
}
