import type { Client } from './client.ts'

/** The tokens that a grant has issued. */
export interface Issued {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** As on the wire. */
  readonly scope: string
}

export interface TokenRequest {
  readonly client: Client
  readonly fields: URLSearchParams
}
