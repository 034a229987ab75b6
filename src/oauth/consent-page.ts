/** The page on which a person allows a client something. It works without JavaScript. */

import type { Session } from '../auth/sessions/store.ts'
import { offlineWords, scopeWords } from '../pages/scope-words.ts'
import { html, renderHtmlPage } from '../pages/shell.ts'
import type { Parts } from '../parts.ts'
import type { AuthorizationRequest } from './authorize.ts'
import { authorizePath } from './metadata.ts'
import { isLoopback, readPlace } from './redirect-uri.ts'
import { offlineAccess, readGrantScopes } from './vocabulary.ts'

interface Asked {
  readonly request: AuthorizationRequest
  readonly handle: string
  readonly session: Session
}

export function renderConsentPage({ config, addresses }: Parts, { request, handle, session }: Asked): Promise<string> {
  const { client, redirectUri, scope } = request
  const name = client.name ?? 'A client without a name'
  const place = readPlace(redirectUri)
  const here = isLoopback(redirectUri)
  const again = `${authorizePath}?${new URLSearchParams(listParameters(request))}`
  return renderHtmlPage({
    path: authorizePath,
    title: 'Allow access? · Proofgate',
    host: new URL(addresses().authUrl).host,
    body: html`<h1>Allow access?</h1>
<p class="lead"><strong><bdi>${name}</bdi></strong> wants to use your account.</p>
<p class="notice warning">The name is what the client calls itself. Nobody has checked it${here && ', and any program on this computer could have asked'}: go on only if you have just connected it yourself.</p>
<dl class="facts">
<div><dt>You will be sent to</dt><dd><bdi>${place}</bdi>${here && ' (this computer)'}</dd></div>
${client.kind === 'cimd' && html`<div><dt>Described at</dt><dd><bdi>${client.id}</bdi></dd></div>\n`}<div><dt>Signed in as</dt><dd class="address">${session.account}</dd></div>
</dl>
<h2>It will be able to</h2>
<ul class="scopes">
${readGrantScopes(scope, config.brand).map((word) => html`<li>${scopeWords[word]}</li>\n`)}${scope.split(' ').includes(offlineAccess) && html`<li>${offlineWords}</li>\n`}</ul>
<form method="post" action="consent">
<input type="hidden" name="handle" value="${handle}">
<div class="actions">
<button class="button" name="decision" value="allow">Allow</button>
<button class="button secondary" name="decision" value="deny">Deny</button>
</div>
</form>
<p class="aside"><a href="../verify?intent=login&amp;switch=1&amp;returnTo=${encodeURIComponent(again)}">Use another wallet</a></p>`,
  })
}

const listParameters = ({ client, redirectUri, scope, challenge, state, resource }: AuthorizationRequest) => ({
  response_type: 'code',
  client_id: client.id,
  redirect_uri: redirectUri,
  scope,
  state,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  resource,
})
