/** The mark of a signed text that may act once: what db/spent-signature.ts stores. */

/**
 * The extra time for which a text is remembered. It covers a clock that is set back, and a longer
 * `signing.max_age_seconds` after a restart.
 */
const marginMs = 3_600_000

/**
 * The mark of a signed text. SHA-256 covers the wallet and the text, not the signature. One consent has several
 * signatures (v as 0 or 27, EIP-2098, base58 or hexadecimal). `wallet` must be normalized.
 */
export const makeSpentText = (
  wallet: string,
  text: string,
  { signedTimestamp, maxAgeMs }: { readonly signedTimestamp: number; readonly maxAgeMs: number },
): { readonly digest: string; readonly expiresAt: number } => ({
  digest: Bun.SHA256.hash(`${wallet}\n${text}`, 'hex'),
  expiresAt: signedTimestamp + maxAgeMs + marginMs,
})
