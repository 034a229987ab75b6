/** The part of oidc-provider that the tests use: the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Context {
    path: string
    method: string
    status: number
    type: string
    body: unknown
    readonly query: Readonly<Record<string, string>>
    readonly headers: Readonly<Record<string, string | undefined>>
    redirect(url: string): void
    set(name: string, value: string): void
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    use(step: (context: Context, next: () => Promise<void>) => Promise<void> | void): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    readonly AccessToken: { find(token: string): Promise<{ readonly accountId: string } | undefined> }
  }
}
