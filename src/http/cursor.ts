/**
 * The one form of cursors. A cursor holds the encrypted position of a row: callers learn no row number, and cannot make
 * their own cursor. It opens only for the list that it was sealed for.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import type { Sealer } from '../db/seal.ts'
import { AppError } from '../errors.ts'

export const cursorMaxLength = 2048

/** Names a list: its route, whose rows it has, who is looking, and what narrows it. */
export type ListIdentity = readonly [list: string, ...parts: unknown[]]

const formatVersion = 2
const positionBytes = 8
const identityBytes = 16
const ivBytes = 12
const tagBytes = 16
const purpose = 'cursor'
const aad = Buffer.from(`proofgate cursor ${formatVersion}`)
const byteLength = 1 + ivBytes + positionBytes + identityBytes + tagBytes

const hashIdentity = (identity: ListIdentity): Buffer =>
  createHash('sha256').update(JSON.stringify(identity)).digest().subarray(0, identityBytes)

/**
 * The same position of the same list is the same cursor, so that the ETag of an unchanged page stays. The IV is
 * therefore a MAC of the text (as in RFC 5297), and repeats only with the whole text.
 */
export function sealCursor(sealer: Sealer, identity: ListIdentity, position: number): string {
  const plain = Buffer.alloc(positionBytes)
  plain.writeBigUInt64BE(BigInt(position))
  const text = Buffer.concat([plain, hashIdentity(identity)])
  const key = sealer.deriveKey(purpose)
  const iv = createHmac('sha256', key).update(text).digest().subarray(0, ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
  const sealed = [Buffer.of(formatVersion), iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/** The position that a cursor of this list holds. Errors: VALIDATION_ERROR. */
export function openCursor(sealer: Sealer, identity: ListIdentity, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url')
  // The last character has bits that decoding ignores: only one spelling is the cursor.
  const text = bytes.toString('base64url') === cursor ? decrypt(sealer, bytes) : undefined
  // The second comparison refuses other spellings of the same bytes, which base64url decoders ignore.
  if (text === undefined || sealedLength !== cursor.length)
    throw refuse('this server did not issue this cursor, or issued it before an update: start again without it')
  if (!text.subarray(positionBytes).equals(hashIdentity(identity)))
    throw refuse(
      'cursor belongs to another query: keep path, filters and authentication the same from page to page, or start again without it',
    )
  return Number(text.readBigUInt64BE(0))
}

const sealedLength = Math.ceil((byteLength * 4) / 3)

function decrypt(sealer: Sealer, bytes: Buffer): Buffer | undefined {
  if (bytes.length !== byteLength || bytes[0] !== formatVersion) return undefined
  const iv = bytes.subarray(1, 1 + ivBytes)
  const body = bytes.subarray(1 + ivBytes, byteLength - tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', sealer.deriveKey(purpose), iv)
    .setAAD(aad)
    .setAuthTag(bytes.subarray(byteLength - tagBytes))
  try {
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    return undefined
  }
}

const refuse = (message: string): AppError => new AppError('VALIDATION_ERROR', message, { path: '/cursor' })
