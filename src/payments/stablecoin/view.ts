/** Paying by a stablecoin from the checkout page: a transfer of the connected wallet, or one that is made elsewhere. */
import { makeElement, renderButton, renderFacts, shortenAddress } from '../../web/ui/dom.ts'
import type { CheckoutTools, PaymentView } from '../view.ts'
import { type Payable, payWithWallet } from './pay-with-wallet.ts'
import { view as words } from './words/en.ts'

type Token = Pick<Payable, 'network' | 'asset' | 'assetAddress' | 'decimals'>

/** The method's entry of `accepts`. */
interface Terms {
  readonly tokens?: readonly Token[]
  readonly recipient: string
}

/** The quote of the server: a transfer of exactly this amount counts, regardless of its sender. */
interface Quote {
  readonly quoteId: string
  readonly recipient: string
  readonly tokens: readonly (Token & { readonly amount: string; readonly amountText: string })[]
  readonly expiresAt: number
}

export const stablecoin: PaymentView = {
  name: 'usdc',

  renderUnderWay: ({ order: { earlier: tx }, offerTransfer }) =>
    tx === undefined
      ? []
      : [
          renderFacts([[words.lookedAt, tx, true]]),
          makeElement(
            'p',
            {},
            renderButton(words.lookAgain, () => offerTransfer({ tx, isTyped: true }), 'secondary'),
          ),
        ],

  renderWay: (terms, tools) =>
    terms.recipient === undefined ? undefined : renderTransfer(terms as unknown as Terms, tools),
}

/** A buyer without a place must not pay. */
const noPlace = new Set(['GATE_SOLD_OUT', 'GATE_LIMIT_REACHED', 'CONFLICT'])

const renderHeading = (): HTMLElement => makeElement('h3', {}, words.heading)

/** Asks for a quote first. Without one, the wallet of the proof pays the price. */
function renderTransfer(terms: Terms, tools: CheckoutTools): HTMLElement {
  const view = makeElement('section', {}, renderHeading(), makeElement('p', { class: 'quiet' }, words.asking))
  const { order, post, explain } = tools
  const { gateId, qHash, person } = order
  post('payments/quote', { gateId, qHash, walletAddress: person.address })
    .then((quote) => {
      const showAgain = (): void => view.replaceWith(renderTransfer(terms, tools))
      view.replaceChildren(...renderParts(terms, tools, quote as unknown as Quote, showAgain))
    })
    .catch((error: unknown) => {
      const renderWithoutQuote = (): HTMLElement[] => renderParts(terms, tools, undefined, () => {})
      const { text, code = '', isUnheld } = explain(error)
      if (!noPlace.has(code)) return view.replaceChildren(...renderWithoutQuote())
      const notice = makeElement('p', { class: 'notice warning' }, text)
      if (!isUnheld) return view.replaceChildren(renderHeading(), notice)
      view.replaceChildren(
        notice,
        makeElement('p', {}, words.withoutPlace(shortenAddress(person.address))),
        ...renderWithoutQuote(),
      )
    })
  return view
}

/** `again` requests a new quote in place of an expired one. */
function renderParts(terms: Terms, tools: CheckoutTools, quote: Quote | undefined, again: () => void): HTMLElement[] {
  const { order, renderHashForm, offerTransfer, nameChain, formatAmount } = tools
  const amount = String(order.asked.amountUsd)
  const payer = shortenAddress(order.person.address)
  const quoteId = quote?.quoteId
  const recipient = quote?.recipient ?? terms.recipient
  const tokens = (terms.tokens ?? []).map((token): Payable => {
    const quoted = quote?.tokens.find(
      ({ network, assetAddress }) => network === token.network && assetAddress === token.assetAddress,
    )
    return { ...token, quotedText: quoted?.amountText, quotedUnits: quoted && BigInt(quoted.amount) }
  })
  const payable = makeElement(
    'div',
    {},
    ...tokens.map((token) => {
      const { network, asset, assetAddress, quotedText } = token
      const press: HTMLButtonElement = renderButton(words.pay(formatAmount(amount), asset), () =>
        payWithWallet(token, { amount, recipient, quoteId }, tools, press),
      )
      return makeElement(
        'div',
        {},
        renderFacts([
          [words.amount, `${formatAmount(amount)} ${asset}`],
          quotedText !== undefined && [words.exactly, `${formatAmount(quotedText)} ${asset}`],
          [words.chain, nameChain(network)],
          [words.recipient, recipient, true],
          [words.token, assetAddress, true],
        ]),
        makeElement('div', { class: 'actions' }, press),
      )
    }),
  )
  return [
    renderHeading(),
    ...(quote === undefined
      ? []
      : [
          renderHold(tools, quote, () => {
            // A payment after the end of the reservation may buy nothing.
            payable.hidden = true
            return renderButton(words.keepAgain, again, 'secondary')
          }),
          makeElement('p', { class: 'quiet' }, words.digits),
        ]),
    payable,
    makeElement(
      'details',
      { class: 'apart' },
      makeElement('summary', {}, words.elsewhere),
      makeElement(
        'div',
        { class: 'details-body' },
        makeElement(
          'p',
          {},
          quote === undefined
            ? words.fromPayer(payer)
            : words.fromAnywhere(
                tokens.flatMap(({ quotedText, asset }) =>
                  quotedText === undefined ? [] : [`${formatAmount(quotedText)} ${asset}`],
                ),
                payer,
              ),
        ),
        renderHashForm(words.paid, (tx) => offerTransfer({ tx, quoteId, isTyped: true })),
      ),
    ),
  ]
}

const formatTimeLeft = (leftMs: number): string =>
  leftMs < 60_000 ? words.lastMinute : words.minutes(Math.floor(leftMs / 60_000))

const tickMs = 5_000

/** Shows until when price and place are reserved, updated while it is visible. `over` is called once at the end. */
function renderHold(
  { now, toBrowserTime, formatClockTime }: CheckoutTools,
  { expiresAt }: Quote,
  over: () => HTMLElement,
): HTMLElement {
  const line = makeElement('p', { class: 'quiet' })
  const shownEnd = formatClockTime(toBrowserTime(expiresAt))
  const tell = (): void => {
    const leftMs = expiresAt - now()
    if (leftMs <= 0) {
      clearInterval(ticking)
      line.replaceChildren(words.over(shownEnd), over())
      return
    }
    line.textContent = words.kept(shownEnd, formatTimeLeft(leftMs))
  }
  let wasShown = false
  const ticking = setInterval(() => {
    if (wasShown && !line.isConnected) return clearInterval(ticking)
    wasShown ||= line.isConnected
    tell()
  }, tickMs)
  tell()
  return line
}
