import { makeElement } from '../../web/ui/dom.ts'
import { copyText, saidForMs } from './copy-text.ts'

/** Adds a button that copies its text to each `pre data-copy` below `place`. */
export function offerCopies(place: ParentNode = document): void {
  for (const block of place.querySelectorAll<HTMLPreElement>('pre[data-copy]')) {
    const said = makeElement('span', { class: 'visually-hidden', role: 'status' })
    let settling: ReturnType<typeof setTimeout>
    const copy = async (): Promise<void> => {
      const copied = await copyText(block.textContent ?? '', block)
      button.textContent = copied ? 'Copied' : 'Selected'
      said.textContent = copied ? 'Copied.' : 'Could not copy: the text is selected, copy it with the keyboard.'
      clearTimeout(settling)
      settling = setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, saidForMs)
    }
    const button = makeElement(
      'button',
      { type: 'button', class: 'copy', 'aria-label': block.dataset.copy || 'Copy', onclick: () => void copy() },
      'Copy',
    )
    const wrapper = makeElement('div', { class: 'copyable' })
    block.replaceWith(wrapper)
    wrapper.append(block, button, said)
  }
}
