/**
 * Decides whether a request may store something: the disk must have room, and its network and its owner must have bytes
 * left of their allowance. It stands before the one writer, so that no route and no tool can forget it.
 */
import { type Db, StorageError, type Write, type WritePurpose } from '../db/db.ts'
import type { FreeSpace } from '../db/free-space.ts'
import { AppError } from '../errors.ts'
import { findScope, type RequestScope } from '../request-scope.ts'
import type { RateLimiter } from './rate-limit.ts'
import { writeOnGrounds } from './standing.ts'

interface Admission {
  readonly freeSpace: FreeSpace
  readonly limiter: RateLimiter
  readonly now: () => number
}

/** The same store, with every write of a request admitted first. Work that no request started is always admitted. */
export const admitWrites = (db: Db, admission: Admission): Db => ({
  ...db,
  async write(statements, purpose = 'store') {
    const scope = findScope()
    if (scope && purpose !== 'free') {
      if (purpose === 'store' ? admission.freeSpace.isBelowFloor() : isBelowLeast(purpose, admission))
        throw storageFull()
      countBytes(admission, selectCharged(purpose, scope), estimateBytes(statements), purpose === 'store')
    }
    return writeOnGrounds(db, statements, purpose).catch((error) => {
      throw isDiskFull(error, admission.freeSpace) ? new StorageError(error.message, false, true) : error
    })
  },
})

const isBelowLeast = (purpose: WritePurpose, { freeSpace }: Admission): boolean =>
  purpose === 'sign-in' && freeSpace.isBelowReserve()

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
function countBytes({ limiter, now }: Admission, scope: RequestScope, bytes: number, mayRefuse: boolean): void {
  const at = now()
  if (scope.owner !== undefined) limiter.take('written_by_owner', scope.owner, at, { cost: bytes, mayRefuse })
  if (scope.network !== undefined) limiter.take('written_by_network', scope.network, at, { cost: bytes, mayRefuse })
}

/**
 * For a request whose effect elsewhere cannot be undone, such as a payment: asked before that effect, so that the write
 * after it need not be refused. Errors: STORAGE_FULL, RATE_LIMIT_EXCEEDED.
 */
export function requireRoomToWrite({ freeSpace, limiter, now }: Admission): void {
  const scope = findScope()
  if (!scope) return
  requireSpace(freeSpace)
  countBytes({ freeSpace, limiter, now }, scope, 0, true)
}

/** Errors: STORAGE_FULL. */
function requireSpace(freeSpace: FreeSpace): void {
  if (freeSpace.isBelowFloor()) throw storageFull()
}

/** The operator frees the disk by hand, which takes minutes and not seconds. */
const retryAfterSeconds = '60'

export const storageFull = (): AppError =>
  new AppError(
    'STORAGE_FULL',
    'the disk of this server is nearly full, so nothing new is stored and nothing of this request was. Reading, revoking and erasing still work. Try again later; the operator frees space, or lowers storage.min_free_mb',
    {},
    { 'retry-after': retryAfterSeconds },
  )

/** Where not even the shared memory of the log can grow, SQLite says "disk I/O error" and not "disk is full". */
const noSpaceBytes = 1_048_576

const isDiskFull = (error: unknown, freeSpace: FreeSpace): error is StorageError =>
  error instanceof StorageError &&
  !error.isUncertain &&
  (error.isDiskFull || (freeSpace.readBytes() ?? Number.POSITIVE_INFINITY) < noSpaceBytes)
