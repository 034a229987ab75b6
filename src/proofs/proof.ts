/**
 * Proofs: stored, verified envelopes with a status. This folder owns their rows, their lists, who may see what of them,
 * their revocation and their erasure. How a proof comes to be is verification/submit.ts.
 */

import type { Source } from '../auth/identity.ts'
import type { SpentSignature } from '../db/spent-signature.ts'
import type { NotPortable } from '../envelope/portable-proof.ts'
import { publishingWords } from '../publishing/words.ts'
import { agentVerifierIds } from '../verifiers/roles.ts'
import type { Reading, ReservedName, Spending, Verdict, Verifier } from '../verifiers/verifier.ts'
import { type Account, type ChainContext, normalizeAddress, writeAccount, writeDid } from '../wallet/account.ts'
import type { SignatureMethod } from '../wallet/signature.ts'
import { listFacts } from './facts.ts'
import { type Finality, finalities } from './finality.ts'
import type { PinnedSnapshot, ProofOptions, ProofRecord, VerifiedRow } from './record.ts'
import { type Visibility, visibilities } from './visibility.ts'

/** A proof as read from the store. Times are Unix milliseconds. */
export interface ProofRow {
  /** Position in the order of inserts; 0 until stored. */
  readonly id: number
  readonly qHash: string
  /** The account that signed, as accounts.address has it (account-store.ts). */
  readonly account: string
  /** Its address. */
  readonly walletAddress: string
  readonly context: ChainContext
  readonly status: string
  readonly visibility: Visibility
  readonly isSuperseded: boolean
  readonly signatureMethod: string | null
  readonly signedTimestamp: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly revokedAt: number | null
  readonly expiresAt: number | null
  /** Null when no block was read, or its number was not kept. */
  readonly finality: Finality | null
  /** The app that it was made through, as the client named it. */
  readonly appId: string | null
  /** For proofs made with a sponsor grant: the wallet that the app named as payer. */
  readonly sponsorWallet: string | null
  readonly record: ProofRecord
}

/** A block that the claim at this place of the record was read at, and that may still be replaced. */
export interface FollowedBlock extends Extract<Reading, { readonly isFinal: false }> {
  readonly place: number
}

export interface ProofSource extends Source {
  /** One of agentVerifierIds. */
  readonly verifier: string
}

export interface NewProof {
  readonly row: ProofRow
  /** JSON of `row.record`. */
  readonly recordText: string
  readonly scope52: number
  /** The facts that it can be found by. */
  readonly facts: readonly number[]
  readonly followed: readonly FollowedBlock[]
  /** Original content to keep, when the request asked for it and a verifier had any. */
  readonly content: string | undefined
  /** JSON of the portable form, to be kept with the content. */
  readonly portable: string | undefined
  readonly reserves: ReservedName | undefined
  /** The things that may serve only one proof. */
  readonly spends: Spending | undefined
  /** By what right it was made, where it hands authority on. */
  readonly source: ProofSource | undefined
  /** The text that was signed, which makes this proof and no other. Undefined where nothing was signed. */
  readonly text: SpentSignature | undefined
}

export interface RowVerdict {
  readonly verifier: Verifier
  readonly verdict: Verdict
}

/** A claim of a proof from another server that was not verified here. It counts nowhere. */
export interface ImportedClaim {
  readonly verifierId: string
  /** Why not: a code, and a sentence. */
  readonly reason: string
  readonly message: string
}

/** The status of such a claim, and of a proof without any other. */
export const importedWord = 'imported'

export function makeProof(made: {
  readonly qHash: string
  readonly signer: Account
  readonly subjectWallet?: string
  readonly context: ChainContext
  readonly signedTimestamp: number
  /** Null where nothing was signed. */
  readonly signatureMethod: SignatureMethod | null
  readonly verifierIds: readonly string[]
  readonly rows: readonly RowVerdict[]
  /** Of a proof from another server: what was not verified here. */
  readonly imported?: readonly ImportedClaim[]
  readonly options: ProofOptions
  /** Undefined where one is possible: `portable`. */
  readonly notPortable?: NotPortable | undefined
  readonly portable?: object | undefined
  /** By what right it is made. */
  readonly source?: Source | undefined
  /** Undefined where nothing was signed. */
  readonly text?: SpentSignature | undefined
  /** The app that the client names. */
  readonly through?: { readonly appId?: string | undefined; readonly sponsorWallet?: string | undefined } | undefined
  readonly now: number
}): NewProof {
  const { rows, imported = [], options, now } = made
  const held = rows.flatMap(({ verifier, verdict }) => (verdict.holds ? [{ verifier, verdict }] : []))
  const record: ProofRecord = {
    verifierIds: made.verifierIds,
    rows: [...rows.map(makeVerifiedRow), ...imported.map(makeImportedRow)],
    meta: options.meta,
    storeOriginalContent: options.storeOriginalContent,
    ...(options.keepPortable ? { keepsPortable: true } : {}),
    ...(made.subjectWallet === undefined ? {} : { subjectWallet: made.subjectWallet }),
    ...(options.publishing === undefined ? {} : { publishing: options.publishing }),
    ...(made.notPortable === undefined ? {} : { notPortable: made.notPortable }),
  }
  const visibility = chooseVisibility(options)
  const followed = rows.flatMap(({ verdict }, place) =>
    verdict.holds && verdict.reading?.isFinal === false ? [{ ...verdict.reading, place }] : [],
  )
  const isRead = held.some(({ verdict }) => verdict.reading !== undefined)
  const expiries = held.flatMap(({ verdict }) => verdict.expiresAt ?? [])
  return {
    row: {
      id: 0,
      qHash: made.qHash,
      account: writeAccount(made.signer),
      walletAddress: made.signer.wallet,
      context: made.context,
      status: chooseStatus(held.length, rows.length, imported.length, options),
      visibility,
      isSuperseded: false,
      signatureMethod: made.signatureMethod,
      signedTimestamp: made.signedTimestamp,
      createdAt: now,
      updatedAt: now,
      revokedAt: null,
      expiresAt: expiries.length > 0 ? Math.min(...expiries) : null,
      finality: isRead ? finalities[followed.length > 0 ? 'followed' : 'final'] : null,
      appId: made.through?.appId ?? null,
      sponsorWallet: made.through?.sponsorWallet ?? null,
      record,
    },
    recordText: JSON.stringify(record),
    scope52: computeScopeKey(
      made.signer.wallet,
      held.length > 0
        ? held.map(({ verifier, verdict }) => ({
            verifierId: verifier.id,
            scope: verifier.writeScope(verdict.evidence),
          }))
        : // What was not verified replaces nothing.
          [{ verifierId: importedWord, scope: made.qHash }],
    ),
    facts: listFacts(
      record,
      visibility === visibilities.private,
      new Map(rows.map(({ verifier }) => [verifier.id, verifier])),
    ),
    followed,
    content: options.storeOriginalContent
      ? held.find(({ verdict }) => verdict.content !== undefined)?.verdict.content
      : undefined,
    portable: keepsPortable(record) && made.portable ? JSON.stringify(made.portable) : undefined,
    reserves: held.find(({ verdict }) => verdict.reserves)?.verdict.reserves,
    spends: held.find(({ verdict }) => verdict.spends)?.verdict.spends,
    source: makeSource(
      held.map(({ verifier }) => verifier.id),
      made.source,
    ),
    text: made.text,
  }
}

function makeSource(held: readonly string[], source: Source | undefined): ProofSource | undefined {
  const verifier = agentVerifierIds.find((id) => held.includes(id))
  return verifier === undefined || source === undefined ? undefined : { ...source, verifier }
}

export const keepsPortable = ({ storeOriginalContent, keepsPortable: asked }: ProofRecord): boolean =>
  storeOriginalContent || asked === true

/** The same proof with the place of its snapshot in its record. */
export function addSnapshot(proof: NewProof, ipfs: PinnedSnapshot): NewProof {
  const record: ProofRecord = { ...proof.row.record, ipfs }
  return { ...proof, row: { ...proof.row, record }, recordText: JSON.stringify(record) }
}

const makeVerifiedRow = ({ verifier, verdict }: RowVerdict): VerifiedRow =>
  verdict.holds
    ? {
        verifierId: verifier.id,
        verified: true,
        status: verifier.status,
        data: verdict.evidence,
        ...(verdict.hidden === undefined ? {} : { hidden: verdict.hidden }),
      }
    : {
        verifierId: verifier.id,
        verified: false,
        status: 'failed',
        data: { reason: verdict.reason, message: verdict.message },
      }

const makeImportedRow = ({ verifierId, reason, message }: ImportedClaim): VerifiedRow => ({
  verifierId,
  verified: false,
  status: importedWord,
  data: { reason, message },
})

function chooseStatus(held: number, judged: number, imported: number, { publishing }: ProofOptions): string {
  if (held === 0 && imported > 0) return importedWord
  if (held < judged + imported) return 'partially_verified'
  return publishing ? publishingWords.initiated : 'verified'
}

function chooseVisibility({ privacyLevel, publicDisplay }: ProofOptions): Visibility {
  if (privacyLevel === 'private') return visibilities.private
  return publicDisplay ? visibilities.listed : visibilities.unlisted
}

/** Words of proofs of which every claim holds: how far their publishing has come does not change that. */
export const fullyVerifiedWords: readonly string[] = ['verified', ...Object.values(publishingWords)]

/** The members that show whether a proof has ended. */
type Ending = Pick<ProofRow, 'revokedAt' | 'expiresAt' | 'finality'>

/** The word for why nothing of a proof counts any more; undefined while it counts. */
export function readEnd({ revokedAt, expiresAt, finality }: Ending, now: number): 'revoked' | 'expired' | undefined {
  if (revokedAt !== null || finality === finalities.replaced) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : undefined
}

/** The status word a reader gets now: revocation and expiry come before what was found at the time. */
export const readStatus = (proof: Ending & Pick<ProofRow, 'status'>, now: number): string =>
  readEnd(proof, now) ?? proof.status

/**
 * A row as readers get it now. Rows of an ended proof are never verified, because programs decide by that member alone.
 */
export function readRow<Row extends Pick<VerifiedRow, 'verified' | 'status'>>(
  row: Row,
  proof: Ending,
  now: number,
): Row {
  const end = readEnd(proof, now)
  return end !== undefined && row.verified ? { ...row, verified: false, status: end } : row
}

export const didOfProof = ({ context, walletAddress }: ProofRow): string => writeDid(context, walletAddress)

/** The first 52 bits of a hash written as `0x…`: an integer that JavaScript and SQLite both hold exactly. */
export const readFirst52Bits = (hash: string): number => Number.parseInt(hash.slice(2, 15), 16)

/**
 * The scope of a proof as a short integer: signer, verifiers and their subjects. Runs of one claim share it, whatever
 * their time stamp; the order of verifiers does not matter.
 */
export function computeScopeKey(
  signer: string,
  scopes: readonly { readonly verifierId: string; readonly scope: string }[],
): number {
  const parts = scopes.map(({ verifierId, scope }) => `${verifierId}\n${scope}`).sort()
  return readFirst52Bits(`0x${Bun.SHA256.hash([normalizeAddress(signer), ...parts].join('\n\n'), 'hex')}`)
}
