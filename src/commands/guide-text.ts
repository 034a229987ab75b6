/** Writes Markdown as text for a terminal. Lines wrap to its width, code stays as typed, and tables become columns. */
import { type GuideLink, readLink } from '../guides/links.ts'
import { listHeadings, markdownOptions } from '../guides/outline.ts'
import { layOutTable } from './guide-table.ts'
import { makePalette } from './palette.ts'

export interface Page {
  /** The path of the guide: the base of its relative links. */
  readonly path: string
  readonly columns: number
  readonly isPerson: boolean
}

/** Before a line that must not be wrapped: code, tables, rules. */
const fixed = '\uE000'
const cellEnd = '\uE001'
const rowEnd = '\uE002'

export function formatGuide(markdown: string, { path, columns, isPerson }: Page): string {
  const { bold, cyan, dim } = makePalette(isPerson)
  const headings = listHeadings(markdown)
  let nextHeading = 0
  const writeBlock = (text: string): string => `${text.replace(/\n/g, ' ')}\n\n`
  const writeCell = (inner: string): string => `${inner.replace(/\n/g, ' ')}${cellEnd}`
  const lines = Bun.markdown.render(
    markdown,
    {
      heading(inner) {
        const { level, text } = headings[nextHeading++]!
        if (level > 2) return `${bold(inner)}\n\n`
        return `${bold(inner)}\n${fixed}${dim((level === 1 ? '=' : '-').repeat(Math.min(text.length, columns)))}\n\n`
      },
      paragraph: writeBlock,
      blockquote: (inner) => indentLines(inner.trimEnd(), '| ', '| ').concat('\n\n'),
      list: (inner, { depth }) => (depth === 0 ? `${inner.trimEnd()}\n\n` : `\n${inner}`),
      listItem: (inner, { ordered, start = 1, index }) => {
        const marker = ordered ? `${start + index}. ` : '- '
        const item = joinSoftBreaks(inner.trimEnd())
        const isLoose = item.includes('\n\n')
        return `${indentLines(item, `  ${marker}`, ' '.repeat(marker.length + 2))}\n${isLoose ? '\n' : ''}`
      },
      code: (inner) => `${indentLines(inner.trimEnd(), '', '').replace(/^/gm, `${fixed}    `)}\n\n`,
      hr: () => `${fixed}${'-'.repeat(Math.min(columns, 40))}\n\n`,
      th: (inner) => writeCell(bold(inner)),
      td: writeCell,
      tr: (inner) => `${inner}${rowEnd}`,
      table: (inner) => {
        const rows = inner.split(rowEnd).map((row) => row.split(cellEnd).slice(0, -1))
        return `${layOutTable(rows.slice(0, -1), columns)
          .map((line) => `${fixed}${line}\n`)
          .join('')}\n`
      },
      codespan: cyan,
      strong: bold,
      image: (inner) => `(picture: ${inner})`,
      link: (inner, { href }) => `${inner}${dim(describeLink(readLink(href, path), { inner, path }))}`,
    },
    markdownOptions,
  )
  return `${lines
    .trimEnd()
    .replace(/\n{3,}/g, '\n\n')
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n')}\n`
}

/** The text after a link, which tells how to follow it from a terminal. */
function describeLink(link: GuideLink, { inner, path }: { readonly inner: string; readonly path: string }): string {
  if (link.to === 'web') return Bun.stripANSI(inner) === link.address ? '' : ` (${link.address})`
  if (link.to === 'guide') return link.path === path ? '' : ` (guide ${link.path})`
  if (link.to === 'picture') return ` (picture ${link.name})`
  return link.path.endsWith(Bun.stripANSI(inner)) ? '' : ` (${link.path})`
}

/** `first` goes before the first line and `others` before the rest. A mark at the start of a line stays there. */
const indentLines = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) => {
      if (line === '') return line
      const indent = index === 0 ? first : others
      return line.startsWith(fixed) ? `${fixed}${indent}${line.slice(fixed.length)}` : `${indent}${line}`
    })
    .join('\n')

/** In an item without paragraphs the lines of the source remain. A nested list or a block begins with its own mark. */
const joinSoftBreaks = (item: string): string => item.replace(new RegExp(`(?<!\\n)\\n(?=[^\\s|${fixed}])`, 'g'), ' ')

/** Lines go on below their own text, not below the mark of a list. */
function wrapLine(line: string, columns: number): string {
  if (line.startsWith(fixed)) return line.slice(fixed.length).trimEnd()
  const [start = ''] = /^(?:\| )*\s*(?:- |\d+\. )?/.exec(line)!
  const indent = start.replace(/[^|]/g, ' ')
  return Bun.wrapAnsi(line.slice(start.length), Math.max(columns - start.length, 20))
    .split('\n')
    .map((part, index) => `${index === 0 ? start : indent}${part}`.trimEnd())
    .join('\n')
}
