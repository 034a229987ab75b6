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

/** Folded, because a signed proof serves everywhere. */
export const offerUnsigned = (person: Person, chosen: () => void): HTMLElement =>
  makeElement(
    'details',
    {},
    makeElement('summary', {}, 'Make it without a signature'),
    makeElement(
      'div',
      { class: 'details-body' },
      makeElement(
        'p',
        {},
        `You are signed in as ${shortenAddress(person.address)}, so this server accepts your claim without a signature. ${unsignedLimits}`,
      ),
      renderButton('Go on without a signature', chosen, 'secondary'),
    ),
  )

/** The limits of a proof that no wallet signed. */
export const unsignedLimits = 'Such a proof counts on this server only. Nobody can check it elsewhere.'

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
