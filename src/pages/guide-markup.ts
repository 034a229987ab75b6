/** Markdown of a guide as markup. Text is escaped here, and only http(s) addresses and guides become links. */

import { readLink } from '../guides/links.ts'
import { fence, type Heading, listHeadings, markdownOptions } from '../guides/outline.ts'
import { type Html, html, trustMarkup } from './html.ts'

export interface Place {
  /** The guide's own: `gates`, `decisions/sqlite`. */
  readonly path: string
  /** From the page to the root of the server. */
  readonly root: string
  /** Addresses below it are written relative to the page. */
  readonly baseUrl: string
}

export interface GuideMarkup {
  /** Everything below the title. */
  readonly body: Html
  readonly headings: readonly Heading[]
}

export function renderGuide(markdown: string, place: Place): GuideMarkup {
  const headings = listHeadings(markdown)
  const labels = [...markdown.matchAll(fence)].map(({ groups }) => readLabel(groups?.info ?? ''))
  let nextHeading = 0
  let nextBlock = 0
  const wrap = (tag: string) => (inner: string) => `<${tag}>${inner}</${tag}>\n`
  const renderCell = (tag: string) => (inner: string, meta?: { align?: string }) =>
    html`<${trustMarkup(tag)}${meta?.align && html` class="align-${meta.align}"`}>${trustMarkup(inner)}</${trustMarkup(tag)}>`
      .text
  const body = Bun.markdown.render(
    markdown,
    {
      text: (text) => html`${text}`.text,
      heading(inner) {
        const { level, anchor, text } = headings[nextHeading++]!
        if (level === 1) return ''
        return html`<h${level} id="${anchor}">${trustMarkup(inner)} <a class="anchor" href="#${anchor}" aria-label="Link to: ${text}">#</a></h${level}>\n`
          .text
      },
      paragraph: wrap('p'),
      blockquote: wrap('blockquote'),
      strong: wrap('strong'),
      emphasis: wrap('em'),
      strikethrough: wrap('s'),
      codespan: (inner) => `<code>${inner}</code>`,
      code: (inner) => writeBlock(trustMarkup(inner), labels[nextBlock++]!).text,
      list: (inner, { ordered, start }) =>
        ordered ? `<ol${start === 1 ? '' : ` start="${start}"`}>\n${inner}</ol>\n` : `<ul>\n${inner}</ul>\n`,
      listItem: wrap('li'),
      hr: () => '<hr>\n',
      // It scrolls on a phone, so the keyboard must reach it.
      table: (inner) => `<div class="wide-table" tabindex="0"><table>\n${inner}</table></div>\n`,
      thead: wrap('thead'),
      tbody: wrap('tbody'),
      tr: wrap('tr'),
      th: renderCell('th'),
      td: renderCell('td'),
      image: (alt, { src }) => writeImage(trustMarkup(alt), src, place).text,
      link: (inner, { href }) => writeLink(trustMarkup(inner), href, place).text,
    },
    markdownOptions,
  )
  return { body: trustMarkup(body), headings }
}

function writeLink(inner: Html, href: string, { path, root, baseUrl }: Place): Html {
  const link = readLink(href, path)
  if (link.to === 'guide') {
    const anchor = link.anchor === undefined ? '' : `#${link.anchor}`
    return html`<a href="${link.path === path ? anchor || '#main' : `${root}docs/guides/${link.path}${anchor}`}">${inner}</a>`
  }
  if (link.to === 'picture') return html`<a href="${writePictureAddress(link.name, root)}">${inner}</a>`
  // A sentence stays a sentence; the name of a file is shown as code.
  if (link.to === 'file') return /<|\s/.test(inner.text) ? inner : html`<code>${inner}</code>`
  const isOwn = link.address === baseUrl || link.address.startsWith(`${baseUrl}/`)
  return html`<a href="${isOwn ? `${root}${link.address.slice(baseUrl.length + 1)}` || './' : link.address}">${inner}</a>`
}

/** Only pictures of the guides are shown: the policy of the page allows no other origin. */
function writeImage(alt: Html, src: string, { path, root }: Place): Html {
  const link = readLink(src, path)
  if (link.to !== 'picture') return alt
  const address = writePictureAddress(link.name, root)
  return html`<a class="picture" href="${address}"><img src="${address}" alt="${alt}" loading="lazy"></a>`
}

export const writePictureAddress = (name: string, root: string): string => `${root}docs/guides/pictures/${name}`

interface Label {
  readonly shown: string
  /** An answer is there to compare with, so nobody copies it. */
  readonly isCopied: boolean
}

const languageNames: Readonly<Record<string, string>> = {
  sh: 'Commands',
  sql: 'SQL',
  console: 'Commands',
  toml: 'proofgate.toml',
  json: 'JSON',
  js: 'JavaScript',
  tsx: 'TypeScript',
  html: 'HTML',
}

function readLabel(info: string): Label {
  const [language = '', ...rest] = info.trim().split(' ')
  const name = rest.join(' ')
  if (name === 'answer') return { shown: 'Answer', isCopied: false }
  return { shown: name || (languageNames[language] ?? 'Text'), isCopied: true }
}

/** The script of the page puts a button that copies into the caption. */
const writeBlock = (code: Html, { shown, isCopied }: Label): Html =>
  html`<figure class="copy-code"${isCopied && html` data-copy="${shown}"`}>
<figcaption><span>${shown}</span></figcaption>
<pre class="code in-lines" tabindex="0"><code>${code}</code></pre>
</figure>
`
