/** Signing out everywhere, and deleting the profile. */

import { useState } from 'preact/hooks'
import { sessions as words } from '../../../words/en/account.ts'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { leaveAfter } from '../leaving.ts'
import { session } from '../model.ts'
import { Field, Link } from '../parts.tsx'
import { LinkedNote } from './linked-note.tsx'
import { PendingErasure } from './pending-erasure.tsx'

const { word } = words

interface Deleted {
  readonly data: { readonly traces: { readonly pending: boolean; readonly since?: string } }
}

export function Endings({ others }: { readonly others: number }) {
  const [asked, setAsked] = useState<'everywhere' | 'delete'>()
  const [typed, setTyped] = useState('')
  const [pending, setPending] = useState<{ readonly since: string; onRead(): void }>()
  /** Undefined where nothing is left to say. */
  const tellPending = ({ data: { traces } }: Deleted): Promise<void> | undefined => {
    const { since } = traces
    return since === undefined ? undefined : new Promise((onRead) => setPending({ since, onRead }))
  }
  const close = () => {
    setAsked(undefined)
    setTyped('')
  }
  return (
    <>
      <section class="panel danger-zone" aria-labelledby="endings">
        <h2 id="endings">{words.danger}</h2>
        <div class="ending">
          <div class="list-text">
            <strong>{words.everywhere}</strong>
            <span>{words.everywhereText(others, <Link to="/keys">{words.keysLink}</Link>)}</span>
          </div>
          <button type="button" class="button secondary small" onClick={() => setAsked('everywhere')}>
            {words.everywhere}
          </button>
        </div>
        <div class="ending">
          <div class="list-text">
            <strong>{words.delete}</strong>
            <span>{words.deleteText}</span>
          </div>
          {!session.isLinked && (
            <button type="button" class="button danger small" onClick={() => setAsked('delete')}>
              {words.delete}
            </button>
          )}
        </div>
        {session.isLinked && <LinkedNote may={words.linkedMay} />}
      </section>
      {asked === 'everywhere' && (
        <Confirm
          title={words.everywhereTitle}
          yes={words.everywhere}
          onYes={() => leaveAfter(() => callApi('POST', '/api/v1/auth/logout-everywhere'))}
          onClose={close}
        >
          <p>{words.everywhereEffect}</p>
        </Confirm>
      )}
      {pending && <PendingErasure since={pending.since} onClose={pending.onRead} />}
      {asked === 'delete' && !pending && (
        <Confirm
          title={words.deleteTitle}
          yes={words.deleteYes}
          disabled={typed.trim().toLowerCase() !== word}
          onYes={() => leaveAfter(() => callApi<Deleted>('DELETE', '/api/v1/auth/me'), tellPending)}
          onClose={close}
        >
          <p>{words.deleteEffect}</p>
          <Field label={words.typeWord(<code>{word}</code>)}>
            {(control) => (
              <input
                {...control}
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </Field>
        </Confirm>
      )}
    </>
  )
}
