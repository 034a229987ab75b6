/**
 * Decides whether a request may store something. The disk must have space, and its network and owner must have bytes
 * left in their allowance. It guards the single writer, so that no route and no tool can forget it.
 */

import { type Db, StorageError, type Write, type WritePurpose } from '../db/db.ts'
import { type FreeSpace, leastLogBytes } from '../db/free-space.ts'
import { type Reserve, reserveSliceBytes } from '../db/reserve.ts'
import { wasForgotten } from '../db/spent-signature.ts'
import { AppError } from '../errors.ts'
import { findScope, type RequestScope } from '../request-scope.ts'
import { writeOnGrounds } from './grounds.ts'
import type { RateLimiter, Taking } from './rate-limit.ts'

interface Admission {
  readonly freeSpace: FreeSpace
  readonly reserve: Reserve
  /** Called when a slice of the reserve was given up. */
  readonly onReserveUsed: () => void
  readonly limiter: RateLimiter
  /** The warning when a write would be lost at the end of the process (health/storage-watch.ts). */
  readonly lossToPrevent: () => string | undefined
}

/** The same store, with every write of a request admitted first. Work that no request started is admitted wherever it would last. */
export const admitWrites = (db: Db, admission: Admission): Db => ({
  ...db,
  async write(statements, purpose = 'store') {
    requireLasting(admission)
    const scope = findScope()
    if (scope && purpose !== 'free') {
      if (purpose === 'store' ? admission.freeSpace.isBelowFloor() : isBelowLeast(purpose, admission)) {
        scope.hasNoRoomLeft = purpose !== 'store'
        throw makeStorageFullError()
      }
      countBytes(admission, selectCharged(purpose, scope), {
        cost: estimateBytes(statements),
        mayRefuse: purpose === 'store',
      })
    }
    for (;;)
      try {
        const result = await writeOnGrounds(db, statements, purpose)
        if ('refusedAt' in result && (await wasForgotten(db, statements, result.refusedAt)))
          throw makeForgottenTextError()
        if (scope && 'changes' in result && result.changes.some((rows) => rows > 0)) scope.hasStored = true
        return result
      } catch (error) {
        if ((await makeRoom(error, purpose, scope !== undefined, admission)) && !isUncertain(error)) continue
        if (scope && purpose !== 'store' && isDiskFull(error, admission.freeSpace)) scope.hasNoRoomLeft = true
        throw isDiskFull(error, admission.freeSpace) ? new StorageError(error.message, false, true) : error
      }
  },
})

/**
 * Whether there is more space now than when the write failed. Only for a person's requests that remove something. The
 * sweep can wait for the operator, and would give the whole reserve to the data that fills the disk.
 */
async function makeRoom(
  error: unknown,
  purpose: WritePurpose,
  isAsked: boolean,
  admission: Admission,
): Promise<boolean> {
  const { freeSpace, reserve, onReserveUsed } = admission
  await freeSpace.look()
  if (!isAsked || purpose === 'store' || !isForRoom(error, freeSpace)) return false
  // Signing in may use half of it: the other half is for the revoking itself.
  if (!(await reserve.giveUp(purpose === 'sign-in' ? reserve.wantedBytes / 2 : 0))) return false
  await freeSpace.look()
  onReserveUsed()
  return true
}

const isUncertain = (error: unknown): boolean => error instanceof StorageError && error.isUncertain

const mayUseReserve = ({ heldBytes, wantedBytes }: Reserve): boolean =>
  heldBytes() - reserveSliceBytes >= wantedBytes / 2

const isBelowLeast = (purpose: WritePurpose, admission: Admission): boolean =>
  purpose === 'sign-in' && !mayUseReserve(admission.reserve) && admission.freeSpace.isBelowReserve()

/** A stolen key that used up its wallet's allowance must not stop the wallet from signing in and revoking it. */
const selectCharged = (purpose: WritePurpose, { network, owner }: RequestScope): RequestScope => ({
  ...(network === undefined ? {} : { network }),
  ...(owner === undefined || purpose === 'sign-in' || purpose === 'mark' ? {} : { owner }),
})

/** A row costs its values, and about as much again for its header, index entries and share of the log. */
const statementBytes = 100
const numberBytes = 8

/** An estimate is enough: the allowance bounds growth, it is no invoice. */
export function estimateBytes(statements: Write): number {
  let bytes = 0
  for (const { params } of statements) {
    bytes += statementBytes
    for (const value of params) bytes += typeof value === 'string' ? Buffer.byteLength(value) : numberBytes
  }
  return bytes
}

/** Errors: RATE_LIMIT_EXCEEDED. */
function countBytes({ limiter }: Pick<Admission, 'limiter'>, { owner, network }: RequestScope, taking: Taking): void {
  if (owner !== undefined) limiter.take('written_by_owner', owner, taking)
  if (network !== undefined) limiter.take('written_by_network', network, taking)
}

/** The maximum size of a purchase's rows: a payment, its reward, and its recipient. */
const purchaseBytes = 16_384

/**
 * For a request whose outside effect cannot be undone, such as a payment. It runs before that effect, so that the later
 * write is not refused. Errors: STORAGE_FULL, RATE_LIMIT_EXCEEDED.
 */
export function requireRoomToWrite({ freeSpace, limiter, storage }: RoomTools): void {
  requireLasting(storage)
  const scope = findScope()
  if (!scope) return
  requireSpace(freeSpace)
  countBytes({ limiter }, scope, { cost: 0, room: purchaseBytes })
}

interface RoomTools extends Pick<Admission, 'freeSpace' | 'limiter'> {
  readonly storage: Pick<Admission, 'lossToPrevent'>
}

/** Errors: SERVICE_UNAVAILABLE. */
function requireLasting({ lossToPrevent }: Pick<Admission, 'lossToPrevent'>): void {
  const loss = lossToPrevent()
  if (loss !== undefined)
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `${loss}. Nothing of this request was stored: try again later, and tell the operator`,
      {},
      { 'retry-after': retryAfterSeconds },
    )
}

/**
 * The clock was set back by more than a day, to hours whose texts are forgotten. So it is unknown whether this one was
 * used. "Used already" would be untrue for most.
 */
const makeForgottenTextError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'the clock of this server was set back to a time whose signed requests it has forgotten, so it cannot tell whether this one was used before. Nothing was changed. Sign again when the clock of the server is right; its log has more',
    { reason: 'CLOCK_SET_BACK' },
    { 'retry-after': '3600' },
  )

/** Errors: STORAGE_FULL. */
function requireSpace(freeSpace: FreeSpace): void {
  if (freeSpace.isBelowFloor()) throw makeStorageFullError()
}

/** The operator frees the disk by hand, which takes minutes and not seconds. */
const retryAfterSeconds = '60'

export const makeStorageFullError = (): AppError =>
  new AppError(
    'STORAGE_FULL',
    `the disk of this server is nearly full, so nothing new is stored ${findScope()?.hasStored ? 'and only a first part of this request was' : 'and nothing of this request was'}. ${findScope()?.hasNoRoomLeft ? 'The room that is kept for revoking, erasing and signing in is used up, or was never made. Reading still works' : 'Reading, revoking and erasing still work'}. Try again later; the operator frees space, or lowers storage.min_free_mb`,
    {},
    { 'retry-after': retryAfterSeconds },
  )

const isDiskFull = (error: unknown, freeSpace: FreeSpace): error is StorageError =>
  isForRoom(error, freeSpace) && !error.isUncertain

const isForRoom = (error: unknown, freeSpace: FreeSpace): error is StorageError =>
  error instanceof StorageError &&
  (error.isDiskFull || (freeSpace.readBytes() ?? Number.POSITIVE_INFINITY) < leastLogBytes)
