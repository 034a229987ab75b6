/** What every signed change beside a gate's definition needs: the digest that is signed, and the error of a reuse. */
import { writeCanonicalJson } from '../../envelope/canonical-json.ts'
import { AppError } from '../../errors.ts'

/** `0x` and the SHA-256 of the canonical JSON of the members, as far as they are sent. */
export const digestMembers = (members: Readonly<Record<string, string | null | undefined>>): string => {
  const sent = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  return `0x${Bun.SHA256.hash(writeCanonicalJson(sent), 'hex')}`
}

export const makeUsedSignatureError = (): AppError =>
  new AppError('CONFLICT', 'this signature was used for a change before: sign again with a new signedTimestamp')
