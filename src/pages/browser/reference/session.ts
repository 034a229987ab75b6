/** The session of this browser at this server. */

export interface Session {
  readonly address: string
  readonly csrf: string
}

export interface Looked {
  /** Undefined without a session, and when the lookup failed. */
  readonly session: Session | undefined
  /** How far the server's clock is ahead of the browser's. */
  readonly aheadMs: number
}

export async function lookAtSession(server: string): Promise<Looked> {
  try {
    const response = await fetch(`${server}/api/v1/auth/me`, { cache: 'no-store' })
    const { data } = (await response.json()) as {
      readonly data: { readonly address?: string; readonly csrfToken?: string }
    }
    const at = Date.parse(response.headers.get('date') ?? '')
    const { address, csrfToken } = data
    return {
      session: address && csrfToken ? { address, csrf: csrfToken } : undefined,
      // The header has whole seconds. Being up to a second behind is harmless; being ahead is not.
      aheadMs: Number.isNaN(at) ? 0 : at - Date.now(),
    }
  } catch {
    return { session: undefined, aheadMs: 0 }
  }
}
