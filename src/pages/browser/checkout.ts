/**
 * The checkout of a gate: requirements, the proofs that the person holds, what is missing, the price, the reward. The
 * person is signed in, so that their own proofs count and only they receive the reward.
 */

import type { Evidence } from '../../payments/view.ts'
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { chooseWords } from '../refusal-words.ts'
import type { VerifyModel } from '../verify-model.ts'
import { gateNeeds, checkout as words } from '../words/en/checkout.ts'
import { errors, refusals } from '../words/en/errors.ts'
import { describeGateError, type Gate, writeClosed } from './gate.ts'
import { findNext, isGuest, isKeptOut, listNeeds, makeStep, type Row, tickAsked } from './gate-needs.ts'

export { listAsked } from './gate-needs.ts'

import type { Done } from './journey.ts'
import { type Data, isSessionOver, Refusal } from './json-api.ts'
import { makeOutcome } from './outcome.ts'
import { type PaidView, renderPaid } from './paid.ts'
import { renderPayment } from './pay.ts'
import type { Person } from './person.ts'
import { copyButton } from './result.ts'
import { type Reward, rewardView } from './reward.ts'
import { findPayment, forgetPayment, rememberPayment, type SentPayment } from './sent-payments.ts'
import { repeatRead } from './server-return.ts'
import { readWait } from './settlement-wait.ts'
import type { Desk, Step } from './step.ts'

interface Checked {
  readonly allRequiredSatisfied: boolean
  readonly state: string
  readonly rows: readonly Row[]
  readonly fulfillments?: readonly { readonly qHash: string }[]
}

export interface Checkout {
  /** The person has just made a proof here, so a payment that follows needs no further click. */
  readonly hasProved: boolean
  /** Opens the step for an unmet requirement. */
  readonly open: (step: Step) => void
  /** Every reward was delivered. */
  readonly ended: (done: readonly Done[], gate: Gate, reward: HTMLElement) => void
  /** The session is over, so the page must ask again who the person is. */
  readonly signedOut: () => void
}

/** Shows the progress of the person, and the next step. */
export async function showCheckout(desk: Desk, gate: Gate, person: Person, on: Checkout): Promise<void> {
  const { api, attempts, work, model, journey } = desk
  const writeTitle = (verifierId: string): string => model.verifiers[verifierId]?.title ?? verifierId
  const isCurrent = attempts.begin()
  if (!isCurrent) return
  try {
    attempts.say(words.looking)
    const query = new URLSearchParams({
      gateId: gate.gateId,
      address: person.address,
      includePrivate: 'true',
      includeQHashes: 'true',
    })
    const { gate: found } = await repeatRead(attempts, isCurrent, () => api.get(`proofs/check?${query}`))
    const checked = found as Checked
    if (!isCurrent()) return
    attempts.finish()
    tickAsked(gate, checked.rows)
    const had = checked.fulfillments?.[0]?.qHash
    const closed = writeClosed(gate, checked.state)
    const sent = findSentPayment(checked)
    // A buyer who has paid may hold a reserved place; the server tells them the outcome of the payment.
    const isClosed = closed !== undefined && !(checked.allRequiredSatisfied && sent)
    show(
      isClosed && makeElement('p', { class: 'notice warning' }, closed),
      listNeeds(gate, checked.rows, model.verifiers, (requirement) => on.open(makeStep(requirement))),
      gate.rule !== null &&
        !checked.allRequiredSatisfied &&
        !isKeptOut(gate, checked.rows) &&
        makeElement('p', { class: 'quiet' }, gateNeeds.perhapsEnough),
      ...(had === undefined ? [] : [renderAgain(had)]),
    )
    if (!checked.allRequiredSatisfied && sent)
      work.append(
        makeElement('p', { class: 'notice' }, ...words.paidBefore(makeElement('code', { class: 'address' }, sent.tx))),
      )
    if (isClosed) return
    if (!checked.allRequiredSatisfied) offerNext(checked)
    else await collect(checked)
  } catch (error) {
    if (!isCurrent()) return
    if (isSessionOver(error)) return endSession()
    attempts.fail(describeGateError(error))
    work.replaceChildren(renderButton(words.tryAgain, () => void showCheckout(desk, gate, person, on), 'secondary'))
  }

  function endSession(): void {
    tickAsked(gate, [])
    on.signedOut()
  }

  function show(...parts: readonly (Node | false)[]): void {
    work.replaceChildren(...parts.filter((part) => part !== false))
  }

  function offerNext({ rows }: Checked): void {
    if (isKeptOut(gate, rows)) {
      work.append(renderNotListed(model.contacts, person.address))
      return
    }
    const next = findNext(gate, rows)
    if (!next) return
    work.append(
      makeElement(
        'div',
        { class: 'actions' },
        renderButton(words.goOn(writeTitle(next.verifierId)), () => on.open(makeStep(next))),
      ),
    )
  }

  function renderAgain(qHash: string): HTMLElement {
    return makeElement(
      'div',
      { class: 'notice' },
      makeElement('p', {}, words.passedBefore),
      renderButton(words.showAgain, () => void fulfillGate(qHash, {}), 'secondary'),
    )
  }

  function findSentPayment({ rows, fulfillments = [] }: Checked): SentPayment | undefined {
    const proofs = rows.flatMap(({ satisfied, qHash }) => (satisfied && qHash !== null ? [qHash] : []))
    return findPayment(gate.gateId, person.address, proofs, new Set(fulfillments.map(({ qHash }) => qHash)))
  }

  /** A listed wallet names its pass where others name a proof. */
  async function takePass(): Promise<string> {
    const path = `profile/gates/${encodeURIComponent(gate.gateId)}/pass`
    return String((await api.post(path, { walletAddress: person.address }, desk.csrf())).qHash)
  }

  async function collect(checked: Checked): Promise<void> {
    const { rows, fulfillments = [] } = checked
    const spent = new Set(fulfillments.map(({ qHash }) => qHash))
    const matching = rows.filter(({ satisfied, qHash }) => satisfied && qHash !== null)
    const proof = (matching.find((row) => !spent.has(row.qHash!)) ?? matching[0])?.qHash
    const qHash = isGuest(gate, rows) && (proof == null || spent.has(proof)) ? await takePass() : proof
    if (qHash == null) return
    const { paymentCheckoutSessionId } = model.request
    const sent = findSentPayment(checked)
    const kept = sent ?? journey.valuesAt('payment')
    const isPaid = paymentCheckoutSessionId !== undefined || sent !== undefined
    const paid = isPaid ? { paymentCheckoutSessionId, paymentTxHash: sent?.tx, paymentQuoteId: sent?.quoteId } : {}
    // A payment page is opened for one proof. A transfer can pay for any proof, so use one that still counts.
    const isBound = paymentCheckoutSessionId !== undefined || matching.some((row) => row.qHash === kept.qHash)
    const payee = kept.qHash && isBound ? kept.qHash : qHash
    if (spent.has(qHash) && !isPaid) return
    const startsItself = isPaid || (on.hasProved && gate.monetization.charge !== null)
    const next = gate.monetization.charge && !isPaid ? words.toPayment : givesMore(gate) ? words.get : words.enter
    const button = startsItself ? undefined : renderButton(next, () => void fulfillGate(payee, paid))
    work.append(makeElement('p', { class: 'notice' }, words.complete), makeElement('div', { class: 'actions' }, button))
    if (startsItself) void fulfillGate(payee, paid)
  }

  async function fulfillGate(qHash: string, payment: Evidence): Promise<void> {
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    const view = Object.keys(payment).length === 0 ? undefined : showPaid(qHash, payment)
    const since = Date.now()
    try {
      for (;;) {
        attempts.say(Object.keys(payment).length > 0 ? words.lookingAtPayment : words.asking)
        try {
          const data = await api.post(
            `profile/gates/${encodeURIComponent(gate.gateId)}/fulfill`,
            { qHash, walletAddress: person.address, ...payment },
            desk.csrf(),
          )
          if (!isCurrent()) return
          attempts.finish()
          journey.remember('payment', {})
          if (payment.paymentTxHash !== undefined) forgetPayment(gate.gateId, payment.paymentTxHash)
          return handOut(data, qHash)
        } catch (error) {
          const waits = readWait(error)
          if (waits === undefined || Date.now() - since > waits.atMostMs) throw error
          if (!isCurrent()) return
          view?.tell(waits.refusal)
          attempts.say(
            words.notSettled,
            work.querySelector('button') ?? undefined,
            waits.isInstant ? undefined : words.stopWaiting,
          )
          await new Promise((resolve) => setTimeout(resolve, waits.pauseMs))
          if (!isCurrent()) return
        }
      }
    } catch (error) {
      if (!isCurrent()) return
      if (isSessionOver(error)) return endSession()
      const waits = readWait(error)
      // A buyer who has paid and only has to wait is never asked to pay.
      if (waits && !waits.isInstant)
        return attempts.fail(
          makeElement(
            'div',
            {},
            makeElement('p', {}, words.lookLater),
            view === undefined && renderButton(words.lookAgain, () => void fulfillGate(qHash, payment), 'secondary'),
          ),
          undefined,
          'info',
        )
      if (error instanceof Refusal && error.code === 'PAYMENT_REQUIRED') return askToPay(error, qHash, payment)
      const { node, kind } = makeOutcome(
        error,
        errors.theWallet,
        () => void fulfillGate(qHash, payment),
        () => desk.renderSessionOver(person.address),
      )
      attempts.fail(
        error instanceof Refusal && gateWords[error.code] ? makeElement('p', {}, gateWords[error.code]!(error)) : node,
        undefined,
        kind,
      )
    }
  }

  /** Replaces all ways to pay, before the server is asked. */
  function showPaid(qHash: string, payment: Evidence): PaidView {
    const tx = payment.paymentTxHash
    const kept = findPayment(gate.gateId, person.address, [qHash], new Set())
    const sent: SentPayment | undefined =
      tx === undefined || kept?.tx === tx
        ? kept
        : { gateId: gate.gateId, qHash, wallet: person.address, tx, at: Date.now() }
    const shown = tx === undefined ? undefined : sent
    const view = renderPaid(desk, {
      gate,
      payment: shown,
      look: () => void fulfillGate(qHash, payment),
      another(hash) {
        attempts.finish()
        if (!shown) return
        forgetPayment(gate.gateId, shown.tx)
        rememberPayment({ ...shown, tx: hash })
        void fulfillGate(qHash, { ...payment, paymentTxHash: hash })
      },
      dropped(refusal) {
        attempts.finish()
        askToPay(refusal, qHash, payment)
      },
    })
    work.replaceChildren(view.element)
    return view
  }

  function askToPay(refusal: Refusal, qHash: string, payment: Evidence): void {
    attempts.finish()
    if (payment.paymentTxHash !== undefined) forgetPayment(gate.gateId, payment.paymentTxHash)
    const isFirst = refusal.reason === 'PAYMENT_MISSING'
    work.replaceChildren(
      renderPayment(desk, {
        gate,
        person,
        qHash,
        asked: refusal.details,
        earlier: payment.paymentTxHash,
        why: isFirst ? undefined : chooseWords(refusal.message, refusals.PAYMENT_REQUIRED),
        offerEvidence: (evidence) => void fulfillGate(qHash, evidence),
      }),
    )
  }

  function handOut(data: Data, qHash: string): void {
    on.ended(
      [{ verifierId: gate.requirements[0]?.verifierId ?? '', qHash, wallet: person.address }],
      gate,
      rewardView(data as unknown as Reward, gate.monetization.charge !== null),
    )
  }
}

/** Whether a visitor gets more than access. */
const givesMore = ({ artifact }: Gate): boolean => artifact !== null && artifact.type !== 'access_granted'

/** Nothing can be proved, so the visitor asks the owner, who needs the address. */
function renderNotListed({ seller, operatorContact }: NonNullable<VerifyModel['contacts']> = {}, address: string) {
  const href = operatorContact?.includes('://') ? operatorContact : `mailto:${operatorContact}`
  return makeElement(
    'div',
    {},
    makeElement('p', { class: 'notice warning' }, words.notOnList),
    makeElement('p', {}, words.sendAddress(seller ?? words.theOwner)),
    makeElement('p', {}, makeElement('code', { class: 'address' }, address)),
    makeElement('div', { class: 'actions' }, copyButton(words.copyAddress, address)),
    operatorContact !== undefined &&
      makeElement(
        'p',
        { class: 'quiet' },
        ...words.askOperator(makeElement('a', { href, rel: 'noreferrer' }, words.operator)),
      ),
  )
}

/** The payment may have arrived despite the refusal. */
const describePayment = ({ details }: Refusal): string =>
  details.unmatched === undefined ? words.notCharged : words.boughtNothing

const gateWords: Readonly<Record<string, (refusal: Refusal) => string>> = {
  GATE_SOLD_OUT: (refusal) => `${words.soldOut} ${describePayment(refusal)}`,
  GATE_LIMIT_REACHED: (refusal) => `${words.limitReached} ${describePayment(refusal)}`,
  GATE_ENDED: (refusal) => `${words.ended} ${describePayment(refusal)}`,
  FULFILLMENT_SUSPENDED: () => words.suspended,
  GATE_MISCONFIGURED: ({ message }) => chooseWords(message, refusals.GATE_MISCONFIGURED),
  GATE_CHECK_INCOMPLETE: ({ message }) => chooseWords(message, refusals.GATE_CHECK_INCOMPLETE),
  PAYMENT_ALREADY_USED: () => words.paymentUsed,
  GATE_REQUIREMENTS_NOT_MET: () => words.needsChanged,
}
