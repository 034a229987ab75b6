import { copyText, saidForMs } from './copy-text.ts'

/** Each `pre data-copy` below `place` gets a button that copies its text. Without a script there is none to press. */
export function offerCopies(place: ParentNode = document): void {
  for (const block of place.querySelectorAll<HTMLPreElement>('pre[data-copy]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', block.dataset.copy || 'Copy')
    const said = document.createElement('span')
    said.className = 'visually-hidden'
    said.setAttribute('role', 'status')
    let settling: ReturnType<typeof setTimeout>
    button.addEventListener('click', async () => {
      const copied = await copyText(block.textContent ?? '', block)
      button.textContent = copied ? 'Copied' : 'Selected'
      said.textContent = copied ? 'Copied.' : 'Could not copy: the text is selected, copy it with the keyboard.'
      clearTimeout(settling)
      settling = setTimeout(() => {
        button.textContent = 'Copy'
        said.textContent = ''
      }, saidForMs)
    })
    const wrapper = document.createElement('div')
    wrapper.className = 'copyable'
    block.replaceWith(wrapper)
    wrapper.append(block, button, said)
  }
}
