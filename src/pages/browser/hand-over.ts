/** At the end of a journey: a site that the operator registered asks who the person is. Without a press nothing is told. */
import type { Handover } from '../verify-request.ts'
import { button, el } from './dom.ts'
import { wordsFor } from './words.ts'

export interface Question {
  readonly handover: Handover
  readonly wallet: string
  readonly codeFor: (handover: Handover) => Promise<string>
  /** With the code, or without one. What it gives stands in place of the question. */
  readonly answered: (code: string | undefined) => HTMLElement | undefined
}

export function askToTell({ handover, wallet, codeFor, answered }: Question): HTMLElement {
  const { host } = new URL(handover.origin ?? handover.returnUrl!)
  // A window tells its opener the wallet of the proof in any case.
  const isWindow = handover.origin !== undefined
  const trouble = el('div', { role: 'alert' })
  const question = el(
    'section',
    { id: 'hand-over' },
    el('h2', {}, `Tell ${host} who you are?`),
    el(
      'p',
      {},
      'The site ',
      el('strong', {}, host),
      ' asks. If you agree, it gets the address ',
      el('span', { class: 'address' }, wallet),
      ', the id of your profile here, which is the same for all your linked wallets, and the ids and kinds of the proofs above, private ones too. It gets no right to act for you.',
    ),
    trouble,
    el(
      'div',
      { class: 'actions' },
      agree(),
      button(isWindow ? 'Only the proof and its wallet' : 'Only the id of the proof', () => go(undefined), 'secondary'),
    ),
  )
  let isOver = false
  function go(code: string | undefined): void {
    if (isOver) return
    isOver = true
    const next = answered(code)
    if (next) question.replaceWith(next)
  }
  function agree(): HTMLButtonElement {
    let isUnderWay = false
    return button(`Tell ${host} who I am`, async () => {
      if (isUnderWay) return
      isUnderWay = true
      try {
        go(await codeFor(handover))
      } catch (error) {
        trouble.replaceChildren(el('p', { class: 'notice danger' }, wordsFor(error)))
      }
      isUnderWay = false
    })
  }
  return question
}
