/** What the computer asks the phone for, one task after the other: shown, confirmed by the person, and answered. */
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { pair as words } from '../words/en/pairing.ts'
import type { Attempts } from './attempt.ts'
import { formatAmount } from './locale.ts'
import { type AskedPayment, renderPaid, renderPayment } from './pair-payment.ts'
import { type AskedText, describeEffect, escapeInvisible, renderTimes } from './pair-text.ts'
import type { Connection } from './wallet.ts'
import { renderExplanation } from './wallet-error.ts'
import { explainError } from './words.ts'

export type Asked = AskedText | AskedPayment

export interface Lent {
  readonly name: string
  readonly connection: Connection
}

interface Tools {
  readonly server: string
  readonly attempts: Attempts
  show(title: string, ...content: readonly (Node | undefined)[]): void
  showReady(text: string): void
  /** Whether that is what the page shows. */
  isReady(text: string): boolean
  isOver(): boolean
  end(text: string): void
  /** Returns whether the server took it. */
  send(body: object): Promise<boolean>
}

interface Task {
  readonly title: string
  readonly content: readonly (Node | undefined)[]
  readonly act: string
  readonly refuse: string
  readonly refused: string
  run(pressed: HTMLElement): Promise<void>
}

/** Nobody reads a task sooner. */
const readMs = 1_000

export class PairTasks {
  /** The number of the last task that was done or declined: an answer on its way may still show it. */
  answered = 0
  private isPaying = false
  /** A payment of which the computer does not know. It stays in view: the person must not pay again. */
  private unheard: string | undefined

  constructor(private readonly tools: Tools) {}

  /** Nothing takes the place of a payment that the wallet asks about, unless the person cancels it. */
  get holdsPage(): boolean {
    return this.isPaying && this.tools.attempts.isUnderWay
  }

  get hasUnheard(): boolean {
    return this.unheard !== undefined
  }

  listUnheard(): readonly Node[] {
    return this.unheard === undefined ? [] : [renderPaid(words.unheard, this.unheard)]
  }

  show(asked: Asked, lent: Lent): void {
    const { attempts } = this.tools
    const { number } = asked
    const isReplaced = number > 1 && this.answered < number - 1
    const task = 'payment' in asked ? this.makePayment(asked, lent) : this.makeSigning(asked, lent)
    const press: HTMLElement = renderButton(task.act, () => void task.run(press))
    const decline = (): void => {
      if (!attempts.isUnderWay) void this.answer(number, {}, task.refused)
    }
    this.tools.show(
      task.title,
      isReplaced ? makeElement('p', { class: 'notice warning' }, words.replaced) : undefined,
      ...task.content,
      makeElement('div', { class: 'pair-actions' }, press, renderButton(task.refuse, decline, 'secondary')),
    )
    this.holdBack(press)
  }

  private makeSigning({ number, text, read }: AskedText, lent: Lent): Task {
    const { server, attempts } = this.tools
    return {
      title: words.signTitle,
      content: [
        makeElement('p', {}, ...describeEffect(read, server)),
        renderTimes(read),
        makeElement('h3', {}, words.wholeText),
        makeElement('pre', { class: 'code' }, escapeInvisible(text)),
      ],
      act: words.sign(lent.name),
      refuse: words.decline,
      refused: words.declined,
      run: (pressed) =>
        this.attempt(pressed, words.signing(lent.name), 'sign', lent, async (isCurrent) => {
          const signed = await lent.connection.sign(text)
          if (!isCurrent()) return
          attempts.finish()
          await this.answer(number, signed, words.sent)
        }),
    }
  }

  private makePayment({ number, payment }: AskedPayment, lent: Lent): Task {
    const { server, attempts } = this.tools
    const { transaction, chain, amountText, asset } = payment
    return {
      title: words.payTitle,
      content: renderPayment(payment, server),
      act: words.pay(`${formatAmount(amountText)} ${asset}`, lent.name),
      refuse: words.declinePayment,
      refused: words.notPaid,
      run: (pressed) =>
        this.attempt(pressed, words.paying(lent.name), 'pay', lent, async (isCurrent) => {
          if (!lent.connection.send) return attempts.fail(words.cannotPay(lent.name), pressed)
          this.isPaying = true
          try {
            const tx = await lent.connection.send({ ...transaction, chain })
            // Canceled here, and confirmed in the wallet all the same: it is paid.
            if (isCurrent()) attempts.finish()
            if (!(await this.answer(number, { tx }, words.paid))) this.keep(tx)
          } finally {
            this.isPaying = false
          }
        }),
    }
  }

  /** Even where the pairing is over: only this page and the wallet know the payment. */
  private keep(tx: string): void {
    const { end, showReady, isOver } = this.tools
    this.unheard = tx
    if (isOver()) end(words.paidUnheard)
    else showReady(words.paidUnheard)
  }

  private async answer(number: number, given: object, told: string): Promise<boolean> {
    const { showReady, isReady, isOver, send } = this.tools
    this.answered = Math.max(this.answered, number)
    showReady(words.sending)
    const isTaken = await send({ answer: { number, ...given } })
    if (!isOver() && isReady(words.sending)) showReady(isTaken ? told : words.tooLate)
    return isTaken
  }

  /** A task that comes in place of another must be read before it can be done. */
  private holdBack(button: HTMLElement): void {
    button.setAttribute('aria-disabled', 'true')
    setTimeout(() => {
      if (!this.tools.attempts.isUnderWay) button.removeAttribute('aria-disabled')
    }, readMs)
  }

  /** Asks the wallet. */
  private async attempt(
    pressed: HTMLElement,
    said: string,
    kind: 'sign' | 'pay',
    { name }: Lent,
    ask: (isCurrent: () => boolean) => Promise<void>,
  ): Promise<void> {
    const { attempts } = this.tools
    if (pressed.getAttribute('aria-disabled') === 'true') return
    const isCurrent = attempts.begin()
    if (!isCurrent) return
    try {
      attempts.say(said, pressed)
      await ask(isCurrent)
    } catch (error) {
      if (isCurrent()) attempts.fail(renderExplanation(explainError(error, name, kind)), pressed)
    }
  }
}
