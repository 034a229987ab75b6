/**
 * Recovery on secp256k1 (SEC 1 §4.1.6) and the strict equation of Ed25519 (RFC 8032 §5.1.7). We have our own to keep
 * the module small. Browsers disagree on unusual Ed25519 signatures, or lack Ed25519. This file gives the server's
 * verdict in all of them. All values are public, so it need not run in constant time.
 *
 * Points are [X, Y, Z] for x = X/Z, y = Y/Z. Both additions are complete: no pair of points is a special case.
 */
type Point = readonly [bigint, bigint, bigint]

interface Curve {
  /** The field prime. */
  readonly p: bigint
  /** Order of the base point. */
  readonly n: bigint
  /** The neutral point. */
  readonly zero: Point
  /** The sum, not reduced. */
  add(a: Point, b: Point): Point
}

const reduceModulo = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus

function computePower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (let square = reduceModulo(base, modulus); exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** The inverse of zero is zero. Fermat: the modulus is prime. */
const computeInverse = (value: bigint, prime: bigint): bigint => computePower(value, prime - 2n, prime)

/** The sum of points times factors below 2^256. */
function combine({ p, zero, add }: Curve, terms: readonly (readonly [factor: bigint, point: Point])[]): Point {
  const addReduced = (a: Point, b: Point): Point => {
    const [x, y, z] = add(a, b)
    return [reduceModulo(x, p), reduceModulo(y, p), reduceModulo(z, p)]
  }
  let sum = zero
  for (let bit = 255n; bit >= 0n; bit--) {
    sum = addReduced(sum, sum)
    for (const [factor, point] of terms) if ((factor >> bit) & 1n) sum = addReduced(sum, point)
  }
  return sum
}

/** Big-endian. */
export const readNumber = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

const toBytes = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, at) => Number((value >> BigInt(8 * (31 - at))) & 255n))

/** SEC 2 §2.4.1; the addition is that of Renes, Costello and Batina (2015) for a = 0, b = 7. */
const secp256k1: Curve = {
  p: 2n ** 256n - 2n ** 32n - 977n,
  n: 2n ** 256n - 0x14551231950b75fc4402da1732fc9bebfn,
  zero: [0n, 1n, 0n],
  add([a, b, c], [d, e, f]) {
    const [x, y, z] = [a * d, b * e, 21n * c * f]
    const [xy, yz, xz] = [a * e + b * d, b * f + c * e, a * f + c * d]
    return [xy * (y - z) - 21n * yz * xz, (y + z) * (y - z) + 63n * x * xz, yz * (y + z) + 3n * x * xy]
  },
}

/** The point with this x, below p, and this parity of y. */
function computePoint(x: bigint, parity: bigint): Point | undefined {
  const { p } = secp256k1
  const square = reduceModulo(x ** 3n + 7n, p)
  const root = computePower(square, (p + 1n) / 4n, p)
  if ((root * root) % p !== square) return undefined
  return [x, (root & 1n) === parity ? root : p - root, 1n]
}

/**
 * The public key that signed a digest, as the 64 bytes of x and y. Undefined when no key can have, also for r and s
 * that are zero or not below the order. `parity` is that of y of the point R. It does not refuse a high s.
 */
export function recoverKey(digest: Uint8Array, r: bigint, s: bigint, parity: bigint): Uint8Array | undefined {
  const { p, n } = secp256k1
  if (r < 1n || s < 1n || r >= n || s >= n) return undefined
  const point = computePoint(r, parity)
  if (!point) return undefined
  const perR = computeInverse(r, n)
  const [x, y, z] = combine(secp256k1, [
    [
      reduceModulo(-readNumber(digest) * perR, n),
      // The base point, whose y is even.
      computePoint(0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n, 0n)!,
    ],
    [(s * perR) % n, point],
  ])
  if (z === 0n) return undefined
  const perZ = computeInverse(z, p)
  return Uint8Array.from([...toBytes((x * perZ) % p), ...toBytes((y * perZ) % p)])
}

/** The upper half of the range of s gives every consent a second signature (EIP-2). */
export const isHighS = (s: bigint): boolean => 2n * s > secp256k1.n

/** RFC 8032 §5.1; the addition is that of Bernstein and others (2008) for a = -1. */
const ed25519: Curve = {
  p: 2n ** 255n - 19n,
  n: 2n ** 252n + 27742317777372353535851937790883648493n,
  zero: [0n, 1n, 1n],
  // The d of the curve is the fraction -121665/121666, so every part is multiplied by 121666.
  add([x, y, z], [u, v, w]) {
    const [xu, yv, zw] = [x * u, y * v, reduceModulo(z * w, ed25519.p)]
    const part = reduceModulo(121665n * xu * yv, ed25519.p)
    const [less, more] = [121666n * zw * zw + part, 121666n * zw * zw - part]
    return [121666n * zw * less * (x * v + y * u), 121666n * zw * more * (yv + xu), less * more]
  },
}

const readLittleEndian = (bytes: Uint8Array): bigint => readNumber(Uint8Array.from(bytes).reverse())

/** The point of an encoding. Undefined for an invalid one, and for a second spelling (RFC 8032 §5.1.3). */
function decodePoint(encoding: Uint8Array): Point | undefined {
  const { p } = ed25519
  const number = readLittleEndian(encoding)
  const [y, sign] = [number & (2n ** 255n - 1n), number >> 255n]
  const square = reduceModulo(121666n * (y * y - 1n) * computeInverse(121666n - 121665n * y * y, p), p)
  // The candidate, or the candidate times the root of -1.
  let x = computePower(square, (p + 3n) / 8n, p)
  if ((x * x) % p !== square) x = (x * computePower(2n, (p - 1n) / 4n, p)) % p
  if ((x * x) % p !== square || y >= p || (x === 0n && sign)) return undefined
  return [(x & 1n) === sign ? x : p - x, y, 1n]
}

/**
 * Whether the key signed: RFC 8032 §5.1.7 with the equation times 8. It refuses second spellings and keys of small
 * order, with which one signature holds for any text. `key` has 32 bytes, `signature` 64. Undefined where SHA-512 is
 * unavailable: in a page without https.
 */
export async function isSignedByEd25519(
  key: Uint8Array,
  text: Uint8Array,
  signature: Uint8Array,
): Promise<boolean | undefined> {
  const { n } = ed25519
  if (!globalThis.crypto?.subtle) return undefined
  const hash = await crypto.subtle.digest('SHA-512', Uint8Array.from([...signature.subarray(0, 32), ...key, ...text]))
  const [A, R] = [decodePoint(key), decodePoint(signature.subarray(0, 32))]
  const S = readLittleEndian(signature.subarray(32))
  if (!A || !R || S >= n) return false
  const isZero = ([x, y, z]: Point): boolean => x === 0n && y === z
  const negate = ([x, y, z]: Point): Point => [-x, y, z]
  return (
    !isZero(combine(ed25519, [[8n, A]])) &&
    isZero(
      combine(ed25519, [
        // The base point, with y = 4/5.
        [8n * S, decodePoint(new Uint8Array(32).fill(0x66).fill(0x58, 0, 1))!],
        [8n * (readLittleEndian(new Uint8Array(hash)) % n), negate(A)],
        [8n, negate(R)],
      ]),
    )
  )
}
