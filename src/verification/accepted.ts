/**
 * Finds the earlier result of a signed text. One text is one claim: any spelling of chain, address, signature or
 * options gets the first request's proof.
 */
import type { Db } from '../db/db.ts'
import { findSpent, type SpentSignature, trySpendSignature } from '../db/spent-signature.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { ProofRow } from '../proofs/proof.ts'
import { takeOverSource } from '../proofs/source-store.ts'
import { findContent, findProof } from '../proofs/store.ts'

export interface AcceptedProof {
  readonly proof: ProofRow
  readonly content: string | undefined
  readonly alreadyStored: boolean
}

/**
 * The proof that the text made, or the existing one with the same id. Undefined for a new claim. Errors: CONFLICT, for
 * a revoked or erased proof.
 */
export async function findAccepted(
  parts: Parts,
  qHash: string,
  text: SpentSignature | undefined,
): Promise<AcceptedProof | undefined> {
  const spent = text && (await findSpent(parts.db, text))
  if (spent) return requireAccepted(parts, spent.qHash ?? qHash)
  const existing = await findProof(parts.db, qHash)
  if (!existing) return undefined
  // The proof was made without this signature: by a session, or before texts were marked as used. From now on they
  // belong together.
  const isOurs = await trySpendSignature(parts.db, text, { qHash, others: [takeOverSource(qHash)] })
  return isOurs ? await requireAcceptedProof(parts, existing) : findAccepted(parts, qHash, text)
}

/** Errors: CONFLICT, for a revoked or erased proof. */
export async function requireAccepted(parts: Parts, qHash: string): Promise<AcceptedProof> {
  const proof = await findProof(parts.db, qHash)
  if (!proof) throw makeUsedTextError('erased', qHash)
  return requireAcceptedProof(parts, proof)
}

async function requireAcceptedProof({ db, sealer }: Parts, proof: ProofRow): Promise<AcceptedProof> {
  if (proof.revokedAt !== null) throw makeUsedTextError('revoked', proof.qHash)
  const content = proof.record.storeOriginalContent ? await findContent(db, sealer, proof) : undefined
  return { proof, content, alreadyStored: true }
}

const makeUsedTextError = (how: 'revoked' | 'erased', qHash: string): AppError =>
  new AppError('CONFLICT', `this signed request was ${how} by its owner and cannot be used again: sign a new one`, {
    qHash,
  })

const underWay = new WeakMap<Db, Map<string, Promise<unknown>>>()

function openQueue(db: Db): Map<string, Promise<unknown>> {
  const queue = new Map<string, Promise<unknown>>()
  underWay.set(db, queue)
  return queue
}

/**
 * Runs requests with the same signed text one after the other. The second one must not ask verifiers or pin a snapshot
 * with different options. The write guards the text as well.
 */
export async function runInSequence<Result>(
  db: Db,
  text: SpentSignature | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!text) return work()
  const queue = underWay.get(db) ?? openQueue(db)
  const before = queue.get(text.digest)
  const mine = before ? before.then(work, work) : work()
  queue.set(text.digest, mine)
  try {
    return await mine
  } finally {
    if (queue.get(text.digest) === mine) queue.delete(text.digest)
  }
}
