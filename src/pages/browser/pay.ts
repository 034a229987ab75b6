/** Paying at a gate: a transfer of the connected wallet, a transfer made elsewhere, or a card. */

import { makeElement, renderButton, renderFacts, shortenAddress } from '../../web/ui/dom.ts'
import type { Gate } from './gate.ts'
import { hashField } from './hash-form.ts'
import { type Data, Refusal } from './json-api.ts'
import type { Person } from './person.ts'
import { findPayment, rememberPayment } from './sent-payments.ts'
import type { Desk } from './step.ts'
import { describeError, isUnheld } from './words.ts'

interface Paying {
  readonly gate: Gate
  readonly person: Person
  /** The proof to pay for. */
  readonly qHash: string
  /** The payment terms of the server: the details of PAYMENT_REQUIRED. */
  readonly asked: Data
  /** An earlier transfer that the server refused. */
  readonly earlier: string | undefined
  readonly why: string | undefined
  readonly paid: (evidence: Readonly<Record<string, string>>) => void
}

interface Token {
  readonly network: string
  readonly asset: string
  readonly assetAddress: string
  readonly decimals: number
}

/** The quote of the server: a transfer of exactly this amount counts, regardless of its sender. */
interface Quote {
  readonly quoteId: string
  readonly recipient: string
  readonly tokens: readonly (Token & { readonly amount: string; readonly amountText: string })[]
  readonly expiresAt: number
}

interface Accepted {
  readonly method: string
  readonly tokens?: readonly Token[]
  readonly recipient?: string
}

export function payView(desk: Desk, paying: Paying): HTMLElement {
  const { asked, why, earlier } = paying
  const accepts = (Array.isArray(asked.accepts) ? asked.accepts : []) as readonly Accepted[]
  const amount = String(asked.amountUsd)
  const view = makeElement('section', {}, makeElement('h2', { tabindex: -1 }, `Pay ${amount} US dollars`))
  if (why !== undefined) view.append(makeElement('p', { class: 'notice warning' }, why))
  if (earlier !== undefined)
    view.append(
      renderFacts([['Transfer that was looked at', earlier, true]]),
      makeElement(
        'p',
        {},
        renderButton('Look at it again', () => offerTransfer(paying, earlier, { isTyped: true }), 'secondary'),
      ),
    )
  view.append(...openPageView(paying))
  for (const { method, tokens = [], recipient } of accepts) {
    if (method === 'usdc' && recipient !== undefined)
      view.append(transferView(desk, paying, { amount, tokens, recipient }))
    if (method === 'stripe') view.append(renderCard(desk, paying))
    if (method === 'x402')
      view.append(
        makeElement(
          'p',
          { class: 'quiet apart' },
          `Programs can also pay by x402 (HTTP 402). That is not done in a browser.${describeHold(asked.reservation)}`,
        ),
      )
  }
  return view
}

/** A person who pays in another way while that page is open may pay twice. */
function openPageView({ asked, paid }: Paying): HTMLElement[] {
  const { paymentCheckoutSessionId, expiresAt } = (asked.openCheckout ?? {}) as Data
  if (typeof paymentCheckoutSessionId !== 'string' || typeof expiresAt !== 'number') return []
  return [
    makeElement(
      'p',
      { class: 'notice' },
      `A page of payment by card that you opened for this is open until ${formatClockTime(expiresAt)}. Finish it there, or wait until then before you pay in another way.`,
    ),
    makeElement(
      'p',
      {},
      renderButton('I have paid there', () => paid({ paymentCheckoutSessionId }), 'secondary'),
    ),
  ]
}

/** The transfer is stored first: after a reload, the person has still paid. */
function offerTransfer(
  { gate, person, qHash, paid }: Paying,
  tx: string,
  { quoteId, isTyped }: { readonly quoteId?: string | undefined; readonly isTyped?: boolean },
): void {
  const quoted = quoteId === undefined ? {} : { quoteId }
  const typed = isTyped ? { isTyped } : {}
  rememberPayment({
    gateId: gate.gateId,
    qHash,
    wallet: person.address,
    tx,
    at: Date.now(),
    ...quoted,
    ...typed,
  })
  paid({ paymentTxHash: tx, ...(quoteId === undefined ? {} : { paymentQuoteId: quoteId }) })
}

/** Describes how long the server reserves a place for the buyer. */
function describeHold(reservation: unknown): string {
  const { minutes, expiresAt } = (reservation ?? {}) as Data
  if (typeof expiresAt === 'number') return ` A place is held for you until ${formatClockTime(expiresAt)}.`
  return typeof minutes === 'number' ? ` A place is held for ${formatMinutes(minutes)} meanwhile.` : ''
}

/** In base units, exactly: `amount` is a decimal number as text. */
export function toBaseUnits(amount: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return (
    BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0')) +
    (/[1-9]/.test(fraction.slice(decimals)) ? 1n : 0n)
  )
}

const encodeWord = (hex: string): string => hex.replace(/^0x/i, '').toLowerCase().padStart(64, '0')

/** transfer(address,uint256) of ERC-20. */
const transferCall = (recipient: string, units: bigint): string =>
  `0xa9059cbb${encodeWord(recipient)}${encodeWord(units.toString(16))}`

interface Asked {
  readonly amount: string
  readonly tokens: readonly Token[]
  readonly recipient: string
}

/** A buyer without a place must not pay. */
const noPlace = new Set(['GATE_SOLD_OUT', 'GATE_LIMIT_REACHED', 'CONFLICT'])

/** Asks for a quote first. Without one, the wallet of the proof pays the price. */
function transferView(desk: Desk, paying: Paying, asked: Asked): HTMLElement {
  const view = makeElement(
    'section',
    {},
    makeElement('h3', {}, 'With a stablecoin'),
    makeElement('p', { class: 'quiet' }, 'Asking for the amount …'),
  )
  const { gate, person, qHash } = paying
  desk.api
    .post('payments/quote', { gateId: gate.gateId, qHash, walletAddress: person.address }, desk.csrf())
    .then((quote) => {
      const showAgain = (): void => view.replaceWith(transferView(desk, paying, asked))
      view.replaceChildren(...transferParts(desk, paying, asked, quote as unknown as Quote, showAgain))
    })
    .catch((error: unknown) => {
      const heading = makeElement('h3', {}, 'With a stablecoin')
      const renderWithoutQuote = (): HTMLElement[] => transferParts(desk, paying, asked, undefined, () => {})
      if (!(error instanceof Refusal && noPlace.has(error.code))) return view.replaceChildren(...renderWithoutQuote())
      const notice = makeElement('p', { class: 'notice warning' }, describeError(error))
      if (!isUnheld(error.reason)) return view.replaceChildren(heading, notice)
      view.replaceChildren(
        notice,
        makeElement(
          'p',
          {},
          `You can pay now all the same, from ${shortenAddress(person.address)}. No place is held for you meanwhile: if the last one goes to somebody else first, the seller owes you what you paid.`,
        ),
        ...renderWithoutQuote(),
      )
    })
  return view
}

const formatMinutes = (count: number): string => `${count} ${count === 1 ? 'minute' : 'minutes'}`

const formatTimeLeft = (leftMs: number): string =>
  leftMs < 60_000 ? 'less than a minute left' : `${formatMinutes(Math.floor(leftMs / 60_000))} left`

const tickMs = 5_000

/** Shows until when price and place are reserved, updated while it is visible. `over` is called once at the end. */
function makeHoldLine({ api }: Desk, { expiresAt }: Quote, over: () => HTMLElement): HTMLElement {
  const line = makeElement('p', { class: 'quiet' })
  // The browser's clock may be wrong, so the end is shown relative to the server's clock.
  const shownEnd = formatClockTime(Date.now() + expiresAt - api.now())
  const tell = (): void => {
    const leftMs = expiresAt - api.now()
    if (leftMs <= 0) {
      clearInterval(ticking)
      line.replaceChildren(`Price and place were kept for you until ${shownEnd}, and are not any more. `, over())
      return
    }
    line.textContent = `Price and place are kept for you until ${shownEnd} (${formatTimeLeft(leftMs)}).`
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

/** `again` requests a new quote in place of an expired one. */
function transferParts(
  desk: Desk,
  paying: Paying,
  asked: Asked,
  quote: Quote | undefined,
  again: () => void,
): HTMLElement[] {
  const { attempts, model, wallets, people } = desk
  const { gate, person, qHash } = paying
  const quoteId = quote?.quoteId
  const recipient = quote?.recipient ?? asked.recipient
  const tokens = asked.tokens.map((token) => {
    const quoted = quote?.tokens.find(
      ({ network, assetAddress }) => network === token.network && assetAddress === token.assetAddress,
    )
    return {
      ...token,
      quotedText: quoted?.amountText,
      quotedUnits: quoted && BigInt(quoted.amount),
    }
  })
  type Payable = (typeof tokens)[number]
  const nameChain = (network: string): string => {
    const known = model.chains.find(({ chain }) => chain === network)
    return known ? `${known.name} (${network})` : network
  }
  const send = async (token: Payable, payer: Person, pressed: HTMLElement): Promise<void> => {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    const { name, connection } = payer.wallet!
    // The wallet of the proof is recognized, so it pays the price. Others pay the amount that identifies their
    // transfer.
    const isOwn = payer.address === person.address || token.quotedUnits === undefined
    const amount = isOwn ? asked.amount : token.quotedText
    try {
      attempts.say(
        `Confirm the transfer of ${amount} ${token.asset} that ${name} shows. Compare the recipient: ${shortenAddress(recipient)}.`,
      )
      const hash = await connection.send!({
        chainId: Number(token.network.replace('eip155:', '')),
        to: token.assetAddress,
        data: transferCall(recipient, isOwn ? toBaseUnits(asked.amount, token.decimals) : token.quotedUnits!),
      })
      attempts.finish()
      offerTransfer(paying, hash, { quoteId })
    } catch (error) {
      if (isCurrent())
        attempts.fail(`${describeError(error, name).replace('Nothing was signed.', 'Nothing was paid.')}`, pressed)
    }
  }

  const pay = (token: Payable, pressed: HTMLElement): void => {
    // Another tab may have paid meanwhile.
    const sent = findPayment(gate.gateId, person.address, [qHash], new Set())
    if (sent?.qHash === qHash) {
      offerTransfer(paying, sent.tx, sent)
      return
    }
    const payer = [person, ...people].find((one) => one.wallet?.connection.send)
    if (payer) return void send(token, payer, pressed)
    wallets.ask({
      heading: 'Which wallet pays?',
      chosen(payer) {
        attempts.finish()
        wallets.hide()
        people.unshift(payer)
        if (payer.wallet?.connection.send) void send(token, payer, pressed)
        else attempts.fail('This wallet cannot pay on that chain. Choose another one.', pressed)
      },
    })
  }

  const form = hashField(attempts, 'I have paid', (hash) => offerTransfer(paying, hash, { quoteId, isTyped: true }))
  const payable = makeElement(
    'div',
    {},
    ...tokens.map((token) => {
      const press: HTMLButtonElement = renderButton(`Pay ${asked.amount} ${token.asset} with the wallet`, () =>
        pay(token, press),
      )
      return makeElement(
        'div',
        {},
        renderFacts([
          ['Amount', `${asked.amount} ${token.asset}`],
          token.quotedText !== undefined && ['From elsewhere, exactly', `${token.quotedText} ${token.asset}`],
          ['Chain', nameChain(token.network)],
          ['To', recipient, true],
          ['Token', token.assetAddress, true],
        ]),
        makeElement('div', { class: 'actions' }, press),
      )
    }),
  )
  return [
    makeElement('h3', {}, 'With a stablecoin'),
    ...(quote === undefined
      ? []
      : [
          makeHoldLine(desk, quote, () => {
            // A payment after the end of the reservation may buy nothing.
            payable.hidden = true
            return renderButton('Keep them again', again, 'secondary')
          }),
          makeElement(
            'p',
            { class: 'quiet' },
            'Paid from elsewhere, the last digits of the amount tell your transfer from others.',
          ),
        ]),
    payable,
    makeElement(
      'details',
      { class: 'apart' },
      makeElement('summary', {}, 'Paid from elsewhere?'),
      makeElement(
        'div',
        { class: 'details-body' },
        makeElement(
          'p',
          {},
          quote === undefined
            ? `The transfer must come from ${shortenAddress(person.address)}, or from a wallet that is linked to it.`
            : `A transfer of exactly ${tokens.flatMap(({ quotedText, asset }) => (quotedText === undefined ? [] : [`${quotedText} ${asset}`])).join(' or ')} counts from any wallet; of another amount, from ${shortenAddress(person.address)} or a wallet that is linked to it.`,
        ),
        form,
      ),
    ),
  ]
}

/** Formats hours and minutes: a place is reserved for less than an hour. */
const formatClockTime = (at: number): string =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

function renderCard(desk: Desk, paying: Paying): HTMLElement {
  const { api, attempts, journey } = desk
  const { gate, person, qHash, paid } = paying
  const go = async (): Promise<void> => {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    try {
      attempts.say('Opening the page of payment …')
      const here = new URL(document.getElementById('page')!.dataset.home!)
      const query = new URLSearchParams(location.search)
      query.delete('paymentCheckoutSessionId')
      const back = `${here.href}?${query}`
      const { url, reservedUntil } = await api.post(
        'payments/stripe/checkout',
        {
          gateId: gate.gateId,
          qHash,
          walletAddress: person.address,
          // The checkout page fills in its session id.
          successUrl: `${back}&paymentCheckoutSessionId={CHECKOUT_SESSION_ID}`,
          cancelUrl: back,
        },
        desk.csrf(),
      )
      if (!isCurrent()) return
      journey.remember('payment', { qHash })
      if (typeof url === 'string' && /^https?:/i.test(url)) {
        if (typeof reservedUntil === 'number')
          attempts.say(`Your place is held until ${formatClockTime(reservedUntil)}. Opening the page of payment …`)
        location.assign(url)
      } else attempts.fail('The page of payment cannot be opened. Try again.', press)
    } catch (error) {
      if (!isCurrent()) return
      const { paymentCheckoutSessionId } = error instanceof Refusal ? error.details : {}
      if (typeof paymentCheckoutSessionId === 'string') {
        attempts.finish()
        return paid({ paymentCheckoutSessionId })
      }
      attempts.fail(describeError(error), press)
    }
  }
  const press: HTMLButtonElement = renderButton('Pay by card', () => void go())
  return makeElement(
    'section',
    {},
    makeElement('h3', {}, 'By card'),
    makeElement('p', {}, 'This leads to the page of payment of Stripe, and back here.'),
    gate.supply.total !== null &&
      makeElement(
        'p',
        { class: 'quiet' },
        'A place is held for you for as long as that page is open, at most 45 minutes. What is paid for nothing all the same is refunded to the card.',
      ),
    makeElement('div', { class: 'actions' }, press),
  )
}
