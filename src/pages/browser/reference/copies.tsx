/** The request of a form as code to copy: a curl line, or a program with the client module. */
import { useState } from 'preact/hooks'
import { CopyCode } from './copy-code.tsx'

interface CopiesProps {
  readonly curl: string
  readonly client: string | undefined
  readonly byCookie: boolean
  readonly byKey: boolean
}

export function Copies({ curl, client, byCookie, byKey }: CopiesProps) {
  const [tab, setTab] = useState<'curl' | 'client'>('curl')
  const tabs = ['curl', 'client'] as const
  const turn = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const other = tab === 'curl' ? 'client' : 'curl'
    setTab(other)
    document.getElementById(`tab-${other}`)?.focus()
  }
  return (
    <section class="copies" aria-labelledby="copies-title">
      <h3 id="copies-title">The same as code</h3>
      <div class="tabs" role="tablist" aria-labelledby="copies-title">
        {tabs.map((one) => (
          <button
            key={one}
            id={`tab-${one}`}
            type="button"
            role="tab"
            aria-selected={tab === one}
            aria-controls="tab-panel"
            tabIndex={tab === one ? 0 : -1}
            onClick={() => setTab(one)}
            onKeyDown={turn}
          >
            {one}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'client' && client === undefined ? (
          <p class="notice warning">The body is not JSON yet: there is no code for it.</p>
        ) : (
          <CopyCode
            label={tab === 'curl' ? 'curl line' : 'client code'}
            text={tab === 'curl' ? curl : client!}
            wraps={false}
          />
        )}
        {tab === 'client' && (
          <p class="hint">
            For a page or Deno. Node and Bun import from a file: save <a href="client.js">client.js</a> as{' '}
            <code>client.mjs</code> and import that.
          </p>
        )}
        {byKey && (
          <p class="hint">
            The key stays out of it: <code>export PROOFGATE_KEY=npk_…</code> first.
          </p>
        )}
        {byCookie && (
          <p class="hint">Who is signed in stays in this browser: elsewhere use an access key or a signature.</p>
        )}
      </div>
    </section>
  )
}
