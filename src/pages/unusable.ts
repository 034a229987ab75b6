/** The page that answers a link which is wrong. It names what is wrong, never what stood there, and leads nowhere. */
import { html, type Page, renderHtmlPage } from './shell.ts'

export type Frame = Pick<Page, 'path' | 'host'>

export interface Made {
  readonly status: number
  readonly page: string
}

export interface PageWithOpener extends Made {
  /** Whether the page may speak to the one that opened it. */
  readonly keepsOpener: boolean
}

export const renderUnusable = async (
  frame: Frame,
  why: string,
  wayOut: { readonly href: string; readonly text: string },
): Promise<Made> => ({
  status: 400,
  page: await renderHtmlPage({
    ...frame,
    title: 'This link cannot be used · Proofgate',
    body: html`<h1>This link cannot be used</h1>
<p class="lead">The link that brought you here is wrong: ${why}. Nothing happened, and you were not sent anywhere.</p>
<p>Go back to where you came from and start again. If the same happens once more, tell whoever made the link.</p>
<p><a class="button secondary" href="${wayOut.href}">${wayOut.text}</a></p>`,
  }),
})
