/** The page that answers a link which is wrong. It names what is wrong, never what stood there, and leads nowhere. */
import { type Frame, html, renderHtmlPage } from './shell.ts'
import { words as wordsByLanguage } from './words/words.ts'

export interface Made {
  readonly status: number
  readonly page: string
}

export interface PageWithOpener extends Made {
  /** Whether the page may speak to the one that opened it. */
  readonly keepsOpener: boolean
}

export async function renderUnusable(
  frame: Frame,
  why: string,
  wayOut: { readonly href: string; readonly text: string },
): Promise<Made> {
  const words = wordsByLanguage[frame.language].unusablePage
  return {
    status: 400,
    page: await renderHtmlPage({
      ...frame,
      // The page repeats nothing of the link, also not to come back to it in another language.
      query: '',
      title: `${words.heading} · Proofgate`,
      body: html`<h1>${words.heading}</h1>
<p class="lead">${words.lead}</p>
<p>${words.help}</p>
<details><summary>${words.forMaker}</summary><p class="details-body">${why}.</p></details>
<p><a class="button secondary" href="${wayOut.href}">${wayOut.text}</a></p>`,
    }),
  }
}
