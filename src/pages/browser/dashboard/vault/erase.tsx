/** Deleting everything of the primary wallet: away from the first view, and behind a word that has to be typed. */

import { useRef, useState } from 'preact/hooks'
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

export function More({ onErased }: { onErased(): void }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const wallet = session.accounts[0]!.wallet
  // A linked wallet may be unlinked again: it must not delete what is not its own.
  if (session.isLinked) return null
  return (
    <>
      <details class="vault-more" ref={menu}>
        <summary class="button secondary small">{words.more}</summary>
        <button
          type="button"
          class="button danger small"
          onClick={() => {
            setTyped('')
            // The window gives the focus back to what is still visible.
            menu.current?.querySelector('summary')?.focus()
            if (menu.current) menu.current.open = false
            setAsking(true)
          }}
        >
          {words.erase}
        </button>
      </details>
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
