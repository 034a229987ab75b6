/** Search over the guides: every word that is typed must be in one section. Used by the guides and by the reference. */

export interface GuideIndex {
  readonly guides: readonly {
    readonly path: string
    readonly title: string
    readonly sections: readonly { readonly title: string; readonly anchor: string; readonly text: string }[]
  }[]
}

export interface FoundSection {
  /** From the root of the server. */
  readonly address: string
  readonly guide: string
  readonly section: string
  /** Some words around the first hit in the text. Empty where only titles hit. */
  readonly excerpt: string
}

export const mostFound = 20

export async function loadGuideIndex(root: string): Promise<GuideIndex> {
  const response = await fetch(`${root}docs/guides/search.json`)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return response.json()
}

export function searchGuides({ guides }: GuideIndex, query: string): readonly FoundSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return guides
    .flatMap(({ path, title, sections }) =>
      sections.flatMap((section) => {
        const score = rateSection(words, { guide: title, section: section.title, text: section.text })
        if (score === 0) return []
        const address = `docs/guides/${path}${section.anchor && `#${section.anchor}`}`
        return [{ address, guide: title, section: section.title, excerpt: cutExcerpt(section.text, words), score }]
      }),
    )
    .sort((one, other) => Number(isDecision(one)) - Number(isDecision(other)) || other.score - one.score)
    .slice(0, mostFound)
}

/** Readers look for how to do something first, and for why it is so afterwards. */
const isDecision = ({ address }: FoundSection): boolean => address.startsWith('docs/guides/decisions/')

interface Rated {
  readonly guide: string
  readonly section: string
  readonly text: string
}

/** Zero where a word is missing. A heading counts for more than the text below it. */
function rateSection(words: readonly string[], { guide, section, text }: Rated): number {
  let sum = 0
  for (const word of words) {
    const weight = 30 * countHits(section, word) + 10 * countHits(guide, word) + 4 * countHits(text, word)
    if (weight === 0) return 0
    sum += weight
  }
  return sum
}

/** 2 where a word of the text begins so, 1 where it goes on so. */
function countHits(text: string, word: string): number {
  const lower = text.toLowerCase()
  const at = lower.indexOf(word)
  if (at === -1) return 0
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`, 'u').test(lower) ? 2 : 1
}

const before = 40
const length = 140

function cutExcerpt(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, ' ')
  const lower = flat.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1)
  if (places.length === 0) return ''
  const first = Math.min(...places)
  const from = first <= before ? 0 : flat.indexOf(' ', first - before) + 1
  const cut = flat.slice(from, from + length)
  return `${from > 0 ? '… ' : ''}${cut}${from + length < flat.length ? ' …' : ''}`
}
