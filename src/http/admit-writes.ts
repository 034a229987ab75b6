/**
 * Decides whether a request may store something: the disk must have room, and its network and its owner must have bytes
 * left of their allowance. It stands before the one writer, so that no route and no tool can forget it.
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
  /** What to say where a write would be lost when the process ends (health/storage-watch.ts). */
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
        if ('refusedAt' in result && wasForgotten(db, statements, result.refusedAt)) throw makeForgottenTextError()
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
 * Whether there is more room now than when the write failed. Only for what a person asks for that takes something away:
 * the sweep can wait for the operator, and would give the whole reserve to whatever fills the disk.
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

/** A stolen key that used up the allowance of its wallet must not keep the wallet from signing in and revoking it. */
const selectCharged = (purpose: WritePurpose, { network, owner }: RequestScope): RequestScope => ({
  ...(network === undefined ? {} : { network }),
  ...(owner === undefined || purpose === 'sign-in' || purpose === 'mark' ? {} : { owner }),
})

/** A row costs its values and about as much again for its header, its index entries and its share of the log. */
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

/** What is written of a purchase, at most: a payment, what it buys, and where it went. */
const purchaseBytes = 16_384

/**
 * For a request whose effect elsewhere cannot be undone, such as a payment: asked before that effect, so that the write
 * after it need not be refused. Errors: STORAGE_FULL, RATE_LIMIT_EXCEEDED.
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
 * The clock was set back by more than a day, to hours whose texts are forgotten: nobody can say whether this one was used.
 * Not "used already", which would be untrue for most.
 */
const makeForgottenTextError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'the clock of this server was set back to a time whose signed requests it has forgotten, so it cannot tell whether this one was used before, and nothing was done. Sign again when the clock of the server is right; its operator finds more in the log',
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
