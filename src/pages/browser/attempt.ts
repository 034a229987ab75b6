/**
 * One attempt at a time: what it is doing, how it ended, and that a second click does nothing. One that was given up has
 * no further effect, whatever its wallet answers later.
 */

interface Places {
  /** Live regions: what is under way, and what went wrong. */
  readonly status: HTMLElement
  readonly problem: HTMLElement
  /** Where the buttons are that do nothing while an attempt is under way. */
  readonly busy: ParentNode
  /** Put before the title of the page after a failure. */
  readonly failed: string
}

export class Attempts {
  /** Of the attempt that is under way; 0 is none. */
  private underWay = 0
  private count = 0
  private stopWatching = (): void => {}
  title = document.title

  constructor(private readonly places: Places) {}

  get isUnderWay(): boolean {
    return this.underWay !== 0
  }

  /** Undefined where another attempt is under way. */
  begin(): (() => boolean) | undefined {
    if (this.underWay !== 0) return undefined
    const mine = ++this.count
    this.underWay = mine
    this.markBusy()
    return () => this.underWay === mine
  }

  /** `origin` was pressed, and gets the focus back from whoever cancels; `giveUp` is what cancelling is called. */
  say(text: string, origin?: HTMLElement, giveUp = 'Cancel'): void {
    const { status, problem } = this.places
    problem.replaceChildren()
    document.title = `${text} · ${this.title}`
    const line = document.createElement('p')
    line.textContent = text
    const progress = document.createElement('div')
    progress.className = 'progress'
    progress.append(line)
    status.replaceChildren(progress)
    if (!origin) return
    const cancel = document.createElement('button')
    cancel.type = 'button'
    cancel.className = 'button secondary'
    cancel.textContent = giveUp
    cancel.addEventListener('click', () => {
      this.finish()
      origin.focus()
    })
    progress.append(cancel)
  }

  /** Ends the attempt, or what is left of it. */
  finish(): void {
    this.underWay = 0
    this.unwatch()
    this.places.status.replaceChildren()
    this.places.problem.replaceChildren()
    document.title = this.title
    this.markBusy()
  }

  fail(what: string | Node, focus?: HTMLElement, kind: 'danger' | 'warning' | 'info' = 'danger'): void {
    this.finish()
    const { problem, failed } = this.places
    const notice = document.createElement('div')
    notice.className = `notice ${kind}`
    if (typeof what === 'string') {
      const line = document.createElement('p')
      line.textContent = what
      notice.append(line)
    } else notice.append(what)
    problem.replaceChildren(notice)
    document.title = `${failed} · ${this.title}`
    focus?.focus()
    const { top } = problem.getBoundingClientRect()
    if (top < 0) problem.scrollIntoView({ block: 'start' })
  }

  /** `stop` ends the telling of a wallet; called when the attempt ends, or when it is too late to give up. */
  watch(stop: () => void): void {
    this.stopWatching = stop
  }

  unwatch(): void {
    this.stopWatching()
    this.stopWatching = () => {}
  }

  /** Also for buttons that came while it was under way. */
  markBusy(): void {
    for (const button of this.places.busy.querySelectorAll('button.choice, form .button, .actions .button'))
      if (this.underWay !== 0) button.setAttribute('aria-disabled', 'true')
      else button.removeAttribute('aria-disabled')
  }
}
