/** /proof/{qHash}: a proof, as its reader may see it. Only copying, checking and the owner's actions need a script. */

import { computeCsrfToken, readSession } from '../auth/sessions/session.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { program } from '../executable.ts'
import { findGateOfPass } from '../gates/guests/pass-store.ts'
import { isOnList } from '../gates/guests/store.ts'
import type { Parts } from '../parts.ts'
import { listChainNames } from '../payments/public-chain.ts'
import { keepsPortable } from '../proofs/proof.ts'
import { makeOwnerTest, readProof } from '../proofs/read.ts'
import { findProof } from '../proofs/store.ts'
import type { ProofView } from '../proofs/view.ts'
import { isolateLine } from '../verifiers/phrases.ts'
import { cardSize } from './preview/card.ts'
import { writePreviewPath } from './preview/routes.ts'
import { renderFacts, renderNames } from './proof-facts.ts'
import { readState, renderHero, type State, writeStatement } from './proof-hero.ts'
import { renderQrCode } from './qr-code.ts'
import { renderRefusalPage } from './refusal.ts'
import { type Frame, type Html, html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { writeSignInRoot } from './sign-in-root.ts'
import type { Made } from './unusable.ts'
import { listPageWords } from './verifier-words.ts'
import { type Words, words as wordsByLanguage } from './words/words.ts'

const idForm = new RegExp(qHashPattern)

export async function renderProofPage(parts: Parts, request: Request, qHash: string): Promise<Made> {
  const frame = readFrame(parts, request)
  const allWords = wordsByLanguage[frame.language]
  const { proofPage: words, proofCheck } = allWords
  const proof = await findProofView(parts, request, qHash)
  const pass = proof || !idForm.test(qHash) ? undefined : await findGateOfPass(parts.db, qHash)
  if (pass)
    return renderPassPage(frame, await isOnList(parts.db, pass.gate, pass.wallet, parts.config.signing.hubChainId))
  if (!proof) {
    const gone = new AppError('NOT_FOUND', 'no proof with this id')
    return { status: 404, page: await renderRefusalPage(gone, { ...frame, lead: words.notFound }) }
  }
  const root = writeRoot(frame.path)
  const { authUrl, baseUrl } = parts.addresses()
  const session = await readSession(parts, request.headers)
  const isOwner =
    session !== undefined &&
    ((await (await parts.identify(request))?.listAccounts())?.some(await makeOwnerTest(parts, qHash)) ?? false)
  const mayAct = isOwner && proof.revokedAt === null
  const isMinimal = proof.walletAddress === undefined
  const portable = await findPortableForm(parts, proof)
  const verifiers = listPageWords(parts.catalog.known, frame.language)
  const state = readState(proof, words, frame.language)
  const statement = writeStatement(proof, words, verifiers)
  const host = new URL(baseUrl).host
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title: `${isolateLine(proof.title ?? statement)} · Proofgate`,
      description: words.description,
      head: renderPreview(words, {
        title: statement,
        state,
        host,
        address: `${authUrl}/proof/${proof.qHash}`,
        image:
          proof.privacyLevel === 'private' ? undefined : `${authUrl}${writePreviewPath(parts, proof, frame.language)}`,
      }),
      stylesheets: ['proof.css'],
      person: isOwner || (proof.privacyLevel === 'private' && !isMinimal) ? session?.profile.did : undefined,
      scripts: ['copy', ...(portable ? (['proof-check'] as const) : []), ...(mayAct ? (['proof'] as const) : [])],
      body: html`${renderHero(proof, words, { state, statement, host, language: frame.language, verifiers })}
${!isMinimal && proof.privacyLevel !== 'private' && renderCopyLink(`${authUrl}/proof/${proof.qHash}`, words)}
${mayAct && renderActions(proof, allWords, { root, csrf: computeCsrfToken(parts, session!) })}
${isMinimal ? renderMinimal(proof, words, { door: writeSignInRoot(parts, root), isSignedIn: session !== undefined, start: renderStartLink(root, allWords) }) : renderFacts(proof, { language: frame.language, verifiers, chains: listChainNames(parts.config), reader: isOwner ? 'owner' : 'other' })}
${renderNames(proof, words)}
${!isMinimal && renderUses(proof, words, { authUrl, root })}
${portable && renderCheck(proof, proofCheck, { baseUrl, api: isOwner && portable === 'kept' ? `${root}api/v1/` : undefined })}
${mayAct && renderRevoking(allWords.proofActions)}`,
    }),
  }
}

/** Tells neither the wallet nor the gate: an owner of the link may be a stranger to both. */
async function renderPassPage(frame: Frame, isValid: boolean): Promise<Made> {
  const { passPage: words } = wordsByLanguage[frame.language]
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title: `${words.title} · Proofgate`,
      body: html`<h1>${words.title}</h1>
<p class="notice${isValid ? '' : ' warning'}"><strong>${isValid ? words.valid : words.withdrawn}</strong></p>
<p>${isValid ? words.lead : words.withdrawnLead}</p>`,
    }),
  }
}

/** Undefined if the proof does not exist. Signed-in owners see their private proofs. */
async function findProofView(parts: Parts, request: Request, qHash: string): Promise<ProofView | undefined> {
  if (!idForm.test(qHash)) return undefined
  const identity = await parts.identify(request)
  try {
    const credentials = identity?.scopes.has('profile') ? { identity } : undefined
    return await readProof(parts, {
      qHash,
      credentials,
      latestScope: false,
      isPage: identity === undefined,
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Undefined if the proof has no portable form. For a reader who may not know the content, that stays hidden: the page
 * explains the check all the same.
 */
async function findPortableForm(
  { db }: Parts,
  { qHash, walletAddress }: ProofView,
): Promise<'made' | 'kept' | undefined> {
  if (walletAddress === undefined) return 'made'
  const record = (await findProof(db, qHash))?.record
  if (record?.notPortable !== undefined) return undefined
  return record && keepsPortable(record) ? 'kept' : 'made'
}

interface Preview {
  readonly title: string
  readonly state: State
  readonly host: string
  readonly address: string
  /** Undefined for a private proof, also where its owner reads the page. */
  readonly image: string | undefined
}

/** What a message or a post shows for the link (ogp.me). Of a private proof it says only that. */
function renderPreview(words: Words['proofPage'], { title, state, host, address, image }: Preview): Html {
  const isOfOther = state.label === words.states.imported
  const preview = (isOfOther ? words.previewImported : words.preview)(state.label, host)
  return html`<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${preview}">
<meta property="og:url" content="${address}">
${
  image !== undefined &&
  html`<meta property="og:image" content="${image}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${cardSize.width}">
<meta property="og:image:height" content="${cardSize.height}">
<meta property="og:image:alt" content="${`${title}. ${preview}`}">
<meta name="twitter:card" content="summary_large_image">
`
}`
}

/** For a page that shows its reader nothing. */
export const renderStartLink = (root: string, { refusalPage }: Pick<Words, 'refusalPage'>): Html =>
  html`<p><a class="button secondary" href="${root || './'}">${refusalPage.toStart}</a></p>`

const renderMinimal = (
  { qHash }: ProofView,
  words: Words['proofPage'],
  { door, isSignedIn, start }: { readonly door: string; readonly isSignedIn: boolean; readonly start: Html },
): Html =>
  html`<p>${
    isSignedIn
      ? words.notYours
      : words.isItYours(
          html`<a href="${door}login?returnTo=${encodeURIComponent(`/proof/${qHash}`)}">${words.signIn}</a>`,
        )
  }</p>
${start}`

const renderActions = (
  { qHash, walletAddress, privacyLevel }: ProofView,
  { proofActions: words, shareTimes }: Pick<Words, 'proofActions' | 'shareTimes'>,
  { root, csrf }: { readonly root: string; readonly csrf: string },
): Html => html`<section id="owner" data-api="${root}api/v1/" data-csrf="${csrf}" data-qhash="${qHash}" data-wallet="${walletAddress}" hidden>
<h2>${words.heading}</h2>
<p>${words.inDashboard(html`<a href="${root}?proof=${qHash}">${words.openInDashboard}</a>`, privacyLevel === 'private')}</p>
<div id="status" role="status"></div>
<div id="problem" role="alert"></div>
${
  privacyLevel === 'private' &&
  html`<details><summary>${words.share}</summary><div class="details-body">
<form id="share" novalidate>
<div class="field"><label for="viewer">${words.viewer}</label>
<input id="viewer" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="viewer-hint">
<p class="hint" id="viewer-hint">${words.viewerHint}</p></div>
<div class="field"><label for="until">${words.howLong}</label>
<select id="until">${Object.entries({ ...shareTimes, forever: words.forever }).map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></div>
<button class="button secondary" type="submit">${words.shareNow}</button>
</form></div></details>`
}
</section>
<noscript><p class="notice warning">${words.noScript}</p></noscript>`

/** At the end of the page. What comes of it is told there, beside the button. */
const renderRevoking = (
  words: Words['proofActions'],
): Html => html`<details id="revoking" hidden><summary>${words.revoke}</summary><div class="details-body">
<p>${words.revokeLead}</p>
<div id="revoking-status" role="status"></div>
<div id="revoking-problem" role="alert"></div>
<button class="button danger" type="button" id="revoke">${words.revokeNow}</button>
</div></details>`

/** The script "copy" shows the button, and copies the address. */
export const renderCopyLink = (address: string, words: Words['proofPage']): Html =>
  html`<p class="hero-action"><button class="button secondary" type="button" data-copy-link="${address}" hidden>${words.copyLink}</button></p>`

const renderUses = (
  { qHash }: ProofView,
  words: Words['proofPage'],
  { authUrl, root }: { readonly authUrl: string; readonly root: string },
): Html => html`<details><summary>${words.use}</summary><div class="details-body">
<h3>${words.link}</h3>
<pre class="code" data-copy="${words.copyLink}">${`${authUrl}/proof/${qHash}`}</pre>
<details><summary>${words.showQr}</summary><div class="details-body">
${renderQrCode(`${authUrl}/proof/${qHash}`, words.qr)}
<p class="hint">${words.qrHint}</p>
</div></details>
<h3>${words.badge}</h3>
<pre class="code" data-copy="${words.copyBadge}">${`<script type="module" src="${authUrl}/widget.js"></script>
<proof-badge q-hash="${qHash}"></proof-badge>`}</pre>
<p><a href="${root}api/v1/proofs/${qHash}">${words.json}</a></p>
</div></details>`

/** The check runs in the page (browser/proof-check.ts). Everything else is for those who trust no page. */
export const renderCheck = (
  { qHash }: ProofView,
  words: Words['proofCheck'],
  /** `api` is where the owner's kept copy comes from. */
  { baseUrl, api }: { readonly baseUrl: string; readonly api: string | undefined },
): Html => html`<details id="yourself"><summary>${words.heading}</summary><div class="details-body">
<p>${words.lead}</p>
<div id="check" data-qhash="${qHash}" hidden>
${
  api !== undefined &&
  html`<div class="field"><button class="button secondary" type="button" id="kept" data-api="${api}" aria-describedby="kept-hint">${words.checkKept}</button>
<p class="hint" id="kept-hint">${words.keptHint}</p></div>
`
}<div class="field"><label for="portable">${words.file}</label>
<input id="portable" type="file" accept=".json,application/json" aria-describedby="portable-hint">
<p class="hint" id="portable-hint">${words.fileHint}</p></div>
<div id="verdict" role="status"></div>
</div>
<noscript><p class="notice warning">${words.noScript}</p></noscript>
<p>${words.byCommand}</p>
<pre class="code" data-copy="${words.copyCommand}">${program} verify proof.json</pre>
<p>${words.byHand}</p>
<ol>
${words.steps.map((step) => html`<li>${step}</li>\n`)}</ol>
<p>${words.revokedSince}</p>
<pre class="code" data-copy="${words.copyCommand}">curl ${`${baseUrl}/api/v1/proofs/${qHash}`}</pre>
</div></details>`
