/** What the page of the dashboard hands to its script (browser/dashboard.ts): nothing that its reader may not know. */
import type { WordsById } from './verifier-words.ts'
import type { BrowserSession } from './verify-model.ts'

export interface DashboardModel {
  readonly brand: string
  /** Unix milliseconds of the server, by which ages are told: the browser's clock may be wrong. */
  readonly now: number
  readonly hubChainId: number
  readonly baseUrl: string
  readonly authUrl: string
  readonly mcpUrl: string
  /** What a command begins with: src/executable.ts. */
  readonly program: string
  /** Whether there is an endpoint for assistants. */
  readonly hasMcp: boolean
  readonly session: BrowserSession & {
    readonly did: string
    /** Of the account that is signed in, where a linked wallet opened the session: it may not do everything. */
    readonly isLinked: boolean
    /** The account that opened the session: the address, or CAIP-10 of a contract wallet. */
    readonly signedInWith: string
    readonly isOperator: boolean
  }
  /** The words of every verifier of this build. */
  readonly verifiers: WordsById
  /** Answers of the API that the view at hand begins with: by path and query, as it would ask for them. */
  readonly preloaded: Readonly<Record<string, unknown>>
}
