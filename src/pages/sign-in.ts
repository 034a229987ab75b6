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
import { type Html, html, renderHtmlPage, writeRoot } from './shell.ts'
import { progressAreas, walletChoice, withoutScripts } from './sign-in-root.ts'
import { type Frame, type PageWithOpener, renderUnusable } from './unusable.ts'
import { listPlaces } from './verify.ts'

/** For `intent=login` and `intent=mcp`, and for /login. For /verify without an intent, see verify.ts. */
export async function signInPage(parts: Parts, request: Request): Promise<PageWithOpener> {
  const { pathname, searchParams } = new URL(request.url)
  const { authUrl } = parts.addresses()
  const frame = { path: pathname, host: new URL(authUrl).host } as const

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
  if (repeated !== undefined) return renderFault(frame, `it says ${repeated} more than once`)
  const returnTo = searchParams.get('returnTo') ?? undefined
  if (returnTo !== undefined && !isReturnTo(returnTo))
    return renderFault(frame, 'it would send you on to an address that does not belong to this server’s sign-in')
  const intent = searchParams.get('intent') ?? 'login'
  const agent = [...searchParams.keys()].find((name) => /^(agent[A-Z]|controllerWallet$|prefill)/.test(name))
  if (agent !== undefined && intent === 'login')
    return renderFault(frame, 'it sets up an agent and asks for no more than signing in')
  if (intent !== 'login' && intent !== 'mcp')
    return renderFault(frame, 'it asks for something that this page does not do')

  const forApplication = intent === 'mcp' || leadsToConsent(returnTo)
  const asked = forApplication ? nowhere : readLoginDestination(searchParams, listPlaces(parts))
  if ('fault' in asked) return renderFault(frame, `${asked.fault.parameter} ${asked.fault.why}`)
  if (returnTo !== undefined && (asked.returnUrl ?? asked.popup) !== undefined)
    return renderFault(frame, 'it names two places to go on to: returnTo, and another site')

  const session = await readSession(parts, request.headers)
  const root = writeRoot(pathname)
  const next = returnTo === undefined ? undefined : `${root}${returnTo.slice(1)}` || './'
  const body = html`<div id="page" data-api="${root}api/v1/auth/" data-home="${authUrl}${pathname.replace(/\/$/, '')}"
${next !== undefined && html` data-next="${next}"`}${searchParams.get('connect') === '1' && html` data-connect`}>
${session ? renderSignedIn({ account: session.account, csrf: computeCsrfToken(parts, session), next, root, forApplication, asked, brand: parts.config.brand }) : renderIntroduction(forApplication, asked)}
${withoutScripts}
${renderWayIn({ authUrl, isSecond: session !== undefined && searchParams.get('switch') !== '1' })}
</div>`
  const title = session
    ? 'Signed in · Proofgate'
    : forApplication
      ? 'An application asks for access · Proofgate'
      : 'Sign in · Proofgate'
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title,
      description: 'Sign in to this Proofgate server with a wallet.',
      scripts: ['sign-in'],
      body,
    }),
    keepsOpener: asked.popup !== undefined,
  }
}

/** For an application, the consent page names the destination. */
const nowhere: Destination = { returnUrl: undefined, popup: undefined, state: undefined, handover: undefined }

const renderIntroduction = (forApplication: boolean, { popup, returnUrl, handover }: Destination): Html =>
  forApplication
    ? html`<h1>An application asks for access</h1>
<p class="lead">First sign in with a wallet. The next page says which application asks, and for what. It gets nothing before you agree there.</p>`
    : html`<h1>Sign in</h1>
<p class="lead">Show that a wallet is yours by signing a short text. It costs nothing and sends no transaction.</p>
${popup !== undefined && html`<p>The page at <strong>${readHost(popup)}</strong> asks which wallet is yours. It is told once you agree, after signing in.</p>`}
${popup === undefined && returnUrl !== undefined && handover && html`<p>The site <strong>${readHost(returnUrl)}</strong> asks who you are. It is told once you agree, after signing in.</p>`}
${popup === undefined && returnUrl !== undefined && !handover && html`<p>Afterwards you can go on to <strong>${readHost(returnUrl)}</strong>, which is told nothing about you: ${unregistered}.</p>`}`

const unregistered = 'the operator of this server has not registered it as a site that may ask'

const readHost = (address: string): string => new URL(address).host

interface SignedIn {
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
  account,
  csrf,
  next,
  root,
  forApplication,
  asked: { popup, returnUrl, state, handover },
  brand,
}: SignedIn): Html => html`<h1>You are signed in</h1>
${forApplication && html`<p class="lead">An application asks for access. The next page says which, and for what. It gets nothing before you agree there.</p>`}
<dl class="facts"><div><dt>Wallet</dt><dd class="address">${isEvmAddress(account) ? addChecksum(account) : account}</dd></div></dl>
${popup !== undefined && html`<p>The page at <strong>${readHost(popup)}</strong> asks which wallet is yours. It gets this address${handover && ', and the id of your profile here, which is the same for all your linked wallets'}, and no right to act for you.</p>`}
${popup === undefined && returnUrl !== undefined && handover && html`<p>The site <strong>${readHost(returnUrl)}</strong> asks who you are. If you agree, it gets this address and the id of your profile here, which is the same for all your linked wallets, and no right to act for you.</p>`}
${popup === undefined && returnUrl !== undefined && !handover && html`<p>Going on leaves for <strong>${readHost(returnUrl)}</strong>, which is told nothing about you: ${unregistered}.</p>`}
<div class="actions">
${popup !== undefined && html`<button class="button" type="button" id="tell" data-origin="${popup}" data-type="${brand}_login_complete" data-account="${account}" ${handover && html`data-handover="${JSON.stringify(handover)}" data-csrf="${csrf}"`} ${state !== undefined && html`data-state="${state}"`} hidden>Tell ${readHost(popup)}</button>`}
${popup === undefined && returnUrl !== undefined && handover && html`<button class="button" type="button" id="hand-over" data-handover="${JSON.stringify(handover)}" data-csrf="${csrf}" ${state !== undefined && html`data-state="${state}"`} hidden>Tell ${readHost(returnUrl)} who I am</button>`}
${popup === undefined && returnUrl !== undefined && html`<a class="button ${handover && 'secondary'}" id="go-on" href="${addParameters(returnUrl, { ...(handover ? { error: 'access_denied' } : {}), state })}" rel="noreferrer">${handover ? 'Go on without telling' : `Go on to ${readHost(returnUrl)}`}</a>`}
${next !== undefined && html`<a class="button" href="${next}">Continue</a>`}
${next === undefined && !forApplication && (popup ?? returnUrl) === undefined && html`<a class="button" href="${root || './'}">Go to the dashboard</a>`}
<button class="button secondary" type="button" id="sign-out" data-csrf="${csrf}" hidden>Sign out</button>
<button class="button secondary" type="button" id="another" aria-expanded="false" aria-controls="way-in" hidden>Use another wallet</button>
</div>`

/** The part that the script fills in. Hidden without the script, and below the signed-in view until it is requested. */
const renderWayIn = ({
  authUrl,
  isSecond,
}: {
  readonly authUrl: string
  readonly isSecond: boolean
}): Html => html`${progressAreas}
<div id="way-in" hidden${isSecond && html` data-second`}>
${walletChoice}
<section aria-labelledby="other-heading">
<h2 id="other-heading">Without a wallet in this browser</h2>
<details id="by-command">
<summary>Sign with the command line</summary>
<div class="details-body">
<p>Where Proofgate and your key are, run this. It prints one long word that begins with <code>pgs_</code>.</p>
<pre class="code" data-copy="Copy the command">${program} sign --url ${authUrl}</pre>
<form id="token-form" novalidate>
<div class="field"><label for="token">What it printed</label>
<textarea id="token" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="token-hint"></textarea>
<p class="hint" id="token-hint">It can be used once, within 10 minutes.</p></div>
<button class="button" type="submit">Sign in</button>
</form>
</div>
</details>
<details id="by-hand">
<summary>Sign with any other tool</summary>
<div class="details-body">
<form id="address-form" novalidate>
<div class="field"><label for="address">Address of the wallet</label>
<input id="address" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="address-hint">
<p class="hint" id="address-hint">Ethereum and compatible (0x…), or Solana.</p></div>
<button class="button secondary" type="submit">Show the text to sign</button>
</form>
<form id="signature-form" novalidate hidden>
<h3 id="text-heading" tabindex="-1">Sign exactly this text</h3>
<pre class="code" id="text" data-copy="Copy the text to sign"></pre>
<div class="field"><label for="signature">The signature</label>
<textarea id="signature" rows="3" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="signature-hint"></textarea>
<p class="hint" id="signature-hint">As a personal message (EIP-191, begins with 0x); from Solana wallets in base58 or hexadecimal.</p></div>
<button class="button" type="submit">Sign in</button>
</form>
</div>
</details>
</section>
</div>`

const renderFault = async (frame: Frame, why: string): Promise<PageWithOpener> => ({
  ...(await renderUnusable(frame, why, { href: `${writeRoot(frame.path)}login`, text: 'Sign in without the link' })),
  keepsOpener: false,
})
