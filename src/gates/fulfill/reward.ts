/** The delivery to a buyer. The only shape in which reward values leave this server. */

import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { nameAgain } from '../../payments/identity.ts'
import { identityWords, isPaidOnChain, methodWords, nameMethod } from '../../payments/methods.ts'
import { findUnmatched } from '../../payments/unmatched-store.ts'
import { findScope } from '../../request-scope.ts'
import { defineChoice } from '../../shape.ts'
import { type Gate, type GateReward, rewardKinds } from '../gate.ts'
import { showBuyer } from '../owner.ts'
import { findDefinition, readRewards } from '../store.ts'
import { readReceiptNumber, writeReceiptAddress } from './receipt.ts'
import type { Fulfillment } from './store.ts'
import { addUnmatched } from './unmatched.ts'

const types = {
  access_granted: 'access',
  redirect: 'redirect_url',
  download: 'download_url',
  reveal: 'text',
} as const satisfies Record<GateReward['kind'], string>

export const Delivery = Type.Object({
  delivery: defineChoice(rewardKinds),
  type: defineChoice(['access', 'redirect_url', 'download_url', 'text']),
  value: Type.Union([Type.String(), Type.Null()], {
    description: 'The address or the text. null where access itself is the reward.',
  }),
  label: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

export const RewardProof = Type.Object(
  {
    receiptId: Type.String({ description: 'Secret to the buyer: whoever knows it may see the receipt.' }),
    gateId: Type.String(),
    gateVersion: Type.Integer(),
    qHash: Type.String(),
    walletAddress: Type.String(),
    contractOn: Type.Optional(
      Type.String({ description: 'CAIP-2 chain on which the wallet is a contract; absent for keys.' }),
    ),
    fulfilledAt: Type.Integer({ description: 'Unix milliseconds.' }),
    payment: Type.Union([
      Type.Object({
        method: Type.String({ description: methodWords }),
        identity: Type.String({
          description: `The payment, as ${identityWords}.`,
        }),
        amount: Type.Union([Type.String(), Type.Null()], { description: 'In base units of the token, or cents.' }),
      }),
      Type.Null(),
    ]),
    receiptUrl: Type.String({ description: 'The receipt as JSON.' }),
    receiptNumber: Type.String({ description: 'Names the receipt to the buyer and the seller. It opens nothing.' }),
    receiptPageUrl: Type.String({
      description: 'The receipt as a page to print, for the buyer and the seller, signed in.',
    }),
  },
  { description: 'The record of the fulfillment, which the buyer can show.' },
)

const makeDelivery = ({ kind, value, label, message }: GateReward) => ({
  delivery: kind,
  type: types[kind],
  value: value ?? null,
  ...(label === undefined ? {} : { label }),
  ...(message === undefined ? {} : { message }),
})

/** A gate without a reward lets in, and no more. */
const noReward: GateReward = { kind: 'access_granted' }

const disputed =
  'the payment for this is disputed by the holder of the card, so the reward is withheld until that is decided: it comes back if the seller wins'
const refusedReward =
  'the payment for this was taken back (refunded, lost in a dispute, or dropped by the chain), so the reward is withheld: make a new proof and pay again, or ask the owner of the gate'

const missing =
  'a reorganization of the chain took the payment for this back, so the reward is withheld until the transaction is mined again: it is looked for, and the place is kept until ten minutes after the payment. Do not pay again yet: repeat this request in 15 s'
const dropped =
  'the payment for this was taken back by the chain, so the reward is withheld, and its place was free again. It is looked for again: where the transaction is mined again, the reward is given while there is a place, and else the money is owed to you. Repeat this request in 15 s before you pay again, with a new proof'
const tooLate =
  'the chain took the payment for this back, its place was given to somebody else, and then the transaction was mined again: it is on the chain, and this reward stays withheld'

async function makeSuspendedError({ db }: Parts, { gateId }: Gate, { qHash, payment }: Fulfillment): Promise<AppError> {
  const later =
    payment && isPaidOnChain(payment.method) ? await findUnmatched(db, nameAgain(payment.identity, true)) : undefined
  const explainSuspension = (): string => {
    if (payment?.isDisputed) return disputed
    if (payment?.isMissing) return missing
    if (later) return tooLate
    return payment?.isReversed && isPaidOnChain(payment.method) ? dropped : refusedReward
  }
  const details = { gateId, qHash, payment: payment?.identity ?? null, ...(later ? { onChain: true } : {}) }
  const error = new AppError('FULFILLMENT_SUSPENDED', explainSuspension(), details)
  return later ? addUnmatched(error, later) : error
}

/**
 * The rewards of a stored fulfillment. They are always those of the version it was granted for, so that asking
 * again gives the same. Errors: FULFILLMENT_SUSPENDED, SERVICE_UNAVAILABLE.
 */
export async function deliver(parts: Parts, gate: Gate, fulfillment: Fulfillment) {
  if (fulfillment.state === 'suspended') throw await makeSuspendedError(parts, gate, fulfillment)
  const [reward = noReward, ...further] = await requireRewards(parts, gate, fulfillment)
  const successReturnUrl = (await findDefinition(parts, gate.id, fulfillment.version))?.successReturnUrl
  return {
    gateId: gate.gateId,
    qHash: fulfillment.qHash,
    fulfillment: makeDelivery(reward),
    ...(successReturnUrl === undefined ? {} : { successReturnUrl }),
    rewardProof: makeRewardProof(parts, gate, fulfillment),
    rewardPack: further.map(makeDelivery),
  }
}

async function requireRewards(parts: Parts, gate: Gate, { version }: Fulfillment): Promise<readonly GateReward[]> {
  try {
    return await readRewards(parts, gate, version)
  } catch (error) {
    // Most likely another master key. The fulfillment stands, so that the buyer can come back for it.
    parts.log.count({
      level: 'error',
      event: 'reward-unreadable',
      message: 'a reward could not be opened',
      kind: gate.gateId,
      error,
      fields: {
        gateId: gate.gateId,
        version,
        mend: 'see whether the master key is the one that the reward was sealed with; the buyer keeps the fulfillment',
      },
      requestId: findScope()?.requestId,
    })
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'the fulfillment is granted, but its reward cannot be opened now: send the same request again later; nothing is lost. The log of the server has the reason',
      {},
      { 'retry-after': '60' },
    )
  }
}

const makeRewardProof = (parts: Parts, { gateId }: Gate, fulfillment: Fulfillment) => ({
  receiptId: fulfillment.receiptId,
  gateId,
  gateVersion: fulfillment.version,
  qHash: fulfillment.qHash,
  ...showBuyer(fulfillment.buyer),
  fulfilledAt: fulfillment.fulfilledAt,
  payment: fulfillment.payment && {
    method: nameMethod(fulfillment.payment.method),
    identity: fulfillment.payment.identity,
    amount: fulfillment.payment.amount,
  },
  receiptUrl: `${parts.addresses().baseUrl}/api/v1/profile/gates/${encodeURIComponent(gateId)}/fulfillments/${fulfillment.receiptId}`,
  receiptNumber: readReceiptNumber(fulfillment.receiptId),
  receiptPageUrl: writeReceiptAddress(parts, fulfillment.receiptId),
})
