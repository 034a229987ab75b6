/** Accounts that run the code of a contract and keep their key (EIP-7702). */
import type { Hex } from './chain.ts'

/**
 * The code of such an account is these three bytes and the contract's address. No other code can begin with them
 * (EIP-3541).
 */
const delegation = /^0xef0100([0-9a-f]{40})$/i

/** The contract whose code the account runs; undefined for every other code. */
export function findDelegate(code: Hex): Hex | undefined {
  const delegate = delegation.exec(code)?.[1]
  return delegate === undefined ? undefined : `0x${delegate.toLowerCase()}`
}
