/** The left side: the search, and every operation below its tag. */
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { FoundSection } from '../guide-search.ts'
import type { Description, Operation } from './description.ts'
import { GuideResults } from './guide-results.tsx'
import { Method, Path } from './prose.tsx'
import { Fold } from './schema-view.tsx'
import type { Found } from './search.ts'

interface NavigationProps {
  readonly description: Description
  readonly search: (query: string) => readonly Found[]
  /** Sections of the guides that the query finds. */
  readonly guides: readonly FoundSection[]
  readonly query: string
  readonly current: Operation | undefined
  /** On a small screen the list is away until it is asked for. */
  readonly isOpen: boolean
  setQuery(query: string): void
  setOpen(isOpen: boolean): void
}

export function Navigation({
  description,
  search,
  guides,
  query,
  current,
  isOpen,
  setQuery,
  setOpen,
}: NavigationProps) {
  const place = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const found = useMemo(() => (query.trim() === '' ? undefined : search(query)), [search, query])

  useEffect(() => {
    const focusSearch = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      field.current!.focus()
      field.current!.select()
    }
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])

  useEffect(() => {
    if (current) place.current!.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const listLinks = (): HTMLElement[] =>
    [...place.current!.querySelectorAll<HTMLElement>('.operation-list a')].filter((one) => one.offsetParent !== null)
  const move = (event: KeyboardEvent): void => {
    const inField = event.target === field.current
    if (event.key === 'Escape') {
      if (query === '' && !isOpen) return
      event.preventDefault()
      setQuery('')
      setOpen(false)
      field.current!.focus()
      return
    }
    if (inField && event.key === 'Enter') {
      event.preventDefault()
      listLinks()[0]?.click()
      return
    }
    const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
      ArrowDown: (at, last) => Math.min(at + 1, last),
      ArrowUp: (at) => at - 1,
      ...(inField ? {} : { Home: () => 0, End: (_, last) => last }),
    }
    const step = steps[event.key]
    if (!step) return
    const all = listLinks()
    const at = all.indexOf(document.activeElement as HTMLElement)
    // In the rest of the list, such as on the title of a fold, arrows do what they always do.
    if (at === -1 && !inField) return
    event.preventDefault()
    const next = step(at, all.length - 1)
    const to = next < 0 ? field.current : all[next]
    to?.focus()
  }

  const count = (found?.length ?? 0) + guides.length
  const said = found && `${count === 0 ? 'Nothing' : count} found for “${query.trim()}”`
  return (
    <nav
      ref={place}
      class={isOpen || found ? 'operations is-open' : 'operations'}
      aria-label="Operations"
      onKeyDown={move}
    >
      <div class="search">
        <label class="visually-hidden" for="search">
          Search operations and guides
        </label>
        <input
          ref={field}
          id="search"
          type="search"
          placeholder="Search API and guides"
          autocomplete="off"
          spellcheck={false}
          value={query}
          aria-describedby="search-hint"
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <kbd>/</kbd>
        <span id="search-hint" class="visually-hidden">
          Press slash to come here from anywhere, arrow keys to go through the operations, Escape to clear.
        </span>
        <button type="button" class="list-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close the list' : `All ${description.operations.length} operations`}
        </button>
      </div>
      <p class={found ? 'found' : 'visually-hidden'} role="status">
        {said}
      </p>
      <div class="operation-list">
        {found ? (
          <ul>
            {found.map(({ operation, because }) => (
              <Item key={operation.id} operation={operation} isCurrent={operation === current} because={because} />
            ))}
          </ul>
        ) : (
          description.tags.map(({ name }) => (
            <Group
              key={name}
              name={name}
              current={current}
              operations={description.operations.filter(({ tag }) => tag === name)}
            />
          ))
        )}
        {found && guides.length > 0 && <GuideResults found={guides} />}
        {found && count === 0 && (
          <p class="quiet">
            Every word must be in the path, the summary, the description, a parameter, a member or an error code of one
            operation, or in one section of a guide.{' '}
            <button type="button" class="link" onClick={() => setQuery('')}>
              Show all operations
            </button>
          </p>
        )}
      </div>
    </nav>
  )
}

interface GroupProps {
  readonly name: string
  readonly operations: readonly Operation[]
  readonly current: Operation | undefined
}

function Group({ name, operations, current }: GroupProps) {
  const older = operations.filter(({ isOlder }) => isOlder)
  const renderItems = (some: readonly Operation[]) => (
    <ul>
      {some.map((operation) => (
        <Item key={operation.id} operation={operation} isCurrent={operation === current} />
      ))}
    </ul>
  )
  return (
    <div class="group">
      <h2>{name}</h2>
      {renderItems(operations.filter(({ isOlder }) => !isOlder))}
      {older.length > 0 && (
        <Fold
          key={String(current?.isOlder)}
          class="fold older"
          title={`${older.length} older path${older.length === 1 ? '' : 's'}`}
          isOpen={current !== undefined && older.includes(current)}
        >
          {renderItems(older)}
        </Fold>
      )}
    </div>
  )
}

interface ItemProps {
  readonly operation: Operation
  readonly isCurrent: boolean
  readonly because?: string | undefined
}

function Item({ operation, isCurrent, because }: ItemProps) {
  const { id, method, path, summary } = operation
  return (
    <li>
      <a href={`#${id}`} data-operation={id} aria-current={isCurrent ? 'page' : undefined}>
        <Method method={method} />
        <span class="item-text">
          <span class="item-summary">{summary}</span>
          <span class="item-path">
            <Path path={path} />
          </span>
          {because && <span class="item-because">{because}</span>}
        </span>
      </a>
    </li>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
