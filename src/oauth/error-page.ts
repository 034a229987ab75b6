/** The error page for a person, when the client itself must not receive the error. */
import type { AppError } from '../errors.ts'
import { isForReaders, writeSentence } from '../pages/refusal-words.ts'
import { html, renderHtmlPage } from '../pages/shell.ts'
import type { Parts } from '../parts.ts'
import { UnknownClientError } from './authorize.ts'
import { authorizePath } from './metadata.ts'

export function renderErrorPage({ addresses }: Parts, error: AppError): Promise<string> {
  const { mcpUrl, authUrl } = addresses()
  const isUnknown = error instanceof UnknownClientError
  return renderHtmlPage({
    path: authorizePath,
    title: isUnknown ? 'This client is not known here · Proofgate' : 'This cannot go on · Proofgate',
    host: new URL(authUrl).host,
    body: isUnknown
      ? html`<h1>This client is not known here</h1>
<p class="lead">The program that sent you has a registration that this server does not have, or no longer has.</p>
<p class="notice info">Nothing was allowed, and nothing was sent to the program.</p>
<h2>What to do</h2>
<ol>
<li>In your assistant or editor, open the list of MCP servers (often Settings, then Connectors, Integrations or MCP).</li>
<li>Remove this server, or clear its sign-in. On a command line that is usually a “logout” or “remove” for the server.</li>
<li>Add it again: <code>${mcpUrl}/mcp</code>. The program then registers anew.</li>
</ol>`
      : html`<h1>This cannot go on</h1>
${
  isForReaders(error.message)
    ? html`<p class="notice danger" role="alert">${writeSentence(error.message)}</p>`
    : html`<p class="notice danger" role="alert">The program that sent you here asked in a way that cannot be answered.</p>`
}
<p>Nothing was allowed, and nothing was sent to the program. Go back to it and connect again. If that does not help, tell its makers.</p>
${!isForReaders(error.message) && html`<details><summary>For the makers of the program</summary><p class="details-body">${error.message}.</p></details>`}`,
  })
}

/** Browsers ask for a page; programs, which say nothing or anything, get JSON. */
export const wantsPage = (headers: Headers): boolean => /\btext\/html\b/i.test(headers.get('accept') ?? '')
