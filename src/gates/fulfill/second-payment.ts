/**
 * An extra transfer, sent with a request for a reward that was delivered before. It pays for nothing, and is stored.
 * The reward is delivered all the same, with the transfer's state.
 */
import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import type { Unmatched } from '../../payments/unmatched-store.ts'
import type { Admitted } from './bind.ts'
import { findDuePayment, findFormerDue, lookAtPayment, rememberWaiting, takeArrived } from './payment.ts'
import { type FulfillRequest, readOfferedEvidence } from './request.ts'
import { notePayment } from './unmatched.ts'
import { alreadyFulfilled } from './why-no-place.ts'

export const SecondPaymentAnswer = Type.Object(
  {
    transactionHash: Type.String({ description: 'As it was offered.' }),
    reason: Type.String({
      description: 'As in PAYMENT_REQUIRED, NOT_LOOKED_UP where the chain could not be asked, or the code of an error.',
    }),
    message: Type.String({ description: 'A sentence for people.' }),
    retryAfterSeconds: Type.Optional(
      Type.Integer({ description: 'It may have moved money: offer it again after so many seconds.' }),
    ),
  },
  {
    description:
      'Another transfer than the one that bought this came along, and was not written down as a payment: not yet, where retryAfterSeconds says when to offer it again.',
  },
)

/** At most one of both. Both are absent if no other transfer was sent. */
export interface SecondPayment {
  readonly unmatched?: Unmatched | undefined
  readonly secondPayment?: typeof SecondPaymentAnswer.static
}

export async function noteSecondPayment(
  parts: Parts,
  request: FulfillRequest,
  admitted: Admitted,
): Promise<SecondPayment> {
  const { paymentTxHash } = readOfferedEvidence(request)
  const { earlier } = admitted
  if (!earlier || paymentTxHash === undefined) return {}
  if (earlier.payment?.identity.includes(paymentTxHash.toLowerCase())) return {}
  try {
    return await lookAtSecond(parts, admitted, paymentTxHash)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message } = error
    const retryAfterSeconds = Number(error.headers['retry-after'])
    if (code !== 'SERVICE_UNAVAILABLE' || !(retryAfterSeconds > 0))
      return makeSecondPayment(paymentTxHash, { reason: code, message })
    return makeSecondPayment(paymentTxHash, { reason: 'NOT_LOOKED_UP', message, retryAfterSeconds })
  }
}

async function lookAtSecond(
  parts: Parts,
  { gate, proof, caller, earlier }: Admitted,
  paymentTxHash: string,
): Promise<SecondPayment> {
  const offered = { paymentTxHash: paymentTxHash.toLowerCase() }
  const free = await findFormerDue(parts, gate, proof, caller, offered)
  const due = free ?? (await findDuePayment(parts, gate, proof, caller, offered))
  if (!due) return {}
  const { id, verdict } = await lookAtPayment(parts, due)
  await rememberWaiting(parts, due, verdict)
  const paid = takeArrived(verdict)
  if (!paid.paid) return makeSecondPayment(paymentTxHash, paid)
  if (paid.identity === earlier?.payment?.identity) return {}
  const payment = { method: id, paid }
  const reason = free ? 'GATE_FREE' : alreadyFulfilled
  const unmatched = await notePayment(parts, gate, { qHash: proof.qHash, caller, payment, reason })
  if (unmatched) return { unmatched }
  return makeSecondPayment(paymentTxHash, {
    reason: 'PAYMENT_ALREADY_USED',
    message: 'it paid for another gate or another proof',
  })
}

interface Known {
  readonly reason: string
  readonly message: string
  readonly retryAfterSeconds?: number
}

const makeSecondPayment = (transactionHash: string, { reason, message, retryAfterSeconds }: Known): SecondPayment => ({
  secondPayment: {
    transactionHash,
    reason,
    message:
      retryAfterSeconds === undefined
        ? `This was given before. Of the transaction that came along: ${message}`
        : `This was given before. Of the transaction that came along: ${message}. Repeat this request in ${retryAfterSeconds} s with the same transaction, so that it is written down as owed to you if it paid`,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  },
})
