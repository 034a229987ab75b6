/** The output of `proofgate sign`, which people paste: a signed sign-in message in one word. */

import { AppError } from '../../errors.ts'
import { findUnsafeText, unsafeTextFault } from '../../stream-safe.ts'
import { signatureMaxLength } from '../../wallet/signature.ts'
import { messageMaxLength } from './message.ts'

export interface SignedMessage {
  readonly message: string
  readonly signature: string
  readonly signatureMethod?: string | undefined
}

const prefix = 'pgs_'
export const pastedMaxLength = 32_768
export const methodMaxLength = 32

export const packToken = ({ message, signature, signatureMethod }: SignedMessage): string =>
  `${prefix}${Buffer.from(JSON.stringify({ message, signature, ...(signatureMethod ? { signatureMethod } : {}) })).toString('base64url')}`

/** Errors: VALIDATION_ERROR. */
export function readPastedToken(token: string): SignedMessage {
  const body = /^pgs_([A-Za-z0-9_-]+)$/.exec(token)?.[1]
  if (body === undefined) throw makeUnusableError('it is not pgs_ followed by base64url')
  const bytes = Buffer.from(body, 'base64url')
  if (bytes.toString('base64url') !== body) throw makeUnusableError('it was cut short or changed')
  const value = parseJson(bytes)
  if (findUnsafeText(value) !== undefined) throw makeUnusableError(`a text in it ${unsafeTextFault}`)
  if (!isSignedMessage(value)) throw makeUnusableError('it does not hold a message and a signature')
  return value
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw makeUnusableError('it was cut short or changed')
  }
}

const longest = { message: messageMaxLength, signature: signatureMaxLength, signatureMethod: methodMaxLength }

function isSignedMessage(value: unknown): value is SignedMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = Object.entries(value)
  return (
    'message' in value &&
    'signature' in value &&
    members.every(
      ([name, text]) =>
        Object.hasOwn(longest, name) &&
        typeof text === 'string' &&
        text.length > 0 &&
        text.length <= longest[name as keyof typeof longest],
    )
  )
}

const makeUnusableError = (why: string): AppError =>
  new AppError('VALIDATION_ERROR', `the token cannot be read (${why}): paste the whole output of proofgate sign`, {
    path: '/token',
  })
