/**
 * The form that a portable proof must have before any of it is trusted. It is strict, because only this check stands
 * between a stranger's object and a verdict. Its texts enter the six lines and the hash unchanged.
 */
import {
  addressMaxLength,
  type ChainContext,
  caip2,
  isValidAddress,
  misspelledEvmChain,
  readNamespace,
} from '../wallet/account.ts'
import type { PortableProof } from './portable-proof.ts'

type Rule = (value: unknown) => boolean

const matchText =
  (pattern: RegExp, maxLength = 256): Rule =>
  (value) =>
    typeof value === 'string' && value.length <= maxLength && pattern.test(value)

const matchWhole =
  (maximum: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= maximum

// No commas and no line feeds: ["a,b"] is signed as the same text as ["a","b"], and is another request.
const verifierId = matchText(/^[a-zA-Z0-9._-]{1,64}(@[0-9]{1,9})?$/)

const needed = {
  qHash: matchText(/^0x[a-fA-F0-9]{64}$/),
  // Compared with the DID of the wallet and chain.
  did: matchText(/^did:pkh:/),
  // Checked with its chain, below.
  walletAddress: matchText(/./, addressMaxLength),
  verifierIds: (ids) => Array.isArray(ids) && ids.length > 0 && ids.length <= 64 && ids.every(verifierId),
  data: (data) => typeof data === 'object' && data !== null && !Array.isArray(data),
  signedTimestamp: matchWhole(8_640_000_000_000_000),
  signature: matchText(/^[\x21-\x7e]+$/, 16_384),
  signatureMethod: matchText(/^[a-zA-Z0-9_-]+$/, 32),
} satisfies Record<string, Rule>
const rules: Readonly<Record<string, Rule>> = {
  ...needed,
  chainId: matchWhole(Number.MAX_SAFE_INTEGER),
  chain: matchText(caip2, 80),
}

export type NeededMember = keyof typeof needed
export const neededMembers = Object.keys(needed) as readonly NeededMember[]

/** The wrong member and its fault. With `both`, exactly one of chainId and chain must be present. */
export interface ShapeFault {
  readonly member: string
  readonly is: 'wrong' | 'missing' | 'both' | 'of another chain'
}

/** Undefined for a PortableProof. */
export function findShapeFault(found: Readonly<Record<string, unknown>>): ShapeFault | undefined {
  const has = (member: string): boolean => Object.hasOwn(found, member)
  for (const member of Object.keys(found))
    if (!Object.hasOwn(rules, member) || !rules[member]!(found[member])) return { member, is: 'wrong' }
  for (const member of neededMembers) if (!has(member)) return { member, is: 'missing' }
  if (has('chainId') === has('chain')) return { member: 'chain', is: 'both' }

  const { chain, walletAddress } = found as unknown as PortableProof
  if (chain && misspelledEvmChain.test(chain)) return { member: 'chain', is: 'wrong' }
  return isValidAddress(readNamespace({ chain } as ChainContext), walletAddress)
    ? undefined
    : { member: 'walletAddress', is: 'of another chain' }
}
