/** Revoking a proof, and what that means. */
import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { Confirm } from '../dialog.tsx'
import { nameProof } from '../verifier-words.ts'
import { revokeProof } from './revoke.ts'

export function Revoke({ proof, onRevoked }: { readonly proof: ProofView; onRevoked(): void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div class="detail-end">
      <button type="button" class="button danger small" onClick={() => setAsking(true)}>
        Revoke this proof
      </button>
      {isAsking && (
        <Confirm
          title="Revoke this proof?"
          yes="Revoke it for good"
          onYes={async () => {
            await revokeProof(proof.qHash)
            onRevoked()
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong>
              <bdi dir="auto">{nameProof(proof)}</bdi>
            </strong>
          </p>
          <RevokingMeans />
        </Confirm>
      )}
    </div>
  )
}

export const RevokingMeans = () => (
  <ul>
    <li>It counts nowhere any more: no gate and no check is content with it.</li>
    <li>Whoever it was shared with sees it no longer. Its id stays known, as revoked.</li>
    <li>It cannot be undone. You can make a new proof of the same claim.</li>
    <li>
      Portable files of it that somebody has still show that you signed; this server tells whoever asks that it is
      revoked.
    </li>
  </ul>
)
