/** The buttons that copy a block of a guide. Without a script there is none to press. */

import { makeElement } from '../../web/ui/dom.ts'
import { copyText, saidForMs } from './copy-text.ts'

export function offerGuideCopies(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.copy-code[data-copy]')) {
    const code = block.querySelector('pre')!
    const said = makeElement('span', { class: 'visually-hidden', role: 'status' })
    let settling: ReturnType<typeof setTimeout>
    const copy = async (): Promise<void> => {
      const isCopied = await copyText(code.textContent ?? '', code)
      button.textContent = isCopied ? 'Copied' : 'Selected'
      said.textContent = isCopied ? 'Copied' : 'Selected: copy it with the keyboard'
      clearTimeout(settling)
      settling = setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, saidForMs)
    }
    const button = makeElement(
      'button',
      { type: 'button', class: 'copy-button', 'aria-label': `Copy ${block.dataset.copy}`, onclick: () => void copy() },
      'Copy',
    )
    block.querySelector('figcaption')!.append(button)
    block.append(said)
  }
}
