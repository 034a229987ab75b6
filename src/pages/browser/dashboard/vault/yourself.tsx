/** How anybody checks a proof without this server: its portable form, where it is kept. */
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
            Its portable form is a file that anybody can check without this server: that your wallet signed exactly
            this. It holds all that you signed, so give it only to whom you would show that.
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
      ) : (
        <p>
          Its portable form was handed out when it was made, and is not kept here: what you sign is kept only where you
          ask for it (<code>options.storeOriginalContent</code>). Whoever has that file checks it with{' '}
          <code>{model.program} verify</code>.
        </p>
      )}
    </>
  )
}
