/**
 * Payment with x402 version 2: the buyer signs a token transfer (EIP-3009) for exactly the price. The header
 * PAYMENT-SIGNATURE carries it, and a facilitator sends it to the chain.
 *
 * The order: verify, reserve a place, settle, look at the chain, bind the payment. A buyer without a place is not
 * charged. The nonce lets the authorization move money once, for any sender. So the chain is the record of a
 * settlement. A row written with the place (settlement-store.ts) only says what to look for. An interruption is safe
 * at each point:
 *   - Before the settlement, nothing was paid. The same payload is settled when it comes again.
 *   - After it, or without its answer, the nonce is used and identifies the transaction. The payment is bound when the
 *     same payload comes again, or by the watch (settlement-watch.ts). It cannot be settled a second time.
 *   - After binding, no other gate or proof gets the payment, because its name comes from the authorization. A
 *     repeated answer of the facilitator, or another transaction, changes nothing.
 * Binding first would need a way to undo it without a settlement, and an undone binding could be used twice.
 *
 * A signed transfer names its recipient and not its purpose, and is public once it is settled. So the payer must be the
 * wallet of the fulfillment, or one linked to it. A stranger who saw the payment cannot use it. A settlement without
 * this server counts within the quote window, for the version of the gate at that time (terms.ts). It does not count
 * for a gate made later. A seller who takes x402 payments elsewhere gives gates a recipient of their own. Otherwise one
 * payment would count for both, as with stablecoin.
 *
 * The owner of the gate chose whether the reward waits for confirmations. An x402 client may pay again after "not
 * yet". So a request waits for confirmations as long as it may, and "not yet" requests no payment. review() watches.
 */

import { zeroAddress } from 'viem'
import { AppError } from '../../errors.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import { findPayer } from '../find-payer.ts'
import type { PaymentMethod, PaymentTools } from '../payment.ts'
import { listTokens } from '../token-transfers/tokens.ts'
import { findMismatch, parsePayload, type SignedAuthorization } from './payload.ts'
import { makeX402Probes } from './probe.ts'
import { makeRequirements, makeResource, type Quote, writePaymentRequired } from './quote.ts'
import { reviewSettlement } from './review.ts'
import { x402Settings } from './settings.ts'
import { findKnownFault, findPaidVerdict, makeRefused, type Presented, settle, waitsAtMostMs } from './settle.ts'
import { type AskedToken, chooseToken } from './token.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

export const x402: PaymentMethod = {
  id: 'x402',
  name: 'x402',
  words,
  translations: { de: german },
  identity: 'x402:…',
  evidence: {
    in: 'header',
    member: 'payment-signature',
    description: 'x402 version 2: the signed payment, base64 of JSON.',
  },
  answerHeaders: {
    'PAYMENT-RESPONSE': 'x402: the settlement, base64 of JSON. Only with the answer that settled it.',
  },
  isPaidOnChain: true,
  givesBack: false,
  movesMoneyHere: true,
  opensCheckout: false,
  listTokens,
  settings: x402Settings,
  makeProbes: makeX402Probes,

  findMissingConfiguration(tools) {
    const token = chooseToken(tools)
    return typeof token === 'string' ? token : undefined
  },

  findPriceFault({ recipient }) {
    if (recipient === undefined) return 'needs price.recipient'
    return recipient === zeroAddress ? 'needs another price.recipient: nobody has the zero address' : undefined
  },

  describe(tools) {
    const token = chooseToken(tools)
    const common = { id: x402.name, type: 'http402', scheme: 'exact', x402Version: 2 }
    if (typeof token === 'string') return { ...common, enabled: false }
    const { chain, symbol, address, decimals } = token
    return { ...common, enabled: true, network: chain.chain, asset: symbol, assetAddress: address, decimals }
  },

  ask(quote, tools) {
    const requirements = makeRequirements(quote, requireToken(quote, tools), tools)
    return writePaymentRequired(requirements, makeResource(quote, tools), 'PAYMENT-SIGNATURE header is required')
  },

  async confirm(offer, tools) {
    const token = requireToken(offer, tools)
    const payload = parsePayload(offer.evidence)
    const { authorization, signature } = payload
    const requirements = makeRequirements(offer, token, tools)
    const resource = makeResource(offer, tools)
    const presented: Presented = {
      token,
      order: { resource, requirements, authorization, signature },
      sought: {
        token,
        from: authorization.from,
        nonce: authorization.nonce,
        payTo: requirements.payTo.toLowerCase() as Hex,
      },
      rewardAfter: offer.price.rewardAfter ?? 'first_block',
      offer,
      endsAt: performance.now() + waitsAtMostMs,
    }
    const mismatch = findMismatch(requirements, resource, payload)
    if (mismatch) return makeRefused(presented, mismatch)
    if ((await findPayer([authorization.from], token, offer)) === undefined)
      return makeRefused(presented, {
        reason: 'PAYER_MISMATCH',
        message: `${authorization.from} signed the payment, and not ${offer.wallets[0]} or a wallet linked to it: pay with the wallet of the proof on ${token.chain.chain}, or link the wallet that pays (wallet-link), which must not be a contract`,
      })

    const paid = await findPaidVerdict(presented, tools)
    if (paid) return paid
    const known = await findKnownFault(presented, tools)
    if (offer.mustBePaid)
      return (
        known ??
        makeRefused(presented, {
          reason: 'NOT_SETTLED',
          message: 'the signed payment was not settled: no money moved',
        })
      )
    const untimely = findTimeFault(authorization, tools)
    if (untimely) return known ?? makeRefused(presented, untimely)
    return settle(presented, tools, offer.place)
  },

  review: reviewSettlement,
}

/** Errors: GATE_MISCONFIGURED. A gate may be older than the settings that it needs. */
function requireToken({ price }: Quote, tools: PaymentTools): AskedToken {
  const token = chooseToken(tools)
  if (typeof token === 'string') throw makeMisconfiguredError(token)
  const lack = x402.findPriceFault(price)
  if (lack !== undefined) throw makeMisconfiguredError(lack)
  if (price.recipient?.toLowerCase() === token.address)
    throw makeMisconfiguredError(
      'needs another price.recipient: it is the contract of the token, which nobody can take money from',
    )
  return token
}

const makeMisconfiguredError = (lack: string): AppError =>
  new AppError('GATE_MISCONFIGURED', `this gate cannot take x402 payments: it ${lack}. Do not pay`)

/** Seconds that a settlement takes: an authorization that ends sooner would expire on the way. */
const settlementSeconds = 6n

/** Only for unsettled authorizations: one that was used in time stays used. */
function findTimeFault({ validAfter, validBefore }: SignedAuthorization, { now }: PaymentTools) {
  const seconds = BigInt(Math.floor(now() / 1000))
  if (BigInt(validBefore) <= seconds + settlementSeconds)
    return {
      reason: 'AUTHORIZATION_EXPIRED',
      message: 'validBefore of the signed payment is over, or so near that it would be over on the way: sign a new one',
    }
  if (BigInt(validAfter) >= seconds)
    return {
      reason: 'AUTHORIZATION_NOT_YET_VALID',
      message: 'validAfter of the signed payment is not reached: sign one that holds from now on',
    }
  return undefined
}
