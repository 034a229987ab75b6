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
import { type Frame, type Html, html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas } from './sign-in-root.ts'
import { type Words, words as wordsByLanguage } from './words/words.ts'

export const claimPlace = '/operator/claim'

type LinkWords = Words['operatorLink']

/** Errors: NOT_FOUND for programs, where there is no link. */
export async function claimPage(parts: Parts, request: Request): Promise<string> {
  const frame = readFrame(parts, request)
  const words = wordsByLanguage[frame.language].operatorLink
  const root = writeRoot(frame.path)
  const session = await readSession(parts, request.headers)
  if (await isLinkOpen(parts)) return renderOpen(parts, frame, { words, root, session })
  if (!isForPeople(request)) throw makeUnknownPathError(frame.path)
  return renderEnded(frame, { words, root, isOperator: await isOperator(parts, session) })
}

const renderEnded = (
  frame: Frame,
  { words, root, isOperator: may }: { readonly words: LinkWords; readonly root: string; readonly isOperator: boolean },
): Promise<string> =>
  renderHtmlPage({
    ...frame,
    title: `${words.overTitle} · Proofgate`,
    scripts: ['claim'],
    body: html`<div id="claim" data-over>
<h1>${words.overTitle}</h1>
<p class="lead">${words.overLead}</p>
${
  may &&
  html`<p>${words.isOperator}</p>
<div class="actions"><a class="button" href="${root}operator">${words.open}</a></div>
`
}<p>${words.another}</p>
<pre class="code" data-copy="${words.copyCommand}">${program} operator link</pre>
<p>${words.after}</p>
${progressAreas}
</div>`,
  })

interface Open {
  readonly words: LinkWords
  readonly root: string
  readonly session: Session | undefined
}

const renderOpen = (parts: Parts, frame: Frame, { words, root, session }: Open): Promise<string> =>
  renderHtmlPage({
    ...frame,
    title: `${words.title} · Proofgate`,
    scripts: ['claim'],
    body: html`<div id="claim" data-program="${program}" data-api="${root}api/v1/operator/claim" data-next="${root}operator" data-sign-in="${writeSignInAddress(root)}"${session && html` data-csrf="${computeCsrfToken(parts, session)}"`}>
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${session ? renderSignedIn(session, words, root) : renderSignInLink(words, root)}
${progressAreas}
<noscript><div class="notice warning"><p>${words.noScript}</p></div></noscript>
</div>`,
  })

const renderSignInLink = (words: LinkWords, root: string): Html => html`<div id="ask"><p>${words.signInFirst}</p>
<div class="actions"><a class="button" href="${writeSignInAddress(root)}">${words.signIn}</a></div></div>`

const writeSignInAddress = (root: string): string => `${root}login?returnTo=${encodeURIComponent(claimPlace)}`

function renderSignedIn({ account, linkProof, profile }: Session, words: LinkWords, root: string): Html {
  const { wallet } = profile.primary
  const another = html`<a class="button secondary" href="${writeSignInAddress(root)}&amp;switch=1">${words.anotherWallet}</a>`
  return html`<dl class="facts"><div><dt>${words.wallet}</dt><dd class="address">${formatAccount(account)}</dd></div></dl>
${
  linkProof === null
    ? html`<div id="ask"><p>${words.usedUp}</p>
<div class="actions"><button class="button" type="button" id="accept">${words.accept}</button>${another}</div></div>`
    : html`<div class="notice warning"><p>${words.onlyLinked(html`<span class="address">${formatAccount(wallet)}</span>`)}</p></div>
<div class="actions">${another}</div>`
}`
}

const formatAccount = (account: string): string => (isEvmAddress(account) ? addChecksum(account) : account)
