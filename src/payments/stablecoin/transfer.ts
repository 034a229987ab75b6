/**
 * Decides whether a mined transaction pays a price with a transfer of one token. The order of the checks is that of the
 * reasons. A buyer first hears what waiting solves, then the transaction's faults, then claims of others. One transfer
 * must pay the whole price. Each transfer of a transaction is a payment of its own (identity.ts). The quoted amount is
 * preferred, then an amount of no quote; an amount quoted to another buyer never counts.
 */
import { isEveryInOrder } from '../../in-order.ts'
import type { EvmReceipt } from '../../outside/chains/chain.ts'
import { convertUsd, formatAmount } from '../amount.ts'
import { readStanding, type Standing } from '../finality.ts'
import { findPayer } from '../find-payer.ts'
import { makeTransactionIdentity, transferIdentity } from '../identity.ts'
import type { PaymentOffer, PaymentTools, PaymentVerdict } from '../payment.ts'
import type { Price } from '../price.ts'
import { findQuotedGate } from '../quote-store.ts'
import { computeExtraAge, makeTooEarly } from '../reward-after.ts'
import { findPayment } from '../store.ts'
import type { Token } from '../token.ts'
import { listUsedNonces, makeAuthorizationIdentity } from '../token-transfers/authorization.ts'
import { judgeAge, refuseAge } from '../token-transfers/payment-age.ts'
import { transferDetails } from '../token-transfers/review.ts'
import { describePurchase, type Terms } from '../token-transfers/terms.ts'
import { listTransfers, type Transfer } from '../token-transfers/transfer-log.ts'
import type { QuotedDetails } from '../transfer-details.ts'
import { findUnmatched } from '../unmatched-store.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import { chooseUnused, rankTransfers, refuseQuoted } from './choose-transfer.ts'
import { computeQuotedUnits, readQuotedMicros } from './quote.ts'
import { isQuoteOpen, listQuotedTerms, listTerms } from './quoted-terms.ts'

export interface Mined {
  readonly receipt: EvmReceipt
  readonly token: Token
}

export interface Judged {
  readonly verdict: PaymentVerdict
  readonly standing: Standing
  /** The terms that it was checked against. */
  readonly candidates: readonly Terms[]
}

/** Whether a transfer in the transaction pays one of several terms: returns the first match. Errors: OutsideError. */
export async function judgeTransfer(mined: Mined, offer: PaymentOffer, tools: PaymentTools): Promise<Judged> {
  const { receipt, token } = mined
  const standing = await readStanding(receipt, token.chain, token.confirmations)
  const gone = refuseMissingBlock(standing, token)
  if (gone) return { verdict: gone, standing, candidates: [] }
  const candidates = (await listTerms(standing.blockTime, offer, tools)).filter((terms) => isMeant(terms, mined, offer))
  return { verdict: await judgeCandidates(mined, candidates, standing, offer, tools), standing, candidates }
}

/** A quote for another proof of the buyer is paid by its exact amount alone. */
const isMeant = ({ quote, recipient }: Terms, { receipt, token }: Mined, { qHash }: PaymentOffer): boolean => {
  if (!quote || quote.qHash === qHash.toLowerCase()) return true
  const units = computeQuotedUnits(quote, token)
  return listTransfers(recipient, token.address, receipt.logs).some(({ value }) => value === units)
}

async function judgeCandidates(
  mined: Mined,
  candidates: readonly Terms[],
  standing: Standing,
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<PaymentVerdict> {
  const verdicts: PaymentVerdict[] = []
  for (const terms of candidates) {
    const verdict = await judgeTerms(mined, terms, standing, offer, tools)
    // A waiting payment counts as paid here, because other terms would not be faster.
    if (verdict.paid || verdict.reason === 'NOT_CONFIRMED') return verdict
    verdicts.push(verdict)
  }
  const late = await refuseEndedQuote(mined, standing, offer, tools)
  if (late) return late
  // A quote's fault is reported to a buyer who named the quote. Others get the answer for the version of that time.
  const told = verdicts[offer.quoteId === undefined ? candidates.findIndex(({ quote }) => !quote) : 0] ?? verdicts[0]
  return told ?? refuseAge(standing, tools) ?? (await refuseUnpriced(standing, offer))
}

async function judgeTerms(
  mined: Mined,
  terms: Terms,
  standing: Standing,
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<PaymentVerdict> {
  const { receipt, token } = mined
  const { recipient, price, quote } = terms
  const transfers = listTransfers(recipient, token.address, receipt.logs)
  if (transfers.length === 0)
    return makeUnpaid(
      'NO_TRANSFER',
      `the transaction transfers no ${token.symbol} (${token.address} on ${token.chain.chain}) to ${recipient}: other tokens and other recipients do not count`,
    )
  const due = convertUsd(price.amountUsd, token.decimals)
  const enough = transfers.filter(({ value }) => value >= due)
  if (enough.length === 0) return reportTooLow(transfers, due, token)

  if (
    terms.isEarly &&
    (await isEveryInOrder(enough, ({ value }) => isQuotedElsewhere(value, terms, token, offer, tools)))
  )
    return makeUnpaid(
      'PAYMENT_BEFORE_GATE',
      'the transfer was made before this gate existed, and is the amount that another gate quoted: it was made for that one',
    )

  const exact = quote && computeQuotedUnits(quote, token)
  const payer = await findPayer([...new Set(enough.map(({ from }) => from))], token, offer)
  const own = enough.filter(({ from, value }) => from === payer || value === exact)
  if (own.length === 0) return refusePayer(enough[0]!, token, offer, exact)
  const ranked = await rankTransfers(own, exact, { recipient, token, blockTime: standing.blockTime }, offer, tools)
  if (ranked.length === 0) return refuseQuoted(own[0]!, token)
  const old = await judgeAge(mined, standing, offer, tools, computeExtraAgeMs(terms, mined, standing))
  // A transfer of the exact amount, made while its quote was open, may be submitted at any time.
  const timely = old ? ranked.filter(({ rank }) => rank === 0) : ranked
  if (timely.length === 0) return old!
  const isQuoted = timely[0]!.rank === 0
  return (
    (await judgeAge(mined, standing, offer, tools, Number.POSITIVE_INFINITY)) ??
    refusePending(standing, token, price, isQuoted ? quote?.quoteId : undefined) ??
    (await chooseUnused(timely, (transfer) => makePaidVerdict(transfer, due, terms, standing, mined, tools), tools))
  )
}

const computeExtraAgeMs = ({ price }: Pick<Terms, 'price'>, { token }: Mined, standing: Standing): number =>
  computeExtraAge(price.rewardAfter ?? 'confirmations', token, standing)

function refusePending(
  standing: Standing,
  token: Token,
  { rewardAfter = 'confirmations' }: Price,
  quoteId: string | undefined,
): Unpaid | undefined {
  const early = makeTooEarly(standing, token, rewardAfter)
  return (
    early && {
      ...early,
      ...(quoteId === undefined ? {} : { quoteId }),
      message: `${early.message}. Nothing more is to be paid: repeat the same request`,
    }
  )
}

/**
 * The amount of a quote identifies its buyer even after its end, because its row keeps the amount. A transfer before
 * the quote may be anybody's.
 */
async function refuseEndedQuote(
  mined: Mined,
  standing: Standing,
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<PaymentVerdict | undefined> {
  const { receipt, token } = mined
  const { blockTime } = standing
  for (const terms of await listQuotedTerms(offer, tools)) {
    const { quote, recipient, price } = terms
    const units = computeQuotedUnits(quote, token)
    const transfers = listTransfers(recipient, token.address, receipt.logs).filter(({ value }) => value === units)
    const [transfer] = transfers
    if (!transfer || isQuoteOpen(quote, blockTime)) continue
    const made = `the transfer was made at ${new Date(blockTime).toISOString()}, and its quote stood from ${new Date(quote.createdAt).toISOString()} to ${new Date(quote.expiresAt).toISOString()}`
    if (blockTime < quote.createdAt) return makeUnpaid('QUOTE_ENDED', `${made}: ${askSeller}`)
    const early = makeTooEarly(standing, token, price.rewardAfter ?? 'confirmations')
    const again = 'repeat this request then, so that it is written down as owed to you'
    if (early)
      return {
        ...makeUnpaid('QUOTE_ENDED', `${made}. Besides, ${early.message}: ${again}`, early.retryAfterSeconds),
        isArriving: true,
        quoteId: quote.quoteId,
      }
    const due = convertUsd(price.amountUsd, token.decimals)
    const ranked = transfers.map((one) => ({ transfer: one, rank: 0 }))
    const arrived = await chooseUnused(ranked, (one) => makePaidVerdict(one, due, terms, standing, mined, tools), tools)
    if (!arrived.paid) return arrived
    // A buyer who has paid is not asked to pay again.
    return { ...makeUnpaid('QUOTE_ENDED', made), arrived, headers: {} }
  }
  return undefined
}

const askSeller =
  'link the wallet that paid (wallet-link) and send the hash again, or ask the owner of the gate for the money'

const refusePayer = ({ from }: Transfer, token: Token, { wallets }: PaymentOffer, exact: bigint | undefined) =>
  makeUnpaid(
    'PAYER_MISMATCH',
    `${from} made the payment, and not ${wallets[0]} or a wallet linked to it: pay with the wallet of the proof on ${token.chain.chain}, or link the wallet that paid (wallet-link), which must not be a contract${
      exact === undefined
        ? '; money from elsewhere counts where it is exactly the amount of a quote of yours at this gate: send its paymentQuoteId, if it was one, or open a quote before you pay'
        : `; from elsewhere exactly ${formatAmount(exact, token)} counts, which was quoted`
    }`,
  )

/** Clocks differ by seconds, but an exact amount keeps a transfer bound to its quote. */
export async function isQuotedElsewhere(
  value: bigint,
  { recipient }: Pick<Terms, 'recipient'>,
  token: Token,
  { gateId }: PaymentOffer,
  { db }: Pick<PaymentTools, 'db'>,
): Promise<boolean> {
  const usdMicros = readQuotedMicros(value, token)
  const quotingGate = usdMicros === undefined ? undefined : await findQuotedGate(db, recipient, usdMicros)
  return quotingGate !== undefined && quotingGate !== gateId
}

/** No version at that time accepted transfers, and no quote was open. */
const refuseUnpriced = async ({ blockTime }: Standing, offer: PaymentOffer): Promise<Unpaid> =>
  ((await offer.terms?.at(blockTime)) ?? []).some(({ price }) => price !== undefined)
    ? makeUnpaid(
        'METHOD_NOT_ACCEPTED',
        `the transfer was made at ${new Date(blockTime).toISOString()}, and this gate took no transfers then: ask the owner of the gate for the money`,
      )
    : makeUnpaid(
        'PAYMENT_BEFORE_GATE',
        `the transfer was made at ${new Date(blockTime).toISOString()}, when this gate did not ask for a payment: it was made for something else and does not count here`,
      )

function refuseMissingBlock({ block }: Standing, { chain }: Token): Unpaid | undefined {
  if (block === 'canonical') return undefined
  return block === 'replaced'
    ? makeUnpaid(
        'BLOCK_NOT_CANONICAL',
        `the block of the transaction is no longer part of ${chain.chain}: wait until it is mined again`,
        10,
      )
    : makeUnpaid('NOT_CONFIRMED', `${chain.chain} has not come to the block of the transaction yet`, 5)
}

function reportTooLow(transfers: readonly Transfer[], due: bigint, token: Token): Unpaid {
  const most = transfers.reduce((largest, { value }) => (value > largest ? value : largest), 0n)
  return makeUnpaid(
    'AMOUNT_TOO_LOW',
    `the transfer is of ${formatAmount(most, token)}, and the price is ${formatAmount(due, token)}: ${formatAmount(due - most, token)} is missing. The whole price must come in one transfer of the token ${token.address} on ${token.chain.chain}`,
  )
}

/**
 * When all transfers of a payer share one name, an exchange may still pay several quotes by their amounts. The first
 * keeps that name; the others add their amount to it.
 */
const isOfAnotherTransfer = async (
  identity: string,
  amount: string,
  { db }: Pick<PaymentTools, 'db'>,
): Promise<boolean> =>
  [await findPayment(db, identity), await findUnmatched(db, identity)].some(
    (known) => known !== undefined && known.amount !== null && known.amount !== amount,
  )

const isWrittenDown = async (identity: string, { db }: Pick<PaymentTools, 'db'>): Promise<boolean> =>
  (await findPayment(db, identity)) !== undefined || (await findUnmatched(db, identity)) !== undefined

/** By its exact amount a transfer belongs to the buyer of a quote, regardless of its sender. */
const nameQuote = ({ quote }: Terms, value: bigint, token: Token): QuotedDetails =>
  quote && computeQuotedUnits(quote, token) === value ? { quoteId: quote.quoteId } : {}

export async function makePaidVerdict(
  { from: payer, value, nth }: Transfer,
  due: bigint,
  terms: Terms,
  { blockTime, isSettled }: Standing,
  { receipt, token }: Mined,
  tools: Pick<PaymentTools, 'db'>,
): Promise<PaymentVerdict> {
  const { recipient } = terms
  const { chain } = token.chain
  const { transactionHash, logs } = receipt
  // An x402 settlement is such a transfer too, and must not count twice under another name.
  const [nonce, ...more] = listUsedNonces(payer, token.address, logs)
  if (more.length > 0)
    return makeUnpaid(
      'SEVERAL_AUTHORIZATIONS',
      'the transaction used several signed authorizations of the payer (EIP-3009), and cannot be told apart: offer each through x402',
    )
  const amount = String(value)
  const ofAll =
    nonce === undefined
      ? makeTransactionIdentity(chain, transactionHash, payer)
      : makeAuthorizationIdentity({ network: chain, asset: token.address, from: payer, nonce })
  // A record from before each transfer counted stands for all of them.
  const isApart = nonce === undefined && !(await isWrittenDown(ofAll, tools))
  const ofTransfer = terms.quote && (await isOfAnotherTransfer(ofAll, amount, tools)) ? `${ofAll}:${amount}` : ofAll
  return {
    paid: true,
    identity: isApart ? transferIdentity(chain, transactionHash, payer, nth) : ofTransfer,
    payer,
    amount,
    paidAt: blockTime,
    details: {
      ...transferDetails(receipt, token, { payer, recipient, due, ...(isApart ? { nth } : {}) }),
      ...nameQuote(terms, value, token),
    },
    isFinal: isSettled,
    ...describePurchase(terms),
  }
}
