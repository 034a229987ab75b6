/** Reads the structure of a guide: its title, its headings with their anchors, its sections as plain text. */

export interface Heading {
  readonly level: number
  /** The text without backticks and other marks. */
  readonly text: string
  readonly anchor: string
}

export interface Section {
  readonly heading: Heading
  /** Plain text, one paragraph or row a line. */
  readonly text: string
}

/** A fenced block. Its first line holds the language and may hold a name: "```json answer". */
export const fence = /^ *(?<marks>`{3,}|~{3,})(?<info>[^\n]*)\n(?<code>[\s\S]*?)^ *\k<marks>[ \t]*$/gm

const headingLine = /^(#{1,6}) +(.+?) *#*$/gm

/**
 * Raw HTML is shown as text: guides contain none, and a placeholder such as <name> must not vanish. Every block of code
 * has a fence, so that its first line can name it.
 */
export const markdownOptions = { noHtmlBlocks: true, noHtmlSpans: true, noIndentedCodeBlocks: true } as const

export const readTitle = (markdown: string): string => readPlain(/^# +(.+)$/m.exec(markdown)?.[1] ?? '')

/** In the order of the text. Anchors follow GitHub: a repeated heading gets a number. */
export function listHeadings(markdown: string): readonly Heading[] {
  const seen = new Map<string, number>()
  return [...omitFences(markdown).matchAll(headingLine)].map(([, marks = '', written = '']) => {
    const text = readPlain(written)
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return { level: marks.length, text, anchor: before === 0 ? anchor : `${anchor}-${before}` }
  })
}

/** The text from each heading to the next one. */
export function listSections(markdown: string): readonly Section[] {
  const headings = listHeadings(markdown)
  const starts = [...omitFences(markdown).matchAll(headingLine)].map(({ index, 0: line }) => ({
    at: index,
    textAt: index + line.length,
  }))
  return headings.map((heading, place) => ({
    heading,
    text: readPlain(markdown.slice(starts[place]!.textAt, starts[place + 1]?.at)),
  }))
}

/** Keeps the length, so that positions in both texts agree. A comment in a shell command is no heading. */
const omitFences = (markdown: string): string => markdown.replace(fence, (block) => block.replace(/[^\n]/g, ' '))

const endLine = (text: string): string => `${text}\n`
const endCell = (text: string): string => `${text} `

function readPlain(markdown: string): string {
  const text = Bun.markdown.render(
    markdown,
    {
      paragraph: endLine,
      heading: endLine,
      code: endLine,
      listItem: endLine,
      tr: endLine,
      th: endCell,
      td: endCell,
    },
    markdownOptions,
  )
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
}
