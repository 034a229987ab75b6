/** Shows the answer unchanged. */
import { CopyCode } from './copy-code.tsx'
import { JsonText } from './json-view.tsx'
import type { Came, Outcome } from './sending.ts'

/** Headers that matter to callers; all others are folded. */
const thatMatter = /^(content-type|etag|retry-after|x-request-id|location|www-authenticate|payment-|ratelimit-)/

export function AnswerView({ outcome }: { readonly outcome: Outcome }) {
  if ('failed' in outcome) return <p class="notice danger">{outcome.failed}</p>
  const { came } = outcome
  const text = came.isJson ? JSON.stringify(came.json, null, 2) : came.text
  const matter = came.headers.filter(([name]) => thatMatter.test(name))
  const others = came.headers.filter(([name]) => !thatMatter.test(name))
  return (
    <>
      <p class="came">
        <span class={`status status-${String(came.status)[0]}`}>
          {came.status === 0 ? 'redirect' : `${came.status} ${came.statusText}`}
        </span>{' '}
        <span class="quiet">
          {Math.round(came.ms)} ms, {formatSize(came)}
        </span>
      </p>
      {text === '' ? (
        <p class="quiet">The answer has no body.</p>
      ) : (
        <CopyCode label="answer" text={text}>
          {came.isJson ? <JsonText text={text} /> : undefined}
        </CopyCode>
      )}
      <Headers headers={matter} />
      {others.length > 0 && (
        <details class="fold">
          <summary>{others.length} more headers</summary>
          <Headers headers={others} />
        </details>
      )}
    </>
  )
}

const Headers = ({ headers }: { readonly headers: Came['headers'] }) => (
  <dl class="headers">
    {headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const formatSize = ({ bytes }: Came): string => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`)
