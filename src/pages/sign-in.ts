/**
 * /verify and /login: signing in with a wallet. The page states its purpose; browser/sign-in.ts finds the wallets and
 * signs in through /api/v1/auth.
 */

import { computeCsrfToken, readSession } from '../auth/sessions/session.ts'
import { addChecksum } from '../auth/sign-in/message.ts'
import { program } from '../executable.ts'
import { addParameters } from '../http/return-url.ts'
import type { Parts } from '../parts.ts'
import { isEvmAddress } from '../wallet/account.ts'
import { type Destination, readLoginDestination } from './destination.ts'
import { isReturnTo, leadsToConsent } from './return-to.ts'
import { type Frame, type Html, html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas, renderPhonePlace, renderWalletChoice, renderWithoutScripts } from './sign-in-root.ts'
import { type PageWithOpener, renderUnusable } from './unusable.ts'
import { listPlaces } from './verify.ts'
import { type Words, words as wordsByLanguage } from './words/words.ts'

type SignInWords = Words['signInPage']

/** For `intent=login` and `intent=mcp`, and for /login. For /verify without an intent, see verify.ts. */
export async function signInPage(parts: Parts, request: Request): Promise<PageWithOpener> {
  const { pathname, searchParams } = new URL(request.url)
  const { authUrl } = parts.addresses()
  const frame = readFrame(parts, request)
  const words = wordsByLanguage[frame.language]
  const { faults } = words.signInPage

  const repeated = [
    'intent',
    'returnTo',
    'returnUrl',
    'mode',
    'origin',
    'state',
    'code_challenge',
    'code_challenge_method',
  ].find((name) => searchParams.getAll(name).length > 1)
  if (repeated !== undefined) return renderFault(frame, faults.repeated(repeated))
  const returnTo = searchParams.get('returnTo') ?? undefined
  if (returnTo !== undefined && !isReturnTo(returnTo)) return renderFault(frame, faults.foreignReturn)
  const intent = searchParams.get('intent') ?? 'login'
  const agent = [...searchParams.keys()].find((name) => /^(agent[A-Z]|controllerWallet$|prefill)/.test(name))
  if (agent !== undefined && intent === 'login') return renderFault(frame, faults.agent)
  if (intent !== 'login' && intent !== 'mcp') return renderFault(frame, faults.unknownIntent)

  const forApplication = intent === 'mcp' || leadsToConsent(returnTo)
  const asked = forApplication ? nowhere : readLoginDestination(searchParams, listPlaces(parts))
  if ('fault' in asked) return renderFault(frame, `${asked.fault.parameter} ${asked.fault.why}`)
  if (returnTo !== undefined && (asked.returnUrl ?? asked.popup) !== undefined)
    return renderFault(frame, faults.twoPlaces)

  const session = await readSession(parts, request.headers)
  const root = writeRoot(pathname)
  const next = returnTo === undefined ? undefined : `${root}${returnTo.slice(1)}` || './'
  // With an intent or a switch of the wallet, a site or another tab waits for the person.
  const leadsToDashboard =
    !session &&
    !['intent', 'switch'].some((name) => searchParams.has(name)) &&
    (asked.returnUrl ?? asked.popup) === undefined
  const nextOnceSignedIn = next ?? (leadsToDashboard ? root || './' : undefined)
  const body = html`<div id="page" data-api="${root}api/v1/auth/" data-home="${authUrl}${pathname.replace(/\/$/, '')}"
${nextOnceSignedIn !== undefined && html` data-next="${nextOnceSignedIn}"`}${searchParams.get('connect') === '1' && html` data-connect`}>
${session ? renderSignedIn({ words: words.signInPage, account: session.account, csrf: computeCsrfToken(parts, session), next, root, forApplication, asked, brand: parts.config.brand }) : renderIntroduction(words.signInPage, { forApplication, asked })}
${renderWithoutScripts(words.walletChoice)}
${progressAreas}
${renderPhonePlace({ root, purpose: 'sign-in', site: asked.popup ?? asked.returnUrl })}
${renderWayIn(words, { authUrl, isSecond: session !== undefined && searchParams.get('switch') !== '1' })}
</div>`
  const { title, appTitle, signedIn, description } = words.signInPage
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title: `${session ? signedIn : forApplication ? appTitle : title} · Proofgate`,
      description,
      scripts: ['sign-in'],
      body,
    }),
    keepsOpener: asked.popup !== undefined,
  }
}

/** For an application, the consent page names the destination. */
const nowhere: Destination = { returnUrl: undefined, popup: undefined, state: undefined, handover: undefined }

interface Introduced {
  readonly forApplication: boolean
  readonly asked: Destination
}

function renderIntroduction(words: SignInWords, { forApplication, asked }: Introduced): Html {
  const { popup, returnUrl, handover } = asked
  if (forApplication)
    return html`<h1>${words.appTitle}</h1>
<p class="lead">${words.appLead}</p>`
  return html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${popup !== undefined && html`<p>${words.siteAsks(renderHost(popup))}</p>`}
${popup === undefined && returnUrl !== undefined && html`<p>${(handover ? words.siteAsksWho : words.siteOnly)(renderHost(returnUrl))}</p>`}`
}

const readHost = (address: string): string => new URL(address).host

const renderHost = (address: string): Html => html`<strong>${readHost(address)}</strong>`

interface SignedIn {
  readonly words: SignInWords
  readonly account: string
  readonly csrf: string
  readonly next: string | undefined
  /** From this page to the root of the server. */
  readonly root: string
  readonly forApplication: boolean
  readonly asked: Destination
  readonly brand: string
}

const renderSignedIn = ({
  words,
  account,
  csrf,
  next,
  root,
  forApplication,
  asked: { popup, returnUrl, state, handover },
  brand,
}: SignedIn): Html => html`<h1>${words.youAreSignedIn}</h1>
${forApplication && html`<p class="lead">${words.signedInAppLead}</p>`}
<dl class="facts"><div><dt>${words.wallet}</dt><dd class="address">${isEvmAddress(account) ? addChecksum(account) : account}</dd></div></dl>
${popup !== undefined && html`<p>${words.siteGets(renderHost(popup), handover !== undefined)}</p>`}
${popup === undefined && returnUrl !== undefined && html`<p>${(handover ? words.siteGetsWho : words.siteOnly)(renderHost(returnUrl))}</p>`}
<div class="actions">
${popup !== undefined && html`<button class="button" type="button" id="tell" data-origin="${popup}" data-type="${brand}_login_complete" data-account="${account}" ${handover && html`data-handover="${JSON.stringify(handover)}" data-csrf="${csrf}"`} ${state !== undefined && html`data-state="${state}"`} hidden>${words.tell(readHost(popup))}</button>`}
${popup === undefined && returnUrl !== undefined && handover && html`<button class="button" type="button" id="hand-over" data-handover="${JSON.stringify(handover)}" data-csrf="${csrf}" ${state !== undefined && html`data-state="${state}"`} hidden>${words.tellWho(readHost(returnUrl))}</button>`}
${popup === undefined && returnUrl !== undefined && html`<a class="button ${handover && 'secondary'}" id="go-on" href="${addParameters(returnUrl, { ...(handover ? { error: 'access_denied' } : {}), state })}" rel="noreferrer">${handover ? words.goOnSilently : words.goOnTo(readHost(returnUrl))}</a>`}
${next !== undefined && html`<a class="button" href="${next}">${words.continue}</a>`}
${next === undefined && !forApplication && (popup ?? returnUrl) === undefined && html`<a class="button" href="${root || './'}">${words.toDashboard}</a>`}
<button class="button secondary" type="button" id="sign-out" data-csrf="${csrf}" hidden>${words.signOut}</button>
<button class="button secondary" type="button" id="another" aria-expanded="false" aria-controls="way-in" hidden>${words.anotherWallet}</button>
</div>`

/** The part that the script fills in. Hidden without the script, and below the signed-in view until it is requested. */
function renderWayIn(
  { signInPage: words, walletChoice }: Words,
  { authUrl, isSecond }: { readonly authUrl: string; readonly isSecond: boolean },
): Html {
  return html`<div id="way-in" hidden${isSecond && html` data-second`}>
${renderWalletChoice({ words: walletChoice, authUrl })}
<section aria-labelledby="other-heading">
<h2 id="other-heading">${words.withoutWallet}</h2>
<details id="by-command">
<summary>${words.byCommand}</summary>
<div class="details-body">
<p>${words.byCommandHelp(html`<code>pgs_</code>`)}</p>
<pre class="code" data-copy="${words.copyCommand}">${program} sign --url ${authUrl}</pre>
<form id="token-form" novalidate>
<div class="field"><label for="token">${words.printed}</label>
<textarea id="token" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="token-hint"></textarea>
<p class="hint" id="token-hint">${words.printedHint}</p></div>
<button class="button" type="submit">${words.title}</button>
</form>
</div>
</details>
<details id="by-hand">
<summary>${words.byHand}</summary>
<div class="details-body">
<form id="address-form" novalidate>
<div class="field"><label for="address">${words.address}</label>
<input id="address" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="address-hint">
<p class="hint" id="address-hint">${words.addressHint}</p></div>
<button class="button secondary" type="submit">${words.showText}</button>
</form>
<form id="signature-form" novalidate hidden>
<h3 id="text-heading" tabindex="-1">${words.signExactly}</h3>
<pre class="code" id="text" data-copy="${words.copyText}"></pre>
<div class="field"><label for="signature">${words.signature}</label>
<textarea id="signature" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="signature-hint"></textarea>
<p class="hint" id="signature-hint">${words.signatureHint}</p></div>
<button class="button" type="submit">${words.title}</button>
</form>
</div>
</details>
</section>
</div>`
}

const renderFault = async (frame: Frame, why: string): Promise<PageWithOpener> => ({
  ...(await renderUnusable(frame, why, {
    href: `${writeRoot(frame.path)}login`,
    text: wordsByLanguage[frame.language].signInPage.withoutLink,
  })),
  keepsOpener: false,
})
