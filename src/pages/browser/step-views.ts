/** Parts of /verify: the person who continues, and the finished steps. */
import { makeElement, renderButton, renderFacts, shortenAddress } from '../../web/ui/dom.ts'
import type { Done } from './journey.ts'
import { type Person, readChain } from './person.ts'

/** The owner of the future proof, and a button to continue as somebody else. */
export const renderPerson = (person: Person, hubChainId: number, another: () => void): HTMLElement =>
  makeElement(
    'div',
    {},
    renderFacts([
      ['Wallet', person.address, true],
      ...(person.wallet ? [['Signs for the chain', readChain(person, hubChainId)] as const] : []),
    ]),
    makeElement(
      'p',
      {},
      makeElement(
        'span',
        { class: 'quiet' },
        person.wallet ? `Connected through ${person.wallet.name}. ` : 'Signed in, without a connected wallet. ',
      ),
      makeElement('button', { type: 'button', class: 'link', onclick: another }, 'Use another wallet'),
    ),
  )

/** Less prominent than a wallet: a signed proof can be used elsewhere. */
export const continueSignedIn = (person: Person, chosen: () => void): HTMLElement =>
  makeElement(
    'div',
    { class: 'choices' },
    makeElement(
      'button',
      { type: 'button', class: 'choice', onclick: chosen },
      makeElement(
        'span',
        { class: 'choice-text' },
        makeElement('span', { class: 'choice-name' }, `Go on as ${shortenAddress(person.address)}`),
        makeElement(
          'span',
          { class: 'choice-note' },
          'Signed in here: no signature is asked for. A signed proof can be taken elsewhere, one that is not signed holds here only.',
        ),
      ),
    ),
  )

export const renderDone = (
  heading: string,
  { qHash, reused = false }: Done,
  then: { readonly goOn: () => void; readonly again: () => void },
): HTMLElement =>
  makeElement(
    'div',
    {},
    makeElement('h2', { tabindex: -1 }, heading),
    makeElement('p', { class: 'notice' }, reused ? 'Done, with a proof that you had.' : 'Done.'),
    renderFacts([['Id of the proof', qHash, true]]),
    makeElement(
      'div',
      { class: 'actions' },
      renderButton('Go on', then.goOn),
      renderButton('Do it again', then.again, 'secondary'),
    ),
  )
