/** Deleting everything of the primary wallet: behind a word that has to be typed. */
import { useState } from 'preact/hooks'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { session } from '../model.ts'
import { Address, Field } from '../parts.tsx'
import { toast } from '../toast.tsx'
import { tellOthers } from './news.ts'

const word = 'erase'

interface Erased {
  readonly erasedCount: number
  readonly erasure?: { readonly state: 'erasing' | 'traces-left' | 'done'; readonly left: number }
}

function sayErased({ erasedCount, erasure }: Erased): string {
  if (erasure?.state === 'erasing')
    return `The erasure has begun: nobody finds anything of it any more. ${erasure.left} are left to delete, and the server goes on.`
  if (erasure?.state === 'traces-left')
    return `${erasedCount} erased. Text may still stand in the log of the database. The server empties the log by itself as soon as it can.`
  return `${erasedCount} erased.`
}

export function Erase({ onErased }: { onErased(): void }) {
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const wallet = session.accounts[0]!.wallet
  // A linked wallet may be unlinked again: it must not delete what is not its own.
  if (session.isLinked) return null
  return (
    <>
      <button
        type="button"
        class="link vault-erase"
        onClick={() => {
          setTyped('')
          setAsking(true)
        }}
      >
        Erase everything …
      </button>
      {isAsking && (
        <Confirm
          title="Erase everything of this wallet?"
          yes="Erase it all"
          disabled={typed.trim().toLowerCase() !== word}
          onYes={async () => {
            const body = { walletAddress: wallet }
            const erased = await callApi<Erased>('POST', '/api/v1/proofs/erase-all', { body })
            tellOthers({ erased: true })
            toast(sayErased(erased))
            onErased()
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Of <Address value={wallet} whole />
          </p>
          <ul>
            <li>Every proof of it is deleted from this server: what it found, its content, whom it was shared with.</li>
            <li>Whatever depends on one ends: gates that it passed, wallets that it linked, agents that it let act.</li>
            <li>
              It cannot be undone, and nobody can help: no page and no program finds it again. Export first what you
              want to keep.
            </li>
            <li>Portable files that somebody has stay theirs. Copies on chains and on IPFS stay where they are.</li>
          </ul>
          <Field label={`Type “${word}” to go on`}>
            {(control) => (
              <input
                {...control}
                type="text"
                value={typed}
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                onInput={(event) => setTyped(event.currentTarget.value)}
              />
            )}
          </Field>
        </Confirm>
      )}
    </>
  )
}
