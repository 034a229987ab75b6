/** A gate that was paid by a transfer and has not delivered yet: this view asks for no second payment. */

import { makeElement, renderButton } from '../../web/ui/dom.ts'
import type { Gate } from './gate.ts'
import { renderHashForm } from './hash-form.ts'
import type { Refusal } from './json-api.ts'
import type { SentPayment } from './sent-payments.ts'
import type { Desk } from './step.ts'

interface Paid {
  readonly gate: Gate
  readonly payment: SentPayment
  readonly look: () => void
  /** The wallet replaced the transaction, for example to speed it up. */
  readonly another: (hash: string) => void
  /** The person says that the transaction never reached a chain. */
  readonly dropped: (refusal: Refusal) => void
}

export interface PaidView {
  readonly element: HTMLElement
  /** Shows the latest answer of the server. */
  tell(refusal: Refusal): void
}

/** A transaction may stay pending for this long. */
const onItsWayMs = 30 * 60_000

const moments: Readonly<Record<string, string>> = {
  first_block: 'with its first block, in about a minute',
  confirmations: 'when it is confirmed, mostly within minutes',
  final: 'when its chain calls it final, mostly within half an hour',
}

export const describeRewardMoment = ({ monetization: { charge } }: Gate): string =>
  moments[charge?.rewardAfter ?? ''] ?? moments.confirmations!

export function renderPaid({ attempts }: Desk, { gate, payment, look, another, dropped }: Paid): PaidView {
  const unknown = makeElement('div', {})
  let isUnknown = false
  const element = makeElement(
    'section',
    {},
    makeElement('h2', { tabindex: -1 }, 'Paid, and on its way'),
    makeElement(
      'p',
      { class: 'notice' },
      'You have paid (transaction ',
      makeElement('code', { class: 'address' }, payment.tx),
      `). The reward comes when the chain has settled it: ${describeRewardMoment(gate)}. Do not pay again.`,
    ),
    makeElement('p', { class: 'quiet' }, 'You can close this page, and come back with this browser later.'),
    makeElement('div', { class: 'actions' }, renderButton('Look again', look)),
    unknown,
  )
  return {
    element,
    tell(refusal) {
      const isNow = refusal.reason === 'TX_NOT_FOUND'
      if (isNow === isUnknown) return
      isUnknown = isNow
      const mayBeNone = payment.isTyped === true || Date.now() - payment.at > onItsWayMs
      unknown.replaceChildren(
        ...(isNow
          ? [
              makeElement(
                'details',
                { open: mayBeNone },
                makeElement('summary', {}, 'Does your wallet show another transaction?'),
                makeElement(
                  'div',
                  { class: 'details-body' },
                  makeElement(
                    'p',
                    {},
                    'No chain that payments are taken on knows this one yet. A transfer that was sped up has another hash.',
                  ),
                  renderHashForm(attempts, 'Look at this one', another),
                  mayBeNone &&
                    makeElement(
                      'div',
                      {},
                      makeElement(
                        'p',
                        {},
                        'If your wallet says that it failed or was dropped, nothing was paid with it.',
                      ),
                      renderButton('It was never sent: choose how to pay', () => dropped(refusal), 'secondary'),
                    ),
                ),
              ),
            ]
          : []),
      )
    },
  }
}
