/** Signs in during a checkout or at its end, without leaving the page. */

import { makeElement } from '../../web/ui/dom.ts'
import type { BrowserSession } from '../verify-model.ts'
import { wallets as words } from '../words/en/wallets.ts'
import type { Attempts } from './attempt.ts'
import { AuthApi } from './auth-api.ts'
import { call, type Data } from './json-api.ts'
import type { Person } from './person.ts'
import type { Wanted } from './wallet-desk.ts'

/** The request to the wallets of the page. `signedIn` is called with the session and the wallet that opened it. */
export function signInWanted(
  apiRoot: string,
  attempts: Attempts,
  signedIn: (session: BrowserSession, person: Person) => void,
): Wanted {
  return {
    heading: words.signIn,
    before: makeElement('p', {}, words.signInWhy),
    async chosen(person, isCurrent) {
      const session = await signInHere({ apiRoot, attempts }, person, isCurrent)
      if (session) signedIn(session, person)
    },
  }
}

interface Here {
  readonly apiRoot: string
  readonly attempts: Attempts
  /** Gets the focus back on cancel. */
  readonly pressed?: HTMLElement
}

/**
 * Signs in with one signature of the connected wallet. Undefined if it was canceled. Errors: those of the wallet and
 * the API.
 */
export async function signInHere(
  { apiRoot, attempts, pressed }: Here,
  person: Person,
  isCurrent: () => boolean,
): Promise<BrowserSession | undefined> {
  const auth = new AuthApi(`${apiRoot}auth/`)
  const { name, connection } = person.wallet!
  const message = await auth.message(connection.address, connection.chain)
  if (!isCurrent()) return undefined
  attempts.say(words.signText(name), pressed)
  const signed = await connection.sign(message)
  if (!isCurrent()) return undefined
  attempts.say(words.checking)
  const { csrfToken } = await auth.signIn({ message, ...signed })
  const me = await call(`${apiRoot}auth/me`)
  return isCurrent() ? makeSession(me, String(csrfToken), person) : undefined
}

function makeSession(me: Data, csrf: string, { address }: Person): BrowserSession {
  const accounts = ((me.accounts ?? []) as readonly { address: string; contractOn: string | null }[]).map(
    ({ address: wallet, contractOn }) => ({ wallet, ...(contractOn === null ? {} : { contractOn }) }),
  )
  return { accounts: accounts.length > 0 ? accounts : [{ wallet: address }], csrf }
}
