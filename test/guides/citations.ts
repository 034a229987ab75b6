/** Documents of this repository that comments and messages cite: `src/guides/gates.md, "Versions"`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readPage, root } from './page.ts'

const citation = /((?:src|test)\/[\w/.-]*[\w-]+\.md)(?:,(?:\s|\*|\/\/)+(?:under )?\\?"([^"\\]+)\\?")?/g

const listHeadings = (path: string): string[] =>
  [...readPage(path).prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title.replaceAll('`', '').trim())

/** Citations of a file or a heading that is not there. */
export function findBrokenCitations(text: string): string[] {
  return [...text.matchAll(citation)].flatMap(([, path = '', quoted]) => {
    if (!existsSync(join(root, path))) return [path]
    const heading = quoted?.replace(/\s*(?:\n\s*(?:\*|\/\/)\s*)\s*/g, ' ')
    return heading === undefined || listHeadings(path).includes(heading) ? [] : [`${path}, "${heading}"`]
  })
}
