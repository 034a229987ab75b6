/** The guest list of a published gate: wallets by paste or from a file. It is changed at once, beside the versions. */
import { useState } from 'preact/hooks'
import { ProofgateError } from '../../../../client/client.ts'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { Field } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { saveFile } from '../save-file.ts'
import { toast } from '../toast.tsx'

const words = {
  unpublished:
    'Publish the gate first. Then you can add wallets here. Until then the list is empty, and nobody gets in.',
  count: (number: number) =>
    number === 1 ? '1 wallet is on the list.' : `${number.toLocaleString('en')} wallets are on the list.`,
  none: 'No wallet is on the list. Nobody gets in.',
  wallets: 'Wallets',
  hint: 'One on each line, or the lines of a CSV file. At most 10,000.',
  file: 'Read a file',
  add: 'Add to the list',
  replace: 'Replace the list',
  remove: 'Remove from the list',
  download: 'Download the list',
  done: (added: number, removed: number, duplicates: number) =>
    [
      added > 0 || removed === 0 ? `${added.toLocaleString('en')} added.` : '',
      removed > 0 ? `${removed.toLocaleString('en')} removed.` : '',
      duplicates > 0
        ? `${duplicates.toLocaleString('en')} repeated ${duplicates === 1 ? 'line' : 'lines'} left out.`
        : '',
    ]
      .filter(Boolean)
      .join(' '),
  fault: ({ line, message }: Fault) => `Line ${line} ${message}.`,
}

interface Fault {
  readonly line: number
  readonly message: string
}

interface Page {
  readonly data: {
    readonly guests: readonly { readonly wallet: string }[]
    readonly totalCount: number
    readonly next: string | null
  }
}

interface Changed {
  readonly data: { readonly added: number; readonly removed: number; readonly duplicates: number }
}

const writePath = (gateId: string): string => `/api/v1/profile/gates/${encodeURIComponent(gateId)}/guests`

export function GuestEditor({ gateId }: { readonly gateId: string }) {
  return gateId === '' ? (
    <p class="notice">{words.unpublished}</p>
  ) : (
    <PublishedList path={writePath(gateId)} gateId={gateId} />
  )
}

function PublishedList({ path, gateId }: { readonly path: string; readonly gateId: string }) {
  const loaded = useLoad<Page>(`${path}?limit=1`)
  const [text, setText] = useState('')
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const count = loaded.data?.data.totalCount
  const change = useAction(async (way: 'add' | 'replace' | 'remove') => {
    setFaults([])
    try {
      const { data } = await callApi<Changed>('POST', path, { body: { [way]: text } })
      toast(words.done(data.added, data.removed, data.duplicates))
      setText('')
      await loaded.reload()
    } catch (error) {
      if (!(error instanceof ProofgateError) || !Array.isArray(error.details.faults)) throw error
      setFaults(error.details.faults as Fault[])
    }
  })
  const download = useAction(async () => {
    const wallets: string[] = []
    for (let next: string | null = ''; next !== null; ) {
      const after: string = next === '' ? '' : `?after=${encodeURIComponent(next)}`
      const { data }: Page = await callApi<Page>('GET', `${path}${after}`)
      wallets.push(...data.guests.map(({ wallet }) => wallet))
      next = data.next
    }
    saveFile(new Blob([`wallet\n${wallets.join('\n')}\n`], { type: 'text/csv' }), `${gateId}-guests.csv`)
  })
  return (
    <>
      <Problem error={loaded.error} retry={() => void loaded.reload()} />
      {count !== undefined && (
        <p class={count === 0 ? 'notice warning' : undefined}>{count === 0 ? words.none : words.count(count)}</p>
      )}
      <Field
        label={words.wallets}
        hint={words.hint}
        error={faults.length > 0 ? faults.slice(0, 10).map(words.fault).join(' ') : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            spellcheck={false}
            class="address"
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
