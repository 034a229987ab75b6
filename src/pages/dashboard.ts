/** The page of the dashboard. Its views are made in the browser (browser/dashboard/views.tsx) from the API. */

import { readSession } from '../auth/sessions/session.ts'
import { program } from '../executable.ts'
import { makeUnknownPathError } from '../http/refusal.ts'
import { isOperator } from '../operator/operator.ts'
import type { Parts } from '../parts.ts'
import { pickMethodWords } from '../payments/method-words.ts'
import { listChainNames, listExplorers } from '../payments/public-chain.ts'
import { listLabels } from '../profiles/label-store.ts'
import type { Language } from '../web/languages.ts'
import type { DashboardModel, ShownMethod } from './dashboard-model.ts'
import { isReturnTo } from './return-to.ts'
import { html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { writeSignInRoot } from './sign-in-root.ts'
import { listFirstProofs } from './vault-preload.ts'
import { listPageWords } from './verifier-words.ts'
import { readBrowserSession } from './verify.ts'
import { words } from './words/words.ts'

/** The page, or where to sign in first. */
export type Dashboard = { readonly page: string } | { readonly signInAt: string }

/** Errors: NOT_FOUND for an operator's place, where who asks is no operator. */
export async function renderDashboardPage(
  parts: Parts,
  request: Request,
  { forOperators = false }: { readonly forOperators?: boolean } = {},
): Promise<Dashboard> {
  const { pathname, search } = new URL(request.url)
  const root = writeRoot(pathname)
  const known = await readSessionModel(parts, request)
  if (forOperators && !known?.session.isOperator) throw makeUnknownPathError(pathname)
  if (!known) return { signInAt: signInAddress(parts, root, pathname + search) }
  const { config, now } = parts
  const frame = readFrame(parts, request)
  const { loading, noScript } = words[frame.language].dashboardPage
  const model: DashboardModel = {
    brand: config.brand,
    now: now(),
    hubChainId: config.signing.hubChainId,
    ...parts.addresses(),
    program,
    hasMcp: config.mcp.enabled,
    hasNames: parts.outside.names !== undefined,
    ...known,
    paymentMethods: parts.paymentMethods.map((method) => showMethod(method, frame.language)),
    chainNames: listChainNames(config),
    explorers: listExplorers(config),
    offered: [...parts.catalog.enabled.keys()],
    verifiers: listPageWords(parts.catalog.known, frame.language),
    preloaded: pathname === '/' ? await listFirstProofs(parts, request) : {},
  }
  return {
    page: await renderHtmlPage({
      ...frame,
      title: 'Proofgate',
      layout: 'bare',
      stylesheets: ['dashboard.css'],
      scripts: ['dashboard'],
      body: html`<div id="dashboard" data-root="${root}" data-model="${JSON.stringify(model)}">
<p class="note">${loading}</p>
<noscript><p class="note">${noScript}</p></noscript>
</div>`,
    }),
  }
}

function showMethod(method: Parts['paymentMethods'][number], language: Language): ShownMethod {
  const { id, name, setupLines, isPaidOnChain, opensCheckout } = method
  const { label, formLabel = label, setupName = label } = pickMethodWords(method, language)
  return {
    id,
    name,
    label,
    formLabel,
    isPaidOnChain,
    opensCheckout,
    ...(setupLines === undefined ? {} : { setup: { named: setupName, lines: setupLines } }),
  }
}

/**
 * `root` leads from the page at hand to the root of the server. A mistyped address is no place to come back to: the person
 * still signs in, and is not told that the link of the sign-in is wrong.
 */
export const signInAddress = (parts: Parts, root: string, returnTo: string): string =>
  `${writeSignInRoot(parts, root)}login?returnTo=${encodeURIComponent(isReturnTo(returnTo) ? returnTo : '/')}`

async function readSessionModel(
  parts: Parts,
  request: Request,
): Promise<Pick<DashboardModel, 'session' | 'labels'> | undefined> {
  const session = await readSession(parts, request.headers)
  const known = session && (await readBrowserSession(parts, request))
  if (!known) return undefined
  const labels = await listLabels(parts.db, session.profile.id)
  return {
    session: {
      ...known,
      did: session.profile.did,
      isLinked: session.linkProof !== null,
      signedInWith: session.account,
      isOperator: await isOperator(parts, session),
    },
    labels: Object.fromEntries(labels.map(({ account, label }) => [account, label])),
  }
}
