/** Deleting everything of the primary wallet: behind a word that has to be typed. */

import { useState } from 'preact/hooks'
import { proofErasing as words } from '../../../words/en/vault.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { Confirm } from '../dialog.tsx'
import { session } from '../model.ts'
import { Field } from '../parts.tsx'
import { toast } from '../toast.tsx'
import { tellOthers } from './news.ts'

const { word } = words

interface Erased {
  readonly erasedCount: number
  readonly erasure?: { readonly state: 'erasing' | 'traces-left' | 'done'; readonly left: number }
}

function sayErased({ erasedCount, erasure }: Erased): string {
  if (erasure?.state === 'erasing') return words.erasing(erasure.left)
  return `${words.erased(erasedCount)}${erasure?.state === 'traces-left' ? words.traces : ''}`
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
        {words.erase}
      </button>
      {isAsking && (
        <Confirm
          title={words.title}
          yes={words.yes}
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
            {words.wallet} <Address value={wallet} whole />
          </p>
          <ul>
            {words.effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
          <Field label={words.typeWord(word)}>
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
