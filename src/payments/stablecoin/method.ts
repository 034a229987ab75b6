/**
 * Payment by a transfer of an allow-listed token, submitted by the hash of its transaction. The hash is public, so it
 * proves nothing by itself. The transfer must go to the gate's recipient, be recent, and match the buyer's address or
 * quoted amount. It pays the version of the gate that applied at its block. The transaction is looked up on the chains
 * of all configured tokens at once, and each chain is asked once. A hash known to two chains is the same signed
 * transaction, sent on both: the first one that pays counts.
 */

import { Type } from '@sinclair/typebox'
import { zeroAddress } from 'viem'
import { AppError } from '../../errors.ts'
import type { EvmChain, Hex } from '../../outside/chains/chain.ts'
import { OutsideError } from '../../outside/failure.ts'
import type { PaymentMethod, PaymentOffer, PaymentTools, PaymentVerdict } from '../payment.ts'
import type { Token } from '../token.ts'
import { reviewTransfer } from '../token-transfers/review.ts'
import { readTokenSettings, tokenSettings } from '../token-transfers/settings.ts'
import { listFormerTerms } from '../token-transfers/terms.ts'
import { adviseTokens, listTokens } from '../token-transfers/tokens.ts'
import { listTransfers } from '../token-transfers/transfer-log.ts'
import { makeUnpaid, type Unpaid } from '../unpaid.ts'
import { makeStablecoinProbes } from './probe.ts'
import { canCarryFine, listQuotedAmounts, makeTransfer } from './quote.ts'
import { listQuotedTerms } from './quoted-terms.ts'
import { judgeArrived } from './transfer-arrived.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

const setupLines = `[chains.base]
chain = "eip155:8453"
rpc = ["https://mainnet.base.org"]

[payments.stablecoin.usdc-base]
chain = "eip155:8453"
token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
decimals = 6
symbol = "USDC"
confirmations = 3`

export const stablecoin: PaymentMethod = {
  id: 'stablecoin',
  // The name in the interface, for any token.
  name: 'usdc',
  words,
  translations: { de: german },
  means: 'a transfer',
  identity: 'tx:<CAIP-2>:<hash>:<payer>:<number of the transfer>',
  setupLines,
  evidence: {
    in: 'body',
    member: 'paymentTxHash',
    maxLength: 128,
    description: 'The transaction that paid, where the gate takes stablecoins.',
    beside: {
      paymentQuoteId: Type.String({
        maxLength: 64,
        description:
          'The quote that the transfer was made for. Without it, an open quote of this proof counts all the same.',
      }),
    },
  },
  isPaidOnChain: true,
  givesBack: false,
  movesMoneyHere: false,
  opensCheckout: false,
  transfers: {
    notTaken: 'this gate takes no transfers of a stablecoin',
    listQuotedAmounts,
    makeTransfer,
    canCarryFine,
  },
  listTokens,
  settings: tokenSettings,
  makeProbes: makeStablecoinProbes,
  advise: adviseTokens,

  findMissingConfiguration(tools) {
    const configured = Object.entries(readTokenSettings(tools.config))
    if (configured.length === 0) return 'needs a table [payments.stablecoin.<name>]'
    if (listTokens(tools).length > 0) return undefined
    const [name, { chain }] = configured[0]!
    return `needs a table [chains.<name>] with chain = "${chain}", the chain of payments.stablecoin.${name}`
  },

  findPriceFault: ({ recipient }) => {
    if (recipient === undefined) return 'needs price.recipient'
    return recipient === zeroAddress ? 'needs another price.recipient: nobody has the zero address' : undefined
  },

  describe(tools) {
    const tokens = listTokens(tools).map(describeToken)
    return { id: stablecoin.name, type: 'onchain', enabled: tokens.length > 0, ...tokens[0], tokens }
  },

  async confirm(offer, tools) {
    const hash = parseHash(offer.evidence)
    const tokens = listTokens(tools)
    const recipients = await requireRecipients(offer, tokens, tools)
    const chains = [...new Set(tokens.map(({ chain }) => chain))]
    const answers = await Promise.all(
      chains.map((chain) =>
        confirmTransfer(
          chain,
          hash,
          recipients,
          tokens.filter((token) => token.chain === chain),
          offer,
          tools,
        ).catch(requireOutsideError),
      ),
    )
    return findPaid(answers) ?? explainUnpaid(answers)
  },

  review: reviewTransfer,
}

const describeToken = ({ chain, address, decimals, symbol, confirmations }: Token) => ({
  network: chain.chain,
  asset: symbol,
  assetAddress: address,
  decimals,
  confirmations,
})

function parseHash(evidence: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(evidence)) return evidence.toLowerCase() as Hex
  throw new AppError(
    'VALIDATION_ERROR',
    'paymentTxHash must be the hash of the transaction that paid: 0x and 64 hexadecimal digits',
    { path: '/paymentTxHash' },
  )
}

/**
 * All possible recipients of the transfer: by the current price, a quote, or a version of the last minutes. A gate may
 * be older than the settings that it needs. Errors: GATE_MISCONFIGURED, when no recipient can be paid.
 */
async function requireRecipients(
  offer: PaymentOffer,
  tokens: readonly Token[],
  tools: PaymentTools,
): Promise<readonly Hex[]> {
  const { price } = offer
  const now = tools.now()
  const earliest = now - tools.config.payments.quoteMinutes * 60_000
  const earlier = [
    ...(await listQuotedTerms(offer, tools)).map(({ recipient }) => recipient),
    ...((await offer.terms?.at(earliest)) ?? []).flatMap((one) => one.price?.recipient?.toLowerCase() ?? []),
    ...(await listFormerTerms(now, offer)).map(({ recipient }) => recipient),
  ]
  const lack = price.methods.includes('stablecoin') ? stablecoin.findPriceFault(price) : undefined
  if (tokens.length === 0) throw makeMisconfiguredError('has no token that payments can be made in')
  if (lack !== undefined && earlier.length === 0) throw makeMisconfiguredError(lack)
  const all = [...new Set([price.recipient?.toLowerCase() ?? [], ...earlier].flat())] as Hex[]
  if (tokens.some(({ address }) => all.includes(address)))
    throw makeMisconfiguredError(
      'needs another price.recipient: it is the contract of the token, which nobody can take money from',
    )
  return all
}

const makeMisconfiguredError = (lack: string): AppError =>
  new AppError('GATE_MISCONFIGURED', `this gate cannot take stablecoin payments: it ${lack}. Do not pay`)

async function confirmTransfer(
  chain: EvmChain,
  hash: Hex,
  recipients: readonly Hex[],
  tokens: readonly Token[],
  offer: PaymentOffer,
  tools: PaymentTools,
): Promise<PaymentVerdict> {
  const receipt = await chain.transactions.readReceipt(hash)
  if (!receipt) return notFound
  if (!receipt.succeeded)
    return makeUnpaid('TX_FAILED', `the transaction failed on ${chain.chain}: nothing was paid with it`)
  const moved = tokens.filter(({ address }) =>
    recipients.some((recipient) => listTransfers(recipient, address, receipt.logs).length > 0),
  )
  const verdicts: PaymentVerdict[] = []
  for (const token of moved.length > 0 ? moved : tokens)
    verdicts.push(await judgeArrived({ receipt, token }, offer, tools))
  return findPaid(verdicts) ?? verdicts.find(hasArrived) ?? verdicts[0]!
}

const notFound: Unpaid = makeUnpaid(
  'TX_NOT_FOUND',
  'no chain that payments are taken on knows a mined transaction with this hash: wait until it is mined, and see whether it is the hash of the transaction on the right chain',
  5,
)

function requireOutsideError(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error
  throw error
}

const findPaid = (answers: readonly (PaymentVerdict | OutsideError)[]): PaymentVerdict | undefined =>
  answers.find((answer): answer is PaymentVerdict => !(answer instanceof Error) && answer.paid)

const hasArrived = (answer: PaymentVerdict): boolean => !answer.paid && answer.arrived !== undefined

/** An answer of a chain that knows the transaction comes first. "Not found" requires an answer of every chain. */
function explainUnpaid(answers: readonly (PaymentVerdict | OutsideError)[]): PaymentVerdict {
  const known = answers.find((answer) => !(answer instanceof Error) && answer !== notFound)
  const outage = answers.find((answer) => answer instanceof Error)
  if (known && !(known instanceof Error)) return known
  if (outage) throw outage
  return notFound
}
