/** The request to an endpoint, and its answer. */
export interface OutsideRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Added to the configured address: a path and query that begin with `/` or `?`, already escaped. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** A larger answer is `malformed`. 1 MiB unless given. */
  readonly maxBytes?: number
  /**
   * Made at most once, for requests that must not be repeated. Without an answer, it is unknown whether the request
   * arrived.
   */
  readonly once?: true
  /** Receives the body of a 200 as it arrives. The answer then has an empty one. Only for requests made once. */
  readonly receive?: (chunk: Uint8Array) => void
}

export interface OutsideAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}
