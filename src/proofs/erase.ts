import { AppError } from '../errors.ts'
import { type Credentials, requireCaller } from '../http/caller.ts'
import type { Identity } from '../http/identity.ts'
import type { Parts } from '../parts.ts'
import { type Account, mayMean, type NamedAccount, readNamedAccount } from '../wallet/account.ts'
import { eraseAction } from './actions.ts'
import { finishErasure } from './erase-slices.ts'
import { beginErasure } from './erase-store.ts'

/**
 * Deletes every record of the signing wallet from the database: proofs, kept contents, grants, names, counters. From the
 * first write on nobody finds them; a crash in between delays only their deletion. What others hold as a portable proof
 * stays theirs. A signature erases once: replayed, it reaches nothing that was made
 * after. `wallet` says which of a person's own is meant. Errors:
 * those of requireCaller, FORBIDDEN.
 */
export async function eraseAll(parts: Parts, credentials: Credentials, wallet: string | undefined) {
  const named = wallet === undefined ? undefined : readNamedAccount(wallet, parts.config.signing.hubChainId)
  const caller = await requireCaller(credentials, eraseAction, parts, {
    about: (account) => named !== undefined && mayMean(named, account),
    needs: 'profile',
  })
  if ('identity' in credentials) requireOwnWallet(credentials.identity, caller, named)
  const now = parts.now()
  const { maxAgeMs, maxAheadMs } = parts.freshness
  const begun = await beginErasure(parts.db, caller, caller.signed, {
    erasedAt: now,
    acceptedSince: now - maxAgeMs,
    forgetAt: now + maxAgeMs + maxAheadMs,
  })
  if (begun === 'spent' || begun === 'nothing') return { erasedCount: 0, alreadyRevoked: true }
  let erased = 0
  for (const erasure of begun) erased += await finishErasure(parts.db, erasure)
  // The database file is overwritten where it held them (secure_delete); the log beside it is emptied as well.
  if (erased > 0) await parts.db.emptyLog()
  return { erasedCount: erased, alreadyRevoked: erased === 0 }
}

/** It cannot be undone: no program does it with a key, and no wallet is meant that was not named. Errors: FORBIDDEN. */
function requireOwnWallet({ via }: Identity, acting: Account, named: NamedAccount | undefined): void {
  if (via !== 'session')
    throw new AppError(
      'FORBIDDEN',
      'everything of a wallet is erased by its signature, or by a browser that the primary wallet is signed in to, not by an access key or a linked wallet',
    )
  if (named === undefined || !mayMean(named, acting))
    throw new AppError('FORBIDDEN', 'walletAddress must name the wallet to erase, and it must be one of yours')
}
