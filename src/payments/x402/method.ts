/**
 * Payment with x402 version 2: the buyer signs a transfer of a token (EIP-3009) for exactly the price, sends it in
 * PAYMENT-SIGNATURE, and a facilitator sends it to the chain.
 *
 * Verify, hold a place, settle, then look, then claim. A buyer without a place is not charged. The authorization can move money
 * once, whoever sends it and however often: its nonce sees to that. So the chain is the record of what was settled; a row
 * that is written with the place (settlement-store.ts) says only what to look for. Wherever this server stops:
 *   - before the settlement: nothing was paid. The same payload is settled when it comes again.
 *   - after it, before the claim, or without having heard its answer: the nonce is used, the transaction is found by it,
 *     and it is claimed when the same payload comes again, or by the watch (settlement-watch.ts), whichever is first. It
 *     is not settled a second time, and could not be.
 *   - after the claim: the claim is named after the authorization, so no other gate or proof gets it, whatever the
 *     facilitator says twice, and in whichever transaction it went through.
 * Claiming first would have to give back what was never settled, and a claim that can be given back can be had twice.
 *
 * A signed transfer does not say what it is for, only to whom it goes, and once settled it is there for all to read. So
 * the payer must be the wallet that the fulfilment is for, or one linked to it: nobody collects with a payment they only
 * saw. What was settled without this server counts within the quote window, for the version of the gate that applied then
 * (x402-terms.ts), and not for a gate that was made later; a seller who takes x402 payments elsewhere gives gates a
 * recipient of their own, because a payment to the same one would count for both, as with stablecoin.
 *
 * The owner of the gate chose whether the reward waits for confirmations. A client of x402 may pay anew when it hears "not
 * yet", so a request waits for them as long as it may, and "not yet" asks for no payment. review() watches.
 */

import { zeroAddress } from 'viem'
import { AppError } from '../../errors.ts'
import type { Hex } from '../../outside/chains/chain.ts'
import { findPayer } from '../find-payer.ts'
import type { PaymentMethod, PaymentTools } from '../payment.ts'
import { listTokens } from '../stablecoin/tokens.ts'
import { findMismatch, parsePayload, type SignedAuthorization } from './payload.ts'
import { makeX402Probes } from './probe.ts'
import { makeRequirements, makeResource, type Quote, writePaymentRequired } from './quote.ts'
import { reviewSettlement } from './review.ts'
import { x402Settings } from './settings.ts'
import { findKnownFault, findPaidVerdict, makeRefused, type Presented, settle, waitsAtMostMs } from './settle.ts'
import { type AskedToken, chooseToken } from './token.ts'

export const x402: PaymentMethod = {
  id: 'x402',
  name: 'x402',
  words: { label: 'x402', formLabel: 'x402, for programs' },
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
    const known = findKnownFault(presented, tools)
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
