/**
 * Shared by all pages: the document around a body, and how it is sent. Pages are plain HTML; scripts only add comfort.
 * Inline code and foreign files are forbidden by pageHeaders.
 *
 * Classes of browser/pages.css for bodies:
 *   card                     the sheet of a page that asks one thing; htmlPage puts the body into one
 *   lead                     the sentence below the heading
 *   notice info|warning|danger   a paragraph or block that must be seen; give it role="alert" when it tells of a failure
 *   facts                    on a dl: names and values, each pair in a div of its own; "address" on a dd of one
 *   scopes                   on a ul: permissions, each with a tick
 *   choices                  on a ul: one choice in each li, a button or link of class "choice"
 *   button, button secondary, button danger   on button and a; "actions" around a group of them
 *   aside                    a link below the buttons: another way out
 *   field                    around a label, its input or textarea, and a p of class "hint"
 *   code                     on a pre: text to copy; data-copy and the script "copy" add a button
 *   hero-action              around a button with data-copy-link, which the script "copy" shows
 *   quiet                    secondary text
 *   visually-hidden          for screen readers only
 */
import { writePageHeaders } from '../http/headers.ts'
import type { Parts } from '../parts.ts'
import { defaultLanguage, type Language, languageNames, languages } from '../web/languages.ts'
import { type AssetName, loadAssets, type Script } from './assets.ts'
import { type Html, html } from './html.ts'
import type { ScriptName } from './scripts.ts'
import { readLanguage } from './words/read-language.ts'
import { words } from './words/words.ts'

export { Html, html, type Inserted } from './html.ts'

export interface Page {
  /** The address of the page on this server, without a proxy's path prefix: links in the page are relative. */
  readonly path: string
  /** The query of its address, with the question mark: a switch of the language leads back to it. */
  readonly query?: string
  readonly language?: Language
  readonly title: string
  readonly description?: string
  /** `card` (the default): one sheet in the middle. `bare`: the body brings its own landmarks. */
  readonly layout?: 'card' | 'bare'
  /** Shown at the top of the page: the public host of this server. */
  readonly host?: string | undefined
  readonly body: Html
  readonly scripts?: readonly ScriptName[]
  /** Scripts of the page that most people open next. The browser fetches them while this page is read. */
  readonly nextScripts?: readonly ScriptName[]
  /** Stylesheets besides the shared one. */
  readonly stylesheets?: readonly AssetName[]
  readonly head?: Html
  /** The DID of the person who may read it, where others may not. */
  readonly person?: string | undefined
}

/** What a page takes from its request. */
export type Frame = Required<Pick<Page, 'path' | 'query' | 'language'>> & Pick<Page, 'host'>

export function readFrame({ addresses }: Pick<Parts, 'addresses'>, { url, headers }: Request): Frame {
  const { pathname, search } = new URL(url)
  return {
    path: pathname,
    query: search,
    language: readLanguage(headers),
    host: new URL(addresses().authUrl).host,
  }
}

/** From a page to the root of the server: `../` for /oauth/authorize, nothing for /verify. */
export const writeRoot = (path: string): string => '../'.repeat(path.split('/').length - 2)

export async function renderHtmlPage(page: Page): Promise<string> {
  const {
    path,
    query = '',
    language = defaultLanguage,
    title,
    description,
    layout = 'card',
    host,
    body,
    scripts = [],
    nextScripts = [],
    stylesheets = [],
    head,
    person,
  } = page
  const { paths, scripts: bundled } = await loadAssets(language)
  const root = writeRoot(path)
  const sheet = html`<header class="top">
<a class="mark" href="${root || './'}"><img src="${root}${paths['favicon.svg']}" alt="" width="28" height="28"> Proofgate</a>
${host && html`<span class="host">${host}</span>`}
</header>
<main class="card" id="main">
${body}
</main>
${renderLanguages(language, { root, back: path + query })}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description && html`<meta name="description" content="${description}">\n`}<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${root}${paths['favicon.svg']}">
${head}${['pages.css' as const, ...stylesheets].map((name) => html`<link rel="stylesheet" href="${root}${paths[name]}">\n`)}${[...scripts, ...(person === undefined ? [] : (['personal'] as const))].map((name) => renderScript(bundled[name], root))}${nextScripts.map(
  (name) => renderPreloads([...bundled[name].needed, bundled[name].path], root, 'low'),
)}</head>
<body class="${layout}-page"${person !== undefined && html` data-person="${person}" data-root="${root}"`}>
${layout === 'card' ? sheet : body}
</body>
</html>
`.text
}

/** A form, because the choice is kept in a cookie. `back` is an address of this server. */
export const renderLanguages = (
  language: Language,
  { root, back }: { readonly root: string; readonly back: string },
): Html => html`<footer class="languages">
<form method="post" action="${root}language" aria-label="${words[language].frame.language}">
<input type="hidden" name="back" value="${back}">
${languages.map((one) =>
  one === language
    ? html`<span lang="${one}" aria-current="true">${languageNames[one]}</span>\n`
    : html`<button class="link" name="language" value="${one}" lang="${one}">${languageNames[one]}</button>\n`,
)}</form>
</footer>`

/** Names what the script imports, so that a browser need not read the script before it fetches the rest. */
const renderScript = ({ path, needed }: Script, root: string): Html =>
  html`${renderPreloads(needed, root)}<script type="module" src="${root}${path}"></script>\n`

/** Firefox judges `prefetch` by default-src, which allows nothing. So a file of the next page comes late by its priority. */
const renderPreloads = (files: readonly string[], root: string, priority: 'auto' | 'low' = 'auto'): Html[] =>
  files.map(
    (file) =>
      html`<link rel="modulepreload" href="${root}${file}"${priority === 'low' && html` fetchpriority="low"`}>\n`,
  )

export interface Answering {
  readonly headers: Record<string, string | number>
  status?: number | string
}

interface Sending {
  readonly status?: number
  readonly formTargets?: readonly string[]
  /** The page keeps its opener, of any origin, to send it a message. */
  readonly keepsOpener?: boolean
}

/**
 * Sends a page that is made for one request. If a form redirects to another origin, `formTargets` must name it, because
 * browsers apply form-action to the redirect too.
 */
export function sendPage(
  set: Answering,
  page: string,
  { status = 200, formTargets = [], keepsOpener = false }: Sending = {},
): string {
  set.status = status
  Object.assign(set.headers, writePageHeaders(formTargets), {
    'content-type': 'text/html;charset=utf-8',
    'cache-control': 'no-store',
    ...(keepsOpener ? { 'cross-origin-opener-policy': 'unsafe-none' } : {}),
  })
  return page
}
