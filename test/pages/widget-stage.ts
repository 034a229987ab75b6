/** Pages of another site that use /widget.js, under a policy as strict as a page can have. */
import { afterAll } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { ProofGateDone, ProofGateProblem } from '../../src/pages/browser/widget/widget.d.ts'
import { choose, fill, press, share } from './hosted-stage.ts'

/** Scripts and answers of the one server, no style at all, nothing inline, no text that becomes a script. */
export const strictPolicy = (origin: string): string =>
  `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`

export interface SitePage {
  readonly body: string
  readonly policy?: string
  readonly head?: string
  readonly attributes?: string
  /** Script line in place of the usual one. */
  readonly scriptLine?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Answering = (request: Request) => Response | Promise<Response>

export interface Site {
  readonly origin: string
  /** The address of a page with this body. */
  page(body: string, more?: Omit<SitePage, 'body'>): string
  /** Something else than a page. */
  serve(path: string, answer: Answering): void
}

/** `proofgate` is the address that the script is loaded from. */
export function startSite(proofgate: string): Site {
  const pages = new Map<string, SitePage>()
  const others = new Map<string, Answering>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      const page = pages.get(pathname)
      if (!page) return others.get(pathname)?.(request) ?? new Response('nothing here', { status: 404 })
      const { body, policy = strictPolicy(proofgate), head = '', attributes = '', headers = {} } = page
      const { scriptLine = `<script type="module" src="${proofgate}/widget.js"></script>` } = page
      return new Response(
        `<!doctype html><html lang="en" ${attributes}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>A site</title><link rel="icon" href="data:,">${head}${scriptLine}</head><body>${body}</body></html>`,
        { headers: { 'content-type': 'text/html;charset=utf-8', 'content-security-policy': policy, ...headers } },
      )
    },
  })
  afterAll(() => server.stop(true))
  // Another host, not only another port, makes it another site, which the browser runs in its own process.
  const origin = `http://localhost:${server.port}`
  return {
    origin,
    page(body, more = {}) {
      const path = `/page-${pages.size + 1}`
      pages.set(path, { body, ...more })
      return origin + path
    },
    serve: (path, answer) => void others.set(path, answer),
  }
}

export type Heard =
  | { readonly type: 'proofgate-done'; readonly id: string; readonly detail: ProofGateDone }
  | { readonly type: 'proofgate-closed'; readonly id: string; readonly detail: null }
  | { readonly type: 'proofgate-error'; readonly id: string; readonly detail: ProofGateProblem }
  | { readonly type: 'proofgate-state'; readonly id: string; readonly detail: { qHash: string; state: string } }

/** Every event of the elements that reaches the document of a page, from its first moment on. */
export const listen = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`globalThis.heard = []
const waiting = new Set()
globalThis.hear = (is, count) => new Promise((resolve) => {
  const look = () => heard.filter(is).length >= count && (waiting.delete(look), resolve(heard))
  waiting.add(look)
  look()
})
globalThis.note = (what) => { heard.push(what); for (const look of waiting) look() }
for (const type of ['proofgate-done', 'proofgate-closed', 'proofgate-error', 'proofgate-state'])
  document.addEventListener(type, ({ target, detail }) => note({ type, id: target.id, detail }))`)

export const heard = (page: Page): Promise<Heard[]> => page.evaluate('heard')

/** Waits for so many events of a kind, and returns all that were heard. */
export const hear = (page: Page, type: Heard['type'], count = 1): Promise<Heard[]> =>
  // The function waitForFunction would evaluate text in the page, whose policy forbids that.
  page.evaluate(`hear((one) => one.type === '${type}', ${count})`)

/** Presses the button, and returns the window that opens. */
export async function openedBy(page: Page, name: string | RegExp): Promise<Page> {
  const [popup] = await Promise.all([page.context().waitForEvent('page'), press(page, name)])
  return popup
}

/** Closes a window once it has loaded. One that is closed while it loads sometimes never answers the browser's driver. */
export async function closeWindow(popup: Page): Promise<void> {
  await popup.waitForLoadState()
  await popup.close()
}

/** Passes the checkout of a gate that asks for a pseudonym. */
export async function passGate(page: Page, name: string, { isPublic = true } = {}): Promise<void> {
  await choose(page)
  await press(page, /^Go on: Pseudonym/)
  await fill(page, 'pseudonymId', name)
  if (isPublic) await share(page)
  await press(page, 'Sign and check')
  await press(page, 'Get it now')
  await page.getByRole('heading', { name: 'You have access' }).waitFor()
}
