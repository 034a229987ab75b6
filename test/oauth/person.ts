/** A person with a browser and a wallet, who signs in over the API and answers consent questions. */
import { alice, type TestWallet } from '../wallets.ts'
import { handleIn, tickedIn } from './flow.ts'

export interface Person {
  readonly cookie: string
  /** Opens an authorization address, allows the request, and returns the redirect to the client. */
  allow(address: URL | string): Promise<URL>
}

export async function personAt(url: string, wallet: TestWallet = alice): Promise<Person> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const prepared = await post('/api/v1/auth/nonce', {
    walletAddress: wallet.address,
    ...(wallet.signing.chain ? { chain: wallet.signing.chain } : {}),
  })
  const { message } = ((await prepared.json()) as { data: { message: string } }).data
  const signedIn = await post('/api/v1/auth/verify', { message, signature: await wallet.sign(message) })
  if (signedIn.status !== 200) throw new Error(`not signed in: ${await signedIn.text()}`)
  const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!

  return {
    cookie,
    async allow(address) {
      let answer = await fetch(address, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
      if (answer.status === 200) {
        const page = await answer.text()
        answer = await fetch(`${url}/oauth/consent`, {
          method: 'POST',
          // The header that Chromium sends from a page without referrer.
          headers: { cookie, origin: 'null', 'sec-fetch-site': 'same-origin' },
          body: new URLSearchParams({ handle: handleIn(page), decision: 'allow', scope: tickedIn(page) }),
          redirect: 'manual',
        })
      }
      const location = answer.headers.get('location')
      if (answer.status !== 303 || location === null) throw new Error(`${answer.status}: ${await answer.text()}`)
      return new URL(location)
    },
  }
}
