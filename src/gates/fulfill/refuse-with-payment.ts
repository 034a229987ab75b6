/**
 * Refusals of fulfillments with a payment: the signer's payment is checked, stored as unmatched, and reported. This
 * file settles no payment.
 */

import { AppError } from '../../errors.ts'
import { isSomeInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import { isPageWatched } from '../../payments/checkout-store.ts'
import { listEvidence } from '../../payments/methods.ts'
import type { OfferedEvidence } from '../../payments/offer.ts'
import { findUnderWay } from '../../payments/settlement-store.ts'
import { findUnmatchedOfPair } from '../../payments/unmatched-store.ts'
import type { Unpaid } from '../../payments/unpaid.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { parseAccount, writeAccount } from '../../wallet/account.ts'
import type { Gate } from '../gate.ts'
import { findGate } from '../store.ts'
import type { Admitted } from './bind.ts'
import { requireProof } from './checks.ts'
import { notSettled } from './hold-place.ts'
import { type Due, findDuePayment, findFormerDue, lookAtPayment, rememberWaiting, takeArrived } from './payment.ts'
import { type FulfillRequest, readCredentials, readOfferedEvidence, requireBuyer, requireSigner } from './request.ts'
import { addUnderWay } from './under-way.ts'
import { addEarlierUnmatched, addSentence, addUnmatched, notePayment } from './unmatched.ts'

/** Refusals that no other proof and no waiting can fix, so a payment already made is in vain. */
const endings: ReadonlySet<AppError['code']> = new Set([
  'GATE_SOLD_OUT',
  'GATE_LIMIT_REACHED',
  'GATE_ENDED',
  'GATE_NOT_FOUND',
  'GATE_PAUSED',
])

/** Refusals that the buyer may fix: a transfer was made all the same, and stays usable for them. */
const mendable: ReadonlySet<AppError['code']> = new Set([
  'GATE_NOT_STARTED',
  'GATE_REQUIREMENTS_NOT_MET',
  'PROOF_NOT_FOUND',
  'PROOF_NOT_VERIFIED',
])

/** The offered payments that are checked. A card or a signed payment waits until the buyer fixes the refusal. */
function selectReviewable({ code }: AppError, offered: OfferedEvidence): OfferedEvidence | undefined {
  if (endings.has(code)) return offered
  const { paymentTxHash, paymentQuoteId } = offered
  return mendable.has(code) && paymentTxHash !== undefined ? { paymentTxHash, paymentQuoteId } : undefined
}

/**
 * The refusal of a request that may carry a payment. A signer's payment is checked and stored as unmatched, and the
 * buyer learns of it. No payment is settled. Errors: always.
 */
export async function refuseWithPayment(parts: Parts, request: FulfillRequest, error: unknown): Promise<never> {
  if (!(error instanceof AppError)) throw error
  const refused = await findPayer(parts, request, error)
  if (!refused) throw error
  const { gate, proof, caller, due } = refused
  const buyer = { caller, gate, qHash: proof.qHash }
  if (!due || listEvidence(due.offered).length === 0)
    throw await addEarlierUnmatched(parts, await addUnderWay(parts, error, buyer), buyer)
  throw await addEarlierUnmatched(parts, await tellOfOffer(parts, refused, due, error), buyer)
}

/** The reasons with which methods report a payment that this server already knows, whatever the chain shows. */
const usedReasons: ReadonlySet<string> = new Set(['PAYMENT_ALREADY_USED'])

async function tellOfOffer(parts: Parts, { gate, proof, caller }: Refused, due: Due, error: AppError) {
  const buyer = { caller, gate, qHash: proof.qHash }
  try {
    const { id, verdict: found } = await lookAtPayment(parts, due)
    await rememberWaiting(parts, due, found)
    const verdict = takeArrived(found)
    if (!verdict.paid) {
      // After the check: another request may have submitted the payment in the meantime.
      const moving = await addUnderWay(parts, error, buyer)
      if (moving !== error && verdict.isAwaited === undefined) return moving
      if (verdict.reason === 'NOT_SETTLED') return addSentence(error, notSettled)
      if (verdict.retryAfterSeconds !== undefined) return askAgain(error, verdict, verdict.retryAfterSeconds)
      const found = usedReasons.has(verdict.reason)
        ? 'The payment that was offered was used before'
        : `The payment that was offered did not pay for it (${verdict.reason}), and was not used`
      return addSentence(error, found, { payment: { reason: verdict.reason, message: verdict.message } })
    }
    const payment = { method: id, paid: verdict }
    const row = await notePayment(parts, gate, { qHash: proof.qHash, caller, payment, reason: error.code })
    return row ? addUnmatched(error, row) : addSentence(error, 'The payment that was offered was used before')
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure
    const told = addSentence(error, `Of the payment that was offered: ${failure.message}`, {
      payment: { code: failure.code, ...failure.details },
    })
    return addUnderWay(parts, told, buyer)
  }
}

/** It is not known yet whether it pays; only asking again writes it down. */
const askAgain = (error: AppError, { reason, message }: Unpaid, seconds: number): AppError => {
  const { code, message: refusal, details } = error
  return new AppError(
    code,
    `${refusal}. About your payment: ${message}. Repeat this request in ${seconds} s, so that the payment is recorded as owed to you`,
    { ...details, payment: { reason, message, retryAfterSeconds: seconds } },
    { 'retry-after': String(seconds) },
  )
}

/** Asked before anybody has signed: whether there is something to tell the owner of the proof. */
const hasUnmatched = ({ db }: Parts, { id }: Gate, { account, walletAddress, qHash }: ProofRow): Promise<boolean> =>
  isSomeInOrder(
    [parseAccount(account), { wallet: walletAddress, contractOn: undefined }],
    async (owner) => (await findUnmatchedOfPair(db, writeAccount(owner), id, qHash)) !== undefined,
  )

/** Asked before anybody has signed, too: whether money may be moving for this proof. */
const hasUnderWay = async ({ db }: Parts, { id }: Gate, { qHash }: ProofRow): Promise<boolean> =>
  (await findUnderWay(db, id, qHash)) !== undefined || (await isPageWatched(db, id, qHash))

/** A gate that cannot be paid any more may owe what was paid before. */
async function findDue(...asked: Parameters<typeof findFormerDue>): Promise<Due | undefined> {
  try {
    return (await findDuePayment(...asked)) ?? (await findFormerDue(...asked))
  } catch (failure) {
    if (failure instanceof AppError) return undefined
    throw failure
  }
}

interface Refused extends Pick<Admitted, 'gate' | 'caller' | 'due'> {
  readonly proof: Pick<ProofRow, 'qHash'>
}

/** A wallet whose proof is gone has still signed for it. Undefined without a signature. */
async function findHolderOfNone(
  parts: Parts,
  request: FulfillRequest,
): Promise<Pick<Refused, 'proof' | 'caller'> | undefined> {
  const credentials = await readCredentials(parts, request)
  if (!credentials) return undefined
  const caller = await requireSigner(
    request,
    credentials,
    parts,
    ({ wallet }) => wallet === request.body.walletAddress?.toLowerCase(),
  )
  return { proof: { qHash: request.body.qHash.toLowerCase() }, caller }
}

/** The refused caller and the gate. Undefined when they may not know of the gate, or did not sign. */
async function findPayer(parts: Parts, request: FulfillRequest, error: AppError): Promise<Refused | undefined> {
  const gate = await findGate(parts, request.gateId)
  const isHidden = gate?.definition.policy?.visibility === 'private' && error.code === 'GATE_NOT_FOUND'
  if (!gate) return undefined
  const isUnseen = gate.status === 'draft' || isHidden
  const offered = readOfferedEvidence(request)
  try {
    const known = error.code === 'PROOF_NOT_FOUND' ? undefined : await requireProof(parts, request.body.qHash)
    const isMoving = known !== undefined && (await hasUnderWay(parts, gate, known))
    const isToldOfPayment =
      listEvidence(offered).length > 0 || (known !== undefined && (await hasUnmatched(parts, gate, known)))
    if (!isMoving && (isUnseen || !isToldOfPayment)) return undefined
    const refused = known
      ? { proof: known, caller: await requireBuyer(parts, gate, known, request) }
      : await findHolderOfNone(parts, request)
    if (!refused) return undefined
    const { proof, caller } = refused
    const looked = isUnseen ? undefined : selectReviewable(error, offered)
    const due = looked && (await findDue(parts, gate, proof, caller, looked))
    return { gate, proof, caller, due }
  } catch (failure) {
    if (failure instanceof AppError) return undefined
    throw failure
  }
}
