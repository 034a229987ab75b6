/** Decides whether a proof has a portable form, and builds it: for a new proof, and for each later request. */
import {
  findPortabilityFault,
  makePortableProof,
  type NotPortable,
  type PortableProof,
} from '../envelope/portable-proof.ts'
import type { SignedClaim } from '../envelope/signer-string.ts'
import type { ProofRow, RowVerdict } from '../proofs/proof.ts'
import type { SignatureMethod } from '../wallet/signature.ts'

/** The maker of a claim, and the method. */
export interface MadeClaim {
  readonly claim: SignedClaim
  /** Undefined for a claim that was made without a signature. */
  readonly signed:
    | {
        readonly signature: string
        readonly signatureMethod: SignatureMethod
        /** The first line of the signed text. */
        readonly title: string
      }
    | undefined
}

type Portability =
  | { readonly portable: PortableProof; readonly notPortable?: undefined }
  | { readonly portable?: undefined; readonly notPortable: NotPortable }

/** For a proof that these rows will become. */
export const findPortability = (
  qHash: string,
  made: MadeClaim,
  data: object,
  rows: readonly RowVerdict[],
): Portability => decide(qHash, made, data, findPortabilityFault(made.signed?.title, listLimitedTitles(rows)))

/** For the signature of a request, which may differ from the one that made the proof. */
export const findPortabilityAgain = (
  { qHash, context, record }: ProofRow,
  { claim, signed }: MadeClaim,
  data: object,
): Portability => {
  const kept = record.notPortable === 'older-title-within' ? record.notPortable : undefined
  return decide(qHash, { claim: { ...claim, context }, signed }, data, kept ?? findPortabilityFault(signed?.title, []))
}

function decide(
  qHash: string,
  { claim, signed }: MadeClaim,
  data: object,
  fault: NotPortable | undefined,
): Portability {
  if (fault !== undefined || signed === undefined) return { notPortable: fault ?? 'unsigned' }
  return { portable: makePortableProof({ qHash, claim, data, ...signed }) }
}

const listLimitedTitles = (rows: readonly RowVerdict[]): string[] =>
  rows.flatMap(({ verdict }) => (verdict.holds && verdict.title !== undefined ? [verdict.title] : []))
