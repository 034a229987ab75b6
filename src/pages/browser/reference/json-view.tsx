/** Shows JSON in colors. */
import { breakLines } from './short-lines.ts'

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)/g
/** Longer text stays plain: an element for every token of it would hold the page up. */
const longest = 200_000

export function JsonText({ text: whole }: { readonly text: string }) {
  const text = breakLines(whole)
  if (text.length > longest) return <>{text}</>
  const parts = []
  let end = 0
  for (const { 0: whole, 1: string, 2: colon, 3: number, index } of text.matchAll(token)) {
    const kind =
      string === undefined ? (number === undefined ? 'word' : 'number') : colon === undefined ? 'text' : 'name'
    const shown = string ?? whole
    parts.push(
      text.slice(end, index),
      <span key={index} class={`json-${kind}`}>
        {shown}
      </span>,
    )
    end = index + shown.length
  }
  return <>{[...parts, text.slice(end)]}</>
}
