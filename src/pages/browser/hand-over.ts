/**
 * The end of a journey: a registered site asks who the person is. The site is told only if the person presses the
 * button.
 */

import { makeElement, renderButton } from '../../web/ui/dom.ts'
import type { Handover } from '../destination.ts'
import { result as words } from '../words/en/verify.ts'
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
    makeElement('h2', {}, words.tellWho(host)),
    makeElement('p', {}, ...words.siteGets(makeElement('span', { class: 'address' }, wallet))),
    whoAsks,
    makeElement(
      'div',
      { class: 'actions' },
      agree,
      renderButton(
        isWindow ? words.onlyProofAndWallet : words.onlyProof,
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
    agree.textContent = isSignedIn ? words.agree(host) : words.agreeAndSignIn(host)
    whoAsks.replaceChildren(...signInWords(teller.signedInAs, wallet, isSignedIn))
  }
  draw()
  return question
}

/** Names the wallet if it is not obvious, and the signature that is still needed. */
function signInWords(signedInAs: string | undefined, wallet: string, isSignedIn: boolean): HTMLElement[] {
  if (isSignedIn && signedInAs !== undefined && isSameAddress(signedInAs, wallet)) return []
  const other = signedInAs !== undefined && words.otherWallet(makeElement('span', { class: 'address' }, signedInAs))
  return [
    makeElement(
      'p',
      { class: 'notice' },
      ...(other || []),
      !isSignedIn && `${words.oneMoreText}${other ? words.onlyWalletOfProof : ''}`,
    ),
  ]
}
