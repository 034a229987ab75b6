import { type Credentials, makeUnsignedError, requireCaller } from '../auth/caller.ts'
import { describeSigning } from '../auth/owner-text.ts'
import { findSpent, type SpentSignature, trySpendSignature } from '../db/spent-signature.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { visibilityAction } from './actions.ts'
import { isProofOwner } from './owner.ts'
import { requireProof } from './read.ts'
import { nameVisibility, type VisibilityName, visibilities } from './visibility.ts'
import { setVisibility } from './visibility-store.ts'

/** Another change of the same proof may come first, now and then. */
const mostTries = 3

/**
 * Changes who sees a proof, for the wallet that signed it. Only a signature can: a stolen session must not publish what
 * is private. Each signature acts once, also where it changes nothing. Errors: those of requireCaller, NOT_FOUND,
 * FORBIDDEN, CONFLICT.
 */
export async function changeVisibility(
  parts: Parts,
  { qHash, visibility }: { readonly qHash: string; readonly visibility: VisibilityName },
  credentials: Credentials,
) {
  const action = visibilityAction(qHash, visibility)
  if ('identity' in credentials) {
    const [needed] = action()
    throw makeUnsignedError(
      `who sees a proof is changed by a signature of its wallet, not by a session or an access key: ${describeSigning(needed!, false)}`,
      needed!,
    )
  }
  const { signed, ...caller } = await requireCaller(credentials, action, parts)
  for (let tries = 0; tries < mostTries; tries++) {
    const proof = await requireProof(parts, qHash)
    if (!isProofOwner(proof, caller))
      throw new AppError(
        'FORBIDDEN',
        `only the wallet that signed this proof can change who sees it; ${caller.wallet} did not`,
      )
    const was = nameVisibility(proof.visibility)
    if (was === visibility) {
      await spendInVain(parts, signed)
      return { qHash: proof.qHash, visibility, was, changed: false }
    }
    const change = { proof, visibility: visibilities[visibility], changedAt: parts.now(), spent: signed }
    const outcome = await setVisibility(parts, change)
    if (outcome === 'changed') return { qHash: proof.qHash, visibility, was, changed: true }
    if (outcome === 'spent')
      throw new AppError(
        'CONFLICT',
        'this signature was used for a change already: sign again with a new signedTimestamp',
      )
  }
  throw new AppError('CONFLICT', 'the proof was changed at the same time: read it again, and sign anew')
}

/** Later, the same text must not undo what its owner changed in between. The same request again is no error. */
async function spendInVain({ db }: Parts, signed: SpentSignature | undefined): Promise<void> {
  if (signed && !(await findSpent(db, signed))) await trySpendSignature(db, signed)
}
