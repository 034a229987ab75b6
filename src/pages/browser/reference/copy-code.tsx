/** Code with a button that copies it. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { copyText, saidForMs } from '../copy-text.ts'
import { breakLines } from './short-lines.ts'

interface CopyCodeProps {
  /** The title above the code, and the name of the button. */
  readonly label: string
  readonly text: string
  /** Wraps long lines instead of scrolling. */
  readonly wraps?: boolean
  /** The rendered text; by default the text itself. */
  readonly children?: ComponentChildren
}

export function CopyCode({ label, text, wraps = true, children }: CopyCodeProps) {
  const block = useRef<HTMLPreElement>(null)
  const [said, setSaid] = useState('')
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async (): Promise<void> => {
    const copied = await copyText(text, block.current!)
    setSaid(copied ? 'Copied' : 'Selected: copy it with the keyboard')
    clearTimeout(settling.current)
    settling.current = setTimeout(() => setSaid(''), saidForMs)
  }
  return (
    <figure class="copy-code">
      <figcaption>
        <span>{label}</span>
        <button type="button" class="copy-button" aria-label={`Copy ${label}`} onClick={copy}>
          {said === '' ? 'Copy' : said}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre ref={block} class={wraps ? 'code' : 'code in-lines'} tabIndex={0}>
        {children ?? breakLines(text)}
      </pre>
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </figure>
  )
}
