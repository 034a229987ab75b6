/** /widget: a demonstration of the gate button and the badge, with the lines to paste into a page. */

import type { Parts } from '../parts.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import type { Made } from './unusable.ts'
import { words as wordsByLanguage } from './words/words.ts'

const gateIdForm = /^[a-zA-Z0-9:_-]{1,80}$/

export async function renderWidgetPage(parts: Parts, request: Request): Promise<Made> {
  const { searchParams } = new URL(request.url)
  const frame = readFrame(parts, request)
  const words = wordsByLanguage[frame.language].widgetPage
  const { authUrl, baseUrl } = parts.addresses()
  const asked = searchParams.get('gateId') ?? ''
  const gateId = gateIdForm.test(asked) ? asked : undefined
  const target = gateId === undefined ? `verifiers="${ownerActionVerifierId}"` : `gate-id="${gateId}"`
  const root = writeRoot(frame.path)
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title: `${words.title} · Proofgate`,
      description: words.description,
      scripts: ['copy', 'widget-example'],
      head: html`<script type="module" src="${root}widget.js"></script>
`,
      body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<pre class="code" data-copy="${words.copyLines}">${`<script type="module" src="${authUrl}/widget.js"></script>
<proof-gate ${target}></proof-gate>
<script>addEventListener('proofgate-done', ({ detail }) => alert(detail.walletAddress))</script>`}</pre>
<h2>${words.looks}</h2>
${asked !== '' && gateId === undefined && html`<p class="notice warning" role="alert">${words.wrongId}</p>`}
<p>${
        gateId === undefined
          ? html`<proof-gate verifiers="${ownerActionVerifierId}"></proof-gate>`
          : html`<proof-gate gate-id="${gateId}"></proof-gate>`
      }</p>
<div id="heard" hidden>
<h2>${words.hears}</h2>
<pre class="code" id="event"></pre>
<p>${words.badge(html`<proof-badge id="badge"></proof-badge>`)}</p>
<pre class="code" id="badge-line" data-copy="${words.copyLine}"></pre>
${
  gateId !== undefined &&
  html`<p>${words.askServer}</p>
<pre class="code" id="check" data-copy="${words.copyCommand}" data-check="${baseUrl}/api/v1/proofs/check?gateId=${gateId}"></pre>`
}
</div>
<h2>${words.own}</h2>
<form action="${root}widget" method="get">
<div class="field"><label for="gateId">${words.gateId}</label>
<input id="gateId" name="gateId" type="text" value="${asked.slice(0, 80)}" placeholder="gate_members" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="80"></div>
<button class="button secondary" type="submit">${words.show}</button>
</form>
<noscript><p class="notice warning">${words.noScript}</p></noscript>`,
    }),
  }
}
