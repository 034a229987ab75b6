/** The top of a proof's page: what is proved, in one sentence, and whether it counts now. */
import type { ProofView } from '../proofs/view.ts'
import { fillSummary } from '../verifiers/words.ts'
import type { Language } from '../web/languages.ts'
import { renderMoment } from './moment.ts'
import { type Html, html, type Inserted } from './shell.ts'
import { findWords, type WordsById } from './verifier-words.ts'
import type { Words } from './words/words.ts'

type PageWords = Words['proofPage']

export interface State {
  /** Of the seal: green, amber, red, or gray for a proof whose content this reader may not know. */
  readonly look: 'good' | 'warning' | 'bad' | 'quiet'
  readonly label: string
  readonly reason: Inserted
}

/** Claims that failed, or that were not verified here, say nothing. */
export const isFound = ({ status }: { readonly status: string }): boolean =>
  status !== 'failed' && status !== 'imported'

export function readState(proof: ProofView, words: PageWords, language: Language): State {
  const { status, revokedAt, revokedReason, expiresAt, final, superseded, walletAddress } = proof
  const { states, countsNoMore } = words
  const at = (ms: number | null | undefined): Html | undefined => (ms == null ? undefined : renderMoment(ms, language))
  if (revokedReason === 'REORGANISED')
    return { look: 'bad', label: states.replaced, reason: [words.replaced(revokedAt == null), countsNoMore] }
  if (status === 'revoked')
    return { look: 'bad', label: states.revoked, reason: [...words.revoked(at(revokedAt)), countsNoMore] }
  if (status === 'expired')
    return { look: 'warning', label: states.expired, reason: [...words.expired(at(expiresAt)), countsNoMore] }
  if (superseded) return { look: 'warning', label: states.superseded, reason: words.superseded }
  // Also before the content is hidden: it counts nowhere.
  if (isImported(proof)) return { look: 'warning', label: states.imported, reason: words.imported }
  const isPartial = status === 'partially_verified'
  if (walletAddress === undefined)
    return { look: 'quiet', label: isPartial ? states.partial : states.valid, reason: words.privateLead }
  if (isPartial) return { look: 'warning', label: states.partial, reason: words.partial }
  if (final === false) return { look: 'good', label: states.notFinal, reason: words.notFinal }
  return { look: 'good', label: states.valid, reason: words.valid }
}

/**
 * What a proof says of its wallet. Claims that do not hold say nothing. Values that may not be shown are left out: the
 * font of a picture lacks many characters.
 */
export function writeStatement(
  proof: ProofView,
  words: PageWords,
  verifiers: WordsById,
  mayShow: (statement: string) => boolean = () => true,
): string {
  const { walletAddress, subjectWallet, verifiedVerifiers = [], verifierIds = [] } = proof
  if (walletAddress === undefined) return words.privateTitle
  const wallet = shorten(subjectWallet ?? walletAddress)
  const held = verifiedVerifiers.filter(isFound)
  if (held.length > 1) return words.several(wallet, held.length)
  const [row] = held
  const known = findWords(verifiers, row?.verifierId ?? verifierIds[0] ?? '')
  const statement = row ? fillSummary(known.statement ?? [], { ...row.data, content: readBeginning(proof) }) : ''
  if (statement !== '' && mayShow(statement)) return `${wallet} ${statement}`
  return (isImported(proof) ? words.says : words.other)(wallet, known.title)
}

/** Whether it was made elsewhere, and nothing of it was verified here. */
export const isImported = ({ status }: Pick<ProofView, 'status'>): boolean => status === 'imported'

/** Which server looked at it when. */
export const describeCheck = <T>(
  proof: Pick<ProofView, 'status'>,
  words: PageWords,
  host: string,
  at: T,
): (string | T)[] => (isImported(proof) ? words.importedBy : words.checkedBy)(host, at)

/** In characters. */
const longestBeginning = 60

/** The first line of the kept text, if this reader may know it. */
function readBeginning({ publicContent }: ProofView): string | undefined {
  if (publicContent === undefined) return undefined
  const line = /\S[^\r\n]*/.exec(publicContent.content)?.[0].trim() ?? ''
  const characters = [...line.slice(0, 2 * longestBeginning + 2)]
  return characters.length > longestBeginning ? `${characters.slice(0, longestBeginning).join('')}…` : line
}

/** What a proof of one claim does not say. Of several claims, each says it for itself. */
function readLimit({ verifiedVerifiers = [] }: ProofView, verifiers: WordsById): string | undefined {
  const [row, ...others] = verifiedVerifiers
  return row && others.length === 0 ? findWords(verifiers, row.verifierId).doesNotSay : undefined
}

function writeReason({ look, reason }: State, words: PageWords, limit: string | undefined): Inserted {
  if (limit === undefined || look === 'bad' || reason === words.imported) return reason
  return reason === words.valid ? limit : [reason, ' ', limit]
}

const shorten = (wallet: string): string => (wallet.length > 20 ? `${wallet.slice(0, 6)}…${wallet.slice(-4)}` : wallet)

export const marks: Readonly<Record<State['look'], string>> = {
  good: 'm15 25 7 7 12-15',
  warning: 'M24 14v13m0 6h.01',
  bad: 'm17 17 14 14m0-14L17 31',
  quiet: 'M17 23v-4a7 7 0 0 1 14 0v4m-16 0h18v12H15z',
}

interface Hero {
  readonly state: State
  readonly statement: string
  readonly host: string
  readonly language: Language
  readonly verifiers: WordsById
}

export const renderHero = (
  proof: ProofView,
  words: PageWords,
  { state, statement, host, language, verifiers }: Hero,
): Html =>
  html`<section class="hero ${state.look}">
<svg class="seal" viewBox="0 0 48 48" width="72" height="72" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="${marks[state.look]}"/></svg>
${
  proof.title === undefined
    ? html`<h1><bdi>${statement}</bdi></h1>`
    : html`<h1><bdi>${proof.title}</bdi></h1>
<p class="hero-statement"><bdi>${statement}</bdi></p>`
}
<p class="hero-state"><strong>${state.label}.</strong> <span>${writeReason(state, words, readLimit(proof, verifiers))}</span></p>
${proof.signed === false && html`<p class="hero-unsigned">${words.unsigned}</p>`}
${proof.walletAddress !== undefined && html`<p class="quiet">${describeCheck(proof, words, host, renderMoment(proof.createdAt, language))}</p>`}
</section>`
