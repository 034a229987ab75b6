/** /docs/guides: the guides of this server, one page each, beside the list of guides and the headings. */
import { fillGuide, type GuideServer } from '../guides/fill.ts'
import { decisions, guideGroups } from '../guides/index.ts'
import { everyGuide, type NamedGuide } from '../guides/links.ts'
import { type Heading, listSections, readTitle } from '../guides/outline.ts'
import type { Language } from '../web/languages.ts'
import { loadAssets } from './assets.ts'
import { decisionsPath, guidesPath, writeDocsNavigation } from './docs-navigation.ts'
import { renderGuide, writePictureAddress } from './guide-markup.ts'
import { type Html, html, renderHtmlPage, writeRoot } from './shell.ts'
import { words } from './words/words.ts'

/** The Markdown of a guide, for reading elsewhere. */
export const writeMarkdown = (guide: NamedGuide, server: GuideServer): string => fillGuide(guide.markdown, server)

export async function renderGuidePage(guide: NamedGuide, server: GuideServer): Promise<string> {
  const pagePath = `${guidesPath}/${guide.path}`
  const root = writeRoot(pagePath)
  const markdown = writeMarkdown(guide, server)
  const { body, headings } = renderGuide(markdown, { path: guide.path, root, baseUrl: server.addresses.baseUrl })
  const title = readTitle(markdown)
  const contents = headings.filter(({ level }) => level === 2 || level === 3)
  const file = guide.path.split('/').at(-1)!
  return renderFrame({
    path: pagePath,
    title,
    description: guide.summary,
    current: guide,
    aside: contents.length > 1 && writeContents(contents),
    body: html`<article class="guide-text">
<p class="quiet guide-group">${guide.group}</p>
<h1>${title}</h1>
${contents.length > 1 && html`<details class="contents-here"><summary>On this page</summary>${writeContents(contents)}</details>\n`}${body}</article>
<footer class="guide-end">
${writeNeighbors(guide, root)}<p class="quiet">This guide <a href="${file}.md">as Markdown</a>, and in a terminal: <code>proofgate guide ${guide.path}</code></p>
</footer>`,
  })
}

export const renderGuideIndex = (language: Language): Promise<string> =>
  renderFrame({
    path: guidesPath,
    title: 'Guides',
    description: 'How to use and run this Proofgate server',
    body: html`<article class="guide-text">
${
  words[language].guidesPage.onlyEnglish !== '' &&
  html`<p class="notice info" lang="${language}">${words[language].guidesPage.onlyEnglish}</p>
`
}<h1>Guides</h1>
<p class="lead">Each guide begins with what it gets you and a result in a minute. The <a href="../docs">API reference</a> has every operation, to read and to try.</p>
<p><img src="${writePictureAddress('flow.svg', '../')}" alt="${flow}" width="880" height="500"></p>
${listGroups().map(({ title, guides }) => html`<h2 id="${title.toLowerCase()}">${title}</h2>\n${writeList(guides, '../')}\n`)}<h2 id="decisions">Decisions</h2>
<p><a href="guides/decisions">Why Proofgate is as it is</a>: one short page for each decision, with its consequences.</p>
</article>`,
  })

export const renderDecisionIndex = (): Promise<string> =>
  renderFrame({
    path: decisionsPath,
    title: 'Decisions',
    description: 'Why Proofgate is as it is, one decision a page',
    body: html`<article class="guide-text">
<h1>Decisions</h1>
<p class="lead">Why Proofgate is as it is: one short page for each decision, with its consequences.</p>
${writeList(listDecisions(), '../../')}
</article>`,
  })

const flow =
  'A wallet sends a claim, signs its text and gets a proof. Your server asks whether the wallet may pass a gate. The wallet pays if the gate asks for it, and gets the reward.'

const writeList = (guides: readonly NamedGuide[], root: string): Html =>
  html`<ul class="guide-list">
${guides.map(({ path, markdown, summary }) => html`<li><a href="${root}docs/guides/${path}">${readTitle(markdown)}</a>${summary && html`<span>${summary}</span>`}</li>\n`)}</ul>`

/** Every section of every guide as plain text, for the search of the pages. */
export const writeSearchIndex = (server: GuideServer): string =>
  JSON.stringify({
    guides: [...everyGuide.values()].map((guide) => {
      const markdown = writeMarkdown(guide, server)
      return {
        path: guide.path,
        title: readTitle(markdown),
        sections: listSections(markdown).map(({ heading, text }) => ({
          title: heading.text,
          anchor: heading.level === 1 ? '' : heading.anchor,
          text,
        })),
      }
    }),
  })

interface Frame {
  readonly path: string
  readonly title: string
  readonly description?: string | undefined
  readonly current?: NamedGuide
  readonly body: Html
  readonly aside?: Html | false
}

async function renderFrame({ path, title, description, current, body, aside }: Frame): Promise<string> {
  const { paths } = await loadAssets()
  const root = writeRoot(path)
  return renderHtmlPage({
    path,
    title: path === guidesPath ? 'Proofgate guides' : `${title} · Proofgate guides`,
    ...(description === undefined ? {} : { description: `${description}.` }),
    layout: 'bare',
    stylesheets: ['reference.css', 'guides.css'],
    scripts: ['guides'],
    body: html`<header class="top">
<a class="mark" href="${root}"><img src="${root}${paths['favicon.svg']}" alt="" width="28" height="28"> Proofgate</a>
${writeDocsNavigation(root, 'guides')}
</header>
<div class="reference guides" id="guides" data-root="${root}">
<nav class="operations" aria-label="Guides">
<div class="search needs-script">
<label class="visually-hidden" for="search">Search guides and API</label>
<input id="search" type="search" placeholder="Search guides and API" autocomplete="off" spellcheck="false" aria-describedby="search-hint">
<kbd>/</kbd>
<span id="search-hint" class="visually-hidden">Press slash to come here from anywhere, arrow keys to go through the results, Escape to clear.</span>
</div>
<p id="found" class="visually-hidden" role="status"></p>
<div id="results" class="operation-list" hidden></div>
<div id="list" class="operation-list">
${listGroups().map(
  ({ title: group, guides }) => html`<div class="group"><h2>${group}</h2>
<ul>
${guides.map((guide) => html`<li><a href="${root}docs/guides/${guide.path}"${guide === current && html` aria-current="page"`}><span class="item-text">${readTitle(guide.markdown)}</span></a></li>\n`)}</ul></div>
`,
)}<div class="group"><h2>Decisions</h2>
<ul>
<li><a href="${root}docs/guides/decisions"${path.startsWith(decisionsPath) && html` aria-current="${path === decisionsPath ? 'page' : 'true'}"`}><span class="item-text">All ${decisions.length} decisions</span></a></li>
</ul></div>
</div>
${path !== guidesPath && html`<a class="all-guides" href="${root}docs/guides">All guides</a>\n`}</nav>
<main id="main">
${body}
</main>
${aside && html`<aside class="contents-beside"><h2 id="contents-title">On this page</h2>${aside}</aside>\n`}</div>`,
  })
}

const writeContents = (headings: readonly Heading[]): Html =>
  html`<ul class="contents">
${headings.map(({ level, text, anchor }) => html`<li class="level-${level}"><a href="#${anchor}">${text}</a></li>\n`)}</ul>`

function writeNeighbors({ path }: NamedGuide, root: string): Html | false {
  const order = [...everyGuide.values()]
  const at = order.findIndex((one) => one.path === path)
  const link = (guide: NamedGuide | undefined, word: string): Html | undefined =>
    guide &&
    html`<a href="${root}docs/guides/${guide.path}"><span class="quiet">${word}</span> ${readTitle(guide.markdown)}</a>`
  return html`<nav class="neighbors" aria-label="Previous and next guide">${link(order[at - 1], 'Previous')}${link(order[at + 1], 'Next')}</nav>\n`
}

/** Omits the decisions: they are too many for a list beside each page. */
const listGroups = (): { title: string; guides: NamedGuide[] }[] =>
  guideGroups
    .filter(({ guides }) => guides.length > 0)
    .map(({ title, guides }) => ({ title, guides: guides.map(({ name }) => everyGuide.get(name)!) }))

const listDecisions = (): NamedGuide[] => decisions.map(({ name }) => everyGuide.get(`decisions/${name}`)!)
