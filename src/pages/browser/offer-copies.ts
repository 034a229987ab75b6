import { makeElement } from '../../web/ui/dom.ts'
import { copying as words } from '../words/en/copying.ts'
import { copyText, saidForMs } from './copy-text.ts'

/** Adds a button that copies its text to each `pre data-copy` below `place`. */
export function offerCopies(place: ParentNode = document): void {
  for (const block of place.querySelectorAll<HTMLPreElement>('pre[data-copy]')) {
    const said = makeElement('span', { class: 'visually-hidden', role: 'status' })
    let settling: ReturnType<typeof setTimeout>
    const copy = async (): Promise<void> => {
      const copied = await copyText(block.textContent ?? '', block)
      button.textContent = copied ? words.copied : words.selected
      said.textContent = copied ? words.copied : words.selectedHelp
      clearTimeout(settling)
      settling = setTimeout(() => {
        button.textContent = words.copy
        said.textContent = ''
      }, saidForMs)
    }
    const button = makeElement(
      'button',
      { type: 'button', class: 'copy', 'aria-label': block.dataset.copy || words.copy, onclick: () => void copy() },
      words.copy,
    )
    const wrapper = makeElement('div', { class: 'copyable' })
    block.replaceWith(wrapper)
    wrapper.append(block, button, said)
  }
}

/** Adds a small button to each `span data-copy-value`: the page shows such a value shortened. */
export function offerValues(): void {
  for (const value of document.querySelectorAll<HTMLElement>('[data-copy-value]')) {
    const said = makeElement('span', { class: 'visually-hidden', role: 'status' })
    const button = makeElement('button', {
      type: 'button',
      class: 'icon-button',
      'aria-label': words.copyValue(value.dataset.copyLabel ?? ''),
      onclick: async () => {
        const whole = value.dataset.copyValue!
        const copied = await navigator.clipboard?.writeText(whole).then(
          () => true,
          () => false,
        )
        // Without a clipboard, the whole value takes the place of the short one, to be copied by hand.
        if (!copied) value.textContent = whole
        button.replaceChildren(draw(copied ? tick : sheets))
        said.textContent = copied ? words.copied : words.shownWhole
        setTimeout(() => button.replaceChildren(draw(sheets)), saidForMs)
      },
    })
    button.append(draw(sheets))
    value.after(button, said)
  }
}

const sheets = 'M9 9h11v11H9zM5 15H4V4h11v1'
const tick = 'm5 13 4.5 4.5L19 7'

function draw(path: string): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const drawing = document.createElementNS(namespace, 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  drawing.append(document.createElementNS(namespace, 'path'))
  drawing.firstElementChild!.setAttribute('d', path)
  return drawing
}
