/**
 * Whether a wallet signed a text: the one door for every kind of account. The namespace of the account picks the
 * scheme; `signatureMethod` must agree with it.
 *
 * Does not check freshness, and does not ask a chain: signatures of contract wallets are recognised as not decidable.
 */
import { isEvmAddress } from './account.ts'
import { isEd25519Account, verifyEd25519 } from './ed25519.ts'
import { isPlaceholder, recoverPersonalSign } from './eip191.ts'
import type { Secp256k1 } from './secp256k1.ts'

/** Longer than any signature of a contract wallet that has a use. */
export const signatureMaxLength = 16_384

export type SignatureMethod = 'eip191' | 'ed25519'

export interface SignedText {
  readonly address: string
  /** CAIP-2 namespace of the account. */
  readonly namespace: string
  readonly message: string
  readonly signature: string
  /** The caller's hint, if any. */
  readonly method?: string | undefined
}

export type SignatureVerdict =
  | { readonly signed: true; readonly method: SignatureMethod }
  | {
      readonly signed: false
      readonly reason: 'MALFORMED' | 'METHOD_UNKNOWN' | 'OTHER_WALLET' | 'NOT_SIGNED' | 'ACCOUNT_HAS_NO_KEY'
      readonly message: string
      /** The address an EIP-191 signature belongs to, when it is another one. */
      readonly recovered?: string
    }

const evmMethods = new Set(['eip191', 'eip1271', 'eip-191', 'personal_sign'])

export type VerifySignature = (text: SignedText) => SignatureVerdict

/** A signature of nothing but zeros stands for "none" in the clients of this interface. */
export const isNoSignature = (signature: string | undefined): boolean =>
  signature === undefined || signature === '' || isPlaceholder(signature)

export function signatureVerifier(secp256k1: Secp256k1): VerifySignature {
  return (text) => (text.namespace === 'eip155' ? verifyEvm(secp256k1, text) : verifyOther(text))
}

function verifyEvm(secp256k1: Secp256k1, { address, message, signature, method }: SignedText): SignatureVerdict {
  if (method !== undefined && !evmMethods.has(method.toLowerCase()))
    return refused('METHOD_UNKNOWN', `signatureMethod "${method.slice(0, 40)}" does not fit an EVM wallet: use eip191`)
  const recovered = recoverPersonalSign(secp256k1, message, signature)
  if ('malformed' in recovered) return refused('MALFORMED', recovered.message)
  if (isEvmAddress(address) && recovered.address === address.toLowerCase()) return { signed: true, method: 'eip191' }
  return {
    ...refused(
      'OTHER_WALLET',
      `the signature is by ${recovered.address} (or by another text), not by ${address}. Sign exactly the signerString that standardize returns for this body; signatures of contract wallets need a chain, and none is configured here`,
    ),
    recovered: recovered.address,
  }
}

function verifyOther({ address, message, signature, method }: SignedText): SignatureVerdict {
  if (method !== undefined && method.toLowerCase() !== 'ed25519')
    return refused(
      'METHOD_UNKNOWN',
      `signatureMethod "${method.slice(0, 40)}" is not known for this chain: use ed25519`,
    )
  if (!isEd25519Account(address))
    return refused(
      'ACCOUNT_HAS_NO_KEY',
      `${address} is a name, not a public key: sign with the account "ed25519:<base58 public key>"`,
    )
  const verdict = verifyEd25519(address, message, signature)
  if (verdict === true) return { signed: true, method: 'ed25519' }
  return verdict === false
    ? refused(
        'NOT_SIGNED',
        'the Ed25519 signature does not fit this wallet and text. Sign the UTF-8 bytes of the signerString, without a prefix',
      )
    : refused('MALFORMED', verdict.message)
}

const refused = (reason: (SignatureVerdict & { signed: false })['reason'], message: string) =>
  ({ signed: false, reason, message }) as const
