/**
 * Verifies that a wallet signed a text, for every kind of account. The account's chain picks the scheme;
 * `signatureMethod` must agree with it. A key decides first, without any call outside. Otherwise the account may be a
 * contract (ERC-1271, ERC-6492), and only its chain can decide.
 *
 * It does not check freshness.
 */
import { isEvmAddress } from './account.ts'
import { isEd25519Account, verifyEd25519 } from './ed25519.ts'
import { computePersonalDigest, isPlaceholder, recoverPersonalSign } from './eip191.ts'
import type { Secp256k1 } from './secp256k1.ts'
import { isContractMethod, isKeyMethod } from './signature-method.ts'

/** Longer than any useful signature of a contract wallet. */
export const signatureMaxLength = 16_384

export type SignatureMethod = 'eip191' | 'ed25519' | 'eip1271' | 'eip6492'

export interface OfferedSignature {
  readonly address: string
  /** CAIP-2. */
  readonly chain: string
  readonly signature: string
  /** The caller's hint, if any. */
  readonly method?: string | undefined
  /** No chain is asked whether the account is a contract. */
  readonly isByKeyOnly?: boolean
}

export type SignatureVerdict = Signed | NotSigned

export interface Signed {
  readonly signed: true
  readonly method: SignatureMethod
  /** The index of the signed message. */
  readonly position: number
}

export interface NotSigned {
  readonly signed: false
  readonly reason:
    | 'MALFORMED'
    | 'METHOD_UNKNOWN'
    | 'OTHER_WALLET'
    | 'NOT_SIGNED'
    | 'ACCOUNT_HAS_NO_KEY'
    | 'SIGNS_BY_KEY'
    | 'NO_CHAIN'
  readonly message: string
  /** The two parts of the message, when contract wallets need a remark. */
  readonly cause?: string
  readonly aboutContract?: string
  /** The signer of an EIP-191 signature over the first message, when it is another address. */
  readonly recovered?: string
}

/**
 * Takes every text that may have been signed, the likeliest first. It returns a promise only when it asks a chain.
 * Errors: those of the chain (outside/failure.ts), which say nothing about the signature.
 */
export type VerifySignature = (
  offered: OfferedSignature,
  messages: readonly string[],
) => SignatureVerdict | Promise<SignatureVerdict>

/** A chain's answer about a signature by an account that may be a contract. */
export type AskContractWallet = (question: {
  readonly chainId: number
  readonly address: `0x${string}`
  /** EIP-191 digests, 32 bytes each. */
  readonly digests: readonly Uint8Array[]
  /** `0x` and an even number of hexadecimal digits. */
  readonly signature: `0x${string}`
}) => Promise<ContractAnswer>

export type ContractAnswer =
  | { readonly says: 'signed'; readonly position: number; readonly method: 'eip1271' | 'eip6492' }
  | { readonly says: 'not-signed' }
  /** The address holds no contract, and the signature deploys none. */
  | { readonly says: 'no-contract' }
  /** The address delegates to the code of the named contract (EIP-7702): the account has a key. */
  | { readonly says: 'delegated'; readonly delegate: `0x${string}` }
  | { readonly says: 'no-chain' }

/** Clients of this interface send a signature of zeros for "none". */
export const isNoSignature = (signature: string | undefined): boolean =>
  signature === undefined || signature === '' || isPlaceholder(signature)

/** For the refusal of an unsigned request: a remark in brackets, when the signature is one of zeros. */
export const noteZeros = (signature: string | undefined): string =>
  signature !== undefined && isPlaceholder(signature) ? ', and a signature of zeros (0x00…) counts as none' : ''

const answerNoChain: AskContractWallet = async () => ({ says: 'no-chain' })

export function makeSignatureVerifier(
  secp256k1: Secp256k1,
  askContractWallet: AskContractWallet = answerNoChain,
): VerifySignature {
  return (offered, messages) => {
    if (!offered.chain.startsWith('eip155:')) return verifyOther(offered, messages)
    const byKey = verifyEvmKey(secp256k1, offered, messages)
    return byKey.signed || offered.isByKeyOnly || !mayBeContract(offered, byKey)
      ? byKey
      : verifyContract(askContractWallet, offered, messages, byKey)
  }
}

/** The reason that no signature by this method can fit, by the namespace of the chain. */
export function findMethodFault(namespace: string, method: string | undefined): string | undefined {
  if (method === undefined) return undefined
  const shown = `signatureMethod "${method.slice(0, 40)}"`
  if (namespace !== 'eip155')
    return method.toLowerCase() === 'ed25519' ? undefined : `${shown} is not known for this chain: use ed25519`
  return isKeyMethod(method) || isContractMethod(method)
    ? undefined
    : `${shown} does not fit an EVM wallet: use eip191, or eip1271 for a contract wallet`
}

function verifyEvmKey(
  secp256k1: Secp256k1,
  { address, signature, method }: OfferedSignature,
  messages: readonly string[],
): SignatureVerdict {
  const fault = findMethodFault('eip155', method)
  if (fault !== undefined) return makeRefused('METHOD_UNKNOWN', fault)
  let first: string | undefined
  for (const [position, message] of messages.entries()) {
    const recovered = recoverPersonalSign(secp256k1, message, signature)
    if ('malformed' in recovered) return makeRefused('MALFORMED', recovered.message)
    if (isEvmAddress(address) && recovered.address === address.toLowerCase())
      return { signed: true, method: 'eip191', position }
    first ??= recovered.address
  }
  return {
    ...makeRefused('OTHER_WALLET', `the signature is by ${first}, or over another text, and not by ${address}`),
    ...(first === undefined ? {} : { recovered: first }),
  }
}

/** Any hexadecimal text may be a contract wallet's signature; some of 65 bytes look like a key's. */
const mayBeContract = ({ address, signature }: OfferedSignature, { reason }: NotSigned): boolean =>
  reason !== 'METHOD_UNKNOWN' && isEvmAddress(address) && /^0x(?:[0-9a-fA-F]{2})+$/.test(signature)

async function verifyContract(
  ask: AskContractWallet,
  { address, chain, signature, method }: OfferedSignature,
  messages: readonly string[],
  byKey: NotSigned,
): Promise<SignatureVerdict> {
  const answer = await ask({
    chainId: Number(chain.slice('eip155:'.length)),
    address: address.toLowerCase() as `0x${string}`,
    digests: messages.map(computePersonalDigest),
    signature: signature as `0x${string}`,
  })
  switch (answer.says) {
    case 'signed':
      return { signed: true, method: answer.method, position: answer.position }
    case 'not-signed':
      return makeRefused('NOT_SIGNED', `the contract wallet ${address} on ${chain} does not accept this signature`)
    case 'no-contract':
      return addSentence(byKey, `There is no contract wallet at ${address} on ${chain}`)
    case 'delegated':
      return makeRefused(
        'SIGNS_BY_KEY',
        `${address} on ${chain} is an account with a key that runs the code of ${answer.delegate} (EIP-7702): its key signs for it, and what that contract accepts does not count. Sign with the key of ${address}`,
      )
    case 'no-chain':
      return {
        ...addSentence(
          byKey,
          `If ${address} is a contract wallet, only its chain can tell, and ${chain} is not in the configuration that was read here: its operator can add [chains.<name>] with chain = "${chain}" and rpc`,
        ),
        // A signature that no key can have made, or that claims to be a contract's, is undecided and not wrong.
        reason: byKey.reason === 'MALFORMED' || isContractMethod(method) ? 'NO_CHAIN' : byKey.reason,
      }
  }
}

const addSentence = (byKey: NotSigned, aboutContract: string): NotSigned => ({
  ...byKey,
  message: `${byKey.message}. ${aboutContract}`,
  cause: byKey.message,
  aboutContract,
})

function verifyOther({ address, signature, method }: OfferedSignature, messages: readonly string[]): SignatureVerdict {
  const fault = findMethodFault('', method)
  if (fault !== undefined) return makeRefused('METHOD_UNKNOWN', fault)
  if (!isEd25519Account(address))
    return makeRefused(
      'ACCOUNT_HAS_NO_KEY',
      `${address} is a name, not a public key: sign with the account "ed25519:<base58 public key>"`,
    )
  for (const [position, message] of messages.entries()) {
    const verdict = verifyEd25519(address, message, signature)
    if (verdict === true) return { signed: true, method: 'ed25519', position }
    if (verdict !== false) return makeRefused('MALFORMED', verdict.message)
  }
  return makeRefused(
    'NOT_SIGNED',
    'the Ed25519 signature does not fit this wallet and text. Sign the UTF-8 bytes of the signerString, without a prefix',
  )
}

const makeRefused = (reason: NotSigned['reason'], message: string): NotSigned => ({ signed: false, reason, message })
