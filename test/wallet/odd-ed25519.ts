/** Ed25519 signatures that break the rules: keys and R with parts of small order, and second encodings. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'

export const { Point } = ed25519
export type Point = InstanceType<typeof Point>
export const L = Point.Fn.ORDER
export const P = Point.Fp.ORDER

export const fromLe = (bytes: Uint8Array) => BigInt(`0x${Uint8Array.from(bytes).reverse().toHex()}`)
export const toLe = (value: bigint) => Uint8Array.fromHex(value.toString(16).padStart(64, '0')).reverse()
export const concat = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))

/** The eight points whose order divides 8, from a point of order 8: L times any point that is not in the prime subgroup. */
export const torsion: Point[] = (() => {
  for (let y = 2; ; y++) {
    try {
      const point = Point.fromBytes(toLe(BigInt(y)))
      const generator = point.multiplyUnsafe(L - 1n).add(point)
      if (generator.double().double().is0()) continue
      return Array.from({ length: 8 }, (_, times) =>
        times === 0 ? Point.ZERO : generator.multiplyUnsafe(BigInt(times)),
      )
    } catch {}
  }
})()

/** Every encoding of a small-order point that some decoder takes: both signs, and y + p where that still fits. */
export const smallOrderEncodings: [string, Uint8Array][] = [
  ...new Set(torsion.map((point) => point.toAffine().y)),
].flatMap((y) =>
  [y, y + P]
    .filter((value) => value < 2n ** 255n)
    .flatMap((value) => [value, value | (1n << 255n)])
    .map((value): [string, Uint8Array] => [toLe(value).toHex(), toLe(value)]),
)

export const challenge = (R: Uint8Array, A: Uint8Array, bytes: Uint8Array) => fromLe(sha512(concat(R, A, bytes))) % L

/**
 * Signs with a key that breaks the rules, by adding small-order parts to the key and to R. The challenge takes the
 * bytes as they stand in the signature.
 */
export function signOddly(bytes: Uint8Array, keyPart: Point, rPart: Point, scalars = { a: 77n, r: 99n }) {
  const base = (scalar: bigint) => (scalar === 0n ? Point.ZERO : Point.BASE.multiply(scalar))
  const A = base(scalars.a).add(keyPart).toBytes()
  const R = base(scalars.r).add(rPart).toBytes()
  const k = challenge(R, A, bytes)
  return { A, signature: concat(R, toLe((scalars.r + k * scalars.a) % L)), k }
}
