/** Parts of /verify: the person who continues, and the finished steps. */
import { makeElement, renderButton, renderFacts, shortenAddress } from '../../web/ui/dom.ts'
import { describeChain } from '../chain-words.ts'
import type { VerifyModel } from '../verify-model.ts'
import { verify as words } from '../words/en/verify.ts'
import type { Done } from './journey.ts'
import { type Person, readChain } from './person.ts'

/**
 * The owner of the future proof, and a button to continue as somebody else. The chain is shown only of a contract
 * wallet, which is somebody on that chain alone.
 */
export const renderPerson = (
  person: Person,
  { hubChainId, chainNames }: VerifyModel,
  another: () => void,
): HTMLElement =>
  makeElement(
    'div',
    {},
    renderFacts([
      [words.wallet, person.address, true],
      person.context.chainId !== undefined && [
        words.contractOn,
        describeChain(readChain(person, hubChainId), chainNames),
      ],
    ]),
    makeElement(
      'p',
      {},
      makeElement(
        'span',
        { class: 'quiet' },
        person.wallet ? words.connectedThrough(person.wallet.name) : words.signedInWithoutWallet,
      ),
      makeElement('button', { type: 'button', class: 'link', onclick: another }, words.anotherWallet),
    ),
  )

/** Folded, because a signed proof serves everywhere. */
export const offerUnsigned = (person: Person, chosen: () => void): HTMLElement =>
  makeElement(
    'details',
    {},
    makeElement('summary', {}, words.unsigned),
    makeElement(
      'div',
      { class: 'details-body' },
      makeElement('p', {}, `${words.unsignedWhy(shortenAddress(person.address))} ${words.unsignedLimits}`),
      renderButton(words.goOnUnsigned, chosen, 'secondary'),
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
    makeElement('p', { class: 'notice' }, reused ? words.stepReused : words.stepDone),
    renderFacts([[words.proofId, qHash, true]]),
    makeElement(
      'div',
      { class: 'actions' },
      renderButton(words.goOn, then.goOn),
      renderButton(words.again, then.again, 'secondary'),
    ),
  )
