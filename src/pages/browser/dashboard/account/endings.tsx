/** Signing out everywhere, and deleting the profile. */
import { useState } from 'preact/hooks'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { leaveAfter } from '../leaving.ts'
import { session } from '../model.ts'
import { Field, Link } from '../parts.tsx'
import { LinkedNote } from './linked-note.tsx'
import { PendingErasure } from './pending-erasure.tsx'

/** Typed by who means it. */
const word = 'delete'

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
        <h2 id="endings">Danger zone</h2>
        <div class="ending">
          <div class="list-text">
            <strong>Sign out everywhere</strong>
            <span>
              Ends this session{others > 0 && ` and ${others === 1 ? 'the other one' : `the ${others} others`}`}, and
              disconnects all apps, which must ask you again. <Link to="/keys">Access keys</Link> go on working.
            </span>
          </div>
          <button type="button" class="button secondary small" onClick={() => setAsked('everywhere')}>
            Sign out everywhere
          </button>
        </div>
        <div class="ending">
          <div class="list-text">
            <strong>Delete the profile</strong>
            <span>
              Sessions, access keys, connected apps and secrets are erased. Proofs and gates belong to your wallets, and
              stay.
            </span>
          </div>
          {!session.isLinked && (
            <button type="button" class="button danger small" onClick={() => setAsked('delete')}>
              Delete the profile
            </button>
          )}
        </div>
        {session.isLinked && <LinkedNote may="delete the profile" />}
      </section>
      {asked === 'everywhere' && (
        <Confirm
          title="Sign out everywhere?"
          yes="Sign out everywhere"
          onYes={() => leaveAfter(() => callApi('POST', '/api/v1/auth/logout-everywhere'))}
          onClose={close}
        >
          <p>
            Every browser, this one too, must sign in again, and every app must ask you again. What apps made, such as
            agents, stays until you disconnect them.
          </p>
        </Confirm>
      )}
      {pending && <PendingErasure since={pending.since} onClose={pending.onRead} />}
      {asked === 'delete' && !pending && (
        <Confirm
          title="Delete the profile?"
          yes="Delete it for good"
          disabled={typed.trim().toLowerCase() !== word}
          onYes={() => leaveAfter(() => callApi<Deleted>('DELETE', '/api/v1/auth/me'), tellPending)}
          onClose={close}
        >
          <p>
            Your sessions, access keys, connected apps and secrets are erased, and nobody can bring them back. The
            delegations, agents and accesses that keys and apps made end with them. Other proofs stay: erase those first
            if you want them gone, too.
          </p>
          <Field
            label={
              <>
                Type <code>{word}</code> to go on
              </>
            }
          >
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
