/** The navigation: every view, the signed-in account, and signing out. On a phone it opens and closes. */
import { useEffect, useState } from 'preact/hooks'
import type { Place } from '../../dashboard-places.ts'
import { callApi } from './api.ts'
import { Icon } from './icons.tsx'
import { leaveAfter } from './leaving.ts'
import { useAction } from './load.ts'
import { root, session } from './model.ts'
import { Address, Link } from './parts.tsx'
import { Problem } from './problem.tsx'
import { type View, views } from './views.tsx'

// Resolves the address once, against the first address of the page; browsers would resolve it again after each
// navigation.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!
icon.setAttribute('href', icon.href)

const listEntries = (group: View['group']) =>
  (Object.entries(views) as [Place, View][]).filter(([, view]) => view.group === group && view.icon !== undefined)

export function Menu({ place }: { readonly place: Place | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const leaving = useAction(() => leaveAfter(() => callApi('POST', '/api/v1/auth/logout')))
  const current = place && (views[place].under ?? place)
  // Close the menu after a navigation.
  useEffect(() => setOpen(false), [place])
  const group = (name: View['group'], title: string) => (
    <ul aria-label={title}>
      {listEntries(name).map(([to, { title: text, icon: drawing }]) => (
        <li key={to} class="menu-item">
          <Link to={to} class="menu-entry" aria-current={to === current ? 'page' : undefined}>
            <Icon name={drawing!} /> {text}
          </Link>
        </li>
      ))}
    </ul>
  )
  return (
    <header class="menu">
      <div class="menu-top">
        <a class="mark" href={root.href}>
          <img src={icon.href} alt="" width="28" height="28" /> Proofgate
        </a>
        <button
          type="button"
          class="button secondary small menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      <nav id="menu" class={isOpen ? 'open' : ''} aria-label="Dashboard">
        {group('yours', 'Yours')}
        {session.isOperator && (
          <>
            <p class="menu-title">Operator</p>
            {group('operator', 'Operator')}
          </>
        )}
        <div class="menu-person">
          <p>
            Signed in as <Address value={session.accounts[0]!.wallet} />
          </p>
          <p class="menu-links">
            <a href={new URL('docs', root).href}>API reference</a>
            <button type="button" class="link" aria-disabled={leaving.isBusy} onClick={() => leaving.run()}>
              Sign out
            </button>
          </p>
          <Problem error={leaving.error} />
        </div>
      </nav>
    </header>
  )
}
