/** /operator/claim: where the one-time link leads. The page is there while there is such a link, and for nobody else. */

import { computeCsrfToken, readSession } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import { addChecksum } from '../auth/sign-in/message.ts'
import { program } from '../executable.ts'
import { makeUnknownPathError } from '../http/refusal.ts'
import { isLinkOpen } from '../operator/link.ts'
import type { Parts } from '../parts.ts'
import { isEvmAddress } from '../wallet/account.ts'
import { type Html, html, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas } from './sign-in-root.ts'

export const claimPlace = '/operator/claim'

/** Errors: NOT_FOUND. */
export async function claimPage(parts: Parts, request: Request): Promise<string> {
  const { pathname } = new URL(request.url)
  if (!(await isLinkOpen(parts))) throw makeUnknownPathError(pathname)
  const root = writeRoot(pathname)
  const session = await readSession(parts, request.headers)
  return renderHtmlPage({
    path: pathname,
    host: new URL(parts.addresses().authUrl).host,
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
}

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
