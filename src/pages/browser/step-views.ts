/** Parts of /verify: the person who continues, and the finished steps. */
import { button, el, facts, short } from '../../web/ui/dom.ts'
import type { Done } from './journey.ts'
import { chainOf, type Person } from './person.ts'

/** The owner of the future proof, and a button to continue as somebody else. */
export const personView = (person: Person, hubChainId: number, another: () => void): HTMLElement =>
  el(
    'div',
    {},
    facts([
      ['Wallet', person.address, true],
      ...(person.wallet ? [['Signs for the chain', chainOf(person, hubChainId)] as const] : []),
    ]),
    el(
      'p',
      {},
      el(
        'span',
        { class: 'quiet' },
        person.wallet ? `Connected through ${person.wallet.name}. ` : 'Signed in, without a connected wallet. ',
      ),
      el('button', { type: 'button', class: 'link', onclick: another }, 'Use another wallet'),
    ),
  )

/** Less prominent than a wallet: a signed proof can be used elsewhere. */
export const goOnSignedIn = (person: Person, chosen: () => void): HTMLElement =>
  el(
    'div',
    { class: 'choices' },
    el(
      'button',
      { type: 'button', class: 'choice', onclick: chosen },
      el(
        'span',
        { class: 'choice-text' },
        el('span', { class: 'choice-name' }, `Go on as ${short(person.address)}`),
        el(
          'span',
          { class: 'choice-note' },
          'Signed in here: no signature is asked for. A signed proof can be taken elsewhere, one that is not signed holds here only.',
        ),
      ),
    ),
  )

export const doneView = (
  heading: string,
  { qHash, reused = false }: Done,
  then: { readonly goOn: () => void; readonly again: () => void },
): HTMLElement =>
  el(
    'div',
    {},
    el('h2', { tabindex: -1 }, heading),
    el('p', { class: 'notice' }, reused ? 'Done, with a proof that you had.' : 'Done.'),
    facts([['Id of the proof', qHash, true]]),
    el('div', { class: 'actions' }, button('Go on', then.goOn), button('Do it again', then.again, 'secondary')),
  )
