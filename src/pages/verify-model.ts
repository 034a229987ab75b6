/** What the page of /verify hands to its script (browser/verify.ts): checked here, and nothing that is secret. */
import type { AssetChain } from '../verifiers/form.ts'
import type { VerifyRequest } from './verify-request.ts'

export interface VerifyModel {
  readonly request: VerifyRequest
  readonly brand: string
  /** Unix milliseconds of the server, by which texts are signed. */
  readonly now: number
  readonly hubChainId: number
  readonly dnsLabel: string
  /** Chains that assets are looked up on. */
  readonly chains: readonly AssetChain[]
  readonly verifiers: Readonly<Record<string, OfferedVerifier>>
  readonly session?: BrowserSession
}

export interface OfferedVerifier {
  readonly title: string
  readonly lead: string
  readonly flow: string
  /** The person signs in, or is recognized, elsewhere: at which kind of provider. */
  readonly signInKind?: 'social' | 'org' | 'human'
  /** An earlier proof is as good as a new one, however old. */
  readonly keepsForever?: true
  /** Why it is not offered here, where it is not. */
  readonly absence?: string
}

export interface BrowserSession {
  /** The wallets that the person may act for, the primary one first. */
  readonly accounts: readonly { readonly wallet: string; readonly contractOn?: string }[]
  readonly csrf: string
}
