/** Says that the session ended, and offers to sign in again in a new tab. What was typed stays in this one. */
import { makeElement, shortenAddress } from '../../web/ui/dom.ts'
import { sessionOver as words } from '../words/en/errors.ts'
import { call } from './json-api.ts'
import { isSameAddress } from './person.ts'

export interface Ended {
  /** The address of the server, with a slash at its end. */
  readonly root: string
  /** The account that the page acts for. */
  readonly wallet: string
  /** The same person is back: requests carry this token now. */
  readonly renew: (csrf: string) => void
}

export function renderSessionOver({ root, wallet, renew }: Ended): HTMLElement {
  const told = makeElement('p', {}, words.over)
  const notice = makeElement(
    'div',
    {},
    told,
    makeElement('p', {}, renderSignIn(root)),
    makeElement('p', {}, words.back),
  )
  let wasShown = false
  const stop = (): void => {
    removeEventListener('focus', look)
    document.removeEventListener('visibilitychange', look)
  }
  const look = async (): Promise<void> => {
    wasShown ||= notice.isConnected
    if (wasShown && !notice.isConnected) return stop()
    if (document.visibilityState === 'hidden') return
    const me = (await call(`${root}api/v1/auth/me`).catch(() => ({}))) as Me
    if (!me.authenticated || !notice.isConnected) return
    if (!me.accounts?.some(({ address }) => isSameAddress(address, wallet))) {
      told.textContent = words.somebodyElse(shortenAddress(wallet))
      return
    }
    stop()
    renew(me.csrfToken!)
    notice.replaceChildren(makeElement('p', {}, words.here))
  }
  addEventListener('focus', look)
  document.addEventListener('visibilitychange', look)
  return notice
}

/** A link, so that it opens in a tab of its own. */
export const renderSignIn = (root: string): HTMLElement =>
  makeElement(
    'a',
    { class: 'button secondary', href: `${root}login?switch=1`, target: '_blank', rel: 'noreferrer' },
    words.signIn,
  )

interface Me {
  readonly authenticated?: boolean
  readonly csrfToken?: string
  readonly accounts?: readonly { readonly address: string }[]
}
