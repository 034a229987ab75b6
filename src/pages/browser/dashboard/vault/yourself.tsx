/** How anybody checks a proof without this server: by its portable form, where that is kept. */
import type { ProofView } from '../../../../proofs/view.ts'
import { model } from '../model.ts'
import { Command, Copy } from '../parts.tsx'
import { saveFile } from '../save-file.ts'

export function Yourself({ proof }: { readonly proof: ProofView }) {
  const { portableProof, qHash } = proof
  const name = `proof-${qHash.slice(2, 10)}.json`
  return (
    <>
      <h3>Verify it yourself</h3>
      {portableProof ? (
        <>
          <p>
            The portable proof is a file. Anyone can check it without this server. It holds everything that you signed,
            so share it with care.
          </p>
          <div class="detail-actions">
            <button
              type="button"
              class="button secondary small"
              onClick={() => saveFile(new Blob([`${JSON.stringify(portableProof, null, 2)}\n`]), name)}
            >
              Download the portable proof
            </button>
            <Copy text={JSON.stringify(portableProof)} label="Copy it" />
          </div>
          <Command text={`${model.program} verify ${name}`} label="Copy the command" />
        </>
      ) : proof.signed === false ? (
        <p>
          No wallet signed this proof. It counts on this server only, and nobody can check it elsewhere. To get a
          portable proof, make it again and sign it.
        </p>
      ) : (
        <p>
          This server keeps no portable copy of this proof. You got it once, when you made the proof. Anyone who has
          that file can check it with <code>{model.program} verify</code>.
        </p>
      )}
    </>
  )
}
