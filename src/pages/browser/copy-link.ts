/** Buttons that copy a link without showing it: `button data-copy-link`. */
import { makeElement } from '../../web/ui/dom.ts'
import { copying as words } from '../words/en/copying.ts'
import { copyText, saidForMs } from './copy-text.ts'

export function offerLinks(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy-link]')) {
    const name = button.textContent
    const said = makeElement('span', { class: 'visually-hidden', role: 'status' })
    const shown = makeElement('span', { class: 'address' })
    let settling: ReturnType<typeof setTimeout>
    button.addEventListener('click', async () => {
      const link = button.dataset.copyLink!
      const copied = await copyText(link, shown)
      if (!copied) {
        shown.textContent = link
        getSelection()?.selectAllChildren(shown)
      }
      button.textContent = copied ? words.copied : words.selected
      said.textContent = copied ? words.copied : words.selectedHelp
      clearTimeout(settling)
      settling = setTimeout(() => {
        button.textContent = name
        said.textContent = ''
      }, saidForMs)
    })
    button.after(shown, said)
    button.hidden = false
  }
}
