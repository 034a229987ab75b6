/** Makes links that open a private proof, lists those in force, and ends one. */

import { useState } from 'preact/hooks'
import type { ShareLink } from '../../../../proofs/share-link.ts'
import type { ProofView } from '../../../../proofs/view.ts'
import { proofSharing, shareLinks as words } from '../../../words/en/vault.ts'
import { shareTimes } from '../../../words/en/visibility.ts'
import { callApi } from '../api.ts'
import { useAction, useLoad } from '../load.ts'
import { readNow } from '../model.ts'
import { Command, Field, LoopbackNote, Waiting } from '../parts.tsx'
import { Problem } from '../problem.tsx'
import { Time } from '../time.tsx'
import { toast } from '../toast.tsx'
import { hasFingerprint, keepsText } from './row.ts'

interface Links {
  readonly data: { readonly links: readonly ShareLink[] }
}

/** Midnight after the chosen day, where the reader is. */
const readEndOfDay = (day: string): number => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + 1).getTime()
}

export function ShareLinks({ proof }: { readonly proof: ProofView }) {
  const path = `/api/v1/profile/share-links/${proof.qHash}`
  const loaded = useLoad<Links>(path)
  const [label, setLabel] = useState('')
  const [lasts, setLasts] = useState('604800')
  const [day, setDay] = useState('')
  const [fault, setFault] = useState<string>()
  const [made, setMade] = useState<{ readonly url: string; readonly expiresAt: number }>()
  const making = useAction(async (expiresAt: number) => {
    const body = { expiresAt, ...(label.trim() ? { label: label.trim() } : {}) }
    const { data } = await callApi<{ data: { url: string } }>('POST', path, { body })
    setMade({ url: data.url, expiresAt })
    setLabel('')
    await loaded.reload()
  })
  const ending = useAction(async (linkId: string) => {
    await callApi('DELETE', `${path}/${linkId}`)
    setMade(undefined)
    toast(words.ended)
    await loaded.reload()
  })
  const links = loaded.data?.data.links
  const make = (): void => {
    const expiresAt = lasts === 'day' ? readEndOfDay(day) : readNow() + Number(lasts) * 1000
    const wrong = lasts === 'day' && !(expiresAt > readNow()) ? words.noDay : undefined
    setFault(wrong)
    if (wrong === undefined) void making.run(expiresAt)
  }
  return (
    <div class="sharing">
      <h4>{words.title}</h4>
      <p class="hint">{words.hint(keepsText(proof))}</p>
      {hasFingerprint(proof) && <p class="hint">{proofSharing.noText}</p>}
      {loaded.isLoading && !links && <Waiting what={words.loading} />}
      <Problem error={loaded.error} retry={loaded.reload} />
      {links && links.length > 0 && (
        <ul class="list" aria-label={words.title}>
          {links.map(({ linkId, label: name, createdAt, expiresAt, openedCount, lastOpenedAt }) => (
            <li key={linkId}>
              <span class="list-text">
                <strong>
                  <bdi>{name ?? words.nameless}</bdi>
                </strong>
                <span>
                  {words.lasts(<Time at={createdAt} />, <Time at={expiresAt} />)}{' '}
                  {words.opened(openedCount, lastOpenedAt === null ? undefined : <Time at={lastOpenedAt} />)}
                </span>
              </span>
              <button
                type="button"
                class="button secondary small"
                aria-disabled={ending.isBusy}
                aria-label={words.endOne(name ?? words.nameless)}
                onClick={() => ending.run(linkId)}
              >
                {words.end}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Problem error={ending.error} />
      {made && (
        <div class="notice info" role="status">
          <p>{words.made(<Time at={made.expiresAt} />)}</p>
          <Command text={made.url} label={words.copy} />
          <LoopbackNote address={made.url} />
        </div>
      )}
      <form
        class="sharing-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <Field label={words.label} optional>
          {(control) => (
            <input
              {...control}
              type="text"
              value={label}
              maxLength={60}
              autocomplete="off"
              onInput={(event) => setLabel(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label={words.howLong}>
          {(control) => (
            <select {...control} value={lasts} onChange={(event) => setLasts(event.currentTarget.value)}>
              {Object.entries(shareTimes).map(([seconds, text]) => (
                <option key={seconds} value={seconds}>
                  {text}
                </option>
              ))}
              <option value="day">{words.chosenDay}</option>
            </select>
          )}
        </Field>
        {lasts === 'day' && (
          <Field label={words.lastDay} error={fault}>
            {(control) => (
              <input {...control} type="date" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
            )}
          </Field>
        )}
        <button type="submit" class="button secondary" aria-disabled={making.isBusy}>
          {words.make}
        </button>
      </form>
      <Problem error={making.error} />
    </div>
  )
}
