/** Private keys of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** SEC 2 section 2.4.1: above zero and below the order of the curve. */
export const isPrivateKey = (hex: string): boolean => BigInt(hex) > 0n && BigInt(hex) < order
