/**
 * /operator/claim: where the one-time link leads. Without a link that is open, the page says that links work once and how
 * to get another: to everybody, because the token does not reach the server before it is used.
 */

import { computeCsrfToken, readSession } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import { addChecksum } from '../auth/sign-in/message.ts'
import { program } from '../executable.ts'
import { makeUnknownPathError } from '../http/refusal.ts'
import { isLinkOpen } from '../operator/link.ts'
import { isOperator } from '../operator/operator.ts'
import type { Parts } from '../parts.ts'
import { isEvmAddress } from '../wallet/account.ts'
import { isForPeople } from './refusal.ts'
import { type Html, html, type Page, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas } from './sign-in-root.ts'

export const claimPlace = '/operator/claim'

const overWords = {
  title: 'This link no longer works',
  lead: 'A link for an operator works once. This one was used, replaced by a newer one, or is too old.',
  isOperator: 'Your wallet is an operator of this server already.',
  open: 'Open the operator pages',
  another: 'To get another link, run this where the server runs:',
  copy: 'Copy the command',
  after: 'Then open the link that it prints, and sign in.',
}

/** Errors: NOT_FOUND for programs, where there is no link. */
export async function claimPage(parts: Parts, request: Request): Promise<string> {
  const { pathname } = new URL(request.url)
  const root = writeRoot(pathname)
  const session = await readSession(parts, request.headers)
  const frame = { path: pathname, host: new URL(parts.addresses().authUrl).host }
  if (await isLinkOpen(parts)) return renderOpen(parts, frame, root, session)
  if (!isForPeople(request)) throw makeUnknownPathError(pathname)
  return renderOver(frame, root, await isOperator(parts, session))
}

const renderOver = (frame: Pick<Page, 'path' | 'host'>, root: string, isOperatorHere: boolean): Promise<string> =>
  renderHtmlPage({
    ...frame,
    title: `${overWords.title} · Proofgate`,
    scripts: ['claim'],
    body: html`<div id="claim" data-over>
<h1>${overWords.title}</h1>
<p class="lead">${overWords.lead}</p>
${
  isOperatorHere &&
  html`<p>${overWords.isOperator}</p>
<div class="actions"><a class="button" href="${root}operator">${overWords.open}</a></div>
`
}<p>${overWords.another}</p>
<pre class="code" data-copy="${overWords.copy}">${program} operator link</pre>
<p>${overWords.after}</p>
${progressAreas}
</div>`,
  })

const renderOpen = (
  parts: Parts,
  frame: Pick<Page, 'path' | 'host'>,
  root: string,
  session: Session | undefined,
): Promise<string> =>
  renderHtmlPage({
    ...frame,
    title: 'Become the operator · Proofgate',
    scripts: ['claim'],
    body: html`<div id="claim" data-program="${program}" data-api="${root}api/v1/operator/claim" data-next="${root}operator"${session && html` data-csrf="${computeCsrfToken(parts, session)}"`}>
<h1>Become the operator</h1>
<p class="lead">The operator of this server sees its health, its limits, its audit log and its numbers in the dashboard.</p>
${session ? renderSignedIn(session, root) : renderSignInLink(root)}
${progressAreas}
<noscript><div class="notice warning"><p>The link is read by a script, and scripts are switched off in this browser. Switch them on for this page and open the link again.</p></div></noscript>
</div>`,
  })

const renderSignInLink = (
  root: string,
): Html => html`<div id="ask"><p>First sign in with the wallet that is to be the operator. Then you come back here.</p>
<div class="actions"><a class="button" href="${writeSignInAddress(root)}">Sign in with a wallet</a></div></div>`

const writeSignInAddress = (root: string): string => `${root}login?returnTo=${encodeURIComponent(claimPlace)}`

function renderSignedIn({ account, linkProof, profile }: Session, root: string): Html {
  const { wallet } = profile.primary
  const another = html`<a class="button secondary" href="${writeSignInAddress(root)}&amp;switch=1">Use another wallet</a>`
  return html`<dl class="facts"><div><dt>Wallet</dt><dd class="address">${formatAccount(account)}</dd></div></dl>
${
  linkProof === null
    ? html`<div id="ask"><p>The link is used up by this. Others become operators by a new one, or by the configuration.</p>
<div class="actions"><button class="button" type="button" id="accept">Make this wallet the operator</button>${another}</div></div>`
    : html`<div class="notice warning"><p>This wallet is only linked to the one that would be the operator. Sign in with <span class="address">${formatAccount(wallet)}</span>, or with a wallet that is linked to none.</p></div>
<div class="actions">${another}</div>`
}`
}

const formatAccount = (account: string): string => (isEvmAddress(account) ? addChecksum(account) : account)
