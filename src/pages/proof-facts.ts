/** The facts of a proof: who and what first, then everything. */
import type { ProofView } from '../proofs/view.ts'
import { type FactLine, hasEveryLine, isDigits, listFactLines } from './fact-lines.ts'
import { renderFact, renderMoment, renderShortened } from './fact-markup.ts'
import { type Html, html } from './shell.ts'
import { findWords, type WordsById } from './verifier-words.ts'
import type { Words } from './words/words.ts'

type PageWords = Words['proofPage']

export function renderFacts(proof: ProofView, { proofPage: words, factNames }: Words, verifiers: WordsById): Html {
  const { walletAddress, subjectWallet, createdAt, expiresAt, privacyLevel, publicDisplay, ipfs } = proof
  const seenBy = privacyLevel === 'private' ? words.onlyOwner : publicDisplay ? words.listed : words.everyone
  return html`<dl class="facts">
${renderFact(words.who, renderShortened(walletAddress!, words.who))}${
  subjectWallet !== undefined && renderFact(words.about, renderShortened(subjectWallet, words.about))
}${renderFact(words.made, renderMoment(createdAt))}${
  expiresAt != null && renderFact(words.countsUntil, renderMoment(expiresAt))
}${renderFact(words.visibility, seenBy)}</dl>
${(proof.verifiedVerifiers ?? []).map((row, _, rows) =>
  renderRow(row, words, { verifiers, factNames, longestValue: Math.floor(longestValues / rows.length) }),
)}
${typeof proof.publicContent?.content === 'string' && html`<h2>${words.content}</h2><pre class="code" data-copy="${words.copyContent}">${proof.publicContent.content}</pre>`}
${renderChains(proof, words)}
${ipfs && html`<h2>${words.ipfs}</h2><dl class="facts">${renderFact(words.snapshot, ipfs.gateway ? html`<a href="${ipfs.gateway}" rel="noreferrer">${ipfs.cid}</a>` : ipfs.cid, true)}</dl>`}`
}

export const renderNames = ({ qHash, did }: ProofView, words: PageWords): Html =>
  html`<dl class="facts">${renderFact(words.id, renderShortened(qHash, words.id))}${did !== undefined && renderFact(words.did, renderShortened(did, words.did))}</dl>`

type Row = NonNullable<ProofView['verifiedVerifiers']>[number]

/** In characters: the longest value of a proof in one row, so that no page exceeds 2 MB. The API gives everything. */
const longestValues = 8_000

interface Shown {
  readonly verifiers: WordsById
  readonly factNames: Words['factNames']
  readonly longestValue: number
}

function renderRow(row: Row, words: PageWords, { verifiers, factNames, longestValue }: Shown): Html {
  const { rowStates } = words
  const { title, names } = findWords(verifiers, row.verifierId)
  const { verified, status, data } = row
  const state = verified ? rowStates.holds : (rowStates[status as keyof typeof rowStates] ?? rowStates.failed)
  return html`<h2>${words.state(title, state)}</h2>
<dl class="facts">${renderEvidence(words, listFactLines(data as Readonly<Record<string, unknown>>, { names: [names, factNames], longestValue }))}</dl>`
}

/** More are not shown: the API gives all. */
const factsShown = 40

function renderEvidence(words: PageWords, lines: readonly FactLine[]): Html[] {
  const shown = lines
    .slice(0, factsShown)
    .map(({ name, value, at }) =>
      renderFact(name, at !== undefined ? renderMoment(at) : isDigits(value) ? renderShortened(value, name) : value),
    )
  if (lines.length <= factsShown) return shown
  return [...shown, renderFact(words.more, words.moreFacts(lines.length - factsShown, hasEveryLine(lines)))]
}

function renderChains({ hubTransaction, crosschain }: ProofView, words: PageWords): Html | undefined {
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
      words.chain(chainId),
      html`${states[status] ?? status}${hash && html` ${renderShortened(hash, words.chain(chainId))}`}`,
    ),
  )}</dl>`
}
