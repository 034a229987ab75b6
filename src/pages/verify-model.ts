/** The data that /verify hands to its script (browser/verify.ts): validated, and without secrets. */
import type { PublicChain } from '../payments/public-chain.ts'
import type { AssetChain } from '../verifiers/form.ts'
import type { CriterionField } from '../verifiers/words.ts'
import type { ChainNames } from './chain-words.ts'
import type { VerifyRequest } from './verify-request.ts'

export interface VerifyModel {
  readonly request: VerifyRequest
  readonly brand: string
  /** The server's time in Unix milliseconds, used in signed texts. */
  readonly now: number
  readonly hubChainId: number
  /** The names of chains, by their CAIP-2 ids. */
  readonly chainNames: ChainNames
  /** Chains with asset lookups. */
  readonly chains: readonly AssetChain[]
  /** For the checkout of a gate: what wallets and people may know of the chains, by their CAIP-2 ids. */
  readonly networks?: Readonly<Record<string, PublicChain>>
  /** For the checkout of a gate: the tokens that are taken, with the names of their networks. */
  readonly tokens?: readonly { readonly symbol: string; readonly network: string }[]
  /** For the checkout of a gate: whom a visitor asks who does not get in. */
  readonly contacts?: { readonly seller?: string; readonly operatorContact?: string }
  /** For the checkout of a gate: the color of its owner. */
  readonly color?: string
  readonly verifiers: Readonly<Record<string, OfferedVerifier>>
  /** Names of the payment methods whose money moves on no chain. */
  readonly offChainMethods: readonly string[]
  readonly session?: BrowserSession
}

export interface OfferedVerifier {
  readonly title: string
  readonly lead: string
  /** What the proof will say. */
  readonly says?: string
  readonly flow: string
  /** For the checkout of a gate: the names of what it may ask for. */
  readonly fields?: readonly CriterionField[]
  /** The kind of provider at which the person signs in. */
  readonly signInKind?: 'social' | 'org' | 'human'
  /** An earlier proof is as good as a new one, regardless of its age. */
  readonly keepsForever?: true
  /** The reason why this server does not support the verifier, if so. */
  readonly absence?: string
}

export interface BrowserSession {
  /** The wallets of the person's account, the primary one first. */
  readonly accounts: readonly { readonly wallet: string; readonly contractOn?: string }[]
  readonly csrf: string
}
