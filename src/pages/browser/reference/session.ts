/** Who is signed in at this server, in this browser. */

export interface Session {
  readonly address: string
  readonly csrf: string
}

export interface Looked {
  /** Undefined for nobody, and where it could not be looked up. */
  readonly session: Session | undefined
  /** How far the clock of the server is ahead of this one. */
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
      // A header tells whole seconds; being a second behind is harmless, being ahead is not.
      aheadMs: Number.isNaN(at) ? 0 : at - Date.now(),
    }
  } catch {
    return { session: undefined, aheadMs: 0 }
  }
}
