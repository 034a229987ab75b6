/** The data that the dashboard hands to its script (browser/dashboard.ts): only data that its reader may know. */
import type { WordsById } from './verifier-words.ts'
import type { BrowserSession } from './verify-model.ts'

export interface DashboardModel {
  readonly brand: string
  /** The server's time in Unix milliseconds, by which ages are shown: the browser's clock may be wrong. */
  readonly now: number
  readonly hubChainId: number
  readonly baseUrl: string
  readonly authUrl: string
  readonly mcpUrl: string
  /** The start of a command line: src/executable.ts. */
  readonly program: string
  /** Whether the server has an MCP endpoint. */
  readonly hasMcp: boolean
  readonly session: BrowserSession & {
    readonly did: string
    /** Whether a linked wallet opened the session, which has fewer rights. */
    readonly isLinked: boolean
    /** The account that opened the session: an address, or the CAIP-10 id of a contract wallet. */
    readonly signedInWith: string
    readonly isOperator: boolean
  }
  /** The words of every verifier of this build. */
  readonly verifiers: WordsById
  /** API answers for the first view, by the path and query that it would request. */
  readonly preloaded: Readonly<Record<string, unknown>>
}
