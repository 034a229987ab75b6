/**
 * The contract of a form: the input that a verifier needs from a person on a page. Everything here runs in browsers.
 */
import type { Child } from '../web/ui/dom.ts'

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind?: 'text' | 'area' | 'choice' | 'tick' | 'file' | 'moment'
  readonly hint?: string
  /** The options of a choice: value and label. */
  readonly options?: readonly (readonly [string, string])[]
  readonly value?: string
  readonly isRequired?: boolean
  /** One of several fields of which at least one is needed. The form itself says so when all are empty. */
  readonly isOneOf?: boolean
  readonly maxLength?: number
  /** Lines of a text area. */
  readonly rows?: number
  readonly pattern?: RegExp
  /** The rule behind the pattern: ends a sentence that begins with the label. */
  readonly mustBe?: string
  /** Set by a link or a gate: shown read-only. */
  readonly isFixed?: boolean
  /** The value is not secret, and survives a reload. */
  readonly isKept?: boolean
  /** File types, as the browser's dialog takes them. */
  readonly accept?: string
}

export interface Values {
  text(name: string): string
  /** Undefined for an empty field. */
  given(name: string): string | undefined
  ticked(name: string): boolean
  file(name: string): File | undefined
}

export interface VerifierForm {
  readonly fields: readonly Field[]
  /** Shown below the fields, and updated on every change. */
  readonly more?: { readonly element: Child; update?(values: Values): void }
  /** The label of the button. */
  readonly submit?: string
  /** Errors: FormFault. */
  data(values: Values): object | Promise<object>
  /** Options of the proof, besides its visibility. */
  options?(values: Values): object
}

/** A fault that no single field's rule can express. */
export class FormFault extends Error {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super(message)
  }
}

/** A chain with asset lookups. */
export interface AssetChain {
  /** CAIP-2. */
  readonly chain: string
  /** Present for EVM chains. */
  readonly chainId?: number
  readonly name: string
}

/** The link's parameters about an agent and its authority. The person sees them before signing. */
export interface AgentPlan {
  readonly agentId?: string
  readonly agentWallet?: string
  /** The CAIP-2 chain of the agent in the link. */
  readonly agentChain?: string
  readonly controllerWallet?: string
  readonly controllerChain?: string
  readonly agentLabel?: string
  readonly agentType?: string
  readonly scope?: string
  readonly expiresAt?: number
  readonly maxSpend?: string
  readonly permissions?: readonly string[]
  readonly allowedActions?: readonly string[]
  readonly deniedActions?: readonly string[]
  readonly runtimePolicy?: object
  readonly approvalPolicy?: object
}

export interface Asked {
  /** The server's data for the page. */
  readonly model: {
    /** The server's time in Unix milliseconds. */
    readonly now: number
    readonly hubChainId: number
    readonly brand: string
    readonly chains: readonly AssetChain[]
    readonly request: { readonly agent?: AgentPlan }
  }
  /** The wallet that will sign. */
  readonly person: {
    readonly address: string
    readonly context: { readonly chainId?: number; readonly chain?: string }
  }
  /** CAIP-2 id of the chain that the wallet signs for. */
  readonly signerChain: string
  /** By the names of members of `data`: the exact values that a gate requires. */
  readonly fixed: Readonly<Record<string, string>>
  /** The agent of the preceding step. */
  readonly agent?: { readonly agentId?: string; readonly agentWallet: string } | undefined
  /** JSON Schema of `data`, for verifiers without a form of their own. */
  readonly dataSchema?: object | undefined
}

export const anyAddress = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|[a-z0-9._-]{2,64})$/

/** Drops absent members: the signed text holds only given values. */
export const keepPresent = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))

/** Errors: FormFault with the words `tooLarge`, for a file above `most` bytes. */
export async function readBytes(
  file: File,
  { field, most, tooLarge }: { readonly field: string; readonly most: number; readonly tooLarge: string },
): Promise<Uint8Array> {
  if (file.size > most) throw new FormFault(tooLarge, field)
  return new Uint8Array(await file.arrayBuffer())
}
