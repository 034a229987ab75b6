/** A person with a wallet and a browser, at a server that listens: signs in, and allows what clients ask. */
import { handleIn } from '../oauth/flow.ts'
import { alice, type TestWallet } from '../wallets.ts'

export interface Person {
  /** Follows the address that a client opened, allows what is asked, and gives where the browser is sent. */
  allow(authorizationUrl: string): Promise<URL>
}

export async function personAt(base: string, wallet: TestWallet = alice): Promise<Person> {
  const post = (path: string, body: object) =>
    fetch(`${base}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { data } = (await (await post('nonce', { walletAddress: wallet.address })).json()) as {
    data: { message: string }
  }
  const signedIn = await post('verify', { message: data.message, signature: await wallet.sign(data.message) })
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''

  return {
    async allow(authorizationUrl) {
      const page = await fetch(authorizationUrl, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
      const handle = handleIn(await page.text())
      if (handle === '') throw new Error(`no consent page: ${page.status} ${page.headers.get('location')}`)
      const answer = await fetch(`${base}/oauth/consent`, {
        method: 'POST',
        headers: { cookie, origin: base, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ handle, decision: 'allow' }).toString(),
        redirect: 'manual',
      })
      return new URL(answer.headers.get('location') ?? 'about:blank')
    },
  }
}
