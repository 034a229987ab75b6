/** Choosing how to pay at a gate. Each payment method shows its way (payments/views.ts) with the tools of this page. */
import type { PublicChain } from '../../payments/public-chain.ts'
import type { CheckoutTools, Data, Order } from '../../payments/view.ts'
import { paymentViews } from '../../payments/views.ts'
import { makeElement, requireElement } from '../../web/ui/dom.ts'
import type { VerifyModel } from '../verify-model.ts'
import { paying as words } from '../words/en/checkout.ts'
import type { Gate } from './gate.ts'
import { renderHashForm } from './hash-form.ts'
import { isSessionOver, Refusal } from './json-api.ts'
import { formatAmount, locale } from './locale.ts'
import { describeRewardMoment } from './paid.ts'
import { renderPaySteps } from './pay-steps.ts'
import type { Person } from './person.ts'
import { findPayment, rememberPayment } from './sent-payments.ts'
import type { Desk } from './step.ts'
import { renderExplanation } from './wallet-error.ts'
import { explainError, isUnheld } from './words.ts'

interface Paying extends Pick<Order, 'qHash' | 'asked' | 'earlier'> {
  readonly gate: Gate
  readonly person: Person
  /** The reason of the server for asking again. */
  readonly why: string | undefined
  readonly offerEvidence: CheckoutTools['offerEvidence']
}

export function renderPayment(desk: Desk, paying: Paying): HTMLElement {
  const { asked, why } = paying
  const accepts = (Array.isArray(asked.accepts) ? asked.accepts : []) as readonly Data[]
  const tools = makeTools(desk, paying)
  return makeElement(
    'section',
    {},
    makeElement('h2', { tabindex: -1 }, words.title(formatAmount(String(asked.amountUsd)))),
    makeElement(
      'div',
      { class: 'when-idle' },
      why !== undefined && makeElement('p', { class: 'notice warning' }, why),
      ...paymentViews.flatMap((view) => view.renderUnderWay?.(tools) ?? []),
      ...accepts.map((terms) => paymentViews.find(({ name }) => name === terms.method)?.renderWay(terms, tools)),
    ),
    // A person who pays must not be able to pay a second time meanwhile.
    makeElement(
      'div',
      { class: 'when-busy' },
      renderPaySteps('sending', { moment: describeRewardMoment(paying.gate) }),
    ),
  )
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })

const describeChain = ({ networks, chains }: VerifyModel, network: string): PublicChain =>
  networks?.[network] ?? { chain: network, name: chains.find(({ chain }) => chain === network)?.name ?? network }

function makeTools(desk: Desk, paying: Paying): CheckoutTools {
  const { gate, person, qHash, offerEvidence } = paying
  const { gateId, supply } = gate
  const { api, attempts, journey, model, people, wallets } = desk
  return {
    order: { ...paying, gateId, isLimited: supply.total !== null },
    home: requireElement('page').dataset.home!,
    attempts,
    post: (path, body) => api.post(path, body, desk.csrf()),
    now: () => api.now(),
    toBrowserTime: (serverTime) => Date.now() + serverTime - api.now(),
    formatClockTime: (at) => clock.format(at),
    formatAmount,
    nameChain: (network) => `${describeChain(model, network).name} (${network})`,
    describeChain: (network) => describeChain(model, network),
    askForPayer(canPay, onChosen) {
      const known = [person, ...people].find(canPay)
      if (known) return onChosen(known)
      wallets.ask({
        heading: words.whichWallet,
        chosen(payer) {
          attempts.finish()
          wallets.hide()
          people.unshift(payer)
          onChosen(payer)
        },
      })
    },
    renderHashForm: (submit, onHash) => renderHashForm(attempts, submit, onHash),
    explain(error, wallet) {
      const { code, reason, details = {} } = error instanceof Refusal ? error : ({} as Partial<Refusal>)
      const explained = explainError(error, wallet, 'pay')
      const node = isSessionOver(error) ? desk.renderSessionOver(person.address) : renderExplanation(explained)
      return { text: explained.text, node, code, details, isUnheld: isUnheld(reason) }
    },
    findTransfer() {
      const sent = findPayment(gateId, person.address, [qHash], new Set())
      return sent?.qHash === qHash ? sent : undefined
    },
    offerTransfer({ tx, quoteId, isTyped }) {
      rememberPayment({ gateId, qHash, wallet: person.address, tx, at: Date.now(), quoteId, isTyped })
      offerEvidence({ paymentTxHash: tx, paymentQuoteId: quoteId })
    },
    rememberOrder: () => journey.remember('payment', { qHash }),
    offerEvidence,
  }
}
