/** The data that the dashboard hands to its script (browser/dashboard.ts): only data that its reader may know. */
import type { ChainNames } from './chain-words.ts'
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
  /** The payment methods of this build, in the order of the form. */
  readonly paymentMethods: readonly ShownMethod[]
  /** The names that the person gave to wallets, by account: an address, or the CAIP-10 id of a contract wallet. */
  readonly labels: Readonly<Record<string, string>>
  /** Whether this server can look up the names of wallets. */
  readonly hasNames: boolean
  /** The names of chains, by their CAIP-2 ids. */
  readonly chainNames: ChainNames
  /** Block explorers, by the CAIP-2 ids of their chains. */
  readonly explorers: Readonly<Record<string, string>>
  /** The verifiers that this server offers. */
  readonly offered: readonly string[]
  /** The words of every verifier of this build. */
  readonly verifiers: WordsById
  /** API answers for the first view, by the path and query that it would request. */
  readonly preloaded: Readonly<Record<string, unknown>>
}

export interface ShownMethod {
  /** As definitions and rows name it. */
  readonly id: string
  /** As the interface names it. */
  readonly name: string
  readonly label: string
  /** The label beside the box that selects the method. */
  readonly formLabel: string
  /** Whether its money goes to the recipient of the price, on a chain. */
  readonly isPaidOnChain: boolean
  /** Whether it is paid on a page that this server opens, and given back in parts. */
  readonly opensCheckout: boolean
  /** How an operator sets it up, as an example for a server that takes no payments yet. */
  readonly setup?: { readonly named: string; readonly lines: string }
}
