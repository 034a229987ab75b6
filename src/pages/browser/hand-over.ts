/**
 * The end of a journey: a registered site asks who the person is. The site is told only if the person presses the
 * button.
 */

import { makeElement, renderButton } from '../../web/ui/dom.ts'
import type { Handover } from '../destination.ts'
import { isSameAddress } from './person.ts'
import type { Teller } from './teller.ts'

export interface Question {
  readonly handover: Handover
  /** The wallet that made the proofs. */
  readonly wallet: string
  readonly teller: Teller
  /** The parameters of the code, besides the site. */
  readonly about: object
  /** Called with the code, or without one. Its result replaces the question. */
  readonly answered: (code: string | undefined) => HTMLElement | undefined
}

export function askToTell({ handover, wallet, teller, about, answered }: Question): HTMLElement {
  const { host } = new URL(handover.origin ?? handover.returnUrl!)
  // A window always tells its opener the wallet of the proof.
  const isWindow = handover.origin !== undefined
  const whoAsks = makeElement('div')
  const agree = renderButton('', () =>
    teller.tell({ wallet, asked: { ...handover, ...about }, pressed: agree, told: go, failed: draw }),
  )
  const question = makeElement(
    'section',
    { id: 'hand-over' },
    makeElement('h2', {}, `Tell ${host} who you are?`),
    makeElement(
      'p',
      {},
      'It gets the address ',
      makeElement('span', { class: 'address' }, wallet),
      ', the id of your profile here (the same for all your linked wallets), and the ids and kinds of these proofs, private ones too. It may not act for you.',
    ),
    whoAsks,
    makeElement(
      'div',
      { class: 'actions' },
      agree,
      renderButton(
        isWindow ? 'Only the proof and its wallet' : 'Only the id of the proof',
        () => {
          teller.stop()
          go(undefined)
        },
        'secondary',
      ),
    ),
  )
  let isOver = false
  function go(code: string | undefined): void {
    if (isOver) return
    isOver = true
    const next = answered(code)
    if (next) question.replaceWith(next)
  }
  function draw(): void {
    const isSignedIn = teller.isSignedIn(wallet)
    agree.textContent = isSignedIn ? `Tell ${host} who I am` : `Sign in and tell ${host}`
    whoAsks.replaceChildren(...signInWords(teller.signedInAs, wallet, isSignedIn))
  }
  draw()
  return question
}

/** Names the wallet if it is not obvious, and the signature that is still needed. */
function signInWords(signedInAs: string | undefined, wallet: string, isSignedIn: boolean): HTMLElement[] {
  if (isSignedIn && signedInAs !== undefined && isSameAddress(signedInAs, wallet)) return []
  const other = signedInAs !== undefined && [
    'You are signed in here as ',
    makeElement('span', { class: 'address' }, signedInAs),
    ', and another wallet made the proof: the site gets that one. ',
  ]
  return [
    makeElement(
      'p',
      { class: 'notice' },
      ...(other || []),
      !isSignedIn &&
        `To sign in, your wallet signs one more text. It costs nothing and sends no transaction.${other ? ' This browser is then signed in with the wallet of the proof alone.' : ''}`,
    ),
  ]
}
