/** Runs on the pages of the guides: the search over guides and API operations, and the buttons that copy. */
import { makeElement, requireElement } from '../../web/ui/dom.ts'
import { offerGuideCopies } from './guide-copies.ts'
import { type FoundSection, loadGuideIndex, searchGuides } from './guide-search.ts'
import { readDescription } from './reference/description.ts'
import { type Found, searchOver } from './reference/search.ts'

const root = requireElement('guides').dataset.root!
const field = requireElement<HTMLInputElement>('search')
const said = requireElement('found')
const results = requireElement('results')
const list = requireElement('list')

interface Searches {
  guides(query: string): readonly FoundSection[]
  operations(query: string): readonly Found[]
}

let loading: Promise<Searches> | undefined

/** Loads both indexes when somebody searches. A failure is not kept, so the next key press tries again. */
function loadSearches(): Promise<Searches> {
  loading ??= Promise.all([loadGuideIndex(root), loadOperations()]).then(
    ([index, operations]) => ({ guides: (query) => searchGuides(index, query), operations }),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

async function loadOperations(): Promise<(query: string) => readonly Found[]> {
  const response = await fetch(`${root}openapi.json`)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return searchOver(readDescription(await response.json()))
}

const mostOperations = 20

async function search(): Promise<void> {
  const query = field.value.trim()
  if (query === '') return showList()
  let searches: Searches
  try {
    searches = await loadSearches()
  } catch {
    return show('The search could not be loaded. Type again to retry.')
  }
  // An answer to an earlier text must not replace that to a later one.
  if (query !== field.value.trim()) return
  const sections = searches.guides(query)
  const operations = searches.operations(query)
  const count = sections.length + operations.length
  show(
    count === 0 ? `No results for “${query}”` : `${count} ${count === 1 ? 'result' : 'results'} for “${query}”`,
    sections.length > 0 && group('Guides', sections.map(showSection)),
    operations.length > 0 && group('API operations', operations.slice(0, mostOperations).map(showOperation)),
  )
}

function show(words: string, ...groups: readonly (HTMLElement | false)[]): void {
  said.textContent = words
  said.className = 'found'
  results.replaceChildren(...groups.filter((one) => one !== false))
  results.hidden = false
  list.hidden = true
  results.parentElement!.classList.add('is-open')
}

function showList(): void {
  said.textContent = ''
  said.className = 'visually-hidden'
  results.hidden = true
  list.hidden = false
  results.parentElement!.classList.remove('is-open')
}

const group = (title: string, items: readonly HTMLElement[]): HTMLElement =>
  makeElement('div', { class: 'group' }, makeElement('h2', {}, title), makeElement('ul', {}, ...items))

const showSection = ({ address, guide, section, excerpt }: FoundSection): HTMLElement =>
  makeElement(
    'li',
    {},
    makeElement(
      'a',
      { href: `${root}${address}` },
      makeElement(
        'span',
        { class: 'item-text' },
        makeElement('span', { class: 'item-summary' }, section),
        section !== guide && makeElement('span', { class: 'item-guide' }, guide),
        excerpt !== '' && makeElement('span', { class: 'item-excerpt' }, excerpt),
      ),
    ),
  )

const showOperation = ({ operation, because }: Found): HTMLElement =>
  makeElement(
    'li',
    {},
    makeElement(
      'a',
      { href: `${root}docs#${operation.id}` },
      makeElement(
        'span',
        { class: `method ${operation.method.toLowerCase()}` },
        operation.method.replace('DELETE', 'DEL'),
      ),
      makeElement(
        'span',
        { class: 'item-text' },
        makeElement('span', { class: 'item-summary' }, operation.summary),
        makeElement('span', { class: 'item-path' }, operation.path),
        because !== undefined && makeElement('span', { class: 'item-because' }, because),
      ),
    ),
  )

/** Moves between the field and the results with the arrow keys, as in the reference. */
function move(event: KeyboardEvent): void {
  const links = [...results.querySelectorAll<HTMLElement>('a')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (event.key === 'Escape' && field.value !== '') {
    event.preventDefault()
    field.value = ''
    showList()
    field.focus()
  } else if (event.key === 'Enter' && document.activeElement === field) {
    event.preventDefault()
    links[0]?.click()
  } else if (results.hidden || (at === -1 && document.activeElement !== field)) {
    return
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    const next = event.key === 'ArrowDown' ? Math.min(at + 1, links.length - 1) : at - 1
    ;(links[next] ?? field).focus()
  }
}

field.addEventListener('input', () => void search())
results.parentElement!.addEventListener('keydown', move)
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
  event.preventDefault()
  field.focus()
  field.select()
})
// On a phone the results cover the page they may lead to.
addEventListener('hashchange', () => {
  field.value = ''
  showList()
})
offerGuideCopies()
