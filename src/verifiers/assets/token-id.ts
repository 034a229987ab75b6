/** Token ids as claims write them. */
import { type Static, Type } from '@sinclair/typebox'
import { maxUint256 } from 'viem'
import type { Refuse } from './refuse.ts'

/** A JSON number is taken only where it is exact: most token ids that are hashes are not. */
export const TokenId = Type.Union(
  [Type.String({ minLength: 1, maxLength: 78 }), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })],
  {
    description:
      'Decimal digits, 0x and hexadecimal digits, or a number below 2^53. On Solana the mint once more, or "0" or "1".',
  },
)
export type TokenId = Static<typeof TokenId>

/** Errors: INVALID_VERIFIER_DATA. */
export function requireTokenId(tokenId: TokenId, path: string, refuse: Refuse): bigint {
  const text = String(tokenId)
  const member = `data${path.replaceAll('/', '.')}`
  if (!/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text))
    throw refuse(path, `${member} must be decimal digits or 0x and hexadecimal digits; it is "${text}"`)
  const number = BigInt(text)
  if (number > maxUint256) throw refuse(path, `${member} is larger than a uint256 can be`)
  return number
}

/**
 * On Solana every non-fungible token is a mint of its own, so the address names it already. Interfaces that always ask
 * for an id get one of three spellings of "that one". Errors: INVALID_VERIFIER_DATA.
 */
export function requireTokenOfMint(tokenId: TokenId, mint: string, path: string, refuse: Refuse): void {
  if (![mint, '0', '1'].includes(String(tokenId)))
    throw refuse(path, 'on Solana data.contractAddress is the mint of the token: repeat it in tokenId, or give "0"')
}
