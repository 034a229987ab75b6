/** Resolves the links of a guide, so that pages and the terminal can each show them in their own way. */
import { posix } from 'node:path'
import { suggestNearest } from '../config/suggest.ts'
import { decisions, type Guide, guideGroups } from './index.ts'
import { guidePictures } from './pictures.ts'

export type GuideLink =
  | { readonly to: 'guide'; readonly path: string; readonly anchor: string | undefined }
  | { readonly to: 'web'; readonly address: string }
  | { readonly to: 'picture'; readonly name: string }
  /** A file of the source: neither served nor printed. */
  | { readonly to: 'file'; readonly path: string }

/** A guide that `/docs/guides/<path>` and `proofgate guide <path>` name. */
export interface NamedGuide {
  readonly path: string
  readonly group: string
  readonly summary: string | undefined
  readonly markdown: string
}

const decisionFolder = 'decisions'

const nameGuide = ({ name, summary, markdown }: Guide, group: string): NamedGuide => ({
  path: name,
  group,
  summary,
  markdown,
})

/** In the order of the table of contents; decisions come last. */
export const everyGuide: ReadonlyMap<string, NamedGuide> = new Map(
  [
    ...guideGroups.flatMap(({ title, guides }) => guides.map((guide) => nameGuide(guide, title))),
    ...decisions.map(({ name, markdown }) => ({
      path: `${decisionFolder}/${name}`,
      group: 'Decisions',
      summary: undefined,
      markdown,
    })),
  ].map((guide) => [guide.path, guide]),
)

/** For a misspelled path of a guide. */
export const suggestGuide = (path: string): string | undefined => suggestNearest(path, [...everyGuide.keys()])

/** `from` is the path of the guide that holds the link. */
export function readLink(href: string, from: string): GuideLink {
  if (/^https?:\/\//.test(href)) return { to: 'web', address: href }
  const [file = '', anchor] = href.split('#')
  if (file === '') return { to: 'guide', path: from, anchor }
  // Guides lie in src/guides, which is where relative links start.
  const path = posix.join('src/guides', posix.dirname(from), file)
  const picture = /^src\/guides\/pictures\/(.+)$/.exec(path)?.[1]
  if (picture !== undefined && guidePictures.has(picture)) return { to: 'picture', name: picture }
  const guide = /^src\/guides\/(.+)\.md$/.exec(path)?.[1]
  return guide !== undefined && everyGuide.has(guide) ? { to: 'guide', path: guide, anchor } : { to: 'file', path }
}
