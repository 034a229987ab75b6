/** Shows the rewards of a gate once they are due. */
import { el } from '../../web/ui/dom.ts'
import { copyButton, webAddress } from './result.ts'

interface Given {
  readonly delivery: string
  readonly value: string | null
  readonly label?: string
  readonly message?: string
}

export interface Reward {
  readonly fulfillment: Given
  readonly rewardPack?: readonly Given[]
  readonly rewardProof?: { readonly receiptUrl?: string; readonly receiptId?: string }
}

export function rewardView({ fulfillment, rewardPack = [], rewardProof }: Reward): HTMLElement {
  const receipt = webAddress(rewardProof?.receiptUrl)
  return el(
    'section',
    { id: 'reward' },
    el('h2', { tabindex: -1 }, 'You are through'),
    ...[fulfillment, ...rewardPack].map(givenView),
    el('p', { class: 'quiet' }, 'This page keeps none of it. Come back with the same wallet to see it again.'),
    receipt !== undefined &&
      el(
        'p',
        {},
        el('a', { href: receipt, rel: 'noreferrer' }, 'Receipt'),
        ' (for you alone: whoever has its address can read it)',
      ),
  )
}

function givenView({ delivery, value, label, message }: Given): HTMLElement {
  const address = delivery === 'reveal' ? undefined : webAddress(value ?? undefined)
  return el(
    'div',
    { class: 'given' },
    label !== undefined && el('h3', {}, label),
    message !== undefined && el('p', { class: 'said' }, message),
    value === null && el('p', {}, 'Access is granted to your wallet.'),
    address !== undefined &&
      el(
        'p',
        {},
        el(
          'a',
          { class: 'button', href: address, rel: 'noreferrer' },
          `${delivery === 'download' ? 'Download from' : 'Go on to'} ${new URL(address).host}`,
        ),
      ),
    value !== null && address === undefined && el('pre', { class: 'code' }, value),
    value !== null && address === undefined && copyButton('Copy it', value),
  )
}
