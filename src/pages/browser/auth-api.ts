/** The sign-in API, as the pages use it. */
import { call, type Data, NoAnswer } from './json-api.ts'

export interface Chain {
  readonly chainId?: number
  /** CAIP-2. */
  readonly chain?: string
}

export interface Signed {
  readonly message: string
  readonly signature: string
  readonly signatureMethod?: string
}

export class AuthApi {
  /** `base` ends in a slash. */
  constructor(private readonly base: string) {}

  /** The text to sign. */
  async message(walletAddress: string, chain: Chain): Promise<string> {
    const { message } = await call(`${this.base}nonce`, { body: { walletAddress, ...chain }, isRead: true })
    if (typeof message !== 'string') throw new NoAnswer()
    return message
  }

  signIn(signed: Signed | { readonly token: string }): Promise<Data> {
    return this.post('verify', signed)
  }

  async signOut(csrfToken: string): Promise<void> {
    await this.post('logout', {}, { 'x-csrf-token': csrfToken })
  }

  /** The person has agreed that a site is told. */
  async requestCode(handover: object, csrfToken: string): Promise<string> {
    const { code } = await this.post('code', handover, { 'x-csrf-token': csrfToken })
    if (typeof code !== 'string') throw new NoAnswer()
    return code
  }

  private post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Data> {
    return call(this.base + path, { body, headers })
  }
}
