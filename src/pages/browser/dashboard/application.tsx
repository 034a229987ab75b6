/** The dashboard: the menu, and the view at the address. */
import { render } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { operatorPlaces, ownPlaces, type Place } from '../../dashboard-places.ts'
import { viewTitles, dashboard as words } from '../../words/en/dashboard.ts'
import { Menu } from './menu.tsx'
import { session } from './model.ts'
import { matchPattern, useRoute } from './route.ts'
import { SessionNotice, useSessionCheck } from './session-notice.tsx'
import { SlowNotice } from './slow-notice.tsx'
import { Shortcuts } from './start/shortcuts.tsx'
import { Toasts } from './toast.tsx'
import { views } from './views.tsx'

const places: readonly Place[] = [...ownPlaces, ...(session.isOperator ? operatorPlaces : [])]

const menuPlaces = places.filter((place) => views[place].icon !== undefined)

function findPlace(
  path: string,
): { readonly place: Place; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const place of places) {
    const params = matchPattern(place, path)
    if (params) return { place, params }
  }
  return undefined
}

function Application() {
  const { path } = useRoute()
  useSessionCheck()
  const at = findPlace(path)
  const view = at && views[at.place]
  const main = useRef<HTMLElement>(null)
  const [isFirst, setFirst] = useState(true)
  useLayoutEffect(() => {
    document.title = `${at ? viewTitles[at.place] : words.notFound} · Proofgate`
    if (isFirst) setFirst(false)
    else {
      scrollTo(0, 0)
      main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    }
  }, [path])
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <Menu place={at?.place} />
      <main id="main" ref={main}>
        <SessionNotice />
        <SlowNotice />
        {view ? (
          <view.component key={path} params={at.params} />
        ) : (
          <>
            <h1 tabIndex={-1}>{words.notFound}</h1>
            <p class="lead">{words.notFoundLead}</p>
          </>
        )}
      </main>
      <Toasts isOfPage />
      <Shortcuts places={menuPlaces} />
    </div>
  )
}

export const mount = (element: HTMLElement): void => {
  // Relative to the address that the page came from, which changes with every view.
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  icon?.setAttribute('href', icon.href)
  element.replaceChildren()
  render(<Application />, element)
}
