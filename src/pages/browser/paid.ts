/** A gate that was paid and has not delivered yet: this view asks for no second payment. */

import { makeElement, renderButton, renderFacts } from '../../web/ui/dom.ts'
import { paying as words } from '../words/en/checkout.ts'
import type { Gate } from './gate.ts'
import { renderHashForm } from './hash-form.ts'
import type { Refusal } from './json-api.ts'
import { type Progress, renderPaySteps } from './pay-steps.ts'
import type { SentPayment } from './sent-payments.ts'
import { readReason } from './settlement-wait.ts'
import type { Desk } from './step.ts'

interface Paid {
  readonly gate: Gate
  /** Undefined for a payment on the page of another company. */
  readonly payment: SentPayment | undefined
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

export const describeRewardMoment = ({ monetization: { charge } }: Gate): string =>
  moments[charge?.rewardAfter ?? ''] ?? words.moments.confirmations

const moments: Readonly<Record<string, string>> = words.moments

/** Three steps. Its controls are there only while nothing is asked. */
export function renderPaid({ attempts }: Desk, { gate, payment, look, another, dropped }: Paid): PaidView {
  const isOnChain = payment !== undefined
  const waiting = { isOnChain, moment: isOnChain ? describeRewardMoment(gate) : words.soon }
  const steps = makeElement('div', {}, renderPaySteps('confirming', waiting))
  const said = makeElement('div', {})
  const unknown = makeElement('div', { class: 'when-idle' })
  let isUnknown = false
  const element = makeElement(
    'section',
    {},
    makeElement('h2', { tabindex: -1 }, words.onItsWay),
    steps,
    payment && renderFacts([[words.transaction, payment.tx, true]]),
    makeElement('p', { class: 'notice' }, words.once),
    said,
    unknown,
    makeElement('div', { class: 'actions when-idle' }, renderButton(words.lookAgain, look)),
  )
  return {
    element,
    tell(refusal) {
      const { progress } = refusal.details
      steps.replaceChildren(renderPaySteps('confirming', { ...waiting, progress: progress as Progress | undefined }))
      foldMessage(said, readReason(refusal))
      const isNow = payment !== undefined && refusal.reason === 'TX_NOT_FOUND'
      if (isNow === isUnknown) return
      isUnknown = isNow
      unknown.replaceChildren(...(isNow ? [renderUnknown(payment, refusal)] : []))
    },
  }

  function renderUnknown({ isTyped, at }: SentPayment, refusal: Refusal): HTMLElement {
    const mayBeNone = isTyped === true || Date.now() - at > onItsWayMs
    return makeElement(
      'details',
      { open: mayBeNone },
      makeElement('summary', {}, words.anotherOne),
      makeElement(
        'div',
        { class: 'details-body' },
        makeElement('p', {}, words.unknown),
        renderHashForm(attempts, words.lookAtAnother, another),
        mayBeNone &&
          makeElement(
            'div',
            {},
            makeElement('p', {}, words.failed),
            renderButton(words.neverSent, () => dropped(refusal), 'secondary'),
          ),
      ),
    )
  }
}

/** Keeps the part open if the person opened it. */
function foldMessage(place: HTMLElement, text: string): void {
  const shown = place.querySelector('p')
  if (shown) shown.textContent = text
  else
    place.append(
      makeElement(
        'details',
        {},
        makeElement('summary', {}, words.said),
        makeElement('div', { class: 'details-body' }, makeElement('p', {}, text)),
      ),
    )
}
