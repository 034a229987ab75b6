/**
 * Who says that there is one person behind a wallet: providers of proof-of-human, each in a file of its own. A provider
 * finds the same unique id for the same person in the same scope, and says nothing else about who that is.
 *
 * Every proof is bound to the wallet: the proof of one wallet is none of another. What is kept of the unique id, and who
 * may see it, is decided by the verifier.
 */
import { normalizeAddress } from '../../wallet/account.ts'

export const humanProviderNames = ['zkpassport', 'semaphore', 'worldid', 'passport'] as const
export type HumanProviderName = (typeof humanProviderNames)[number]

export type AssuranceLevel = 'low' | 'medium' | 'high'

export interface HumanClaims {
  readonly personhood_verified: true
  readonly liveness_verified?: boolean
  readonly sanctions_passed?: boolean
  /** The age in years that was shown at least. */
  readonly age_min?: number
}

/** What a provider found. */
export interface Person {
  /** The same for one person in one scope, and for nobody else. Never shown. */
  readonly uniqueId: string
  readonly assuranceLevel: AssuranceLevel
  readonly claims: HumanClaims
  /** Plain values that gates may ask about. */
  readonly traits: Readonly<Record<string, string | number | boolean>>
  /** Unix milliseconds after which the provider stands for it no longer. */
  readonly expiresAt?: number
  /** Setting paths of what was asked. */
  readonly sources: readonly string[]
}

/** "No" is an answer; that it could not be looked up is an OutsideError, and data of another shape an UnanswerableError. */
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
  /** Host name of the pages where proofs are asked for. */
  readonly domain: string
  /** Within it, one person is one unique id. */
  readonly scope: string
  readonly proofs: readonly unknown[]
  /** Unix milliseconds. */
  readonly now: number
}

/** What the page that asks for a proof must know. */
export interface AskedOnPage {
  readonly domain: string
  readonly scope: string
  /** Undefined while no wallet is connected: then nothing is said of what the proof must be bound to. */
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
  readonly all: readonly HumanProvider[]
  provider(name: HumanProviderName): HumanProvider | undefined
}

/**
 * The text that stands for a wallet inside a proof: its address, or its CAIP-10 id where it is a contract, because at
 * that address on another chain may be somebody else.
 */
export const boundText = ({ wallet, contractOn }: Pick<HumanQuestion, 'wallet' | 'contractOn'>): string =>
  contractOn === undefined ? normalizeAddress(wallet) : `${contractOn}:${normalizeAddress(wallet)}`

/** What the operator can set to have each of them. */
export const humanProviderNeeds: Readonly<Record<HumanProviderName, string>> = {
  zkpassport: 'human.zkpassport.chain',
  semaphore: 'human.semaphore.roots, or human.semaphore.chain and human.semaphore.group',
  worldid: 'human.worldid.app_id or human.worldid.rp_id',
  passport: 'human.passport.api_key and human.passport.scorer_id',
}
