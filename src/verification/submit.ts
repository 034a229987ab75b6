/**
 * Phase 2: a signed request becomes a proof. Guards first, one write last; a request that fails leaves nothing behind.
 * Order: well-formed.ts, freshness, signature (or its substitute: authority.ts), limit of the signer, earlier
 * acceptance (accepted.ts), every verifier, store.
 */

import { bySignature, type Source } from '../auth/identity.ts'
import type { SpentSignature } from '../db/spent-signature.ts'
import type { NotPortable, PortableProof } from '../envelope/portable-proof.ts'
import { computeQHash } from '../envelope/q-hash.ts'
import { AppError } from '../errors.ts'
import type { RateHeaders } from '../http/rate-limit.ts'
import type { Parts } from '../parts.ts'
import { joinSentences } from '../pattern-words.ts'
import { makeProof, type NewProof, type RowVerdict } from '../proofs/proof.ts'
import type { ProofOptions } from '../proofs/record.ts'
import { mostStanding } from '../proofs/source-store.ts'
import { findProof, insertProof } from '../proofs/store.ts'
import { noteCaller, noteOwner } from '../request-scope.ts'
import type { Verdict } from '../verifiers/verifier.ts'
import { type ChainContext, normalizeAddress, writeAccount, writeChain } from '../wallet/account.ts'
import { findStaleness } from '../wallet/freshness.ts'
import { isContractMethod } from '../wallet/signature-method.ts'
import { makeSpentText } from '../wallet/spent-text.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import { type AcceptedProof, findAccepted, requireAccepted, runInSequence } from './accepted.ts'
import { isSigned, type Offer, requireAuthority } from './authority.ts'
import type { AskedClaim } from './claims.ts'
import { judge } from './judge.ts'
import { pinSnapshot } from './pin-snapshot.ts'
import { findPortability, findPortabilityAgain, type MadeClaim } from './portable-form.ts'
import type { VerificationRequest } from './request.ts'
import { checkSignature, makeSignedClaim } from './signing.ts'
import { requireWellFormed } from './well-formed.ts'

export interface Submitted extends AcceptedProof {
  /** With the chain as the request that made the proof spelled it. */
  readonly portable?: PortableProof | undefined
  /** The reason for its absence. */
  readonly notPortable?: NotPortable | undefined
  /** The signer's remaining allowance of new proofs. */
  readonly allowance: RateHeaders
}

/** Errors: those of "Answers to a claim" in src/guides/wire.md. */
export async function submit(parts: Parts, request: VerificationRequest, offer: Offer = {}): Promise<Submitted> {
  const now = parts.now()
  const { context, claims, options, canonicalData, subject } = requireWellFormed(parts, request, {
    hasIdentity: offer.identity !== undefined,
  })
  const maker = await requireMaker(parts, request, offer, { claims, context, canonicalData, now })
  const signer = normalizeAddress(request.walletAddress)
  const account = { wallet: signer, contractOn: maker.contractOn }
  if (maker.signed) noteCaller('signature')
  noteOwner(account)
  const allowance = parts.limiter.take('create', writeAccount(account))

  const accepted = await runInSequence(parts.db, maker.text, async () => {
    const { claim, signed, contractOn, source, text } = maker
    const qHash = computeQHash(claim)
    const { signedTimestamp } = claim
    const judgeClaims = () =>
      judge(claims, { signer, subject, context, contractOn, signedTimestamp, options: request.options }, parts)
    const findEarlier = () => findAccepted(parts, qHash, text)
    const judged = mayJudgeFirst(claims, options) ? await judgeFirst(judgeClaims, findEarlier) : await findEarlier()
    if (judged && 'proof' in judged) return judged
    const rows = judged ?? (await judgeClaims())
    const proof = makeProof({
      qHash,
      signer: { wallet: signer, contractOn },
      ...(subject === signer ? {} : { subjectWallet: subject }),
      context,
      signedTimestamp,
      // For a contract wallet that did not sign, only its kind is recorded.
      signatureMethod: signed?.signatureMethod ?? (contractOn === undefined ? null : 'eip1271'),
      verifierIds: claim.verifierIds,
      rows,
      options,
      ...findPortability(qHash, maker, request.data, rows),
      text,
      source,
      through: offer,
      // After the last verifier, and not earlier than any state it read: clocks can be set back meanwhile.
      now: Math.max(now, parts.now(), ...rows.map(({ verdict }) => readVerificationTime(verdict))),
    })
    return store(parts, options.enableIpfs ? await pinSnapshot(proof, parts) : proof)
  })
  return { ...accepted, ...findPortabilityAgain(accepted.proof, maker, request.data), allowance }
}

/**
 * Nothing outside is asked or told. Then an earlier acceptance is looked up only where something refuses the proof,
 * which spares almost every request 8 us.
 */
const mayJudgeFirst = (claims: readonly AskedClaim[], { enableIpfs }: ProofOptions): boolean =>
  !enableIpfs && claims.every(({ verifier }) => verifier.flow === 'instant')

/** A claim that was accepted is not judged again: it may no longer hold, and the caller only missed the first answer. */
async function judgeFirst(
  judgeClaims: () => Promise<RowVerdict[]>,
  findEarlier: () => Promise<AcceptedProof | undefined>,
): Promise<RowVerdict[] | AcceptedProof> {
  try {
    return await judgeClaims()
  } catch (error) {
    const earlier = await findEarlier()
    if (earlier) return earlier
    throw error
  }
}

const readVerificationTime = (verdict: Verdict): number =>
  verdict.holds && typeof verdict.evidence.verificationTimestamp === 'number'
    ? verdict.evidence.verificationTimestamp
    : 0

interface Asked {
  readonly claims: readonly AskedClaim[]
  readonly context: ChainContext
  readonly canonicalData: string
  readonly now: number
}

interface Made extends MadeClaim {
  /** The signed text, which makes one proof. */
  readonly text: SpentSignature | undefined
  /** CAIP-2 id of the chain on which the wallet is a contract. */
  readonly contractOn: string | undefined
  /** The right by which it was made. */
  readonly source: Source | undefined
}

/** The claim as made by the authorized wallet. Errors: those of requireSignature and requireAuthority. */
async function requireMaker(parts: Parts, request: VerificationRequest, offer: Offer, asked: Asked): Promise<Made> {
  const { claims, context, canonicalData, now } = asked
  if (isSigned(request))
    return { ...(await requireSignature(parts, request, asked)), source: offer.onBehalfOf ?? bySignature }
  const { signedTimestamp = now } = request
  requireFresh(signedTimestamp, now, parts)
  const { contractOn, source } = await requireAuthority(parts, request, claims, context, offer)
  return {
    claim: makeSignedClaim({ ...request, signedTimestamp }, context, canonicalData),
    signed: undefined,
    text: undefined,
    contractOn,
    source,
  }
}

/** Errors: VALIDATION_ERROR, EXPIRED_SIGNATURE, SIGNATURE_INVALID. */
async function requireSignature(
  parts: Parts,
  request: VerificationRequest,
  { context, canonicalData, now }: Asked,
): Promise<Omit<Made, 'source'>> {
  const { signature = '', signedTimestamp, signatureMethod } = request
  if (signedTimestamp === undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      'signedTimestamp is missing: send the one that was signed, in Unix milliseconds',
      {
        path: '/signedTimestamp',
      },
    )
  requireFresh(signedTimestamp, now, parts)
  const { verdict, claim, text, title } = await checkSignature(
    makeSignedClaim({ ...request, signedTimestamp }, context, canonicalData),
    { signature, signatureMethod },
    parts,
  )
  if (!verdict.signed)
    throw new AppError('SIGNATURE_INVALID', joinSentences(verdict.message, howToSign), {
      reason: verdict.reason,
      ...(verdict.recovered ? { recoveredAddress: verdict.recovered } : {}),
    })
  return {
    claim,
    signed: { signature, signatureMethod: verdict.method, title },
    text: makeSpentText(normalizeAddress(request.walletAddress), text, {
      signedTimestamp,
      maxAgeMs: parts.freshness.maxAgeMs,
    }),
    contractOn: isContractMethod(verdict.method) ? writeChain(context) : undefined,
  }
}

const howToSign = 'Sign exactly the signerString that POST /api/v1/verification/standardize returns for this body'

function requireFresh(signedTimestamp: number, now: number, { freshness }: Parts): void {
  requireMilliseconds(signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  const stale = findStaleness(signedTimestamp, now, freshness)
  if (stale) throw new AppError('EXPIRED_SIGNATURE', stale, { signedTimestamp, serverTime: now })
}

async function store(parts: Parts, proof: NewProof): Promise<AcceptedProof> {
  const outcome = await insertProof(parts.db, parts.sealer, proof)
  const { qHash } = proof.row
  switch (outcome) {
    case 'stored': {
      parts.metrics.count('proofs', listProven(proof))
      // Read again for its place in the store, by which its publications are found.
      const row = proof.row.record.publishing ? await findProof(parts.db, qHash) : undefined
      return { proof: row ?? proof.row, content: proof.content, alreadyStored: false }
    }
    case 'spent': {
      const { usedMessage = 'what was shown was used for another proof', usedReason: reason } = proof.spends ?? {}
      throw new AppError('CONFLICT', usedMessage, { reason })
    }
    case 'source-full':
      throw new AppError(
        'CONFLICT',
        `this credential has made ${mostStanding} delegations and agents that stand, which is the most: revoke some of them, or sign with the wallet`,
        { limit: mostStanding },
      )
    case 'source-ended':
      throw new AppError(
        'WALLET_AUTH_REQUIRED',
        'the credential was revoked, or its wallet unlinked, while the request was under way: nothing was stored. Sign in again',
      )
    case 'name-taken': {
      const { takenMessage = 'the name is taken', takenReason: reason } = proof.reserves ?? {}
      throw new AppError('CONFLICT', takenMessage, reason === undefined ? {} : { reason })
    }
    case 'text-spent':
    case 'exists':
    case 'erased':
      return (await findAccepted(parts, qHash, proof.text)) ?? (await requireAccepted(parts, qHash))
  }
}

const listProven = ({ row }: NewProof): string[] =>
  row.record.rows.filter(({ verified }) => verified).map(({ verifierId }) => verifierId)
