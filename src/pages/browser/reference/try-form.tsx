/** One operation to try: its form, the request it makes, and what came back. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { AnswerView } from './answer-view.tsx'
import { askedBy, exampleOf, type Filled, keyOf, lacking } from './asked.ts'
import { clientCodeOf } from './client-code.ts'
import { CopyCode } from './copy-code.tsx'
import { curlOf } from './curl.ts'
import { type Operation, type Parameter, takesAway } from './description.ts'
import { ParameterField } from './field.tsx'
import { jsonFault } from './json-fault.ts'
import { Fold } from './schema-view.tsx'
import { type As, type Outcome, send } from './sending.ts'
import type { Session } from './session.ts'
import { signedBy } from './signing.ts'

/** What the page knows beyond one operation. */
export interface Desk {
  /** The root of the server, without a slash at the end. */
  readonly server: string
  readonly session: Session | undefined
  readonly key: string
  readonly sendAs: As['by']
  readonly wallet: string | undefined
  setKey(key: string): void
  setSendAs(by: As['by']): void
  /** With the throw-away wallet. Errors: what the server says. */
  fill(operation: Operation, filled: Filled): Promise<Filled>
  /** Called with every answer: it may have changed who is signed in. */
  noted(operation: Operation, outcome: Outcome): void
}

interface TryProps {
  readonly operation: Operation
  readonly filled: Filled
  readonly desk: Desk
  change(filled: Filled): void
}

export function TryForm({ operation, filled, desk, change }: TryProps) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [busy, setBusy] = useState('')
  const [done, setDone] = useState('')
  const [problem, setProblem] = useState('')
  const [tried, setTried] = useState(false)
  const [isSure, setSure] = useState(false)
  const fault = useMemo(() => (operation.body ? jsonFault(filled.body) : undefined), [operation, filled.body])
  const missing = lacking(operation, filled)
  const asked = useMemo(() => askedBy(operation, filled, desk.server), [operation, filled, desk.server])
  const as = asOf(desk)
  const withKey = as.by === 'key'
  const curl = useMemo(() => curlOf(asked, withKey), [asked, withKey])
  // What is no JSON, or nested without end, is no code either.
  const client = useMemo(() => (fault ? undefined : clientCodeOf(asked, withKey)), [asked, withKey, fault])

  const run = async (): Promise<void> => {
    setTried(true)
    if (busy) return
    if (missing.length > 0) {
      setProblem(`Fill in ${missing.map(({ name }) => name).join(', ')}.`)
      document.getElementById(fieldId(missing[0]!))?.focus()
      return
    }
    if (as.by === 'key' && as.key === '') {
      setProblem('Enter the access key, or send the request as somebody else.')
      document.getElementById('access-key')?.focus()
      return
    }
    setProblem('')
    setDone('')
    setBusy('Sending …')
    const came = await send(asked, as)
    desk.noted(operation, came)
    setBusy('')
    setDone('came' in came ? `Answer ${came.came.status} ${came.came.statusText}` : 'No answer')
    setOutcome(came)
  }
  const ask = (event: Event): void => {
    event.preventDefault()
    if (takesAway(operation) && missing.length === 0) setSure(true)
    else void run()
  }
  const fillIn = async (): Promise<void> => {
    if (busy) return
    setProblem('')
    setDone('')
    setBusy('Signing …')
    try {
      change(await desk.fill(operation, filled))
      setDone('Filled in, and signed by the throw-away wallet.')
    } catch (error) {
      setProblem(`Not filled in: ${error instanceof Error ? error.message : error}`)
    }
    setBusy('')
  }
  const setValue = (parameter: Parameter) => (value: string) =>
    change({ ...filled, values: { ...filled.values, [keyOf(parameter)]: value } })

  const example = useMemo(() => exampleOf(operation), [operation])
  const isFirst = (one: Parameter): boolean => one.required || keyOf(one) in example.values
  const field = (one: Parameter) => (
    <ParameterField
      key={keyOf(one)}
      parameter={one}
      value={filled.values[keyOf(one)] ?? ''}
      isLacking={tried && missing.includes(one)}
      change={setValue(one)}
    />
  )
  const more = operation.parameters.filter((one) => !isFirst(one))
  const moreFilled = more.filter((one) => filled.values[keyOf(one)]).length
  return (
    <section class="try" aria-labelledby="try-title">
      <h2 id="try-title" tabIndex={-1}>
        Try it
      </h2>
      <form onSubmit={ask} noValidate>
        {operation.parameters.filter(isFirst).map(field)}
        {more.length > 0 && (
          <Fold
            title={`${more.length} ${more.length === operation.parameters.length ? '' : 'more '}parameter${more.length === 1 ? '' : 's'}${moreFilled > 0 ? ` (${moreFilled} filled in)` : ''}`}
            isOpen={more.length <= 3}
          >
            {more.map(field)}
          </Fold>
        )}
        {operation.body && (
          <BodyField text={filled.body} fault={fault} change={(body) => change({ ...filled, body })} />
        )}
        {signedBy(operation) && <Throwaway operation={operation} wallet={desk.wallet} fillIn={fillIn} />}
        <SendAs desk={desk} operation={operation} />
        <div class="try-buttons">
          <button type="submit" class="button" aria-disabled={busy !== '' || undefined}>
            Run
          </button>
          <button
            type="button"
            class="button secondary"
            aria-label="Reset to the example"
            onClick={() => change(example)}
          >
            Reset
          </button>
        </div>
        <p role="status" class={busy ? 'quiet' : 'visually-hidden'}>
          {busy || done}
        </p>
        {problem && (
          <p class="notice danger" role="alert">
            {problem}
          </p>
        )}
      </form>
      {isSure && <Sure operation={operation} run={run} close={() => setSure(false)} />}
      {outcome && (
        <section class="outcome" aria-label="Answer of the server">
          <AnswerView outcome={outcome} />
        </section>
      )}
      <Copies curl={curl} client={client} byCookie={as.by === 'session'} byKey={withKey} />
    </section>
  )
}

const fieldId = ({ in: place, name }: Parameter): string => `field-${place}-${name}`

function asOf({ sendAs, session, key }: Desk): As {
  if (sendAs === 'session' && session) return { by: 'session', csrf: session.csrf }
  if (sendAs === 'key') return { by: 'key', key }
  return { by: 'nobody', isSignedIn: session !== undefined }
}

interface BodyProps {
  readonly text: string
  readonly fault: ReturnType<typeof jsonFault>
  change(text: string): void
}

function BodyField({ text, fault, change }: BodyProps) {
  const rows = Math.min(24, Math.max(4, text.split('\n').length + 1))
  return (
    <div class="try-field">
      <label for="body">
        <code>Body</code> <span class="chip">JSON</span>
      </label>
      <textarea
        id="body"
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        value={text}
        aria-invalid={fault ? true : undefined}
        aria-describedby="body-fault"
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p id="body-fault" class="body-fault" role="status">
        {fault && `Not JSON: line ${fault.line}, column ${fault.column}: ${fault.message}.`}
      </p>
    </div>
  )
}

const throwawayWords = {
  claim: 'A key made on this page signs the claim, so that it really runs.',
  action: 'A key made on this page signs the action: it may do this with what it made here itself.',
  message: 'A key made on this page signs the message. Running it signs this browser in as that wallet.',
}

interface ThrowawayProps {
  readonly operation: Operation
  readonly wallet: string | undefined
  fillIn(): void
}

const Throwaway = ({ operation, wallet, fillIn }: ThrowawayProps) => (
  <div class="throwaway">
    <button type="button" class="button secondary" onClick={fillIn}>
      Fill with a throw-away wallet
    </button>
    <p class="hint">
      {throwawayWords[signedBy(operation)!]}{' '}
      {wallet && (
        <>
          It is <code>{wallet}</code> until you leave.
        </>
      )}
    </p>
  </div>
)

function SendAs({ desk, operation }: { readonly desk: Desk; readonly operation: Operation }) {
  const { session, sendAs, key } = desk
  return (
    <div class="send-as">
      <div class="try-field">
        <label for="send-as">Send it as</label>
        <select id="send-as" value={sendAs} onChange={(event) => desk.setSendAs(event.currentTarget.value as As['by'])}>
          {session && <option value="session">{`${session.address}, signed in here`}</option>}
          <option value="nobody">nobody in particular</option>
          <option value="key">the holder of an access key</option>
        </select>
      </div>
      {sendAs === 'key' && (
        <div class="try-field">
          <label for="access-key">Access key</label>
          <input
            id="access-key"
            type="password"
            autocomplete="off"
            placeholder="npk_…"
            value={key}
            onInput={(event) => desk.setKey(event.currentTarget.value.trim())}
          />
          <p class="hint">Kept in this page only, until you leave it.</p>
        </div>
      )}
      {!session && operation.callers.includes('session') && !/anyone|signature/.test(operation.callers.join()) && (
        <p class="hint">
          Nobody is signed in here. <a href="login">Sign in</a>, or{' '}
          <a href="#signIn">sign in with a throw-away wallet</a>.
        </p>
      )}
    </div>
  )
}

interface SureProps {
  readonly operation: Operation
  run(): Promise<void>
  close(): void
}

/** Asked before something is taken away. Escape is no. */
function Sure({ operation, run, close }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current!.showModal(), [])
  return (
    <dialog ref={dialog} class="sure" aria-labelledby="sure-title" onClose={close}>
      <h2 id="sure-title">Really run it?</h2>
      <p>
        <code>
          {operation.method} {operation.path}
        </code>{' '}
        deletes or revokes something on this server. That cannot be taken back.
      </p>
      <div class="try-buttons">
        <button
          type="button"
          class="button danger"
          onClick={() => {
            dialog.current!.close()
            void run()
          }}
        >
          Run it
        </button>
        <button type="button" class="button secondary" autofocus onClick={() => dialog.current!.close()}>
          Leave it
        </button>
      </div>
    </dialog>
  )
}

interface CopiesProps {
  readonly curl: string
  readonly client: string | undefined
  readonly byCookie: boolean
  readonly byKey: boolean
}

function Copies({ curl, client, byCookie, byKey }: CopiesProps) {
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
