/**
 * Whether a mined transaction pays a price with a transfer of one token. The order of the checks is that of the reasons:
 * a buyer hears first what waiting mends, then what the transaction itself lacks, then what makes it somebody else's.
 *
 * One transfer must pay the whole price. Adding several up would count a token double that logs a movement twice.
 */
import type { EvmReceipt, Hex } from '../outside/chains/chain.ts'
import { sameAddress } from '../wallet/account.ts'
import { amountOf, baseUnitsOf } from './amount.ts'
import { type Standing, settledAfterMs, standingOf } from './finality.ts'
import { transactionIdentity } from './identity.ts'
import type { PaymentOffer, PaymentTools, PaymentVerdict } from './payment.ts'
import { transferDetails } from './review-transfer.ts'
import type { Token } from './token.ts'
import { type Transfer, transfersTo } from './transfer-log.ts'
import { authorizationIdentity, noncesUsedBy } from './x402-identity.ts'

export type Unpaid = Extract<PaymentVerdict, { paid: false }>

export const unpaid = (reason: string, message: string, retryAfterSeconds?: number): Unpaid => ({
  paid: false,
  reason,
  message,
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
})

export interface Mined {
  readonly receipt: EvmReceipt
  readonly token: Token
  /** In lower case. */
  readonly recipient: Hex
}

const aheadMs = 60_000

/** Errors: OutsideError. */
export async function judgeTransfer(mined: Mined, offer: PaymentOffer, tools: PaymentTools): Promise<PaymentVerdict> {
  const { receipt, token, recipient } = mined
  const standing = await standingOf(receipt, token.chain, token.confirmations)
  const early = tooEarly(standing, token)
  if (early) return early

  const transfers = transfersTo(recipient, token.address, receipt.logs)
  if (transfers.length === 0)
    return unpaid(
      'NO_TRANSFER',
      `the transaction transfers no ${token.symbol} (${token.address} on ${token.chain.chain}) to ${recipient}: other tokens and other recipients do not count`,
    )
  const due = baseUnitsOf(offer.price.amountUsd, token.decimals)
  const enough = transfers.filter(({ value }) => value >= due)
  if (enough.length === 0) return tooLow(transfers, due, token)

  const payer = await buyerAmong([...new Set(enough.map(({ from }) => from))], token, offer)
  const transfer = enough.find(({ from }) => from === payer)
  if (!transfer)
    return unpaid(
      'PAYER_MISMATCH',
      `${enough[0]!.from} made the payment, and not ${offer.wallets[0]} or a wallet linked to it: pay with the wallet of the proof on ${token.chain.chain}, or link the wallet that paid (wallet-link), which must not be a contract`,
    )
  return outOfTime(standing, tools) ?? paidBy(transfer, due, standing, mined)
}

function tooEarly({ block, isConfirmed, depth }: Standing, { chain, confirmations }: Token): Unpaid | undefined {
  if (block === 'replaced')
    return unpaid(
      'BLOCK_NOT_CANONICAL',
      `the block of the transaction is no longer part of ${chain.chain}: wait until it is mined again`,
      10,
    )
  if (isConfirmed) return undefined
  return confirmations === 0
    ? unpaid(
        'NOT_CONFIRMED',
        `the transaction is in ${chain.chain}, and counts as final ${settledAfterMs / 60_000} minutes after its block`,
        60,
      )
    : unpaid('NOT_CONFIRMED', `the transaction has ${depth} of ${confirmations} confirmations on ${chain.chain}`, 5)
}

function tooLow(transfers: readonly Transfer[], due: bigint, token: Token): Unpaid {
  const most = transfers.reduce((largest, { value }) => (value > largest ? value : largest), 0n)
  return unpaid(
    'AMOUNT_TOO_LOW',
    `the transfer is of ${amountOf(most, token)}, and the price is ${amountOf(due, token)}: ${amountOf(due - most, token)} is missing. The whole price must come in one transfer`,
  )
}

/** The first of those who paid that is the buyer. Errors: OutsideError. */
export async function buyerAmong(
  payers: readonly Hex[],
  token: Pick<Token, 'chain'>,
  { wallets: [wallet = '', ...linked], contractOn }: Pick<PaymentOffer, 'wallets' | 'contractOn'>,
): Promise<Hex | undefined> {
  for (const payer of payers) {
    if (sameAddress(payer, wallet)) {
      // A contract is somebody on its own chain only; at its address on another one may be somebody else.
      if (contractOn === undefined || contractOn === token.chain.chain) return payer
    } else if (linked.some((other) => sameAddress(payer, other)) && !(await isContract(payer, token))) return payer
  }
  return undefined
}

/** A linked contract may have signed on another chain. An account that delegates to code (EIP-7702) has a key. */
async function isContract(address: Hex, { chain }: Pick<Token, 'chain'>): Promise<boolean> {
  const code = await (await chain.at()).codeOf(address)
  return code !== '0x' && !/^0xef0100[0-9a-f]{40}$/.test(code)
}

export function outOfTime(
  { blockTime }: Pick<Standing, 'blockTime'>,
  { now, config }: Pick<PaymentTools, 'now' | 'config'>,
): Unpaid | undefined {
  const ageMs = now() - blockTime
  const { quoteMinutes } = config.payments
  if (ageMs > quoteMinutes * 60_000)
    return unpaid(
      'PAYMENT_TOO_OLD',
      `the payment was made at ${new Date(blockTime).toISOString()}, and a payment can be offered for ${quoteMinutes} minutes`,
    )
  if (ageMs >= -aheadMs) return undefined
  return unpaid(
    'PAYMENT_IN_FUTURE',
    `the block of the payment has the time ${new Date(blockTime).toISOString()}, which is not reached yet`,
    Math.ceil((-ageMs - aheadMs) / 1000),
  )
}

function paidBy(
  { from: payer, value }: Transfer,
  due: bigint,
  { blockTime, isSettled }: Standing,
  { receipt, token, recipient }: Mined,
): PaymentVerdict {
  const { chain } = token.chain
  const { transactionHash, logs } = receipt
  // What x402 settles is such a transfer too, and must not count once more under another name.
  const [nonce, ...more] = noncesUsedBy(payer, token.address, logs)
  if (more.length > 0)
    return unpaid(
      'SEVERAL_AUTHORIZATIONS',
      'the transaction used several signed authorizations of the payer (EIP-3009), and cannot be told apart: offer each through x402',
    )
  return {
    paid: true,
    identity:
      nonce === undefined
        ? transactionIdentity(chain, transactionHash, payer)
        : authorizationIdentity({ network: chain, asset: token.address, from: payer, nonce }),
    payer,
    amount: String(value),
    paidAt: blockTime,
    details: { ...transferDetails(receipt, token, { payer, recipient, due }) },
    isFinal: isSettled,
  }
}
