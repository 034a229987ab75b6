/** Changes who sees a proof: shows beforehand what changes, and lets the wallet of the proof sign it. */

import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { proofVisibility as words } from '../../../words/en/vault.ts'
import { visibility } from '../../../words/en/visibility.ts'
import { Address } from '../address.tsx'
import { callApi } from '../api.ts'
import { Dialog } from '../dialog.tsx'
import { adjust } from '../route.ts'
import { type SignedAction, SigningWallets } from '../signing-wallets.tsx'
import { toast } from '../toast.tsx'
import { tellOthers } from './news.ts'
import { type Privacy, readPrivacy } from './row.ts'

const all: readonly Privacy[] = ['private', 'unlisted', 'listed']
const ranks: Readonly<Record<Privacy, number>> = { private: 0, unlisted: 1, listed: 2 }

interface ChangeOf {
  readonly proof: ProofView
  /** From the address of the view: `/?proof=0x…&visibility=private` opens the window. */
  readonly wanted: string | null
  onChanged(privacy: Privacy): void
}

const open = (privacy: Privacy | undefined) => adjust({ visibility: privacy }, { replace: true })

export function ChangeVisibility({ proof, wanted, onChanged }: ChangeOf) {
  const was = readPrivacy(proof)
  return (
    <>
      <p>
        <button type="button" class="button secondary small" onClick={() => open(was)}>
          {words.change}
        </button>
      </p>
      {wanted !== null && <Window proof={proof} first={all.find((one) => one === wanted)} onChanged={onChanged} />}
    </>
  )
}

function Window({
  proof,
  first,
  onChanged,
}: Pick<ChangeOf, 'proof' | 'onChanged'> & { readonly first: Privacy | undefined }) {
  const was = readPrivacy(proof)
  const [chosen, setChosen] = useState<Privacy>(first ?? was)
  const { qHash, walletAddress = '' } = proof
  const send = async (signed: SignedAction): Promise<void> => {
    await callApi('POST', `/api/v1/proofs/${qHash}/visibility`, { body: { visibility: chosen, ...signed } })
    tellOthers({ shown: qHash, privacy: chosen })
    toast(words.changed(visibility[chosen].word))
    open(undefined)
    onChanged(chosen)
  }
  return (
    <Dialog title={words.title} onClose={() => open(undefined)}>
      <fieldset class="export-forms">
        <legend>{visibility.who}</legend>
        {all.map((one) => (
          <label key={one} class="export-form">
            <input
              type="radio"
              name="visibility"
              value={one}
              checked={chosen === one}
              onChange={() => setChosen(one)}
            />
            <span>
              <strong>{visibility[one].word}</strong>
              {one === was && ` (${words.now})`}
              <br />
              <span class="quiet">{visibility[one].meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {chosen === was ? (
        <p role="status">{words.same}</p>
      ) : (
        <>
          <h3>{words.effects}</h3>
          <div role="status">
            <ul>
              {listEffects(proof, was, chosen).map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </div>
          <h3>{words.sign}</h3>
          <p>{words.signWhy}</p>
          <p>
            <Address value={walletAddress} />
          </p>
          <SigningWallets
            does={words.does[chosen]}
            address={walletAddress}
            action={{ action: 'set_proof_visibility', qHash, visibility: chosen }}
            onSigned={send}
          />
        </>
      )}
    </Dialog>
  )
}

/** What changes for others, and what stays although the proof is hidden. */
function listEffects(
  { options, ipfs, hubTransaction, crosschain }: ProofView,
  was: Privacy,
  chosen: Privacy,
): readonly string[] {
  const { effect } = words
  const hasContent = options?.storeOriginalContent === true
  const isHidden = ranks[chosen] < ranks[was]
  return [
    visibility[chosen].meaning,
    ...(was === 'listed' ? [effect.leavesList] : []),
    ...(was === 'private' && hasContent ? [effect.content] : []),
    ...(was === 'private' ? [effect.shown] : []),
    ...(isHidden ? [effect.copies] : []),
    ...(isHidden && ipfs ? [effect.ipfs] : []),
    ...(isHidden && (hubTransaction || crosschain) ? [effect.chain] : []),
    ...(chosen === 'private' ? [effect.gates] : []),
  ]
}
