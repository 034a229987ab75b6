/** The current place: the address below the root of the server. Views change without loading a page. */
import { useEffect, useState } from 'preact/hooks'
import { dashboard as words } from '../../words/en/dashboard.ts'
import { root } from './model.ts'

export interface Route {
  /** Begins with a slash. */
  readonly path: string
  readonly query: URLSearchParams
}

const readRoute = (): Route => ({
  path: `/${decodeURI(location.pathname).slice(root.pathname.length)}`,
  query: new URLSearchParams(location.search),
})

const listeners = new Set<() => void>()
const tell = (): void => {
  shown = location.href
  for (const listener of listeners) listener()
}
let shown = location.href
addEventListener('popstate', () => {
  // The browser has navigated already, so a person who stays is brought back.
  if (new URL(shown).pathname !== location.pathname && !mayLeave()) history.pushState(null, '', shown)
  else tell()
})

/** The address of a place, for links: `/gates?page=2`. */
export const buildAddress = (place: string): string => new URL(place.slice(1), root).href

export function go(place: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (!mayLeave()) return
  history[replace ? 'replaceState' : 'pushState'](null, '', buildAddress(place))
  tell()
}

/** Changes parameters of the current view's address, without leaving the view. No value removes the name. */
export function adjust(
  changes: Readonly<Record<string, string | undefined>>,
  how?: { readonly replace?: boolean },
): void {
  const { path, query } = readRoute()
  for (const [name, value] of Object.entries(changes))
    if (value) query.set(name, value)
    else query.delete(name)
  history[how?.replace ? 'replaceState' : 'pushState'](
    null,
    '',
    buildAddress(`${path}${query.size ? `?${query}` : ''}`),
  )
  tell()
}

export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  useEffect(() => {
    const listener = () => setRoute(readRoute())
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return route
}

const unsaved = new Set<string>()
const mayLeave = (): boolean => unsaved.size === 0 || confirm(words.leave([...unsaved][0]!))

/** While `what` is a sentence, leaving asks first: "The key was not copied yet." */
export function useGuard(what: string | undefined): void {
  useEffect(() => {
    if (what === undefined) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    unsaved.add(what)
    addEventListener('beforeunload', ask)
    return () => {
      unsaved.delete(what)
      removeEventListener('beforeunload', ask)
    }
  }, [what])
}

/** The named parts of `path` by `pattern`; undefined when the path does not match. */
export function matchPattern(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const parts: Record<string, string> = {}
  for (const [index, part] of wanted.entries())
    if (part.startsWith(':')) parts[part.slice(1)] = given[index]!
    else if (part !== given[index]) return undefined
  return parts
}
