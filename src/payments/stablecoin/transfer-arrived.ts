/**
 * Money that reached the seller from the buyer without paying the requested price. It was too little, too late, or went
 * to a former recipient. It is reported, and recorded as owed once its chain confirms it.
 */
import { filterInOrder } from '../../in-order.ts'
import { convertUsd } from '../amount.ts'
import type { Standing } from '../finality.ts'
import { findPayer } from '../find-payer.ts'
import type { PaymentOffer, PaymentTools, PaymentVerdict } from '../payment.ts'
import { computeExtraAge, makeTooEarly } from '../reward-after.ts'
import type { Token } from '../token.ts'
import { judgeAge } from '../token-transfers/payment-age.ts'
import { listFormerTerms, type Terms } from '../token-transfers/terms.ts'
import { listTransfers, type Transfer } from '../token-transfers/transfer-log.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import { chooseUnused, type Ranked, rankTransfers } from './choose-transfer.ts'
import { isQuotedElsewhere, judgeTransfer, type Mined, makePaidVerdict } from './transfer.ts'

/** Refusals of money that may have been meant for something else, or that only has to wait. */
const notForThis: ReadonlySet<string> = new Set([
  'BLOCK_NOT_CANONICAL',
  'NOT_CONFIRMED',
  'PAYMENT_IN_FUTURE',
  'QUOTE_ENDED',
  'SEVERAL_AUTHORIZATIONS',
])

/** Whether the transaction pays, or which part of it arrived. Errors: OutsideError. */
export async function judgeArrived(mined: Mined, offer: PaymentOffer, tools: PaymentTools): Promise<PaymentVerdict> {
  const { verdict, standing, candidates } = await judgeTransfer(mined, offer, tools)
  if (verdict.paid || notForThis.has(verdict.reason)) return verdict
  for (const terms of [...candidates, ...(await listFormerTerms(standing.blockTime, offer))]) {
    if (terms.isEarly) continue
    const own = await listOwn(mined, terms, standing, offer, tools)
    if (own.length > 0) return writeDown(mined, verdict, { own, terms, standing, candidates }, offer, tools)
  }
  return verdict
}

const floorShare = 10n
const floorUsd = '0.01'

/** The least recorded amount: a tenth of the price, and a cent. Smaller amounts would fill the seller's list. */
function computeFloorUnits({ price }: Terms, { decimals }: Token): bigint {
  const share = convertUsd(price.amountUsd, decimals) / floorShare
  const least = convertUsd(floorUsd, decimals)
  return share > least ? share : least
}

/** The transfers of the buyer, without those quoted for another gate or to another buyer. Errors: OutsideError. */
async function listOwn(
  { receipt, token }: Mined,
  terms: Terms,
  { blockTime }: Standing,
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<readonly Ranked[]> {
  const { recipient } = terms
  const floor = computeFloorUnits(terms, token)
  const large = await filterInOrder(
    listTransfers(recipient, token.address, receipt.logs),
    async ({ value }) => value >= floor && !(await isQuotedElsewhere(value, terms, token, offer, tools)),
  )
  if (large.length === 0) return []
  const payer = await findPayer([...new Set(large.map(({ from }) => from))], token, offer)
  const own = large
    .filter(({ from }) => from === payer)
    .sort((one, other) => Number(other.value > one.value) - Number(other.value < one.value))
  return rankTransfers(own, undefined, { recipient, token, blockTime }, offer, tools)
}

interface Arrival {
  readonly own: readonly Ranked[]
  readonly terms: Terms
  readonly standing: Standing
  readonly candidates: readonly Terms[]
}

async function writeDown(
  mined: Mined,
  refusal: Unpaid,
  { own, terms, standing, candidates }: Arrival,
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<PaymentVerdict> {
  const { token } = mined
  const { price, recipient } = terms
  const rewardAfter = price.rewardAfter ?? 'confirmations'
  const early = makeTooEarly(standing, token, rewardAfter)
  if (early)
    return {
      ...refusal,
      isArriving: true,
      message: `${refusal.message}. Besides, ${early.message}: repeat this request then, so that it is written down as owed to you`,
      retryAfterSeconds: early.retryAfterSeconds ?? 10,
    }
  const isFormer = candidates.every((one) => one.recipient !== recipient)
  const old = await judgeAge(mined, standing, offer, tools, computeExtraAge(rewardAfter, token, standing))
  const told = chooseRefusal(refusal, old, isFormer ? recipient : undefined)
  const whole = convertUsd(price.amountUsd, token.decimals)
  // The purpose of old money, and the owner of a former recipient, are unknown: only the seller can tell.
  const isForSeller = isFormer || told.reason === 'PAYMENT_TOO_OLD'
  const judge = async (transfer: Transfer): Promise<PaymentVerdict> => {
    const due = transfer.value < whole ? transfer.value : whole
    const verdict = await makePaidVerdict(transfer, due, terms, standing, mined, tools)
    return verdict.paid && isForSeller ? { ...verdict, details: { ...verdict.details, onlySeller: true } } : verdict
  }
  const arrived = await chooseUnused(own, judge, tools)
  // A buyer who has paid is not asked to pay again.
  return arrived.paid ? { ...told, arrived, headers: {} } : arrived
}

const chooseRefusal = (refusal: Unpaid, old: Unpaid | undefined, former: string | undefined): Unpaid => {
  if (old?.reason === 'PAYMENT_TOO_OLD') return old
  if (former === undefined || refusal.reason !== 'NO_TRANSFER') return refusal
  return makeUnpaid(
    'RECIPIENT_CHANGED',
    `the transfer went to ${former}, whom this gate was paid to before its owner changed it`,
  )
}
