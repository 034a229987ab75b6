/** A page of the documentation: its blocks of code, its words in code, its headings and its links. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Glob } from 'bun'

export const root = new URL('../..', import.meta.url).pathname

/** A fenced block. Behind the three backticks stands its language, and its name where it has one. */
export interface Block {
  readonly language: string
  readonly name: string | undefined
  readonly code: string
}

export interface Page {
  /** From the root of the checkout: `src/guides/gates.md`. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
  /** Words in backticks within sentences and tables. */
  readonly words: readonly string[]
  /** The page without its blocks: a comment in a shell command is no heading. */
  readonly prose: string
}

export const guidePaths = (): string[] => [...new Glob('src/guides/**/*.md').scanSync(root)].sort()

const fence = /^(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)^\1[ \t]*$/gm

export function parsePage(path: string, text: string): Page {
  const blocks = [...text.matchAll(fence)].map(([, , info = '', code = '']) => {
    const [language = '', ...name] = info.trim().split(' ')
    return { language, name: name.join(' ') || undefined, code }
  })
  const prose = text.replace(fence, '')
  // Code may go on in the next line, and not beyond its paragraph.
  const words = prose.split(/\n\s*\n/).flatMap((paragraph) => [...paragraph.matchAll(/`([^`]+)`/g)])
  return { path, text, blocks, prose, words: words.map(([, word = '']) => word.replace(/\s*\n\s*/g, ' ')) }
}

/** The README, the page for contributors where there is one, and every guide. */
export const documentPaths = (): string[] => [
  'README.md',
  ...['CONTRIBUTING.md'].filter((path) => existsSync(join(root, path))),
  ...guidePaths(),
]

export const readPage = (path: string): Page => parsePage(path, readFileSync(join(root, path), 'utf8'))

/** Anchors as GitHub makes them: a heading that comes twice gets a number. */
export function listAnchors({ prose }: Page): string[] {
  const seen = new Map<string, number>()
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => {
    const anchor = title
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

const listLinks = ({ prose }: Page): string[] =>
  [...prose.matchAll(/\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*<?([^\s>]+)/gm)].map(([, inline, reference]) => {
    return (inline ?? reference)!
  })

/** Links of the page that lead nowhere. Links to other servers are not followed. */
export function findBrokenLinks(page: Page): string[] {
  return listLinks(page).filter((link) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return false
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? page.path : relative(root, join(root, dirname(page.path), decodeURI(file)))
    if (target !== page.path && !existsSync(join(root, target))) return true
    if (anchor === undefined) return false
    return !target.endsWith('.md') || !listAnchors(target === page.path ? page : readPage(target)).includes(anchor)
  })
}

/** The block of this name, wherever it stands: a subject may move from page to page. */
export function findBlock(name: string): Block & { readonly page: Page } {
  for (const page of documentPaths().map(readPage)) {
    const block = page.blocks.find((one) => one.name === name)
    if (block) return { ...block, page }
  }
  throw new Error(`no page has a block named ${name}`)
}
