/** Types of /widget.js: the elements, their events, and their attributes in JSX. */

/** The result that a person brings back from a gate or a verification. */
export interface ProofGateDone {
  /**
   * Id of the proof that counts; for an agent, the permission. A server must check it, because anyone who has the id
   * can show it.
   */
  readonly qHash: string
  /** Ids of all proofs of this journey, including that one. */
  readonly qHashes: readonly string[]
  /**
   * With `check`, the server's public answer: true, false, or null when only the owner of a private proof could tell.
   * Without it, the word of the window; null after a redirect, which brings only an id.
   */
  readonly eligible: boolean | null
  /** Whether this page asked the server for `eligible` (attribute `check`). */
  readonly checked: boolean
  /** Null after a redirect. */
  readonly walletAddress: string | null
  readonly verifierIds: readonly string[]
  readonly gateId: string | null
  /** The page of the proof. */
  readonly proofUrl: string
  readonly via: 'popup' | 'redirect'
  /**
   * The server of the site exchanges it once within a minute for the person's identity. Missing if the person did not
   * agree, or the server's operator has not registered the site.
   */
  readonly code?: string
  /** The value of the attribute `link-state`. */
  readonly state?: string
  /** Present after the set-up of an agent. */
  readonly agentId?: string
  readonly agentWallet?: string
}

/** `MISUSED`, `POPUP_BLOCKED`, or the code of a failed check (`NO_ANSWER`, `TIMEOUT`, …). */
export interface ProofGateProblem {
  readonly code: string
  /** A sentence for people; its wording may change. */
  readonly message: string
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean
}

export type ProofGateState = 'idle' | 'open' | 'checking' | 'done' | 'closed' | 'blocked' | 'failed'

/**
 * `imported`: another server made it, and no claim was verified here. `unknown`: the proof does not exist. `unreachable`: the server did not answer, which says nothing about the proof.
 */
export type ProofState =
  | 'looking'
  | 'holds'
  | 'partial'
  | 'imported'
  | 'revoked'
  | 'expired'
  | 'private'
  | 'unknown'
  | 'unreachable'

/** `<proof-gate>`. Members with the name of an attribute reflect it; null leaves it out. */
export interface ProofGateElement extends HTMLElement {
  gateId: string | null
  verifiers: string | null
  preset: string | null
  /** Address of the server; by default the origin of the script. */
  server: string | null
  /** `redirect` leaves in this tab; anything else opens a window. */
  mode: string | null
  /** The return address of a redirect; by default this page. */
  returnUrl: string | null
  label: string | null
  /** Shown on the server's page as words of the site that sent the person, at most 200 characters. */
  message: string | null
  appId: string | null
  /** Comes back in the event, unchanged. */
  linkState: string | null
  /** S256 challenge of RFC 7636: binds the code to the verifier that the server of the site keeps. */
  codeChallenge: string | null
  disabled: boolean
  /** Asks the server whether the gate admits the wallet before the event is fired. With gate-id only. */
  check: boolean
  readonly state: ProofGateState
  /** The detail of the last `proofgate-done`. */
  readonly result: ProofGateDone | null
  /** Acts like a press of the button. Browsers open windows in the event of a press only. */
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
  /** The window closed before the journey was done. */
  'proofgate-closed': CustomEvent<null>
  'proofgate-error': CustomEvent<ProofGateProblem>
  /** Fired by a badge. */
  'proofgate-state': CustomEvent<{ readonly qHash: string; readonly state: ProofState }>
}

/** Replaces texts of the elements, which speak English or German as the page does. `lang` is for screen readers. */
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

/** The framework gives the types of `key`, `ref` and `children`. */
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
