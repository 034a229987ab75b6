/**
 * A verifier decides whether a claim holds. It is asked only after the signature, its freshness and the subject rule
 * have been checked (verification/submit.ts), and it never writes.
 *
 * Three ways to answer: `holds(evidence)`, `fails(reason)` when the claim is untrue, and a thrown error: an AppError
 * when the caller must change the request, anything else when the truth could not be looked up. Never turn the last
 * into `fails`.
 */
import type { Static, TObject } from '@sinclair/typebox'
import type { Outside } from '../outside/outside.ts'
import type { Membership, SocialAccount } from '../outside/social/social.ts'
import type { ChainContext } from '../wallet/account.ts'
import type { VerifySignature } from '../wallet/signature.ts'
import type { Judgement } from './judgement.ts'
import type { Judges } from './shapes.ts'
import type { VerifierSettings } from './verifier-settings.ts'
import type { VerifierWords } from './words.ts'

export type Flow = 'instant' | 'interactive' | 'external_lookup'
export type Expiry = 'permanent' | 'point_in_time' | 'expiring'

export interface Verifier<Data extends TObject = TObject, Id extends string = string> {
  readonly id: Id
  readonly category: 'ownership' | 'identity' | 'asset' | 'wallet' | 'ai' | 'agent'
  readonly description: string
  /** Title, lead, summary, criteria and requirement: <id>/words.ts. */
  readonly words: VerifierWords
  readonly flow: Flow
  readonly expiry: Expiry
  /** Where a setting decides: takes the place of `expiry`. */
  expiryUnder?(settings: VerifierSettings): Expiry
  /** The status word of a row that holds. */
  readonly status: string
  readonly allowsDelegatedSubject: boolean
  /** Verifiers that are often used together. Advice, not a rule. */
  readonly compatibleWith: readonly string[]
  /** Shape of the request's `data` for this verifier. Checked, never stripped: the bytes were signed. */
  readonly data: Data
  /**
   * What the configuration lacks for this verifier, as the end of a sentence: `needs a chain: add [chains.<name>] …`.
   * Then it is absent from the catalog. Undefined: nothing is missing.
   */
  absentWithout?(outside: Outside): string | undefined
  /**
   * What is sure before anybody signs: refuses what no later time, nor the store, nor anybody outside decides. Pure: of
   * `outside` it sees what is configured, and asks nobody. Called when the text is prepared, and before every `verify`.
   */
  examine?(stated: Stated<Static<Data>>, tools: ExamineTools): Fails | undefined
  verify(claim: Claim<Static<Data>>, tools: VerifierTools): Verdict | Promise<Verdict>
  /** Where providers judge that the operator chose: one entry, or one for each kind of content. */
  judges?(outside: Outside): readonly Judges[]
  /** What the claim is about, whatever else changes: equal for two runs of the same claim by the same signer. */
  scopeOf(evidence: Evidence): string
  /** Reads the state of a chain, so that the claim of its evidence can be asked again. */
  readonly readsState?: true
  /** The data of a claim by which it is asked again. Where absent, the evidence has it as `input`. */
  restoreData?(evidence: Evidence): object
  /** Offered only where verifiers.enabled names it. */
  readonly isOptIn?: true
  /** The person first signs in, or is recognized, elsewhere: at which kind of provider. */
  readonly signInKind?: 'social' | 'org' | 'human'
  /** The state is copied from no live source: an earlier proof is as good as a new one, however old. */
  readonly keepsForever?: true
  /** Members of `data` that name the signer. */
  readonly signer?: SignerMembers
  /** Members of `data` beside its schema, for those who are guided to a call. */
  readonly guide?: DataGuide
  /** Accounts in the evidence that gates may name together with their chain. */
  readonly accounts?: NamedAccounts
  /** How its evidence tells who judged, and what was looked at. */
  readonly judgement?: Judgement
  /** Whether the evidence meets the policy of this server. Where it does not, no gate counts the row. */
  meetsPolicy?(evidence: Evidence): boolean
  /** Values that conditions take for members which the evidence may lack. */
  defaultValues?(settings: VerifierSettings): Readonly<Record<string, string>>
  /**
   * Parameters of a gate check by which proofs are looked up and not searched (proofs/facts.ts). Name every parameter
   * there that the evidence carries: elsewhere proofs of this verifier are not looked for.
   */
  readonly facts?: readonly FactName[]
  /** The evidence that strangers may see of a public proof. All of it when absent. */
  publicEvidence?(evidence: Evidence): Evidence
}

export interface SignerMembers {
  readonly wallet: string
  readonly chainRef?: string
  readonly accountId?: string
  /** The wallet may be left out of a call: it is filled in. */
  readonly isFilledIn?: true
}

export interface DataGuide {
  /** Required members that are filled in for the caller. */
  readonly filled?: readonly string[]
  /** Members that the schema cannot require, because others may take their place. */
  readonly chosen?: readonly string[]
}

export interface NamedAccounts {
  /** Paths of addresses beside which the evidence has the chain. */
  readonly paths: readonly string[]
  /** The chain may be one that is not EVM, under the name that CAIP-2 gives it. */
  readonly isBeyondEvm?: true
}

/** How long a proof lasts on a server with these settings: what every catalog shows. */
export const readExpiry = (
  { expiry, expiryUnder }: Pick<Verifier, 'expiry' | 'expiryUnder'>,
  settings: VerifierSettings,
): Expiry => expiryUnder?.(settings) ?? expiry

/** Parameters of a gate check that are selective: few proofs of a wallet share a value. */
export type FactName =
  | 'contentHash'
  | 'referenceId'
  | 'handle'
  | 'domain'
  | 'contractAddress'
  | 'secondaryWalletAddress'
  | 'agentId'
  | 'agentWallet'
  /** Of verifiers that allow a delegated subject. */
  | 'subjectWallet'
  /** A past block that the request named. */
  | 'blockNumber'

/** A claim as it is known before it is signed. */
export interface Stated<Data> {
  /** The wallet that signs the request. */
  readonly signer: string
  /** The wallet the claim is about: the signer, or `subjectWallet` when the request delegates. */
  readonly subject: string
  readonly data: Data
  /** The signing context. The chain of an asset is part of `data`. */
  readonly context: ChainContext
}

export interface Claim<Data> extends Stated<Data> {
  /** CAIP-2 id of the chain on which the signer is a contract wallet; undefined for keys (contract-signer.ts). */
  readonly contractOn: string | undefined
  /** Unix milliseconds of the request's signature. */
  readonly signedTimestamp: number
  /** `options.verifierOptions` for this verifier: not signed, so they may only narrow what is looked at. */
  readonly extras: Readonly<Record<string, unknown>>
}

/** Those whose answers stay the same until the server starts anew, and the time: what is past stays past. */
export type ExamineTools = Pick<VerifierTools, 'now' | 'outside' | 'settings'>

export interface VerifierTools {
  /** Unix milliseconds. */
  readonly now: number
  readonly verifySignature: VerifySignature
  readonly outside: Outside
  readonly settings: VerifierSettings
  /** Host name of the pages of this server, which proofs of persons are made for. */
  readonly domain: string
  /** One-way: 64 hexadecimal digits that nobody without the master key can make of a text. Survives restarts. */
  readonly saltedHash: (text: string, context: string) => string
  /** What a finished sign-in at another provider has shown, by its token; undefined for a token that is none of ours. */
  readonly readSocialToken: (token: string) => SocialEvidence | undefined
}

/** A sign-in at another provider. The token may be too old, or for another wallet than the signer's. */
export interface SocialEvidence {
  readonly provider: string
  /** What people call the provider. */
  readonly label: string
  /** The wallet that the sign-in was begun for. */
  readonly wallet: string
  /** Unix milliseconds. */
  readonly signedInAt: number
  readonly expiresAt: number
  /** Undefined where the provider is not for that. */
  readonly account: SocialAccount | undefined
  readonly membership: Membership | undefined
  readonly spends: Spending
}

export type Evidence = Readonly<Record<string, unknown>>

export type Verdict = Holds | Fails

export interface Holds {
  readonly holds: true
  readonly evidence: Evidence
  /** Unix milliseconds after which the proof no longer counts. */
  readonly expiresAt?: number
  /** Where a chain was read for it. */
  readonly reading?: Reading
  /** The first line of a text that was signed within the data, where the proof rests on it. */
  readonly title?: string
  /** What gates may ask to be equal to something, and what no answer shows, to the owner neither. */
  readonly hidden?: Evidence
  readonly reserves?: ReservedName
  /** What may serve one proof only. The store marks it used together with the proof, or refuses both. */
  readonly spends?: Spending
  /** The original content, stored only when the request asks for it. */
  readonly content?: string
}

/** The state of a chain that an evidence is of: one that stays, or one of a block that may be replaced. */
export type Reading =
  | { readonly isFinal: true }
  | {
      readonly isFinal: false
      /** CAIP-2. */
      readonly chain: string
      readonly blockNumber: number
      readonly blockHash: string
    }

/** A name that only so many accounts may hold. The store takes it together with the proof, or refuses both. */
export interface ReservedName {
  readonly name: string
  /** One unless given. */
  readonly holders?: number
  readonly takenMessage: string
}

export interface Spending {
  /** 64 hexadecimal digits. */
  readonly digest: string
  /** Unix milliseconds: it would not be accepted after that anyway. */
  readonly expiresAt: number
  /** Upper-case words for programs, and a sentence for people: why a second proof is refused. */
  readonly usedReason: string
  readonly usedMessage: string
}

export interface Fails {
  readonly holds: false
  /** Upper-case words for programs. */
  readonly reason: string
  /** A sentence for people. */
  readonly message: string
  /** Members of the refusal, beside reason and message. */
  readonly details?: Readonly<Record<string, string>>
}

export const holds = (evidence: Evidence, more: Omit<Holds, 'holds' | 'evidence'> = {}): Holds => ({
  holds: true,
  evidence,
  ...more,
})

export const fails = (reason: string, message: string, details?: Fails['details']): Fails => ({
  holds: false,
  reason,
  message,
  ...(details ? { details } : {}),
})

/** Only infers the types, so that each file states its schema once. */
export const defineVerifier = <Data extends TObject, const Id extends string>(
  verifier: Verifier<Data, Id>,
): Verifier<Data, Id> => verifier
