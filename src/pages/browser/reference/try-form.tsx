/** The form to try one operation, its request, and the answer. */

import { useMemo, useRef, useState } from 'preact/hooks'
import { AnswerView } from './answer-view.tsx'
import type { Asked } from './asked.ts'
import { buildAddress, buildKey, buildRequest, type Filled, fillExample, listHeaders, listMissing } from './asked.ts'
import { writeClientCode } from './client-code.ts'
import { Copies } from './copies.tsx'

import { type Operation, type Parameter, takesAway } from './description.ts'
import { type Desk, readSender } from './desk.ts'
import { ParameterField } from './field.tsx'
import { findJsonFault } from './json-fault.ts'
import { Fold } from './schema-view.tsx'
import { SendAs } from './send-as.tsx'
import { type Outcome, send } from './sending.ts'
import { findSigned } from './signing.ts'
import { Sure } from './sure.tsx'

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
  const fault = useMemo(() => (operation.body ? findJsonFault(filled.body) : undefined), [operation, filled.body])
  const missing = listMissing(operation, filled)
  const asked = useMemo(() => buildRequest(operation, filled, desk.server), [operation, filled, desk.server])
  const as = readSender(desk)
  const withKey = as.by === 'key'
  const curl = useMemo(() => writeCurl(asked, withKey), [asked, withKey])
  // Invalid or too deeply nested JSON cannot be shown as code.
  const client = useMemo(() => (fault ? undefined : writeClientCode(asked, withKey)), [asked, withKey, fault])

  const run = async (): Promise<void> => {
    setTried(true)
    if (busy) return
    if (missing.length > 0) {
      setProblem(`Fill in ${missing.map(({ name }) => name).join(', ')}.`)
      document.getElementById(nameField(missing[0]!))?.focus()
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
  const latest = useRef(filled)
  latest.current = filled
  const fillForm = async (): Promise<void> => {
    if (busy) return
    setProblem('')
    setDone('')
    setBusy('Signing …')
    try {
      const signed = await desk.fill(operation, filled)
      if (JSON.stringify(latest.current) === JSON.stringify(filled)) {
        change(signed)
        setDone('Filled in, and signed by the throw-away wallet.')
      } else setProblem('Not filled in: something was changed while it was signed. Press it again.')
    } catch (error) {
      setProblem(`Not filled in: ${error instanceof Error ? error.message : error}`)
    }
    setBusy('')
  }
  const setValue = (parameter: Parameter) => (value: string) =>
    change({ ...filled, values: { ...filled.values, [buildKey(parameter)]: value } })

  const example = useMemo(() => fillExample(operation), [operation])
  const isFirst = (one: Parameter): boolean => one.required || buildKey(one) in example.values
  const renderField = (one: Parameter) => (
    <ParameterField
      key={buildKey(one)}
      parameter={one}
      value={filled.values[buildKey(one)] ?? ''}
      isMissing={tried && missing.includes(one)}
      change={setValue(one)}
    />
  )
  const more = operation.parameters.filter((one) => !isFirst(one))
  const moreFilled = more.filter((one) => filled.values[buildKey(one)]).length
  return (
    <section class="try" aria-labelledby="try-title">
      <h2 id="try-title" tabIndex={-1}>
        Try it
      </h2>
      <form onSubmit={ask} noValidate>
        {operation.parameters.filter(isFirst).map(renderField)}
        {more.length > 0 && (
          <Fold
            title={`${more.length} ${more.length === operation.parameters.length ? '' : 'more '}parameter${more.length === 1 ? '' : 's'}${moreFilled > 0 ? ` (${moreFilled} filled in)` : ''}`}
            isOpen={more.length <= 3}
          >
            {more.map(renderField)}
          </Fold>
        )}
        {operation.body && (
          <BodyField text={filled.body} fault={fault} change={(body) => change({ ...filled, body })} />
        )}
        {findSigned(operation) && <Throwaway operation={operation} wallet={desk.wallet} fillIn={fillForm} />}
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

const nameField = ({ in: place, name }: Parameter): string => `field-${place}-${name}`

interface BodyProps {
  readonly text: string
  readonly fault: ReturnType<typeof findJsonFault>
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
      {throwawayWords[findSigned(operation)!]}{' '}
      {wallet && (
        <>
          It is <code>{wallet}</code> until you leave.
        </>
      )}
    </p>
  </div>
)

/** Quotes a word for a POSIX shell: within single quotes, only the single quote is special. */
export const quoteShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** `key` is a word of the shell, such as "$PROOFGATE_KEY" in double quotes. */
export function writeCurl(asked: Asked, withKey = false): string {
  const { method } = asked.operation
  const parts = [
    // curl defaults to GET, and to POST with a body.
    `curl${method === 'GET' || (method === 'POST' && asked.body !== undefined) ? '' : ` -X ${method}`} ${quoteShell(buildAddress(asked))}`,
    ...listHeaders(asked).map(([name, value]) => `-H ${quoteShell(`${name}: ${value}`)}`),
    ...(withKey ? ['-H "authorization: Bearer $PROOFGATE_KEY"'] : []),
    // Not --data, which reads a file if the text begins with @.
    ...(asked.body === undefined ? [] : [`--data-raw ${quoteShell(asked.body)}`]),
  ]
  return parts.join(' \\\n  ')
}
