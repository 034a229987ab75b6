/**
 * Providers of proof-of-human, each in a file of its own. A provider finds one unique id for each person and scope. It
 * reveals nothing else about the person.
 *
 * Every proof is bound to its wallet and is invalid for another. The verifier decides how much of the unique id is
 * kept, and for whose eyes.
 */
import { normalizeAddress } from '../../wallet/account.ts'

export const humanProviderNames = ['zkpassport', 'semaphore', 'worldid', 'passport'] as const
export type HumanProviderName = (typeof humanProviderNames)[number]

export type AssuranceLevel = 'low' | 'medium' | 'high'

export interface HumanClaims {
  readonly personhood_verified: true
  readonly liveness_verified?: boolean
  readonly sanctions_passed?: boolean
  /** The age in years that was proved as a minimum. */
  readonly age_min?: number
}

/** The provider's finding. */
export interface Person {
  /** The same for one person in one scope, and for no other person. Never shown. */
  readonly uniqueId: string
  readonly assuranceLevel: AssuranceLevel
  readonly claims: HumanClaims
  /** Plain values that gates may ask about. */
  readonly traits: Readonly<Record<string, string | number | boolean>>
  /** Unix milliseconds. The provider no longer vouches for it afterwards. */
  readonly expiresAt?: number
  /** Setting paths of the sources that were asked. */
  readonly sources: readonly string[]
}

/** "No" is an answer. A failed look-up is an OutsideError, and data of another shape an UnanswerableError. */
export type HumanAnswer = { readonly person: Person } | Refused

export interface Refused {
  readonly refused: {
    /** Upper-case words for programs. */
    readonly reason: string
    /** A sentence for people. */
    readonly message: string
  }
}

export const makeRefused = (reason: string, message: string): Refused => ({ refused: { reason, message } })

export interface HumanQuestion {
  /** As stored. */
  readonly wallet: string
  /** CAIP-2 id of the chain on which the wallet is a contract. */
  readonly contractOn: string | undefined
  /** Host name of the pages that request proofs. */
  readonly domain: string
  /** Within this scope, one person has one unique id. */
  readonly scope: string
  readonly proofs: readonly unknown[]
  /** Unix milliseconds. */
  readonly now: number
}

/** The facts that a page needs to request a proof. */
export interface AskedOnPage {
  readonly domain: string
  readonly scope: string
  /** Undefined while no wallet is connected: the binding of the proof is then unknown. */
  readonly wallet?: { readonly wallet: string; readonly contractOn: string | undefined }
  /** Unix milliseconds. */
  readonly now: number
}

export interface HumanProvider {
  readonly name: HumanProviderName
  /** For people. */
  readonly label: string
  /** Errors: OutsideError, UnanswerableError. */
  find(question: HumanQuestion): Promise<HumanAnswer>
  onPage(asked: AskedOnPage): Promise<Readonly<Record<string, unknown>>>
}

/** The configured providers. */
export interface Human {
  /** The scopes in which persons are told apart. The default for requests that name none comes first. */
  readonly scopes: readonly [string, ...string[]]
  readonly all: readonly HumanProvider[]
  provider(name: HumanProviderName): HumanProvider | undefined
}

/**
 * The text that stands for a wallet inside a proof: its address. For a contract it is the CAIP-10 id, because another
 * owner may have that address on another chain.
 */
export const writeBoundText = ({ wallet, contractOn }: Pick<HumanQuestion, 'wallet' | 'contractOn'>): string =>
  contractOn === undefined ? normalizeAddress(wallet) : `${contractOn}:${normalizeAddress(wallet)}`

/** The setting that enables each provider. */
export const humanProviderNeeds: Readonly<Record<HumanProviderName, string>> = {
  zkpassport: 'human.zkpassport.chain',
  semaphore: 'human.semaphore.roots, or human.semaphore.chain and human.semaphore.group',
  worldid: 'human.worldid.app_id or human.worldid.rp_id',
  passport: 'human.passport.api_key and human.passport.scorer_id',
}
