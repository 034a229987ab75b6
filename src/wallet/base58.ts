/**
 * Base58 as Bitcoin and Solana write it, for texts of a known length in bytes. It needs no package: clients run it too.
 */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * The bytes, or undefined when the text is not base58 of exactly this length. A digit carries log2(58) = 5.86 bits and
 * a leading zero byte takes a whole digit, hence the bounds. They stop callers from making us compute with texts of any
 * length.
 */
export function decodeBase58(text: string, length: number): Uint8Array<ArrayBuffer> | undefined {
  if (text.length < length || text.length > Math.ceil((length * 8) / Math.log2(58))) return undefined
  const bytes = new Uint8Array(length)
  let first = length
  for (const digit of text) {
    let carry = alphabet.indexOf(digit)
    if (carry < 0) return undefined
    let at = length
    while (at > first || carry > 0) {
      if (--at < 0) return undefined
      carry += bytes[at]! * 58
      bytes[at] = carry
      carry >>= 8
    }
    first = at
  }
  // Each leading 1 is one zero byte: anything else is another length.
  return /^1*/.exec(text)![0].length === first ? bytes : undefined
}
