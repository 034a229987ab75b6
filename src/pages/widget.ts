/** /widget: a demonstration of the gate button and the badge, with the lines to paste into a page. */

import type { Parts } from '../parts.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { html, renderHtmlPage, writeRoot } from './shell.ts'
import type { Made } from './unusable.ts'

const gateIdForm = /^[a-zA-Z0-9:_-]{1,80}$/

export async function renderWidgetPage(parts: Parts, request: Request): Promise<Made> {
  const { pathname, searchParams } = new URL(request.url)
  const { authUrl, baseUrl } = parts.addresses()
  const asked = searchParams.get('gateId') ?? ''
  const gateId = gateIdForm.test(asked) ? asked : undefined
  const target = gateId === undefined ? `verifiers="${ownerActionVerifierId}"` : `gate-id="${gateId}"`
  const root = writeRoot(pathname)
  return {
    status: 200,
    page: await renderHtmlPage({
      path: pathname,
      host: new URL(authUrl).host,
      title: 'A gate in your page · Proofgate',
      description: 'The lines that put a gate of this server into a page of any site, and what they look like.',
      scripts: ['copy', 'widget-example'],
      head: html`<script type="module" src="${root}widget.js"></script>
`,
      body: html`<h1>A gate in your page</h1>
<p class="lead">Three lines, in a page of any site. Visitors prove what is asked for here, and your page hears of it.</p>
<pre class="code" data-copy="Copy the lines">${`<script type="module" src="${authUrl}/widget.js"></script>
<proof-gate ${target}></proof-gate>
<script>addEventListener('proofgate-done', ({ detail }) => alert(detail.walletAddress))</script>`}</pre>
<h2>How it looks</h2>
${
  asked !== '' &&
  gateId === undefined &&
  html`<p class="notice warning" role="alert">That is no id of a gate: 1 to 80 characters of a-z A-Z 0-9 : _ -</p>`
}
<p>${
        gateId === undefined
          ? html`<proof-gate verifiers="${ownerActionVerifierId}"></proof-gate>`
          : html`<proof-gate gate-id="${gateId}"></proof-gate>`
      }</p>
<div id="heard" hidden>
<h2>What your page hears</h2>
<pre class="code" id="event"></pre>
<p>The badge of this proof: <proof-badge id="badge"></proof-badge></p>
<pre class="code" id="badge-line" data-copy="Copy the line"></pre>
${
  gateId !== undefined &&
  html`<p>What a browser says, anybody can say. Your server asks before it lets somebody in:</p>
<pre class="code" id="check" data-copy="Copy the command" data-check="${baseUrl}/api/v1/proofs/check?gateId=${gateId}"></pre>`
}
</div>
<h2>With a gate of yours</h2>
<form action="${root}widget" method="get">
<div class="field"><label for="gateId">Id of the gate</label>
<input id="gateId" name="gateId" type="text" value="${asked.slice(0, 80)}" placeholder="gate_members" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="80"></div>
<button class="button secondary" type="submit">Show it</button>
</form>
<noscript><p class="notice warning">The elements need scripts, which are switched off in this browser.</p></noscript>`,
    }),
  }
}
