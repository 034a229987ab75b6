/**
 * A verifier decides whether a claim holds. It is called only after the signature, its freshness and the subject rule
 * were checked (verification/submit.ts), and it never writes. It answers `holds(evidence)`, `fails(reason)` for an
 * untrue claim, or throws. An AppError means that the caller must change the request; any other error means that the
 * look-up failed. Never turn a failed look-up into `fails`.
 */
import type { Static, TObject } from '@sinclair/typebox'
import type { Outside } from '../outside/outside.ts'
import type { Membership, SocialAccount } from '../outside/social/social.ts'
import type { ChainContext } from '../wallet/account.ts'
import type { VerifySignature } from '../wallet/signature.ts'
import type { Language } from '../web/languages.ts'
import type { CheckParameters } from './check-parameter.ts'
import type { Judgment } from './judgment.ts'
import type { Judges } from './shapes.ts'
import type { VerifierSettings } from './verifier-settings.ts'
import type { PageWords, VerifierWords } from './words.ts'

export type Flow = 'instant' | 'interactive' | 'external_lookup'
export type Expiry = 'permanent' | 'point_in_time' | 'expiring'

export interface Verifier<Data extends TObject = TObject, Id extends string = string> {
  readonly id: Id
  readonly category: 'ownership' | 'identity' | 'asset' | 'wallet' | 'ai' | 'agent'
  readonly description: string
  /** Title, lead, summary, criteria and requirement, in English: <id>/words/en.ts. */
  readonly words: VerifierWords
  /** The words of its pages in other languages: <id>/words/de.ts. Pages show the English ones where one is missing. */
  readonly translations?: Readonly<Partial<Record<Language, PageWords>>>
  readonly flow: Flow
  readonly expiry: Expiry
  /** Replaces `expiry` where a setting decides. */
  findExpiry?(settings: VerifierSettings): Expiry
  /** The status word of a row that holds. */
  readonly status: string
  readonly allowsDelegatedSubject: boolean
  /** Verifiers that are often used together. Advice, not a rule. */
  readonly compatibleWith: readonly string[]
  /** Shape of the request's `data` for this verifier. Checked, never stripped: the bytes were signed. */
  readonly data: Data
  /**
   * The missing configuration of this verifier, as the end of a sentence: `needs a chain: add [chains.<name>] …`. The
   * catalog then omits the verifier. Undefined if nothing is missing.
   */
  absentWithout?(outside: Outside): string | undefined
  /**
   * Checks that need no signature: refuses claims that no later time, store or outside answer can make valid. Pure: it
   * sees the configuration of `outside`, and makes no call. Called when the text is prepared, and before every
   * `verify`.
   */
  examine?(stated: Stated<Static<Data>>, tools: ExamineTools): Fails | undefined
  verify(claim: Claim<Static<Data>>, tools: VerifierTools): Verdict | Promise<Verdict>
  /** For verifiers whose providers the operator chooses: one entry, or one for each kind of content. */
  judges?(outside: Outside): readonly Judges[]
  /** The object of the claim: equal for two runs of the same claim by the same signer. */
  writeScope(evidence: Evidence): string
  /** The verifier reads the state of a chain, so the claim of its evidence can be checked again. */
  readonly readsState?: true
  /** Restores the data of a claim from its evidence, to check it again. Defaults to the member `input`. */
  restoreData?(evidence: Evidence): object
  /** In the catalog only if verifiers.enabled names it. */
  readonly isOptIn?: true
  /** The kind of provider at which the person signs in first. */
  readonly signInKind?: 'social' | 'org' | 'human'
  /** The evidence has no live source: an earlier proof is as good as a new one, regardless of its age. */
  readonly keepsForever?: true
  /** Members of `data` that name the signer. */
  readonly signer?: SignerMembers
  /**
   * Members of the text that a second wallet signs first, as its agreement. The wallets themselves must sign such a
   * claim, which no credential replaces, and it is the only one of its request.
   */
  readonly agreement?: readonly string[]
  /** Members of `data` that the schema cannot express, for callers who are guided to a call. */
  readonly guide?: DataGuide
  /** Accounts in the evidence that gates may name together with their chain. */
  readonly accounts?: NamedAccounts
  /** How the evidence tells its judges and the checked topics. */
  readonly judgment?: Judgment
  /** Whether the evidence meets the policy of this server. If not, gates ignore the row. */
  meetsPolicy?(evidence: Evidence): boolean
  /** Default values of optional evidence members, for conditions. */
  defaultValues?(settings: VerifierSettings): Readonly<Record<string, string>>
  /** Parameters of a gate check that ask for members of its evidence. */
  readonly parameters?: CheckParameters
  /**
   * The names of those that are selective: few proofs of a wallet share a value. They find proofs by an index
   * (proofs/facts.ts). Name every parameter there that the evidence carries: a lookup finds only proofs of verifiers
   * that name it. `subjectWallet` is for verifiers that allow a delegated subject, `blockNumber` for requests that name
   * a past block.
   */
  readonly facts?: readonly string[]
  /** The public evidence of a public proof. All of it by default. */
  publicEvidence?(evidence: Evidence): Evidence
}

export interface SignerMembers {
  readonly wallet: string
  readonly chainRef?: string
  readonly accountId?: string
  /** A call may omit the wallet, which is then filled in. */
  readonly isFilledIn?: true
}

export interface DataGuide {
  /** Required members that are filled in for the caller. */
  readonly filled?: readonly string[]
  /** Members that the schema cannot require, because others may take their place. */
  readonly chosen?: readonly string[]
}

export interface NamedAccounts {
  /** Paths of addresses that the evidence names together with a chain. */
  readonly paths: readonly string[]
  /** The chain may be one outside EVM, named by CAIP-2. */
  readonly isBeyondEvm?: true
}

/** The lifetime of a proof on a server with these settings, as every catalog shows it. */
export const readExpiry = (
  { expiry, findExpiry }: Pick<Verifier, 'expiry' | 'findExpiry'>,
  settings: VerifierSettings,
): Expiry => findExpiry?.(settings) ?? expiry

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
  /** `options.verifierOptions` for this verifier: not signed, so they may only narrow the look-up. */
  readonly extras: Readonly<Record<string, unknown>>
}

/** Tools whose answers are fixed until a restart, and the time, which only moves forward. */
export type ExamineTools = Pick<VerifierTools, 'now' | 'outside' | 'settings'>

export interface VerifierTools {
  /** Unix milliseconds. */
  readonly now: number
  readonly verifySignature: VerifySignature
  readonly outside: Outside
  readonly settings: VerifierSettings
  /** Host name of this server's pages, to which proofs of humanity are bound. */
  readonly domain: string
  /** One-way: 64 hexadecimal digits that cannot be derived from a text without the master key. Survives restarts. */
  readonly saltedHash: (text: string, context: string) => string
  /** Reads the result of a finished sign-in by its token; undefined for a token that this server did not issue. */
  readonly readSocialToken: (token: string) => SocialEvidence | undefined
}

/** A sign-in at another provider. The token may have expired, or belong to another wallet than the signer's. */
export interface SocialEvidence {
  readonly provider: string
  /** The common name of the provider. */
  readonly label: string
  /** The wallet for which the sign-in began. */
  readonly wallet: string
  /** Unix milliseconds. */
  readonly signedInAt: number
  readonly expiresAt: number
  /** Undefined if the provider does not serve that purpose. */
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
  /** Present if a chain was read. */
  readonly reading?: Reading
  /** The first line of a text signed within the data, if the proof rests on it. */
  readonly title?: string
  /** Values that gates may compare, and that no answer shows, not even to the owner. */
  readonly hidden?: Evidence
  readonly reserves?: ReservedName
  /** A value for one proof only. The store marks it used together with the proof, or refuses both. */
  readonly spends?: Spending
  /** The original content, stored only when the request asks for it. */
  readonly content?: string
}

/** The chain state of an evidence: final, or of a block that may be replaced. */
export type Reading =
  | { readonly isFinal: true }
  | {
      readonly isFinal: false
      /** CAIP-2. */
      readonly chain: string
      readonly blockNumber: number
      readonly blockHash: string
    }

/** A name with a limited number of holders. The store reserves it together with the proof, or refuses both. */
export interface ReservedName {
  readonly name: string
  /** One by default. */
  readonly holders?: number
  readonly takenMessage: string
  /** The member `reason` of the details, for programs. */
  readonly takenReason?: string
}

export interface Spending {
  /** 64 hexadecimal digits. */
  readonly digest: string
  /** Unix milliseconds: the end of its validity. */
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
