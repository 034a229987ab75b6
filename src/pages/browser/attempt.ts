/**
 * One attempt at a time: its progress, its outcome, and the guard against a second click. A canceled attempt has no
 * further effect, whatever its wallet answers later.
 */
import { makeElement, renderButton } from '../../web/ui/dom.ts'
import { wallets as words } from '../words/en/wallets.ts'
import { watchSlowness } from './slowness.ts'

interface Places {
  /** Live regions: the progress, and the error. */
  readonly status: HTMLElement
  readonly problem: HTMLElement
  /** The container of the buttons that are disabled during an attempt. */
  readonly busy: ParentNode
  /** Put before the title of the page after a failure. */
  readonly failed: string
}

export class Attempts {
  /** The number of the current attempt; 0 means that no attempt runs. */
  private underWay = 0
  private count = 0
  private paysNow = false
  private stopWatching = (): void => {}
  private stopTiming = (): void => {}
  title = document.title

  constructor(private readonly places: Places) {}

  get isUnderWay(): boolean {
    return this.underWay !== 0
  }

  /** An attempt to pay may have moved money, even when it was ended here. */
  get isPaying(): boolean {
    return this.isUnderWay && this.paysNow
  }

  /** Undefined while another attempt runs. */
  begin(task?: 'pay'): (() => boolean) | undefined {
    if (this.underWay !== 0) return undefined
    const mine = ++this.count
    this.underWay = mine
    this.paysNow = task === 'pay'
    this.markBusy()
    return () => this.underWay === mine
  }

  /**
   * `origin` is the pressed button of a step that can be canceled at once: it gets the focus back, and `giveUp` is the
   * label of the cancel button. Without one, the server works, and the person can stop waiting after a while.
   */
  say(text: string, origin?: HTMLElement, giveUp = words.cancel): void {
    const { status, problem } = this.places
    problem.replaceChildren()
    document.title = `${text} · ${this.title}`
    const said = makeElement('div', {}, makeElement('p', {}, text))
    const progress = makeElement('div', { class: 'progress' }, said)
    status.replaceChildren(progress)
    showAbove(status)
    this.stopTiming()
    if (!origin) {
      this.stopTiming = watchSlowness((slowness) => {
        if (slowness === 'slow') said.append(makeElement('p', { class: 'quiet' }, words.slow))
        else
          progress.append(
            renderButton(words.stopWaiting, () => this.fail(words.stoppedWaiting, undefined, 'warning'), 'secondary'),
          )
      })
      return
    }
    const cancel = (): void => {
      this.finish()
      origin.focus()
    }
    progress.append(renderButton(giveUp, cancel, 'secondary'))
  }

  /** Ends the attempt, or what is left of it. */
  finish(): void {
    this.underWay = 0
    this.stopTiming()
    this.unwatch()
    this.places.status.replaceChildren()
    this.places.problem.replaceChildren()
    document.title = this.title
    this.markBusy()
  }

  fail(what: string | Node, focus?: HTMLElement, kind: 'danger' | 'warning' | 'info' = 'danger'): void {
    this.finish()
    const { problem, failed } = this.places
    const content = typeof what === 'string' ? makeElement('p', {}, what) : what
    problem.replaceChildren(makeElement('div', { class: `notice ${kind}` }, content))
    document.title = `${failed} · ${this.title}`
    focus?.focus()
    showAbove(problem)
  }

  /**
   * `stop` ends the subscription to a wallet. It is called when the attempt ends, or when canceling is no longer
   * possible.
   */
  watch(stop: () => void): void {
    this.stopWatching = stop
  }

  unwatch(): void {
    this.stopWatching()
    this.stopWatching = () => {}
  }

  /** Also disables buttons that were added during the attempt. */
  markBusy(): void {
    for (const button of this.places.busy.querySelectorAll('button.choice, form .button, .actions .button'))
      if (this.underWay !== 0) button.setAttribute('aria-disabled', 'true')
      else button.removeAttribute('aria-disabled')
  }
}

/** A long form hides what is said above it. At once, so nothing moves for those who ask for less motion. */
function showAbove(place: HTMLElement): void {
  if (place.getBoundingClientRect().top < 0) place.scrollIntoView({ block: 'start' })
}
