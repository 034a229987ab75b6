/** The exact text a wallet signs: six lines joined by single line feeds (CAIP-380). */
import type { ChainContext } from '../wallet/account.ts'
import { normalizeNfc } from './canonical-json.ts'

/** The title line for new signatures. Older titles may be accepted too (`signing.accepted_titles`). */
export const newestTitle = 'Portable Proof Verification Request'

export interface SignedClaim {
  readonly walletAddress: string
  readonly verifierIds: readonly string[]
  /** Canonical JSON of the submitted `data`. */
  readonly canonicalData: string
  /** Unix milliseconds. */
  readonly signedTimestamp: number
  readonly context: ChainContext
}

export function writeSignerString(claim: SignedClaim, title: string = newestTitle): string {
  const { context } = claim
  const isEvm = context.chain === undefined || context.chain.startsWith('eip155:')
  const head =
    `${title}\n` +
    `Wallet: ${isEvm ? claim.walletAddress.toLowerCase() : claim.walletAddress}\n` +
    `Chain: ${writeChainLine(context)}\n` +
    `Verifiers: ${claim.verifierIds.join(',')}\n`
  return `${normalizeNfc(head)}Data: ${composeText(claim.canonicalData)}\nTimestamp: ${claim.signedTimestamp}`
}

/**
 * NFC of canonical JSON, whose strings are composed one by one. Only the last letter of an escape can still compose
 * with marks after it. The text of U+000A and U+0303 is an n with a tilde after a backslash.
 */
const composeText = (canonicalData: string): string =>
  /\\(?:u[0-9a-f]{4}|[bfnrt])\p{M}/u.test(canonicalData) ? canonicalData.normalize('NFC') : canonicalData

/** `eip155:<digits>` prints as the bare number, so that both spellings of an EVM chain are signed alike. */
function writeChainLine(context: ChainContext): string {
  if (context.chain === undefined) return String(context.chainId)
  const digits = /^eip155:(\d+)$/.exec(context.chain)?.[1]
  return digits === undefined ? context.chain : String(Number(digits))
}
