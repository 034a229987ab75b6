/** /receipts/{number}: the receipt of a purchase or a pass, to read and to print. For its buyer and its seller alone. */
import { formatUnits } from 'viem'
import { readSession } from '../auth/sessions/session.ts'
import { findPartyReceipt, type PartyReceipt } from '../gates/manage/party-receipt.ts'
import type { Parts } from '../parts.ts'
import { pickMethodWords } from '../payments/method-words.ts'
import { findPaymentMethod } from '../payments/methods.ts'
import { formatUsd } from '../payments/price.ts'
import { describePublicChain, listChainNames, type PublicChain } from '../payments/public-chain.ts'
import { listTokens } from '../payments/token-transfers/tokens.ts'
import type { Language } from '../web/languages.ts'
import { describeChain } from './chain-words.ts'
import { signInAddress } from './dashboard.ts'
import { renderFact } from './fact-markup.ts'
import { renderMoment } from './moment.ts'
import { type Html, html, readFrame, renderHtmlPage, writeRoot } from './shell.ts'
import { type Words, words as wordsOf } from './words/words.ts'

type ReceiptWords = Words['receipt']

/** The page, or where to sign in first. */
export type ReceiptPage =
  | { readonly status: number; readonly page: string }
  | { readonly status: 303; readonly signInAt: string }

/** Whoever is not signed in is sent to sign in, for every number alike. */
export async function renderReceiptPage(parts: Parts, request: Request, number: string): Promise<ReceiptPage> {
  const { pathname } = new URL(request.url)
  const root = writeRoot(pathname)
  const session = await readSession(parts, request.headers)
  const identity = session && (await parts.identify(request))
  if (!identity) return { status: 303, signInAt: signInAddress(parts, root, pathname) }
  const accounts = identity.scopes.has('profile') ? await identity.listAccounts() : []
  const receipt = await findPartyReceipt(parts, number, accounts)
  const frame = readFrame(parts, request)
  const words = wordsOf[frame.language].receipt
  if (!receipt) {
    const another = `${signInAddress(parts, root, pathname)}&switch=1`
    return { status: 404, page: await renderHtmlPage({ ...frame, ...writeUnknown(another, words) }) }
  }
  return {
    status: 200,
    page: await renderHtmlPage({
      ...frame,
      title: `${chooseWords(receipt, words).title} ${number} · ${receipt.sale.gateName}`,
      stylesheets: ['receipt.css'],
      scripts: ['receipt'],
      person: session.profile.did,
      body: renderReceipt(parts, receipt, { root, words, language: frame.language }),
    }),
  }
}

const writeUnknown = (another: string, words: ReceiptWords) => ({
  title: `${words.unknownTitle} · Proofgate`,
  body: html`<h1>${words.unknownTitle}</h1>
<p class="lead">${words.unknown}</p>
<p><a class="button secondary" href="${another}">${words.useAnotherWallet}</a></p>`,
})

interface Around {
  readonly root: string
  readonly words: ReceiptWords
  readonly language: Language
}

function renderReceipt(parts: Parts, receipt: PartyReceipt, around: Around): Html {
  const { root, words, language } = around
  const { number, sale, side } = receipt
  const { payment, buyer, seller, transfer } = sale
  const isTransfer = transfer.chain !== null && transfer.transactionHash !== null
  const chain = isTransfer ? describePublicChain(parts.config, transfer.chain!) : undefined
  const amounts = describeAmounts(parts, sale, words)
  const chosen = chooseWords(receipt, words)
  return html`<h1>${chosen.title}</h1>
${amounts && html`<p class="receipt-amount">${amounts.paid}</p>`}
${renderState(receipt, words)}
${
  payment &&
  html`<dl class="facts">
${amounts?.dollars !== undefined && renderFact(words.price, amounts.dollars)}${
  amounts?.refunded !== undefined && renderFact(words.refunded, amounts.refunded)
}${payment && renderFact(words.method, nameWay(payment.method, language))}${
  chain && renderFact(words.network, describeChain(chain.chain, listChainNames(parts.config)))
}${
  payment &&
  (isTransfer
    ? renderFact(words.transaction, renderTransaction(chain!, transfer.transactionHash!, words), true)
    : renderFact(words.reference, payment.identity.slice(payment.identity.indexOf(':') + 1), true))
}${payment?.payer != null && payment.payer !== buyer.wallet && renderFact(words.payer, payment.payer, true)}${
  transfer.recipient !== null && renderFact(words.recipient, transfer.recipient, true)
}${payment?.paidAt != null && renderFact(words.paidAt, renderMoment(payment.paidAt, language))}</dl>`
}
<dl class="facts">
${renderFact(words.gate, renderGate(receipt, around))}${renderFact(words.given, renderGiven(receipt, words))}${renderFact(
  words.givenAt,
  renderMoment(sale.fulfilledAt, language),
)}${renderFact(chosen.seller, seller, true)}${renderFact(chosen.buyer, buyer.wallet, true)}${
  buyer.contractOn !== undefined &&
  renderFact(words.buyerChain, describeChain(buyer.contractOn, listChainNames(parts.config)))
}${renderFact(chosen.number, number, true)}${renderFact(words.issuer, new URL(parts.addresses().baseUrl).host)}</dl>
${payment && renderCheck(chain, receipt, { words, language, paid: amounts!.paid })}
<div class="actions no-print">
<button class="button" type="button" id="print" hidden>${words.print}</button>
${side === 'buyer' && receipt.isGateOpen && sale.state === 'granted' && html`<a class="button secondary" href="${gateAddress(sale.gateId, root)}">${words.seeAgain}</a>`}
</div>
<p class="aside no-print">${
    side === 'buyer' &&
    html`<a href="${root}api/v1/profile/gates/${encodeURIComponent(sale.gateId)}/fulfillments/${sale.receiptId}">${chosen.json}</a> · `
  }<a href="${root}payments${side === 'buyer' && '?tab=bought'}">${chosen.all}</a></p>`
}

/** The names of what every receipt has. */
function chooseWords({ sale: { payment }, side }: PartyReceipt, words: ReceiptWords) {
  const { title, seller, buyer, number, json, allPayments: all, free } = words
  if (payment !== null) return { title, seller, buyer, number, json, all }
  return { ...free, all: side === 'buyer' ? free.all : free.allOfGates }
}

function nameWay(id: string, language: Language): string {
  const method = findPaymentMethod(id)
  const { label, receiptLabel = label } = method ? pickMethodWords(method, language) : { label: id }
  return receiptLabel
}

const gateAddress = (gateId: string, root: string): string => `${root}verify?gateId=${encodeURIComponent(gateId)}`

function renderGate(
  { sale: { gateId, gateName, version }, side, isGateOpen }: PartyReceipt,
  { root, words }: Around,
): Html {
  const name = html`<bdi>${gateName}</bdi>`
  const address = side === 'seller' ? `${root}gates/${encodeURIComponent(gateId)}` : gateAddress(gateId, root)
  return html`${isGateOpen ? html`<a href="${address}">${name}</a>` : name} <span class="quiet">${gateId}, ${words.version} ${version}</span>`
}

/** More do not fit on one page of paper. */
const mostGiven = 5

function renderGiven({ given }: PartyReceipt, words: ReceiptWords): Html {
  if (given.length === 0) return html`${words.kinds.access_granted}`
  const more = given.length - mostGiven
  return html`<ul class="receipt-given">${given
    .slice(0, mostGiven)
    .map(
      ({ kind, label = words.kinds[kind] }) =>
        html`<li>${words.kinds[kind]}${label !== words.kinds[kind] && html`: <bdi>${label}</bdi>`}</li>`,
    )}${more > 0 && html`<li>${words.more(more)}</li>`}</ul>`
}

function renderState({ sale: { state, payment, gateName } }: PartyReceipt, words: ReceiptWords): Html {
  if (payment?.isDisputed) return html`<p class="notice warning">${words.states.disputed}</p>`
  if (state === 'suspended') return html`<p class="notice warning">${words.states.suspended}</p>`
  if (payment === null) return html`<p class="lead">${words.free.state(gateName)}</p>`
  return html`<p class="lead">${payment.state === 'final' ? words.states.final : words.states.settling}</p>`
}

interface Amounts {
  /** With its token, or in dollars. */
  readonly paid: string
  /** The price in dollars, where `paid` is of a token. */
  readonly dollars?: string
  readonly refunded?: string
}

/** In whole tokens. A token that is not configured any more has unknown decimals, so the price in dollars stands for it. */
function describeAmounts(
  parts: Parts,
  { payment, transfer, usdMicros }: PartyReceipt['sale'],
  words: ReceiptWords,
): Amounts | undefined {
  if (payment === null) return undefined
  const dollars = usdMicros === null ? undefined : `${formatUsd(usdMicros)} USD`
  const refunded = payment.refunded === null ? {} : { refunded: `${(Number(payment.refunded) / 100).toFixed(2)} USD` }
  const token = listTokens(parts).find(
    ({ chain, address }) => chain.chain === transfer.chain && address === transfer.token,
  )
  if (token && payment.amount !== null)
    return {
      paid: `${formatUnits(BigInt(payment.amount), token.decimals)} ${token.symbol}`,
      ...(dollars === undefined ? {} : { dollars }),
      ...refunded,
    }
  return { paid: dollars ?? words.unknownAmount, ...refunded }
}

/** The hash is on the paper too, so that it can be looked up without the link. */
function renderTransaction({ explorer }: PublicChain, hash: string, words: ReceiptWords): Html {
  if (explorer === undefined || !/^0x[0-9a-f]{64}$/.test(hash)) return html`${hash}`
  return html`${hash}<br class="no-print"><a class="no-print" href="${explorer}/tx/${hash}" target="_blank" rel="noreferrer">${words.openIn(new URL(explorer).host)}</a>`
}

function renderCheck(
  chain: PublicChain | undefined,
  { sale }: PartyReceipt,
  { words, language, paid }: Pick<Around, 'words' | 'language'> & { readonly paid: string },
): Html {
  const { transfer } = sale
  const method = findPaymentMethod(sale.payment?.method ?? '')
  const how =
    chain === undefined
      ? ((method && pickMethodWords(method, language).receiptCheck) ?? words.checkReference)
      : words.checkTransfer(chain.name, chain.explorer && new URL(chain.explorer).host, paid)
  return html`<h2>${words.check}</h2>
<p>${how}</p>
${transfer.token !== null && html`<dl class="facts">${renderFact(words.token, transfer.token, true)}</dl>`}`
}
