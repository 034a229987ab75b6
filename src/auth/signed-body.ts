/**
 * The members of a body that carry an owner's signature over an action. Optional everywhere: who signs in the five
 * headers, is signed in, or sends an access key leaves them out.
 */
import { Type } from '@sinclair/typebox'
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
