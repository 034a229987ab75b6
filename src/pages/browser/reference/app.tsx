/** The reference: the fragment of the address selects the view, and forms keep their values. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Filled, fillExample } from './asked.ts'
import type { Description, Operation } from './description.ts'
import type { Desk } from './desk.ts'
import { useGuideSearch } from './guide-results.tsx'
import { Navigation } from './navigation.tsx'
import { OperationHead, OperationText } from './operation-view.tsx'
import { searchOver } from './search.ts'
import type { As } from './sending.ts'
import { type Looked, lookAtSession } from './session.ts'
import { signForm } from './signing.ts'
import { StartView } from './start-view.tsx'
import { makeWallet, type ThrowawayWallet } from './throwaway.ts'
import { TryForm } from './try-form.tsx'

/** Addresses of an earlier version of this page have the tag first: `#/proofs/getProof`. */
function readAskedFor(): string {
  const name = location.hash.split(/[#/]/).at(-1)!
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const smallScreen = matchMedia('(max-width: 60rem)')
const title = document.title

export function App({ description, server }: { readonly description: Description; readonly server: string }) {
  const [id, setId] = useState(readAskedFor)
  const [query, setQuery] = useState('')
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const search = useMemo(() => searchOver(description), [description])
  const guides = useGuideSearch(query)
  const operation = description.operations.find((one) => one.id === id)
  const { desk, remembered } = useDesk(server)
  const forms = useRef(new Map<Operation, Filled>())
  const [, redraw] = useState(0)

  useEffect(() => {
    const follow = (): void => {
      setId(readAskedFor())
      setOpen(false)
      if (smallScreen.matches) setQuery('')
      scrollTo(0, 0)
      // After the new heading is rendered.
      requestAnimationFrame(() => document.getElementById('operation-title')?.focus({ preventScroll: true }))
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    document.title = operation ? `${operation.summary} – ${title}` : title
  }, [operation])

  const change = (filled: Filled): void => {
    forms.current.set(operation!, filled)
    redraw((count) => count + 1)
  }
  return (
    <div class="reference">
      <Navigation {...{ description, search, guides, query, setQuery, isOpen, setOpen }} current={operation} />
      <main ref={main} id="main">
        {operation ? (
          <article key={operation.id} class="operation" aria-labelledby="operation-title">
            <OperationHead operation={operation} description={description} />
            <OperationText operation={operation} description={description} />
            {operation.isTryable && (
              <TryForm
                operation={operation}
                filled={forms.current.get(operation) ?? fillExample(operation, remembered)}
                desk={desk}
                change={change}
              />
            )}
          </article>
        ) : (
          <StartView description={description} unknown={id === '' ? undefined : id} />
        )}
      </main>
    </div>
  )
}

/** The shared state: the session, the key, the throwaway wallet, and the ids of created objects. */
function useDesk(server: string): { readonly desk: Desk; readonly remembered: Readonly<Record<string, string>> } {
  const [looked, setLooked] = useState<Looked>({ session: undefined, aheadMs: 0 })
  const [key, setKey] = useState('')
  const [sendAs, setSendAs] = useState<As['by']>('nobody')
  const [wallet, setWallet] = useState<ThrowawayWallet>()
  const [remembered, setRemembered] = useState<Readonly<Record<string, string>>>({})

  const look = useCallback(async () => {
    const now = await lookAtSession(server)
    setLooked(now)
    setSendAs((by) => (by === 'key' ? by : now.session ? 'session' : 'nobody'))
  }, [server])
  useEffect(() => void look(), [look])

  const desk: Desk = {
    server,
    session: looked.session,
    key,
    sendAs,
    wallet: wallet?.address,
    setKey,
    setSendAs,
    async fill(operation, filled) {
      const own = wallet ?? makeWallet()
      setWallet(own)
      const post = (path: string, body: object) => readData(`${server}${path}`, body)
      return signForm(operation, filled, { wallet: own, now: Date.now() + looked.aheadMs, remembered, post })
    },
    noted(operation, outcome) {
      if (operation.tag === 'sessions' && operation.method !== 'GET') void look()
      if ('came' in outcome && outcome.came.status < 300)
        setRemembered({ ...remembered, ...collectIds(outcome.came.json) })
    },
  }
  return { desk, remembered }
}

/** Reads the ids of created objects from an answer, because other operations take them. */
function collectIds(answer: unknown): Record<string, string> {
  const data = (answer as { readonly data?: Readonly<Record<string, unknown>> } | null)?.data
  const ids = ['qHash', 'gateId', 'keyId', 'receiptId'].map((name) => [name, data?.[name]])
  return Object.fromEntries(ids.filter(([, value]) => typeof value === 'string'))
}

async function readData(address: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
  }).catch(() => {
    throw new Error('the server does not answer')
  })
  const answer = (await response.json().catch(() => ({}))) as {
    readonly data?: Readonly<Record<string, unknown>>
    readonly error?: { readonly message?: string }
  }
  if (answer.data) return answer.data
  throw new Error(answer.error?.message ?? `the server answered ${response.status}`)
}
