/** EIP-55. Apart from accounts, because browsers load those and need no hash for them. */
import { keccak256 } from './keccak.ts'

/** The letters of an EVM address are upper case where the hash of its lower case says so. */
export function spellChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = keccak256(digits)
  return `0x${[...digits].map((digit, at) => (Number.parseInt(hash[at + 2]!, 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}
