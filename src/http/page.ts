/**
 * Cursors of lists: opaque to callers, a position for us. A cursor fits only the query that gave it out, because a
 * position in one list means nothing in another.
 */
import { AppError } from '../errors.ts'

export const cursorMaxLength = 2048

/** A short digest of everything that decides which rows a list has, and in which order. */
export const queryFingerprint = (parts: readonly unknown[]): string =>
  Bun.SHA256.hash(JSON.stringify(parts), 'hex').slice(0, 16)

export const cursorAt = (position: number, fingerprint: string): string =>
  Buffer.from(`1.${position.toString(36)}.${fingerprint}`).toString('base64url')

/** Errors: VALIDATION_ERROR. */
export function positionOf(cursor: string, fingerprint: string): number {
  const [version, position = '', seen] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  if (version !== '1' || !/^[0-9a-z]{1,11}$/.test(position))
    throw new AppError('VALIDATION_ERROR', 'cursor is not one that this service gave out: start again without it', {
      path: '/cursor',
    })
  if (seen !== fingerprint)
    throw new AppError(
      'VALIDATION_ERROR',
      'cursor belongs to another query: keep address, filters and authentication the same from page to page, or start again without it',
      {
        path: '/cursor',
      },
    )
  return Number.parseInt(position, 36)
}
