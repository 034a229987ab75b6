/**
 * The members of a body that carry an owner's signature over an action. All are optional: the signature may stand in
 * the five headers, and a session or an access key needs none.
 */
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import { signatureMaxLength } from '../wallet/signature.ts'

const walletAddress = Type.String({ minLength: 1, maxLength: 160 })
const signature = Type.String({
  minLength: 1,
  maxLength: signatureMaxLength,
  description: 'Over the six lines of the action. Changes name the server there, as standardize writes it.',
})
const signedTimestamp = Type.Integer({
  minimum: 1,
  maximum: 8_640_000_000_000_000,
  description:
    'Unix milliseconds, not older than signing.max_age_seconds of the server: 5 minutes unless the operator set it.',
})
const hints = {
  chain: Type.Optional(Type.String({ maxLength: 80, description: 'CAIP-2, for wallets that are not EVM.' })),
  signatureMethod: Type.Optional(Type.String({ maxLength: 32 })),
}

export const signedMembers = {
  walletAddress: Type.Optional(walletAddress),
  signature: Type.Optional(signature),
  signedTimestamp: Type.Optional(signedTimestamp),
  ...hints,
}

const headers: ReadonlyMap<string, string> = new Map([
  ['walletAddress', 'x-wallet-address'],
  ['signedTimestamp', 'x-signed-timestamp'],
  ['chain', 'x-chain'],
  ['signatureMethod', 'x-signature-method'],
])

/** Where a body names its signer in `ownerWallet`, refusals do so too. Other errors stay unchanged. */
export function nameOwnerWallet(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const message = error.message
    .replace(/^((?:[a-z ]+: )?)walletAddress\b/, '$1ownerWallet')
    .replace(/\b(send|needs) walletAddress(,| and) (signature|signedTimestamp)\b/, '$1 ownerWallet$2 $3')
  const details = (error.details ?? {}) as { readonly path?: unknown }
  const named = details.path === '/walletAddress' ? { ...details, path: '/ownerWallet' } : error.details
  return new AppError(error.code, message, named, error.headers)
}

/** The subject of the sentence, after the event. */
const subject = /^((?:[a-z ]+: )?)(walletAddress|signedTimestamp|chain|signatureMethod)\b/

/** A refusal of a signature in headers names the header instead of the body's member. Other errors stay unchanged. */
export function nameHeaders(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const message = error.message.replace(
    subject,
    (_, start: string, member: string) => `${start}the header ${headers.get(member)}`,
  )
  return new AppError(error.code, message, error.details, error.headers)
}
