/** /shared?link=…: a private proof, for everybody who has the link. The token stands in the query, which no log has. */

import type { Parts } from '../parts.ts'
import { listChainNames } from '../payments/public-chain.ts'
import { openShareLink } from '../proofs/share-link.ts'
import { renderMoment } from './moment.ts'
import { renderCheck, renderCopyLink, renderStartLink } from './proof.ts'
import { renderFacts } from './proof-facts.ts'
import { readState, renderHero, writeStatement } from './proof-hero.ts'
import { html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import type { Made } from './unusable.ts'
import { listPageWords } from './verifier-words.ts'
import { words as wordsByLanguage } from './words/words.ts'

/** A message or a post that shows the link gets no more than this, and no search engine keeps it. */
const head = html`<meta name="robots" content="noindex, nofollow">\n`

/** One answer for links that are unknown, ended, revoked, or of a proof that is gone. */
export async function renderSharedProof(parts: Parts, request: Request): Promise<Made> {
  const frame = readFrame(parts, request)
  const allWords = wordsByLanguage[frame.language]
  const { sharedPage: words, proofPage, proofCheck } = allWords
  const token = new URL(request.url).searchParams.get('link') ?? ''
  const shared = await openShareLink(parts, token, { readsHeadersOnly: request.method === 'HEAD' })
  const title = `${words.title} · Proofgate`
  if (!shared)
    return {
      status: 404,
      page: await renderHtmlPage({
        ...frame,
        query: '',
        title,
        head,
        body: html`<h1>${words.gone}</h1>
<p class="lead">${words.goneText}</p>
${renderStartLink(writeRoot(frame.path), allWords)}`,
      }),
    }
  const { view, until } = shared
  const { authUrl, baseUrl } = parts.addresses()
  const verifiers = listPageWords(parts.catalog.known, frame.language)
  const state = readState(view, proofPage, frame.language)
  const statement = writeStatement(view, proofPage, verifiers)
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title,
      head,
      stylesheets: ['proof.css'],
      scripts: ['copy', 'proof-check'],
      body: html`<p class="notice info">${words.until(renderMoment(until, frame.language))}</p>
${renderHero(view, proofPage, { state, statement, host: new URL(baseUrl).host, language: frame.language, verifiers })}
${renderCopyLink(`${authUrl}/shared?${new URLSearchParams({ link: token })}`, proofPage)}
${renderFacts(view, { language: frame.language, verifiers, chains: listChainNames(parts.config), reader: 'link' })}
${renderCheck(view, proofCheck, { baseUrl, api: undefined })}`,
    }),
  }
}
