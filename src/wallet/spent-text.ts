/** The mark of a signed text that may act once: what db/spent-signature.ts stores. */

/**
 * The extra time for which a text is remembered. It covers a clock that is set back, and a longer
 * `signing.max_age_seconds` after a restart.
 */
const marginMs = 3_600_000

/** A mark is 32 bytes: 6 of the time, and as many of the hash as are left. */
const timeDigits = 12
const hashDigits = 52

/**
 * The mark of a signed text. SHA-256 covers the wallet and the text, not the signature. One consent has several
 * signatures (v as 0 or 27, EIP-2098, base58 or hexadecimal). `wallet` must be normalized.
 *
 * The mark begins with the time that was signed, so that marks are stored in the order of time: 10 kB less in the log
 * for each proof than with the hash alone, which is how earlier versions stored them.
 */
export function makeSpentText(
  wallet: string,
  text: string,
  { signedTimestamp, maxAgeMs }: { readonly signedTimestamp: number; readonly maxAgeMs: number },
): { readonly digest: string; readonly formerDigest: string; readonly expiresAt: number } {
  const formerDigest = Bun.SHA256.hash(`${wallet}\n${text}`, 'hex')
  const time = signedTimestamp.toString(16).padStart(timeDigits, '0')
  return {
    // A time that no clock shows is refused elsewhere.
    digest: /^[0-9a-f]{12}$/.test(time) ? time + formerDigest.slice(0, hashDigits) : formerDigest,
    formerDigest,
    expiresAt: signedTimestamp + maxAgeMs + marginMs,
  }
}
