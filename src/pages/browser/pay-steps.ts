/** The way of a payment in three steps: sent, confirmed, done. One of them is the current one. */
import { makeElement } from '../../web/ui/dom.ts'
import { paying as words } from '../words/en/checkout.ts'

export type PayStep = 'sending' | 'confirming'

/** JSON of the server: details.progress of a payment that has not settled. */
export interface Progress {
  readonly confirmations: number
  /** Null: the reward waits until the block is final. */
  readonly needed: number | null
}

interface Waiting {
  /** When the reward comes. */
  readonly moment: string
  /** False for a payment that no chain confirms. */
  readonly isOnChain?: boolean
  readonly progress?: Progress | undefined
}

export function renderPaySteps(at: PayStep, { moment, isOnChain = true, progress }: Waiting): HTMLElement {
  const isSent = at !== 'sending'
  return makeElement(
    'ol',
    { class: 'steps' },
    makeElement('li', isSent ? { class: 'met' } : { 'aria-current': 'step' }, isSent ? words.sent : words.send),
    makeElement(
      'li',
      { 'aria-current': isSent && 'step' },
      isSent ? (isOnChain ? describeProgress(progress) : words.elsewhere) : words.confirm,
      isSent && makeElement('p', {}, words.comes(moment)),
    ),
    makeElement('li', {}, words.done),
  )
}

function describeProgress(progress: Progress | undefined): string {
  if (!progress) return words.inNoBlock
  const { confirmations, needed } = progress
  return needed === null ? words.final(confirmations) : words.confirmations(Math.min(confirmations, needed), needed)
}
