import { type Credentials, requireCaller } from '../auth/caller.ts'
import type { Identity } from '../auth/identity.ts'
import { leaveNoTrace } from '../db/traces.ts'
import { AppError } from '../errors.ts'
import { buildTracesView } from '../http/traces-view.ts'
import type { Parts } from '../parts.ts'
import { eraseAction } from '../proofs/actions.ts'
import { type Account, mayMean, type NamedAccount, readNamedAccount, writeAccount } from '../wallet/account.ts'
import { findReceipt, findReceiptOfRequest, findReceiptOfWallet, type Receipt } from './receipt-store.ts'
import { finishErasure } from './slices.ts'
import { beginErasure, type Erasure } from './store.ts'

/** A later answer would find a client that has timed out. */
export const mostWaitMs = 20_000

/**
 * Deletes every record of the signing wallet from the database: proofs, kept contents, grants, names, counters. From
 * the first write on, no query finds them; a crash only delays their deletion. Portable proofs of other people are
 * unaffected. A signature erases once: a replay does not affect later records. `wallet` selects one of a person's
 * wallets. After `waitMs` the answer says what is left, and the deletion continues. Errors: those of requireCaller,
 * FORBIDDEN, VALIDATION_ERROR.
 */
export async function eraseAll(
  parts: Parts,
  credentials: Credentials,
  { wallet, waitMs }: { readonly wallet: string | undefined; readonly waitMs: number },
) {
  const named = wallet === undefined ? undefined : readNamedAccount(wallet, parts.config.signing.hubChainId)
  const caller = await requireCaller(credentials, eraseAction, parts, {
    about: (account) => named !== undefined && mayMean(named, account),
    needs: 'profile',
  })
  if ('identity' in credentials) requireOwnWallet(credentials.identity, caller, named, wallet !== undefined)
  const now = parts.readLatest()
  const { maxAgeMs, maxAheadMs } = parts.freshness
  const begun = await beginErasure(parts, caller, caller.signed, {
    erasedAt: now,
    // Uses the time that has certainly passed: after a correction of the clock, an old signature may be fresh again.
    acceptedSince: parts.readSure() - maxAgeMs,
    forgetAt: now + maxAgeMs + maxAheadMs,
  })
  if (begun === 'spent' || begun === 'nothing') {
    // The same request again, or another one during the deletion.
    const receipt =
      (begun === 'spent' && caller.signed && (await findReceiptOfRequest(parts.db, caller.signed))) ||
      (await findReceiptOfWallet(parts.db, writeAccount(caller)))
    const isUnderWay = receipt !== undefined && receipt.endedAt === null
    return {
      erasedCount: isUnderWay ? receipt.total - receipt.left : 0,
      alreadyRevoked: !isUnderWay,
      ...(receipt ? describeProgress(receipt) : {}),
    }
  }
  // From here on, no query finds the wallet. A failed slice does not change that.
  const work = finishAll(parts, begun).catch(() => undefined)
  const erased = await Promise.race([work, waitAtMost(waitMs)])
  const receipt = await findReceipt(parts.db, begun[0]?.receipt ?? '')
  if (!receipt) throw new Error('the receipt of an erasure that was begun is not there')
  return {
    erasedCount: erased ?? receipt.total - receipt.left,
    alreadyRevoked: receipt.endedAt !== null && erased === 0,
    ...describeProgress(receipt),
  }
}

/** Resolves once the rows are deleted, and clearing their traces succeeded or failed. Callers must limit their wait. */
function finishAll(parts: Parts, begun: readonly Erasure[]): Promise<number> {
  const work = (async () => {
    let erased = 0
    for (const erasure of begun) erased += await finishErasure(parts, erasure)
    // SQLite overwrites rows in the file (secure_delete), and its log is emptied. It may leave copies in unused space of
    // other pages when it moves rows, and PostgreSQL overwrites nothing; `proofgate compact` removes both.
    await leaveNoTrace(parts)
    return erased
  })()
  work.catch((error) =>
    parts.log.count({
      level: 'warn',
      event: 'erasure-interrupted',
      message: 'an erasure was interrupted, and goes on later',
      error,
      fields: { mend: 'look at the disk of the data folder: the next start or the sweep goes on with it' },
    }),
  )
  return work
}

const waitAtMost = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())

/** The content of a receipt for its holder. */
export const describeProgress = ({ handle, total, left, begunAt, endedAt, ...receipt }: Receipt) => {
  const hasTraces = endedAt === null || receipt.hasTraces === 1
  return {
    erasure: {
      id: handle,
      state: endedAt === null ? ('erasing' as const) : hasTraces ? ('traces-left' as const) : ('done' as const),
      total,
      left,
      begunAt: new Date(begunAt).toISOString(),
      ...(endedAt === null ? {} : { deletedAt: new Date(endedAt).toISOString() }),
      status: `/api/v1/proofs/erasures/${handle}`,
    },
    traces: buildTracesView(hasTraces ? { since: endedAt ?? begunAt } : undefined),
  }
}

/** Errors: NOT_FOUND. */
export async function readErasure({ db }: Pick<Parts, 'db'>, handle: string) {
  const receipt = await findReceipt(db, handle)
  if (!receipt)
    throw new AppError(
      'NOT_FOUND',
      'no erasure has this id: take it from the answer to the erasing request. The server forgets an erasure seven days after its end',
    )
  return describeProgress(receipt)
}

/**
 * An erasure is irreversible: no access key may request it, and the wallet must be named. Errors: FORBIDDEN,
 * VALIDATION_ERROR.
 */
function requireOwnWallet({ via }: Identity, acting: Account, named: NamedAccount | undefined, isNamed: boolean): void {
  if (via !== 'session')
    throw new AppError(
      'FORBIDDEN',
      'an access key or a linked wallet may not erase everything: sign the request with the wallet, or sign in with the primary wallet',
    )
  if (!isNamed)
    throw new AppError('VALIDATION_ERROR', 'walletAddress is missing in the body: give the wallet to erase', {
      path: '/walletAddress',
    })
  if (named === undefined || !mayMean(named, acting))
    throw new AppError('FORBIDDEN', 'walletAddress is not one of your wallets: give the wallet to erase')
}
