/** Shows the rewards of a gate once they are due. */
import { makeElement } from '../../web/ui/dom.ts'
import { reward as words } from '../words/en/checkout.ts'
import { copyButton, readWebAddress } from './result.ts'

interface Given {
  readonly delivery: string
  readonly value: string | null
  readonly label?: string
  readonly message?: string
}

export interface Reward {
  readonly fulfillment: Given
  readonly rewardPack?: readonly Given[]
  readonly rewardProof?: { readonly receiptPageUrl?: string }
}

/** `isSold`: the receipt is one of a payment. */
export function rewardView({ fulfillment, rewardPack = [], rewardProof }: Reward, isSold: boolean): HTMLElement {
  const given = [fulfillment, ...rewardPack]
  const hasContent = given.some(({ value }) => value !== null)
  const receipt = readWebAddress(rewardProof?.receiptPageUrl)
  return makeElement(
    'section',
    { id: 'reward' },
    makeElement('h2', { tabindex: -1 }, words.title),
    ...given.map(renderGiven),
    hasContent && makeElement('p', { class: 'quiet' }, words.kept),
    receipt !== undefined &&
      makeElement(
        'p',
        {},
        makeElement('a', { href: receipt, rel: 'noreferrer' }, isSold ? words.receipt : words.confirmation),
      ),
  )
}

function renderGiven({ delivery, value, label, message }: Given): HTMLElement {
  const address = delivery === 'reveal' ? undefined : readWebAddress(value ?? undefined)
  return makeElement(
    'div',
    { class: 'given' },
    label !== undefined && makeElement('h3', {}, label),
    message !== undefined && makeElement('p', { class: 'said' }, message),
    value === null && makeElement('p', {}, words.granted),
    address !== undefined &&
      makeElement(
        'p',
        {},
        makeElement(
          'a',
          { class: 'button', href: address, rel: 'noreferrer' },
          (delivery === 'download' ? words.download : words.goOn)(new URL(address).host),
        ),
      ),
    value !== null && address === undefined && makeElement('pre', { class: 'code' }, value),
    value !== null && address === undefined && copyButton(words.copy, value),
  )
}
