/** The guest list of a published gate: wallets by paste or from a file. It is changed at once, beside the versions. */
import { useState } from 'preact/hooks'
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
import { GuestList, type GuestsAnswer, writeGuestsPath } from './guest-list.tsx'

const { guests: words } = gateForm

function writeDone({ added, removed, duplicates }: Changed['data']): string {
  return [
    added > 0 || removed === 0 ? words.added(formatCount(added)) : '',
    removed > 0 ? words.removed(formatCount(removed)) : '',
    duplicates > 0 ? words.repeated(duplicates, formatCount(duplicates)) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

interface Fault {
  readonly line: number
  readonly code: LineFaultCode
}

interface Changed {
  readonly data: { readonly added: number; readonly removed: number; readonly duplicates: number }
}

export function GuestEditor({ gateId }: { readonly gateId: string }) {
  return gateId === '' ? (
    <p class="notice">{words.unpublished}</p>
  ) : (
    <PublishedList path={writeGuestsPath(gateId)} gateId={gateId} />
  )
}

function PublishedList({ path, gateId }: { readonly path: string; readonly gateId: string }) {
  const loaded = useLoad<GuestsAnswer>(`${path}?limit=1`)
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [revision, setRevision] = useState(0)
  const count = loaded.data?.data.totalCount
  const reload = async (): Promise<void> => {
    setRevision((before) => before + 1)
    await loaded.reload()
  }
  const change = useAction(async (way: 'add' | 'replace' | 'remove') => {
    setFaults([])
    try {
      const { data } = await callApi<Changed>('POST', path, { body: { [way]: text } })
      toast(writeDone(data))
      setText('')
      await reload()
    } catch (error) {
      if (!(error instanceof ProofgateError) || !Array.isArray(error.details.faults)) throw error
      setFaults(error.details.faults as Fault[])
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
      <Field
        label={words.wallets}
        hint={words.hint(formatCount(mostGuests))}
        error={
          faults.length > 0
            ? faults
                .slice(0, 10)
                .map(({ line, code }) => words.fault(line, gateFindings.lines[code] ?? gateFindings.lines.NOT_A_WALLET))
                .join(' ')
            : undefined
        }
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            spellcheck={false}
            class="address"
            data-dropped=""
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <Field label={words.file}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={async ({ currentTarget }) => setText((await currentTarget.files?.[0]?.text()) ?? '')}
          />
        )}
      </Field>
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
