/** The sign-in API, as this page uses it. */

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

/** The server refused, or could not. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly reason: string | undefined,
    readonly retryAfterSeconds: number | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message)
  }
}

/** It did not answer at all. */
export class NoAnswer extends Error {}

const patienceMs = 30_000

export class AuthApi {
  /** `base` ends in a slash. */
  constructor(private readonly base: string) {}

  /** The text to sign. */
  async message(walletAddress: string, chain: Chain): Promise<string> {
    const { message } = await this.post('nonce', { walletAddress, ...chain })
    if (typeof message !== 'string') throw new NoAnswer()
    return message
  }

  async signIn(signed: Signed | { readonly token: string }): Promise<void> {
    await this.post('verify', signed)
  }

  async signOut(csrfToken: string): Promise<void> {
    await this.post('logout', {}, { 'x-csrf-token': csrfToken })
  }

  private async post(
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(this.base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    }).catch(() => {
      throw new NoAnswer()
    })
    // A proxy in between answers in other words.
    const answer: Answer = await response.json().catch(() => ({}))
    if (response.ok) return answer.data ?? {}
    const { code, message, details } = answer.error ?? {}
    throw new Refusal(
      code ?? String(response.status),
      message ?? `status ${response.status}`,
      details?.reason,
      Number(response.headers.get('retry-after')) || undefined,
      answer.requestId ?? response.headers.get('x-request-id') ?? undefined,
    )
  }
}

interface Answer {
  readonly data?: Readonly<Record<string, unknown>>
  readonly requestId?: string
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly details?: { readonly reason?: string }
  }
}
