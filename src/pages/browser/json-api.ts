/** Calls the API of this server from its own pages. */

export type Data = Readonly<Record<string, unknown>>

/** An error answer of the server. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: Data,
    readonly retryAfterSeconds: number | undefined,
    readonly requestId: string | undefined,
  ) {
    super(message)
  }

  get reason(): string | undefined {
    const { reason } = this.details
    return typeof reason === 'string' ? reason : undefined
  }
}

/** The session ended, or another tab signed in as somebody else. */
export const isSessionOver = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === 'WALLET_AUTH_REQUIRED' || (error.code === 'FORBIDDEN' && error.message.includes('X-CSRF-Token')))

/** The server did not answer at all. A request that changes something may have been carried out all the same. */
export class NoAnswer extends Error {
  constructor(readonly mayHaveHappened = false) {
    super()
  }
}

/** The same request may succeed later. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  (error instanceof Refusal && /^(RATE_LIMIT_EXCEEDED|SERVICE_UNAVAILABLE|50\d)$/.test(error.code))

/** The time that the server asks to wait, at least `ms`. */
export const readWaitMs = (error: unknown, ms: number): number =>
  Math.max(ms, error instanceof Refusal ? (error.retryAfterSeconds ?? 0) * 1_000 : 0)

const waitMs = 30_000

export interface Call {
  /** With a body, the request is a POST; without one, a GET. */
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** A request with a body that changes nothing. */
  readonly isRead?: boolean
}

/** The member `data` of the answer. Errors: Refusal, NoAnswer. */
export async function call(
  address: string,
  { body, headers = {}, isRead = body === undefined }: Call = {},
): Promise<Data> {
  const response = await fetch(address, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    signal: AbortSignal.timeout(waitMs),
  }).catch(() => {
    throw new NoAnswer(!isRead)
  })
  // A proxy may answer with a body that is not JSON.
  const answer: Answer = await response.json().catch(() => ({}))
  if (response.ok) return answer.data ?? {}
  const { code, message, details } = answer.error ?? {}
  throw new Refusal(
    code ?? String(response.status),
    message ?? `status ${response.status}`,
    details ?? {},
    Number(response.headers.get('retry-after')) || undefined,
    answer.requestId ?? response.headers.get('x-request-id') ?? undefined,
  )
}

interface Answer {
  readonly data?: Data
  readonly requestId?: string
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: Data }
}
