/** Signing in on the way through a checkout, without leaving the page. */
import type { BrowserSession } from '../verify-model.ts'
import type { Attempts } from './attempt.ts'
import { AuthApi } from './auth-api.ts'
import { el } from './dom.ts'
import { call, type Data } from './json-api.ts'
import type { Person } from './person.ts'
import type { Wanted } from './wallet-desk.ts'

/** What the wallets of the page are asked for. `signedIn` is called with the session and the wallet that opened it. */
export function signInWanted(
  apiRoot: string,
  attempts: Attempts,
  signedIn: (session: BrowserSession, person: Person) => void,
): Wanted {
  const auth = new AuthApi(`${apiRoot}auth/`)
  return {
    heading: 'Sign in with your wallet',
    before: el(
      'p',
      {},
      'First sign in: your wallet signs a short text, which costs nothing. Then your own proofs count here, and what you get is shown to you alone.',
    ),
    async chosen(person, isCurrent) {
      const { name, connection } = person.wallet!
      const message = await auth.message(connection.address, connection.chain)
      if (!isCurrent()) return
      attempts.say(`Sign the text that ${name} shows.`)
      const signed = await connection.sign(message)
      if (!isCurrent()) return
      attempts.say('Checking the signature …')
      const { csrfToken } = await auth.signIn({ message, ...signed })
      const me = await call(`${apiRoot}auth/me`)
      if (!isCurrent()) return
      signedIn(sessionFrom(me, String(csrfToken), person), person)
    },
  }
}

function sessionFrom(me: Data, csrf: string, { address }: Person): BrowserSession {
  const accounts = ((me.accounts ?? []) as readonly { address: string; contractOn: string | null }[]).map(
    ({ address: wallet, contractOn }) => ({ wallet, ...(contractOn === null ? {} : { contractOn }) }),
  )
  return { accounts: accounts.length > 0 ? accounts : [{ wallet: address }], csrf }
}
