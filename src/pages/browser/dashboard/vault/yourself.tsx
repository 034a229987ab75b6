/** How anybody checks a proof without this server: by its portable form, where that is kept. */

import type { ProofView } from '../../../../proofs/view.ts'
import { dashboard as shared } from '../../../words/en/dashboard.ts'
import { proofCopy as words } from '../../../words/en/vault.ts'
import { model } from '../model.ts'
import { Command, Copy } from '../parts.tsx'
import { saveFile } from '../save-file.ts'

export function Yourself({ proof }: { readonly proof: ProofView }) {
  const { portableProof, qHash } = proof
  const name = `proof-${qHash.slice(2, 10)}.json`
  return (
    <>
      <h3>{words.title}</h3>
      {portableProof ? (
        <>
          <p>{words.portable}</p>
          <div class="detail-actions">
            <button
              type="button"
              class="button secondary small"
              onClick={() => saveFile(new Blob([`${JSON.stringify(portableProof, null, 2)}\n`]), name)}
            >
              {words.download}
            </button>
            <Copy text={JSON.stringify(portableProof)} label={words.copy} />
          </div>
          <Command text={`${model.program} verify ${name}`} label={shared.copyCommand} />
        </>
      ) : proof.signed === false ? (
        <p>{words.unsigned}</p>
      ) : (
        <p>{words.notKept(<code>{model.program} verify</code>)}</p>
      )}
    </>
  )
}
