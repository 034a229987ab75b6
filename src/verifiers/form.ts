/** The contract of a form: what a verifier needs from a person on a page. Everything here runs in browsers. */
import type { Child } from '../web/ui/dom.ts'

export interface Field {
  readonly name: string
  readonly label: string
  readonly kind?: 'text' | 'area' | 'choice' | 'tick' | 'file' | 'moment'
  readonly hint?: string
  /** Of a choice: value and label. */
  readonly options?: readonly (readonly [string, string])[]
  readonly value?: string
  readonly isRequired?: boolean
  readonly maxLength?: number
  /** Lines of an area. */
  readonly rows?: number
  readonly pattern?: RegExp
  /** What it must be, where the pattern is not met: ends a sentence that begins with the label. */
  readonly mustBe?: string
  /** Asked for by a link or a gate: shown, and not to be changed. */
  readonly isFixed?: boolean
  /** Its value is nobody's secret, and survives a reload. */
  readonly isKept?: boolean
  /** Which files, as the browser's dialogue takes it. */
  readonly accept?: string
}

export interface Values {
  text(name: string): string
  /** Undefined where nothing was given. */
  given(name: string): string | undefined
  ticked(name: string): boolean
  file(name: string): File | undefined
}

export interface VerifierForm {
  readonly fields: readonly Field[]
  /** Shown below the fields, and told of every change. */
  readonly more?: { readonly element: Child; update?(values: Values): void }
  /** On the button. */
  readonly submit?: string
  /** Errors: FormFault. */
  data(values: Values): object | Promise<object>
  /** Of the proof, besides who sees it. */
  options?(values: Values): object
}

/** Something that no single field's rule can say. */
export class FormFault extends Error {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super(message)
  }
}

/** Chains that assets are looked up on. */
export interface AssetChain {
  /** CAIP-2. */
  readonly chain: string
  /** Of EVM chains. */
  readonly chainId?: number
  readonly name: string
}

/** What a link says of an agent and of its authority. The person sees it before signing. */
export interface AgentPlan {
  readonly agentId?: string
  readonly agentWallet?: string
  /** CAIP-2 chain that the link names it with. */
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
  /** What the server says to the page. */
  readonly model: {
    /** Unix milliseconds of the server. */
    readonly now: number
    readonly hubChainId: number
    readonly dnsLabel: string
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
  /** By the names of members of `data`: what a gate asks for exactly. */
  readonly fixed: Readonly<Record<string, string>>
  /** The agent that was set up a step before. */
  readonly agent?: { readonly agentId?: string; readonly agentWallet: string } | undefined
  /** JSON Schema of `data`, for verifiers without a form of their own. */
  readonly dataSchema?: object | undefined
}

export const anyAddress = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|[a-z0-9._-]{2,64})$/

/** Without the members that are not there: what is signed says only what was said. */
export const present = (members: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''))

/** Errors: FormFault, above `most` bytes. */
export async function readBytes(file: File, field: string, most: number): Promise<Uint8Array> {
  if (file.size > most) throw new FormFault(`The file is larger than ${Math.floor(most / 1000)} kB.`, field)
  return new Uint8Array(await file.arrayBuffer())
}
