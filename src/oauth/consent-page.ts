/** The page on which a person allows a client something. It works without JavaScript. */

import type { Session } from '../auth/sessions/store.ts'
import { html, renderHtmlPage } from '../pages/shell.ts'
import { words as wordsByLanguage } from '../pages/words/words.ts'
import type { Parts } from '../parts.ts'
import type { Language } from '../web/languages.ts'
import type { AuthorizationRequest } from './authorize.ts'
import { authorizePath } from './metadata.ts'
import { leadsToComputer, readPlace } from './redirect-uri.ts'
import { listChoices } from './scope-choice.ts'
import { offlineAccess } from './vocabulary.ts'

interface Asked {
  readonly language: Language
  readonly request: AuthorizationRequest
  readonly handle: string
  readonly session: Session
  /** The answer before had no tick: the page says so, and stays as the person left it. */
  readonly isUnticked?: boolean
}

export function renderConsentPage(
  { config, addresses }: Parts,
  { language, request, handle, session, isUnticked }: Asked,
): Promise<string> {
  const { consentPage: words, scopes } = wordsByLanguage[language]
  const { client, redirectUri, scope } = request
  const name = client.name ?? words.noName
  const place = readPlace(redirectUri)
  const here = leadsToComputer(redirectUri)
  const choices = listChoices(request, config.brand)
  const again = `${authorizePath}?${new URLSearchParams(listParameters(request))}`
  return renderHtmlPage({
    path: authorizePath,
    query: again.slice(authorizePath.length),
    language,
    title: `${words.title} · Proofgate`,
    host: new URL(addresses().authUrl).host,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.wants(html`<strong><bdi>${name}</bdi></strong>`)}</p>
${isUnticked === true && html`<p class="notice danger" role="alert">${words.nothingTicked}</p>\n`}
<p class="notice warning">${words.unchecked} ${here && `${words.anyProgram} `}${words.onlyYourself}</p>
<dl class="facts">
<div><dt>${words.place}</dt><dd><bdi>${place}</bdi>${here && ` ${words.here}`}</dd></div>
${client.kind === 'cimd' && html`<div><dt>${words.describedAt}</dt><dd><bdi>${client.id}</bdi></dd></div>\n`}<div><dt>${words.signedInAs}</dt><dd class="address">${session.account}</dd></div>
</dl>
<form method="post" action="consent" autocomplete="off">
<input type="hidden" name="handle" value="${handle}">
<fieldset class="scope-choices">
<legend>${words.choose}</legend>
${choices.length > 0 && html`<p class="quiet">${words.chooseHint}</p>\n`}${choices.map(
  ({ scope: one, word, isTicked }) => html`<div class="field tick">
<input type="checkbox" name="scope" value="${word}" id="scope-${one}"${!isTicked && html` aria-describedby="hint-${one}"`}${isTicked && isUnticked !== true && html` checked`}>
<div><label for="scope-${one}">${scopes[one]}</label>${!isTicked && html`\n<p class="hint" id="hint-${one}">${words.notNamed}</p>`}</div>
</div>\n`,
)}${scope.split(' ').includes(offlineAccess) && html`<ul class="scopes"><li>${scopes.offline}</li></ul>\n`}</fieldset>
<div class="actions">
<button class="button" name="decision" value="allow">${words.allow}</button>
<button class="button secondary" name="decision" value="deny">${words.deny}</button>
</div>
</form>
<p class="aside"><a href="../verify?intent=login&amp;switch=1&amp;returnTo=${encodeURIComponent(again)}">${words.anotherWallet}</a></p>`,
  })
}

const listParameters = ({
  client,
  redirectUri,
  scope,
  isScopeNamed,
  challenge,
  state,
  resource,
}: AuthorizationRequest) => ({
  response_type: 'code',
  client_id: client.id,
  redirect_uri: redirectUri,
  ...(isScopeNamed ? { scope } : {}),
  state,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  resource,
})
