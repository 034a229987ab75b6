/**
 * Accounts: which wallet on which chain. Owns the parsing, spelling and comparison of CAIP-2 chain ids, addresses and
 * did:pkh identifiers. Knows nothing of signatures or proofs.
 */
import { fromBase58 } from './base58.ts'

/**
 * The chain a request is signed for: an EVM chain id, or a CAIP-2 id. Exactly one of the two is set; which one it is
 * enters the qHash (CAIP-380), so the two spellings of the same EVM chain stay apart.
 */
export type ChainContext =
  | { readonly chainId: number; readonly chain?: never }
  | { readonly chain: string; readonly chainId?: never }

/** CAIP-2: `namespace:reference`. Length bounds are those of the specification. */
export const caip2Pattern = '^[a-z0-9-]{3,8}:[a-zA-Z0-9._-]{1,64}$'
export const caip2 = /* @__PURE__ */ new RegExp(caip2Pattern)

/**
 * An EVM chain in any but its one spelling. 84532 and 084532 are signed alike, but hash and name the wallet differently:
 * with zeros before the number one signature would make many proofs.
 */
export const misspelledEvmChain = /^eip155:(?![1-9][0-9]{0,14}$)/

export const evmAddressPattern = '^0x[a-fA-F0-9]{40}$'
const evmAddress = /^0x[a-fA-F0-9]{40}$/

/** EVM, Solana base58, or an account name as NEAR has them. An EVM address cut short must not pass for a name. */
export const universalAddressPattern = '^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}|(?!0x)[a-z0-9._-]{2,64})$'
const universalAddress = /* @__PURE__ */ new RegExp(universalAddressPattern)

/** An address is never longer than this, whatever its namespace. */
export const addressMaxLength = 128

export const isCaip2 = (text: string): boolean => caip2.test(text)

export const isEvmAddress = (text: string): boolean => text.length === 42 && evmAddress.test(text)

export const namespaceOf = (context: ChainContext): string =>
  context.chain === undefined ? 'eip155' : context.chain.slice(0, context.chain.indexOf(':'))

/**
 * How an address is spelled wherever it is stored, compared or signed: EVM addresses in lower case, all others
 * verbatim, because base58 is case-sensitive.
 */
export const normalizeAddress = (address: string): string => (isEvmAddress(address) ? address.toLowerCase() : address)

export const sameAddress = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && isEvmAddress(a) && a.toLowerCase() === b.toLowerCase())

/** Whether an address has the form of its namespace. Does not check that the account exists, nor the EIP-55 checksum. */
export function isAddressOf(namespace: string, address: string): boolean {
  if (namespace === 'eip155') return isEvmAddress(address)
  if (namespace === 'solana') return isBase58Key(address)
  return address.startsWith(keyPrefix)
    ? isBase58Key(address.slice(keyPrefix.length))
    : universalAddress.test(address) && !isEvmAddress(address)
}

const keyPrefix = 'ed25519:'

/** What is wrong with an address, as a sentence, or undefined when its form is right (isAddressOf). */
export function addressFault(address: string, namespace: string): string | undefined {
  if (isAddressOf(namespace, address)) return undefined
  if (namespace === 'eip155') return 'an EVM address is 0x followed by 40 hexadecimal digits'
  if (namespace === 'solana') return 'a Solana address is a base58 text that decodes to 32 bytes'
  return address.startsWith(keyPrefix)
    ? 'after "ed25519:" comes a base58 text that decodes to 32 bytes'
    : `an address of the "${namespace}" namespace is a base58 key or an account name of 2 to 64 characters a-z 0-9 . _ -`
}

/** A base58 text that decodes to 32 bytes. */
export const isBase58Key = (text: string): boolean => fromBase58(text, 32) !== undefined

/** did:pkh of the account: only the first two parts of the chain count, EVM addresses in lower case. */
export function didOf(context: ChainContext, address: string): string {
  if (context.chain === undefined) return `did:pkh:eip155:${context.chainId}:${address.toLowerCase()}`
  const [namespace, reference] = context.chain.split(':')
  return `did:pkh:${namespace}:${reference}:${namespace === 'eip155' ? address.toLowerCase() : address}`
}

/** CAIP-10: `chain:address`, EVM addresses in lower case. */
export const accountIdOf = (chain: string, address: string): string => `${chain}:${normalizeAddress(address)}`

/** The CAIP-2 spelling of a chain context. */
export const chainOf = (context: ChainContext): string => context.chain ?? `eip155:${context.chainId}`

/**
 * Reduces a wallet given as `did:pkh:<namespace>:<reference>:<address>` to its address; a plain address passes.
 * Undefined when the text starts like a DID but is not one.
 */
export function addressOfIdentifier(identifier: string): string | undefined {
  if (!identifier.startsWith('did:')) return identifier
  const parts = identifier.split(':')
  return parts.length === 5 && parts[1] === 'pkh' && parts[4] ? parts[4] : undefined
}

/** The namespace an address belongs to by its form alone, for lists that are asked without a chain. */
export const looksLikeAddress = (text: string): boolean =>
  universalAddress.test(text) || (text.startsWith('ed25519:') && isBase58Key(text.slice('ed25519:'.length)))
