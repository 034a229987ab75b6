/** /proof/{qHash}: a proof, as its reader may see it. Only the owner's actions need a script. */

import { computeCsrfToken, readSession } from '../auth/sessions/session.ts'
import { qHashPattern } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import { program } from '../executable.ts'
import type { Parts } from '../parts.ts'
import { makeOwnerTest, readProof } from '../proofs/read.ts'
import { findProof } from '../proofs/store.ts'
import type { ProofView } from '../proofs/view.ts'
import { defaultLanguage } from '../web/languages.ts'
import { hasEveryLine, isDigits, listFactLines } from './fact-lines.ts'
import { renderRefusalPage } from './refusal.ts'
import { type Html, html, type Inserted, renderHtmlPage, writeRoot } from './shell.ts'
import { writeSignInRoot } from './sign-in-root.ts'
import type { Made } from './unusable.ts'
import { describeState, findWords, listPageWords, type WordsById } from './verifier-words.ts'

const idForm = new RegExp(qHashPattern)

export async function renderProofPage(parts: Parts, request: Request, qHash: string): Promise<Made> {
  const { pathname } = new URL(request.url)
  const { authUrl } = parts.addresses()
  const proof = await findProofView(parts, request, qHash)
  if (!proof) {
    const gone = new AppError('NOT_FOUND', `there is no proof of this id here: check that the whole address was copied`)
    return { status: 404, page: await renderRefusalPage(gone, { path: pathname, language: defaultLanguage }) }
  }
  const root = writeRoot(pathname)
  const session = await readSession(parts, request.headers)
  const isOwner =
    session !== undefined &&
    ((await (await parts.identify(request))?.listAccounts())?.some(await makeOwnerTest(parts, qHash)) ?? false)
  const mayAct = isOwner && proof.revokedAt === null
  const isMinimal = proof.walletAddress === undefined
  const words = listPageWords(parts.catalog.known, defaultLanguage)
  const title = isMinimal ? 'A private proof' : writeTitle(proof, words)
  const csrf = session && computeCsrfToken(parts, session)
  return {
    status: 200,
    page: await renderHtmlPage({
      path: pathname,
      host: new URL(authUrl).host,
      title: `${title} · Proofgate`,
      description: 'A proof that was made on this Proofgate server.',
      scripts: mayAct ? ['copy', 'proof'] : ['copy'],
      body: html`<h1>${title}</h1>
${renderState(proof)}
${isMinimal ? renderMinimal(proof, { door: writeSignInRoot(parts, root), isSignedIn: session !== undefined }) : renderWhole(proof, words)}
${mayAct && renderActions(proof, { root, csrf: csrf! })}
${(await hasPortableForm(parts, proof)) && renderVerifyYourself(proof, parts.addresses().baseUrl)}`,
    }),
  }
}

/** Undefined if the proof does not exist. Signed-in owners see their private proofs. */
async function findProofView(parts: Parts, request: Request, qHash: string): Promise<ProofView | undefined> {
  if (!idForm.test(qHash)) return undefined
  const identity = await parts.identify(request)
  try {
    const credentials = identity?.scopes.has('profile') ? { identity } : undefined
    return await readProof(parts, { qHash, credentials, latestScope: false })
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** False if the reader may not know the content: the portable form of a private proof stays hidden. */
const hasPortableForm = async ({ db }: Parts, { qHash, walletAddress }: ProofView): Promise<boolean> =>
  walletAddress === undefined || (await findProof(db, qHash))?.record.notPortable === undefined

const writeTitle = ({ title, verifierIds = [] }: ProofView, words: WordsById): string =>
  title ?? (verifierIds.length === 1 ? findWords(words, verifierIds[0]!).title : 'A proof of several claims')

/** UTC, because the server renders the page and does not know the reader's time zone. */
export const renderMoment = (ms: number): Html => {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}

function renderState(proof: ProofView): Html {
  const { status, revokedAt, revokedReason, expiresAt, final } = proof
  if (revokedReason === 'REORGANISED')
    return html`<p class="notice danger">The block that this proof was read from was replaced on its chain, and the claim did not hold when it was read again. It counts nowhere${revokedAt == null && html` unless its transaction comes back`}.</p>`
  if (status === 'revoked')
    return html`<p class="notice danger">Its owner revoked this proof${revokedAt != null && html`, on ${renderMoment(revokedAt)}`}. It counts nowhere any more.</p>`
  if (status === 'expired')
    return html`<p class="notice warning">This proof has expired${expiresAt != null && html`, on ${renderMoment(expiresAt)}`}. It counts nowhere any more.</p>`
  if (status === 'partially_verified')
    return html`<p class="notice warning">Some of what this proof claims holds, and some does not: see below.</p>`
  return html`<p class="notice">This server checked what this proof claims, and found that it held.${final === false && html` The block that it was read from is not final yet: until then it may be replaced, and is watched.`}</p>`
}

const renderFact = (name: string, value: Inserted, isAddress = false): Html =>
  html`<div><dt>${name}</dt><dd${isAddress && html` class="address"`}>${value}</dd></div>
`

const renderMinimal = (
  { createdAt, qHash }: ProofView,
  { door, isSignedIn }: { readonly door: string; readonly isSignedIn: boolean },
): Html => html`<p class="lead">Its owner keeps it private. Others see that it exists, and whether it stands.</p>
<dl class="facts">${renderFact('Made', renderMoment(createdAt))}${renderFact('Id', qHash, true)}</dl>
<p>${
  isSignedIn
    ? 'Nothing of it belongs to the wallet that you are signed in with, and it was not shared with that wallet.'
    : html`Is it yours, or was it shared with your wallet? <a href="${door}login?returnTo=${encodeURIComponent(`/proof/${qHash}`)}">Sign in</a> to see it.`
}</p>`

function renderWhole(proof: ProofView, words: WordsById): Html {
  const { qHash, walletAddress, subjectWallet, did, createdAt, expiresAt, privacyLevel, publicDisplay, ipfs } = proof
  const who = privacyLevel === 'private' ? 'its owner, and whom it is shared with' : 'everybody'
  return html`<dl class="facts">
${renderFact('Wallet', walletAddress, true)}${
  subjectWallet !== undefined && renderFact('About the wallet', subjectWallet, true)
}${renderFact('Made', renderMoment(createdAt))}${expiresAt != null && renderFact('Counts until', renderMoment(expiresAt))}${renderFact(
  'Seen by',
  publicDisplay ? `${who}; it is listed under its wallet` : who,
)}</dl>
${(proof.verifiedVerifiers ?? []).map((row, _, rows) => renderRow(row, words, Math.floor(longestValues / rows.length)))}
${typeof proof.publicContent?.content === 'string' && html`<h2>The content</h2><pre class="code" data-copy="Copy the content">${proof.publicContent.content}</pre>`}
${renderChains(proof)}
${ipfs && html`<h2>On IPFS</h2><dl class="facts">${renderFact('Snapshot', ipfs.gateway ? html`<a href="${ipfs.gateway}" rel="noreferrer">${ipfs.cid}</a>` : ipfs.cid, true)}</dl>`}
<h2>Names of this proof</h2>
<dl class="facts">${renderFact('Id', qHash, true)}${renderFact('DID of the wallet', did, true)}</dl>`
}

type Row = NonNullable<ProofView['verifiedVerifiers']>[number]

/** In characters: the longest value of a proof in one row, so that no page exceeds 2 MB. The API gives everything. */
const longestValues = 8_000

function renderRow({ verifierId, verified, status, data }: Row, words: WordsById, longestValue: number): Html {
  const { title } = findWords(words, verifierId)
  return html`<h2>${title}: ${describeState({ verified, status })}</h2>
<dl class="facts">${renderFacts(data as Readonly<Record<string, unknown>>, longestValue)}</dl>`
}

/** More are not shown: the API gives all. */
const factsShown = 40

function renderFacts(data: Readonly<Record<string, unknown>>, longestValue: number): Html[] {
  const lines = listFactLines(data, longestValue)
  const shown = lines
    .slice(0, factsShown)
    .map(({ name, value, at }) => renderFact(name, at === undefined ? value : renderMoment(at), isDigits(value)))
  if (lines.length <= factsShown) return shown
  const more = `${lines.length - factsShown} members${hasEveryLine(lines) ? '' : ', or more'}`
  return [...shown, renderFact('And more', more)]
}

const chainWords: Readonly<Record<string, string>> = {
  waiting: 'waits to be sent',
  sent: 'sent, not yet in a block',
  mined: 'in a block, not yet final',
  confirmed: 'final',
  failed: 'failed',
}

function renderChains({ hubTransaction, crosschain }: ProofView): Html | undefined {
  const copies = Object.values(crosschain?.relayResults ?? {})
  const records = [
    ...(hubTransaction
      ? [{ chainId: hubTransaction.chainId, status: hubTransaction.status, hash: hubTransaction.txHash }]
      : []),
    ...copies.map(({ chainId, status, transactionHash }) => ({ chainId, status, hash: transactionHash })),
  ]
  if (records.length === 0) return undefined
  return html`<h2>On chains</h2>
<dl class="facts">${records.map(({ chainId, status, hash }) => renderFact(`Chain ${chainId}`, html`${chainWords[status] ?? status}${hash && html` <span class="address">${hash}</span>`}`))}</dl>`
}

const renderActions = (
  { qHash, walletAddress, privacyLevel }: ProofView,
  { root, csrf }: { readonly root: string; readonly csrf: string },
): Html => html`<section id="owner" data-api="${root}api/v1/" data-csrf="${csrf}" data-qhash="${qHash}" data-wallet="${walletAddress}" hidden>
<h2>This proof is yours</h2>
<p><a href="${root}?proof=${qHash}">Open it in the dashboard</a>: whom it is shared with, and its portable form where it is kept.</p>
<div id="status" role="status"></div>
<div id="problem" role="alert"></div>
${
  privacyLevel === 'private' &&
  html`<details><summary>Share it with another wallet</summary><div class="details-body">
<form id="share" novalidate>
<div class="field"><label for="viewer">Wallet that may read it</label>
<input id="viewer" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="viewer-hint">
<p class="hint" id="viewer-hint">Whoever has that wallet sees everything that you see here.</p></div>
<div class="field"><label for="until">For how long</label>
<select id="until"><option value="900">15 minutes</option><option value="86400">A day</option><option value="2592000">30 days</option><option value="forever">Until it is revoked</option></select></div>
<button class="button secondary" type="submit">Share</button>
</form></div></details>`
}
<details><summary>Revoke it</summary><div class="details-body">
<p>A revoked proof counts nowhere, and cannot be brought back. Its id stays known.</p>
<button class="button danger" type="button" id="revoke">Revoke this proof</button>
</div></details>
</section>
<noscript><p class="notice warning">Sharing and revoking need scripts, which are switched off in this browser.</p></noscript>`

const renderVerifyYourself = (
  { qHash, walletAddress }: ProofView,
  baseUrl: string,
): Html => html`<h2>Verify it yourself</h2>
<p>${
  walletAddress === undefined
    ? 'Whoever holds a portable form of this proof (a file that its maker was given) can check it without asking this server:'
    : 'Whoever made this proof was given its portable form, a file. It can be checked without asking this server:'
}</p>
<pre class="code" data-copy="Copy the command">${program} verify proof.json</pre>
<p>That is three steps, for which any other tool does as well (CAIP-380):</p>
<ol>
<li>Write the six lines that were signed: title, wallet, chain, verifiers, the data as canonical JSON, the time.</li>
<li>See whether the signature is that of the wallet over these lines.</li>
<li>See whether the id of the proof comes out of wallet, verifiers, data, time and chain.</li>
</ol>
<p>Whether it was revoked since, this server says:</p>
<pre class="code" data-copy="Copy the command">curl ${`${baseUrl}/api/v1/proofs/${qHash}`}</pre>`
