/**
 * The guest list of a gate: wallets by paste or from a file. That of a published gate is changed at once, beside the
 * versions. That of a new gate is sent right after the gate was published.
 */
import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import { mostGuests } from '../../../../gates/guests/guest-list.ts'
import type { LineFaultCode } from '../../../../gates/guests/read-lines.ts'
import { gateFindings } from '../../../words/en/gate-findings.ts'
import { gateForm } from '../../../words/en/gate-form.ts'
import { formatCount } from '../../locale.ts'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { Field } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { saveFile } from '../save-file.ts'
import { toast } from '../toast.tsx'
import { type Changed, GuestList, type GuestsAnswer, writeDone, writeGuestsPath } from './guest-list.tsx'

const { guests: words } = gateForm

interface Fault {
  readonly line: number
  readonly code: LineFaultCode
}

/** The wallets that a new gate gets once it is published. */
export const FirstGuests = createContext<{ readonly text: string; onText(text: string): void }>({
  text: '',
  onText() {},
})

/** Texts that could not be sent after their gate was published, by its id. */
const unsent = new Map<string, { readonly text: string; readonly error: unknown }>()

/** Sends the first guests. False: it keeps them for the field of the published gate, which says why. */
export async function sendFirstGuests(gateId: string, text: string): Promise<boolean> {
  if (text.trim() === '') return true
  try {
    await callApi('POST', writeGuestsPath(gateId), { body: { add: text } })
    return true
  } catch (error) {
    unsent.set(gateId, { text, error })
    return false
  }
}

export function GuestEditor({ gateId }: { readonly gateId: string }) {
  return gateId === '' ? <FirstList /> : <PublishedList path={writeGuestsPath(gateId)} gateId={gateId} />
}

function FirstList() {
  const { text, onText } = useContext(FirstGuests)
  return (
    <>
      <p class="quiet">{words.unpublished}</p>
      <GuestTexts text={text} onText={onText} />
    </>
  )
}

/** The list stands far down the form, where nobody would see that it was not sent. */
function NotSent() {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => ref.current?.scrollIntoView({ block: 'center' }), [])
  return (
    <p class="notice warning" role="alert" ref={ref}>
      {words.notSent}
    </p>
  )
}

const readFaults = (error: unknown): readonly Fault[] | undefined =>
  error instanceof ProofgateError && Array.isArray(error.details.faults) ? (error.details.faults as Fault[]) : undefined

/** The field for wallets, and a file that fills it. */
function GuestTexts({
  text,
  error,
  onText,
}: {
  readonly text: string
  readonly error?: string | undefined
  onText(text: string): void
}) {
  return (
    <>
      <Field label={words.wallets} hint={words.hint(formatCount(mostGuests))} error={error}>
        {(control) => (
          <textarea
            {...control}
            rows={6}
            spellcheck={false}
            class="address"
            data-dropped=""
            value={text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
          />
        )}
      </Field>
      <Field label={words.file}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={async ({ currentTarget }) => onText((await currentTarget.files?.[0]?.text()) ?? '')}
          />
        )}
      </Field>
    </>
  )
}

function writeFaults(faults: readonly Fault[], isAdded: boolean): string {
  const lines = faults
    .slice(0, 10)
    .map(({ line, code }) => words.fault(line, gateFindings.lines[code] ?? gateFindings.lines.NOT_A_WALLET))
  return [isAdded ? words.nothingAdded : words.nothingChanged, ...lines].join(' ')
}

function PublishedList({ path, gateId }: { readonly path: string; readonly gateId: string }) {
  const loaded = useLoad<GuestsAnswer>(`${path}?limit=1`)
  const [left] = useState(() => unsent.get(gateId))
  const [text, setText] = useState(left?.text ?? '')
  const [faults, setFaults] = useState<readonly Fault[]>(readFaults(left?.error) ?? [])
  const [isAdded, setAdded] = useState(true)
  const [isLeft, setLeft] = useState(left !== undefined)
  const [revision, setRevision] = useState(0)
  const count = loaded.data?.data.totalCount
  const reload = async (): Promise<void> => {
    setRevision((before) => before + 1)
    await loaded.reload()
  }
  const change = useAction(async (way: 'add' | 'replace' | 'remove') => {
    setFaults([])
    setAdded(way === 'add')
    try {
      const { data } = await callApi<Changed>('POST', path, { body: { [way]: text } })
      toast(writeDone(data))
      setText('')
      setLeft(false)
      unsent.delete(gateId)
      await reload()
    } catch (error) {
      const found = readFaults(error)
      if (!found) throw error
      setFaults(found)
    }
  })
  const download = useAction(async () => {
    const wallets: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const after: string = next === '' ? '' : `?after=${encodeURIComponent(next)}`
      const { data }: GuestsAnswer = await callApi<GuestsAnswer>('GET', `${path}${after}`)
      wallets.push(...data.guests.map(({ wallet }) => wallet))
      next = data.next
    }
    saveFile(new Blob([`wallet\n${wallets.join('\n')}\n`], { type: 'text/csv' }), `${gateId}-guests.csv`)
  })
  return (
    <>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {count !== undefined && (
        <p class={count === 0 ? 'notice warning' : undefined}>
          {count === 0 ? words.none : words.count(count, formatCount(count))}
        </p>
      )}
      {count !== undefined && count > 0 && <GuestList path={path} revision={revision} onChange={reload} />}
      {isLeft && <NotSent />}
      {isLeft && faults.length === 0 && change.error === undefined && <Problem error={left?.error} />}
      <GuestTexts text={text} error={faults.length > 0 ? writeFaults(faults, isAdded) : undefined} onText={setText} />
      <Problem error={change.error} />
      <Problem error={download.error} />
      <p class="actions">
        {(['add', 'replace', 'remove'] as const).map((way) => (
          <button
            key={way}
            type="button"
            class="button secondary small"
            aria-disabled={change.isBusy || text.trim() === ''}
            onClick={() => !change.isBusy && text.trim() !== '' && void change.run(way)}
          >
            {words[way]}
          </button>
        ))}
        {count !== undefined && count > 0 && (
          <button type="button" class="link" onClick={() => void download.run()}>
            {words.download}
          </button>
        )}
      </p>
    </>
  )
}
