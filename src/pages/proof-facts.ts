/** The facts of a proof: who and what first, then everything. */
import type { ProofView } from '../proofs/view.ts'
import type { Language } from '../web/languages.ts'
import { type ChainNames, describeChainId } from './chain-words.ts'
import { type FactLine, hasEveryLine, isDigits, listFactLines } from './fact-lines.ts'
import { renderFact, renderShortened } from './fact-markup.ts'
import { renderMoment } from './moment.ts'
import { type Html, html } from './shell.ts'
import { findWords, type WordsById } from './verifier-words.ts'
import { type Words, words as wordsByLanguage } from './words/words.ts'

type PageWords = Words['proofPage']

interface Naming {
  readonly language: Language
  readonly verifiers: WordsById
  readonly chains: ChainNames
  /** `link`: everybody who has a share link, which the page tells above. */
  readonly reader: 'owner' | 'other' | 'link'
}

export function renderFacts(proof: ProofView, naming: Naming): Html {
  const { language, chains, reader } = naming
  const { proofPage: words, visibility } = wordsByLanguage[language]
  const { walletAddress, subjectWallet, createdAt, expiresAt, privacyLevel, publicDisplay, ipfs } = proof
  const isPrivate = privacyLevel === 'private'
  const { word, meaning } = visibility[isPrivate ? 'private' : publicDisplay ? 'listed' : 'unlisted']
  const note = isPrivate && reader === 'other' ? words.sharedWithYou : meaning
  return html`<dl class="facts">
${renderFact(words.who, renderShortened(walletAddress!, words.who))}${
  subjectWallet !== undefined && renderFact(words.about, renderShortened(subjectWallet, words.about))
}${renderFact(words.made, renderMoment(createdAt, language))}${
  expiresAt != null && renderFact(words.countsUntil, renderMoment(expiresAt, language))
}${reader !== 'link' && renderFact(visibility.who, html`${word}<span class="fact-note">${note}</span>`)}</dl>
${(proof.verifiedVerifiers ?? []).map((row, _, rows) =>
  renderRow(row, naming, { longestValue: Math.floor(longestValues / rows.length), isOnly: rows.length === 1 }),
)}
${typeof proof.publicContent?.content === 'string' && html`<h2>${words.content}</h2><pre class="code" data-copy="${words.copyContent}">${proof.publicContent.content}</pre>`}
${renderChains(proof, words, chains)}
${ipfs && html`<h2>${words.ipfs}</h2><dl class="facts">${renderFact(words.snapshot, ipfs.gateway ? html`<a href="${ipfs.gateway}" rel="noreferrer">${ipfs.cid}</a>` : ipfs.cid, true)}</dl>`}`
}

export const renderNames = ({ qHash, did }: ProofView, words: PageWords): Html =>
  html`<h2>${words.details}</h2><dl class="facts">${renderFact(words.id, renderShortened(qHash, words.id))}${did !== undefined && renderFact(words.did, renderShortened(did, words.did))}</dl>`

type Row = NonNullable<ProofView['verifiedVerifiers']>[number]

/** In characters: the longest value of a proof in one row, so that no page exceeds 2 MB. The API gives everything. */
const longestValues = 8_000

interface Shown {
  readonly longestValue: number
  /** The top of the page says what a proof of one claim does not say. */
  readonly isOnly: boolean
}

function renderRow(row: Row, { language, verifiers, chains }: Naming, { longestValue, isOnly }: Shown): Html {
  const { proofPage: words, factNames, truth } = wordsByLanguage[language]
  const { rowStates } = words
  const { title, names, doesNotSay } = findWords(verifiers, row.verifierId)
  const { verified, status, data } = row
  const state = verified ? rowStates.holds : (rowStates[status as keyof typeof rowStates] ?? rowStates.failed)
  return html`<h2>${words.state(title, state)}</h2>
${!isOnly && verified && doesNotSay !== undefined && html`<p class="quiet">${doesNotSay}</p>\n`}<dl class="facts">${renderEvidence(words, listFactLines(data as Readonly<Record<string, unknown>>, { names: [names, factNames], truth, chains, longestValue }), language)}</dl>`
}

/** More are not shown: the API gives all. */
const factsShown = 40

function renderEvidence(words: PageWords, lines: readonly FactLine[], language: Language): Html[] {
  const shown = lines
    .slice(0, factsShown)
    .map(({ name, value, at }) =>
      renderFact(
        name,
        at !== undefined ? renderMoment(at, language) : isDigits(value) ? renderShortened(value, name) : value,
      ),
    )
  if (lines.length <= factsShown) return shown
  return [...shown, renderFact(words.more, words.moreFacts(lines.length - factsShown, hasEveryLine(lines)))]
}

function renderChains(
  { hubTransaction, crosschain }: ProofView,
  words: PageWords,
  chains: ChainNames,
): Html | undefined {
  const states: Readonly<Record<string, string>> = words.chainStates
  const copies = Object.values(crosschain?.relayResults ?? {})
  const records = [
    ...(hubTransaction
      ? [{ chainId: hubTransaction.chainId, status: hubTransaction.status, hash: hubTransaction.txHash }]
      : []),
    ...copies.map(({ chainId, status, transactionHash }) => ({ chainId, status, hash: transactionHash })),
  ]
  if (records.length === 0) return undefined
  return html`<h2>${words.chains}</h2>
<dl class="facts">${records.map(({ chainId, status, hash }) =>
    renderFact(
      words.chain(describeChainId(chainId, chains)),
      html`${states[status] ?? status}${hash && html` ${renderShortened(hash, words.chain(describeChainId(chainId, chains)))}`}`,
    ),
  )}</dl>`
}
