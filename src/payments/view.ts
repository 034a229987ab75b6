/**
 * The part of a payment method that runs in browsers: its form on the checkout page of a gate. A view imports no page.
 * It gets its tools from the page (pages/browser/pay.ts), as a method gets them from the server.
 */

import type { QuoteChoice } from './phone-payment.ts'
import type { PublicChain } from './public-chain.ts'

export interface PaymentView {
  /** The name of the method in the interface. */
  readonly name: string
  /** Payments of this purchase that may have been made, whether or not the gate accepts the method. */
  renderUnderWay?(tools: CheckoutTools): readonly HTMLElement[]
  /** The way to pay, or a hint for a method that browsers cannot use. `terms` is the method's entry of `accepts`. */
  renderWay(terms: Data, tools: CheckoutTools): HTMLElement | undefined
}

/** JSON of the server. */
export type Data = Readonly<Record<string, unknown>>

/** The purchase that is to be paid. */
export interface Order {
  readonly gateId: string
  /** The gate has a total limit, so the server holds a place for a buyer who pays. */
  readonly isLimited: boolean
  /** The proof to pay for. */
  readonly qHash: string
  /** The person whose proof it is. */
  readonly person: Payer
  /** The payment terms of the server: the details of PAYMENT_REQUIRED. */
  readonly asked: Data
  /** The transaction of an earlier transfer that the server refused. */
  readonly earlier: string | undefined
}

/** An account, with its wallet if that is connected in this page. */
export interface Payer {
  readonly address: string
  readonly wallet?:
    | {
        readonly name: string
        readonly connection: {
          /** Sends a transaction and returns its hash. Undefined for wallets that cannot pay. */
          send?(transaction: {
            readonly chainId: number
            readonly chain: PublicChain
            readonly to: string
            readonly data: string
          }): Promise<string>
          /** Pays a quote in one of its tokens, where the server tells the wallet the transfer. */
          payQuote?(choice: QuoteChoice): Promise<string>
        }
      }
    | undefined
}

export interface CheckoutTools {
  readonly order: Order
  /** The address of the checkout page, without its parameters. */
  readonly home: string
  /** Runs one attempt at a time, and shows its progress or its error. */
  readonly attempts: {
    /** Undefined while another attempt runs. The function tells whether this attempt still counts. */
    begin(task?: 'pay'): (() => boolean) | undefined
    say(text: string): void
    finish(): void
    fail(what: string | Node, focus?: HTMLElement): void
  }
  /** Calls the API of this server as the signed-in person. Errors: see explain. */
  post(path: string, body: object): Promise<Data>
  /** The server's time in Unix milliseconds. */
  now(): number
  /** A server's time, as the clock of this browser shows it: that clock may be wrong. */
  toBrowserTime(serverTime: number): number
  /** Hours and minutes, as the reader writes them: a place is reserved for less than an hour. */
  formatClockTime(at: number): string
  /** A decimal number with a point, with all its digits, as the reader writes it. */
  formatAmount(amount: string): string
  nameChain(network: string): string
  /** What everybody may know of the chain. */
  describeChain(network: string): PublicChain
  /** Calls back with a known person who can pay, or else with the wallet that the person chooses. */
  askForPayer(canPay: (payer: Payer) => unknown, onChosen: (payer: Payer) => void): void
  /** A form for the hash of a transaction. */
  renderHashForm(submit: string, onHash: (hash: string) => void): HTMLElement
  /** Explains an error of a tool, or of a wallet with this name. */
  explain(error: unknown, wallet?: string): Explanation
  /** The transfer that this browser sent for this purchase, perhaps in another tab. */
  findTransfer(): Transfer | undefined
  /** Stores the transfer, then presents it to the server: after a reload, the person has still paid. */
  offerTransfer(transfer: Transfer): void
  /** Keeps the purchase while the person pays on another page. */
  rememberOrder(): void
  /** Presents payment evidence to the server, by the members of the request. */
  offerEvidence(evidence: Evidence): void
}

/** Undefined members are not sent. */
export type Evidence = Readonly<Record<string, string | undefined>>

interface Explanation {
  /** For people, with the remedy. */
  readonly text: string
  /** The text, and below it, folded, the text of others that it sums up. */
  readonly node: Node
  /** The code of an error answer of the server. */
  readonly code?: string | undefined
  readonly details: Data
  /** The server only holds no place for the buyer: paying is still possible. */
  readonly isUnheld: boolean
}

export interface Transfer {
  /** The hash of its transaction. */
  readonly tx: string
  readonly quoteId?: string | undefined
  /** The hash was typed, so it may be wrong. */
  readonly isTyped?: boolean | undefined
}
