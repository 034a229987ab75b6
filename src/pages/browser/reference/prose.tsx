/** Text of the description in paragraphs. Backticks, signed actions, paths and error codes are shown as code. */

const code = /`([^`]+)`|(\{"action":[^}]*\})|\b((?:GET|POST|PUT|DELETE) \/[\w/{}.-]+|[A-Z]{3,}(?:_[A-Z]+)+)/g
/** Shorter code is kept on one line. */
const shortLength = 28

export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>{markProse(paragraph)}</p>
      ))}
    </>
  )
}

export function markProse(text: string) {
  const parts = []
  let end = 0
  for (const found of text.matchAll(code)) {
    const shown = (found[1] ?? found[2] ?? found[3])!
    parts.push(
      text.slice(end, found.index),
      <code key={found.index} class={shown.length <= shortLength ? 'short' : undefined}>
        {shown}
      </code>,
    )
    end = found.index + found[0].length
  }
  return [...parts, text.slice(end)]
}

/** A path breaks after a slash only, unless there is no room. */
export function Path({ path }: { readonly path: string }) {
  return (
    <>
      {path.split(/(?<=.\/)/).map((part, index) => (
        <span key={index}>
          {index > 0 && <wbr />}
          {part}
        </span>
      ))}
    </>
  )
}

export const Method = ({ method }: { readonly method: string }) => (
  <span class={`method ${method.toLowerCase()}`}>{method === 'DELETE' ? 'DEL' : method}</span>
)
