/** The navigation: every view, the signed-in account, signing out, and the language. On a phone it opens and closes. */

import { useEffect, useState } from 'preact/hooks'
import { languageNames, languages } from '../../../web/languages.ts'
import type { Place } from '../../dashboard-places.ts'
import { viewTitles, dashboard as words } from '../../words/en/dashboard.ts'
import { Address } from './address.tsx'
import { callApi } from './api.ts'
import { Icon } from './icons.tsx'
import { hasTypedText, leaveAfter } from './leaving.ts'
import { useAction } from './load.ts'
import { root, session } from './model.ts'
import { Link } from './parts.tsx'
import { Problem } from './problem.tsx'
import { useRoute } from './route.ts'
import { askPalette, paletteKeys } from './start/shortcuts.tsx'
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
      {listEntries(name).map(([to, { icon: drawing }]) => (
        <li key={to} class="menu-item">
          <Link to={to} class="menu-entry" aria-current={to === current ? 'page' : undefined}>
            <Icon name={drawing!} /> {viewTitles[to]}
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
          {words.menu}
        </button>
      </div>
      <nav id="menu" class={isOpen ? 'open' : ''} aria-label={words.dashboard}>
        <button type="button" class="menu-search" aria-haspopup="dialog" onClick={askPalette}>
          {words.search} <kbd>{paletteKeys.join(' ')}</kbd>
        </button>
        {group('yours', words.yours)}
        {session.isOperator && (
          <>
            <p class="menu-title">{words.operator}</p>
            {group('operator', words.operator)}
          </>
        )}
        <div class="menu-person">
          <p>
            {words.signedInAs} <Address value={session.accounts[0]!.wallet} />
          </p>
          <p class="menu-links">
            <a href={new URL('docs', root).href}>{words.reference}</a>
            <button type="button" class="link" aria-disabled={leaving.isBusy} onClick={() => leaving.run()}>
              {words.signOut}
            </button>
          </p>
          <Problem error={leaving.error} />
          <Languages />
        </div>
      </nav>
    </header>
  )
}

/** A form, because the server keeps the choice in a cookie; it leads back to the same view. */
function Languages() {
  useRoute()
  const { lang } = document.documentElement
  return (
    <form
      class="menu-links menu-languages"
      method="post"
      action={new URL('language', root).href}
      aria-label={words.language}
      onSubmit={(event) => {
        if (hasTypedText() && !confirm(words.switchDrops)) event.preventDefault()
      }}
    >
      <input type="hidden" name="back" value={`/${location.href.slice(root.href.length)}`} />
      {languages.map((one) =>
        one === lang ? (
          <span key={one} lang={one} aria-current="true">
            {languageNames[one]}
          </span>
        ) : (
          <button key={one} type="submit" class="link" name="language" value={one} lang={one}>
            {languageNames[one]}
          </button>
        ),
      )}
    </form>
  )
}
