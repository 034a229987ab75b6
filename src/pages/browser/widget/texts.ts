/** The words that the elements say, in the language of the page around them. The page may replace them: `setTexts`. */
import { words as de } from './words/de.ts'
import { words as en } from './words/en.ts'

type Words = typeof en

/** One file serves all languages at one address. */
const byLanguage: ReadonlyMap<string, Words> = new Map([
  ['en', en],
  ['de', de],
])

let replaced: Partial<Words> = {}

/** The nearest `lang` around the element decides, and else the browser. Other languages get English. */
export const readTexts = (element: Element): Words => ({
  ...(byLanguage.get((findLanguage(element) || navigator.language).split('-')[0]!.toLowerCase()) ?? en),
  ...replaced,
})

/** A shadow root stands in the language of its host. */
function findLanguage(element: Element): string | undefined {
  const nearest = element.closest('[lang]')
  if (nearest) return nearest.getAttribute('lang')!
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? findLanguage(root.host) : undefined
}

/** Each draws an element that is on the page once more. */
export const redraws = new Set<() => void>()

/** Words that are left out stay as they are. */
export function setTexts(words: Partial<Words>): void {
  replaced = { ...replaced, ...words }
  for (const redraw of redraws) redraw()
}
