/** Types of /widget.js: the elements, their events, and their attributes in JSX. */

/** What a person brings back from a gate or from a verification. */
export interface ProofGateDone {
  /** Id of the proof that counts; of an agent the permission. Anybody who has it can show it: a server must check it. */
  readonly qHash: string
  /** Ids of all proofs of this journey, that one among them. */
  readonly qHashes: readonly string[]
  /**
   * With `check` what the server says to everybody: true, false, or null where only the owner of a private proof could
   * tell. Without it, what the window said; null after a redirect, which brings an id and nothing else.
   */
  readonly eligible: boolean | null
  /** Whether `eligible` was asked of the server by this page (attribute `check`). */
  readonly checked: boolean
  /** Null after a redirect. */
  readonly walletAddress: string | null
  readonly verifierIds: readonly string[]
  readonly gateId: string | null
  /** The page of the proof. */
  readonly proofUrl: string
  readonly via: 'popup' | 'redirect'
  /**
   * For the server of the site, which exchanges it once within a minute for who this is. Missing where the person did not
   * agree, or where the operator of the server has not registered the site.
   */
  readonly code?: string
  /** As the attribute `link-state` said it. */
  readonly state?: string
  /** Of the set-up of an agent. */
  readonly agentId?: string
  readonly agentWallet?: string
}

/** `MISUSED`, `POPUP_BLOCKED`, or the code with which a check was refused or not answered (`NO_ANSWER`, `TIMEOUT`, …). */
export interface ProofGateProblem {
  readonly code: string
  /** A sentence for people, which may change. */
  readonly message: string
  /** Whether the same may succeed later, without a change. */
  readonly retryable: boolean
}

export type ProofGateState = 'idle' | 'open' | 'checking' | 'done' | 'closed' | 'blocked' | 'failed'

/** `unknown`: there is no such proof. `unreachable`: nobody could be asked, which says nothing about the proof. */
export type ProofState = 'looking' | 'holds' | 'partial' | 'revoked' | 'expired' | 'private' | 'unknown' | 'unreachable'

/** `<proof-gate>`. Members with the name of an attribute reflect it; null leaves it out. */
export interface ProofGateElement extends HTMLElement {
  gateId: string | null
  verifiers: string | null
  preset: string | null
  /** Address of the server; without it the one that the script came from. */
  server: string | null
  /** `redirect` leaves in this tab; anything else opens a window. */
  mode: string | null
  /** Where a redirect comes back to; without it this page. */
  returnUrl: string | null
  label: string | null
  /** Shown on the page of the server as words of whoever sent the person there, at most 200 characters. */
  message: string | null
  appId: string | null
  /** Comes back in the event, unchanged. */
  linkState: string | null
  /** Of RFC 7636, S256: binds the code to the verifier that the server of the site keeps. */
  codeChallenge: string | null
  disabled: boolean
  /** Asks the server whether the gate lets the wallet through before the event is fired. With gate-id only. */
  check: boolean
  readonly state: ProofGateState
  /** The detail of the last `proofgate-done`. */
  readonly result: ProofGateDone | null
  /** As a press of the button. Browsers open windows in the event of a press only. */
  start(): void
}

/** `<proof-badge>`. */
export interface ProofBadgeElement extends HTMLElement {
  qHash: string | null
  server: string | null
  readonly state: ProofState
  /** Asks again. */
  refresh(): Promise<void>
}

/** They bubble, and pass through shadow roots. */
export interface ProofgateEvents {
  'proofgate-done': CustomEvent<ProofGateDone>
  /** The window is gone before it was done. */
  'proofgate-closed': CustomEvent<null>
  'proofgate-error': CustomEvent<ProofGateProblem>
  /** Of a badge. */
  'proofgate-state': CustomEvent<{ readonly qHash: string; readonly state: ProofState }>
}

/** Puts words of the elements into another language; those that are left out stay English. `lang` is for screen readers. */
export function setTexts(words: Readonly<Partial<Record<ProofgateText, string>>>): void

export type ProofgateText =
  | 'lang'
  // <proof-gate>
  | 'button'
  | 'opened'
  | 'closed'
  | 'blocked'
  | 'here'
  | 'checking'
  | 'done'
  | 'back'
  | 'refused'
  | 'unseen'
  | 'unavailable'
  | 'again'
  | 'misused'
  // <proof-badge>: the word, and the sentence of its tooltip, in which {server} is the host that was asked
  | ProofState
  | `${ProofState}More`

/** `key`, `ref` and `children` are of the types that the framework has for them. */
interface JsxAttributes {
  readonly id?: string
  readonly class?: string
  readonly className?: string
  readonly slot?: string
  readonly lang?: string
  readonly dir?: string
  readonly hidden?: boolean
  readonly server?: string
  readonly key?: unknown
  readonly ref?: unknown
  readonly children?: unknown
}

export interface ProofGateJsx extends JsxAttributes {
  readonly 'gate-id'?: string
  readonly verifiers?: string
  readonly preset?: string
  readonly mode?: 'popup' | 'redirect'
  readonly 'return-url'?: string
  readonly label?: string
  readonly message?: string
  readonly 'app-id'?: string
  readonly 'link-state'?: string
  readonly 'code-challenge'?: string
  readonly disabled?: boolean
  readonly check?: boolean
  readonly 'onproofgate-done'?: (event: ProofgateEvents['proofgate-done']) => void
  readonly 'onproofgate-closed'?: (event: ProofgateEvents['proofgate-closed']) => void
  readonly 'onproofgate-error'?: (event: ProofgateEvents['proofgate-error']) => void
}

export interface ProofBadgeJsx extends JsxAttributes {
  readonly 'q-hash'?: string
  readonly 'onproofgate-state'?: (event: ProofgateEvents['proofgate-state']) => void
}

/** For `interface IntrinsicElements extends ProofgateElements {}` in the JSX namespace of React or Preact. */
export interface ProofgateElements {
  'proof-gate': ProofGateJsx
  'proof-badge': ProofBadgeJsx
}

declare global {
  interface HTMLElementTagNameMap {
    'proof-gate': ProofGateElement
    'proof-badge': ProofBadgeElement
  }
  interface GlobalEventHandlersEventMap extends ProofgateEvents {}
}
