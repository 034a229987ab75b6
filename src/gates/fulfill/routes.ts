/** Handing out: /api/v1/profile/gates/{gateId}/fulfill, its older path, and the receipts of what was handed out. */

import { Type } from '@sinclair/typebox'
import { describeAnswer, IsoTimestamp, type OperationDescription } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { paymentMethods } from '../../payments/index.ts'
import { listNames } from '../../payments/methods.ts'
import { purchaseCodes } from '../../payments/purchase.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { GateId } from '../gate.ts'
import { fulfillExamples } from './examples.ts'
import { fulfill } from './fulfill.ts'
import { Receipt, readReceipt, receiptIdPattern } from './receipt.ts'
import { FulfillBody } from './request.ts'
import { Delivery, RewardProof } from './reward.ts'
import { SecondPaymentAnswer } from './second-payment.ts'
import { UnmatchedAnswer } from './unmatched.ts'

const tag = 'gates'

/** The Cache-Control of rewards and receipts. A refusal too may tell what a wallet has. */
const cacheControl = 'private, no-store'

const fulfilledAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    qHash: Type.String(),
    fulfillment: Delivery,
    successReturnUrl: Type.Optional(Type.String()),
    rewardProof: RewardProof,
    rewardPack: Type.Array(Delivery, { description: 'Further rewards of the gate.' }),
    unmatched: Type.Optional(UnmatchedAnswer),
    secondPayment: Type.Optional(SecondPaymentAnswer),
    overpaid: Type.Optional(
      Type.Object(
        { paid: Type.String(), price: Type.String(), above: Type.String() },
        {
          description: 'More than the price was paid by hand, in base units of the token: ask the seller for the rest.',
        },
      ),
    ),
  }),
  timestamp: IsoTimestamp,
})

const FulfillHeaders = Type.Composite([
  OwnerHeaders,
  Type.Object({
    ...Object.fromEntries(
      paymentMethods.flatMap(({ evidence: { in: place, member, description } }) =>
        place === 'header' ? [[member, Type.Optional(Type.String({ description }))]] : [],
      ),
    ),
  }),
])

export function fulfillRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()

  const handOut = async ({
    params,
    body,
    request,
    set,
  }: {
    params: { gateId: string }
    body: FulfillBody
    request: Request
    set: { headers: Record<string, string | number> }
  }) => {
    const { data, headers } = await fulfill(parts, { gateId: params.gateId, body, request })
    Object.assign(set.headers, headers)
    return { success: true, data, timestamp: formatNow() }
  }

  const shared = {
    params: Type.Object({ gateId: GateId }),
    body: FulfillBody,
    headers: FulfillHeaders,
    rate: 'owner' as const,
    cacheControl,
  }
  const describeFulfill = (operationId: string, summary: string, deprecated = false): OperationDescription => ({
    tag,
    operationId,
    summary,
    deprecated,
    description: [
      'Hands out the reward of a gate for a proof that it asks for, once. The wallet of the proof signs for it; a gate with a price takes a payment along, which is then used up for this gate and this proof.',
      'A key or token needs the scope profile where a reward is a secret (redirect, download, reveal).',
      'The same call again gives the same answer, also when the gate is paused, private or deleted by then. Refused, in this order: GATE_NOT_FOUND or GATE_PAUSED, GATE_NOT_STARTED or GATE_ENDED, PROOF_NOT_FOUND, WALLET_AUTH_REQUIRED or FORBIDDEN, PROOF_NOT_VERIFIED, FULFILLMENT_SUSPENDED, GATE_MISCONFIGURED, GATE_REQUIREMENTS_NOT_MET or GATE_CHECK_INCOMPLETE, GATE_SOLD_OUT or GATE_LIMIT_REACHED, PAYMENT_REQUIRED, PAYMENT_ALREADY_USED.',
      'Without a credential and without a payment, a paid gate answers PAYMENT_REQUIRED in place of WALLET_AUTH_REQUIRED where everybody may see it, it is open and a place is free: with its price and the header PAYMENT-REQUIRED, the same for each proof. Nothing is reserved. A payment without a credential is WALLET_AUTH_REQUIRED, and is not looked at.',
      'Of requirements with recheck the chain is asked again before a payment is looked at: what does not hold any more is GATE_REQUIREMENTS_NOT_MET with details.rechecked, and 503 VERIFIER_UNAVAILABLE says that the chain could not be asked. Nothing is claimed then.',
      `PAYMENT_REQUIRED says why in details.reason and what is taken in details.accepts; a payment that is not confirmed yet, or cannot be looked up (503), stays unused. Of a payment in a block, details.progress has its confirmations, and how many the reward needs (null: it waits until the block is final). details.reservation.minutes says how long a place is held for whoever pays by ${listNames(({ movesMoneyHere }) => movesMoneyHere, 'or')}: it is taken before the payment is settled, so that whoever gets none is refused with GATE_SOLD_OUT, GATE_LIMIT_REACHED or CONFLICT, and not charged. With PAYMENT_MISSING, details.openCheckout has the id and the end of a page of payment by card that is open for the same proof: finish it, or wait until it has ended.`,
      'Where money of the buyer may be moving, no refusal of the gate is given: 402 with the reason PAYMENT_UNDER_WAY, retryAfterSeconds and details.refusal, which is what stands without it. Other refusals, such as PROOF_NOT_VERIFIED, carry details.paymentUnderWay: the signed payment, or the page of payment by card, of which it is not known yet what became of it.',
      'A payment that was made all the same for a gate with nothing left is told in details.unmatched: the seller owes it, and its payer, or the buyer whose quote it paid, can use it once for any gate of the same seller by its transaction hash.',
    ].join('\n\n'),
    answer: fulfilledAnswer,
    headers: Object.assign({}, ...paymentMethods.map(({ answerHeaders }) => answerHeaders)),
    refusals: [400, 401, 402, 403, 404, 409, 413, 415, 503],
    codes: [...purchaseCodes, 'FULFILLMENT_SUSPENDED', 'PAYMENT_ALREADY_USED'],
    example: fulfillExamples.fulfillGate,
  })

  return [
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/fulfill',
        callers: ['signature', 'session', 'access-key'],
        surface: 'fulfill',
        ...shared,
        operation: describeFulfill('fulfillGate', 'Get the reward of a gate'),
      },
      handOut,
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/gates/:gateId/fulfill',
        callers: ['signature', 'session', 'access-key'],
        surface: 'fulfill',
        ...shared,
        operation: describeFulfill('fulfillGateOlder', 'Get the reward of a gate (other path)', true),
      },
      handOut,
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId/fulfillments/:receiptId',
        callers: ['anyone'],
        surface: 'gates',
        params: Type.Object({
          gateId: GateId,
          receiptId: Type.String({ pattern: receiptIdPattern, description: 'From rewardProof.' }),
        }),
        rate: 'reads',
        cacheControl,
        operation: {
          tag,
          operationId: 'getReceipt',
          summary: 'The receipt of a fulfillment',
          description:
            'For whoever was given its id: what was fulfilled, for whom, and whether it still stands. Never the reward.',
          answer: describeAnswer({ data: Receipt, timestamp: IsoTimestamp }),
          refusals: [400, 404],
          example: fulfillExamples.getReceipt,
        },
      },
      async ({ params }) => ({
        success: true,
        data: await readReceipt(parts, params.gateId, params.receiptId),
        timestamp: formatNow(),
      }),
    ),
  ]
}
