/**
 * Brings in a portable proof that another server made. It proves that the wallet signed, and nothing else. So the
 * verifiers run again. A claim that cannot be verified again is kept as `imported`, and counts nowhere.
 */
import type { PortableProof } from '../envelope/portable-proof.ts'
import { computeQHash } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { type ImportedClaim, makeProof, type RowVerdict } from '../proofs/proof.ts'
import { findProof, insertProof } from '../proofs/store.ts'
import { stripVersion } from '../verifiers/id.ts'
import { agentVerifierIds, walletLinkId } from '../verifiers/roles.ts'
import { type ChainContext, normalizeAddress, writeChain, writeDid } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { makeSpentText } from '../wallet/spent-text.ts'
import { type AskedClaim, listClaims } from './claims.ts'
import { judge, type SignedBy } from './judge.ts'
import { checkSignature, makeSignedClaim, writeCanonicalData } from './signing.ts'

export interface BroughtIn {
  /** Or why nothing was stored. */
  readonly outcome: 'verified' | 'partially_verified' | 'imported' | 'already here' | 'used before' | 'erased here'
  readonly qHash: string
  /** The claims that are not verified, and why. */
  readonly imported: readonly ImportedClaim[]
}

/** The file proves nothing: the message says why. */
export class UnprovenError extends Error {
  override readonly name = 'UnprovenError'
}

/** Hand authority on, so only a signature that was made for this server may: an old one may have been taken back. */
const givesAuthority: ReadonlySet<string> = new Set([...agentVerifierIds, walletLinkId])

/** Errors: UnprovenError; AppError VERIFIER_UNAVAILABLE and OutsideError, where a look-up failed: try again. */
export async function importProof(parts: Parts, proof: PortableProof): Promise<BroughtIn> {
  const context: ChainContext = proof.chain === undefined ? { chainId: proof.chainId ?? 0 } : { chain: proof.chain }
  const { text, method } = await requireSignature(parts, proof, context)
  const qHash = proof.qHash.toLowerCase()
  if (await findProof(parts.db, qHash)) return { outcome: 'already here', qHash, imported: [] }
  const signer = {
    wallet: normalizeAddress(proof.walletAddress),
    contractOn: isContractMethod(method) ? writeChain(context) : undefined,
  }
  const by: SignedBy = {
    signer: signer.wallet,
    subject: signer.wallet,
    context,
    contractOn: signer.contractOn,
    signedTimestamp: proof.signedTimestamp,
    options: undefined,
  }
  // An old text is refused by its age, and its mark may be forgotten.
  const spent = makeSpentText(signer.wallet, text, {
    signedTimestamp: proof.signedTimestamp,
    maxAgeMs: parts.freshness.maxAgeMs,
  })
  const judged = await judgeAgain(parts, proof, by)
  const store = async ({ rows, imported }: Judged): Promise<BroughtIn> => {
    const made = makeProof({
      qHash,
      signer,
      context,
      signedTimestamp: proof.signedTimestamp,
      signatureMethod: method,
      verifierIds: proof.verifierIds,
      rows,
      imported,
      options: {
        privacyLevel: 'private',
        publicDisplay: false,
        storeOriginalContent: false,
        keepPortable: true,
        enableIpfs: false,
        meta: {},
      },
      portable: proof,
      text: spent.expiresAt > parts.now() ? spent : undefined,
      now: parts.now(),
    })
    const outcome = await insertProof(parts.db, parts.sealer, made)
    switch (outcome) {
      case 'stored':
        return { outcome: readOutcome(made.row.status), qHash, imported }
      case 'exists':
        return { outcome: 'already here', qHash, imported: [] }
      case 'erased':
        return { outcome: 'erased here', qHash, imported: [] }
      case 'text-spent':
        return { outcome: 'used before', qHash, imported: [] }
      default:
        // What one of them needs belongs to somebody else here: a name, an account.
        return store({
          rows: [],
          imported: [
            ...imported,
            ...rows.map(({ verifier }) => ({
              verifierId: verifier.id,
              reason: 'TAKEN',
              message: 'what it claims belongs to another proof on this server',
            })),
          ],
        })
    }
  }
  return store(judged)
}

const readOutcome = (status: string): BroughtIn['outcome'] =>
  status === 'imported' || status === 'partially_verified' ? status : 'verified'

/** Errors: UnprovenError, OutsideError. */
async function requireSignature(parts: Parts, proof: PortableProof, context: ChainContext) {
  const canonicalData = refuseAsUnproven(() => writeCanonicalData(proof.data, parts.config.limits))
  const { verdict, claim, text } = await checkSignature(makeSignedClaim(proof, context, canonicalData), proof, parts)
  if (!verdict.signed) throw new UnprovenError(`signature: ${verdict.message}`)
  const qHash = computeQHash(claim)
  if (qHash !== proof.qHash.toLowerCase())
    throw new UnprovenError(`qHash: the content hashes to ${qHash}, not to ${proof.qHash}`)
  const did = writeDid(context, proof.walletAddress)
  if (did !== proof.did) throw new UnprovenError(`did: wallet and chain give ${did}, not ${proof.did}`)
  if (proof.signedTimestamp > parts.now() + parts.freshness.maxAheadMs)
    throw new UnprovenError('signedTimestamp is in the future: set the clock of this machine')
  return { text, method: verdict.method }
}

function refuseAsUnproven<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof AppError ? new UnprovenError(error.message) : error
  }
}

interface Judged {
  /** Of the claims that hold. */
  readonly rows: readonly RowVerdict[]
  readonly imported: readonly ImportedClaim[]
}

async function judgeAgain(parts: Parts, proof: PortableProof, by: SignedBy): Promise<Judged> {
  let claims: readonly AskedClaim[]
  try {
    claims = listClaims({ ...proof, ...by.context }, parts.catalog, true)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code: reason, message } = error
    return {
      rows: [],
      imported: [...new Set(proof.verifierIds.map(stripVersion))].map((verifierId) => ({
        verifierId,
        reason,
        message,
      })),
    }
  }
  const rows: RowVerdict[] = []
  const imported: ImportedClaim[] = []
  for (const claim of claims) {
    const refused = findObstacle(claim)
    if (refused) imported.push(refused)
    else await judgeOne(parts, claim, by, rows, imported)
  }
  return { rows, imported }
}

function findObstacle({ verifier: { id, flow } }: AskedClaim): ImportedClaim | undefined {
  if (givesAuthority.has(id))
    return {
      verifierId: id,
      reason: 'GIVES_AUTHORITY',
      message: 'it hands authority on, and may have been taken back where it was made: sign it again for this server',
    }
  if (flow === 'interactive')
    return { verifierId: id, reason: 'NEEDS_PERSON', message: 'the person has to be there when it is verified' }
  return undefined
}

async function judgeOne(
  parts: Parts,
  claim: AskedClaim,
  by: SignedBy,
  rows: RowVerdict[],
  imported: ImportedClaim[],
): Promise<void> {
  try {
    rows.push(...(await judge([claim], by, parts)))
  } catch (error) {
    // A failed look-up says nothing: the same file can be brought in later.
    if (!(error instanceof AppError) || error.code === 'VERIFIER_UNAVAILABLE') throw error
    const { reason } = error.details as { readonly reason?: unknown }
    imported.push({
      verifierId: claim.verifier.id,
      reason: typeof reason === 'string' ? reason : error.code,
      message: error.message,
    })
  }
}
