/** Revoking a proof, and what that means. */

import { useState } from 'preact/hooks'
import type { ProofView } from '../../../../proofs/view.ts'
import { proofRevoking as words } from '../../../words/en/vault.ts'
import { Confirm } from '../dialog.tsx'
import { nameProof } from '../verifier-words.ts'
import { revokeProof } from './revoke.ts'

export function Revoke({ proof, onRevoked }: { readonly proof: ProofView; onRevoked(): void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div class="detail-end">
      <button type="button" class="button danger small" onClick={() => setAsking(true)}>
        {words.revoke}
      </button>
      {isAsking && (
        <Confirm
          title={words.title}
          yes={words.yes}
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
    {words.effects.map((effect) => (
      <li key={effect}>{effect}</li>
    ))}
  </ul>
)
