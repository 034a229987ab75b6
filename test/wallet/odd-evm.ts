/**
 * EVM signatures that are odd in every known way. Each has its expected verdict: the signer's address, or the tag of
 * the refusal (src/wallet/eip191.ts). For every implementation of the rule, ours and that of the client module.
 */
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { privateKeyToAccount } from 'viem/accounts'
import { computePersonalDigest } from '../../src/wallet/eip191.ts'

const { n, p } = noble.Point.CURVE()
export const hex32 = (value: bigint) => value.toString(16).padStart(64, '0')

export const join = (someR: bigint, someS: bigint, someV: number) =>
  `0x${hex32(someR)}${hex32(someS)}${someV.toString(16).padStart(2, '0')}`
/** EIP-2098. */
export const compact = (someR: bigint, someS: bigint, yParity: number) =>
  `0x${hex32(someR)}${hex32(someS | (BigInt(yParity) << 255n))}`

export const signer = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const address = signer.address.toLowerCase()

export type OddSignature = readonly [name: string, signature: string, verdict: string]

/** Makes odd signatures of a text that `signer` signed. */
export async function oddSignatures(text: string) {
  const signature = await signer.signMessage({ message: text })
  const r = BigInt(`0x${signature.slice(2, 66)}`)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const v = Number.parseInt(signature.slice(130), 16)
  const parity = v - 27

  /** Recovery of this signature ends in the point at infinity, because s = z / k and R = kG. */
  function signatureOfInfinity(): string {
    const z = BigInt(`0x${computePersonalDigest(text).toHex()}`) % n
    const k = 7n
    const point = noble.Point.BASE.multiply(k).toAffine()
    const high = (z * noble.Point.Fn.inv(k)) % n
    const isHigh = high > n / 2n
    return join(point.x % n, isHigh ? n - high : high, 27 + Number((point.y & 1n) ^ (isHigh ? 1n : 0n)))
  }

  const agreed: readonly OddSignature[] = [
    ['v = 27 or 28', signature, address],
    ['v = 0 or 1', join(r, s, parity), address],
    ['upper-case digits', `0x${signature.slice(2).toUpperCase()}`, address],
    ['v = 2', join(r, s, 2), 'RECOVERY_ID'],
    ['v = 3', join(r, s, 3), 'RECOVERY_ID'],
    ['v = 26', join(r, s, 26), 'RECOVERY_ID'],
    ['v = 29', join(r, s, 29), 'RECOVERY_ID'],
    ['v = 37, as transactions of EIP-155 have it', join(r, s, 37), 'RECOVERY_ID'],
    ['v = 255', join(r, s, 255), 'RECOVERY_ID'],
    ['r = 0', join(0n, s, v), 'ZERO'],
    ['s = 0', join(r, 0n, v), 'ZERO'],
    ['all zeros', `0x${'00'.repeat(65)}`, 'ZERO'],
    ['r = n', join(n, s, v), 'OUT_OF_RANGE'],
    ['s = n', join(r, n, v), 'OUT_OF_RANGE'],
    ['s = n + 1', join(r, n + 1n, v), 'OUT_OF_RANGE'],
    ['r = p', join(p, s, v), 'OUT_OF_RANGE'],
    ['r = 2^256 - 1', join(2n ** 256n - 1n, s, v), 'OUT_OF_RANGE'],
    ['r = 5, which is no x of the curve', join(5n, s, v), 'NO_POINT'],
    ['the point at infinity', signatureOfInfinity(), 'NO_POINT'],
    ['nothing', '', 'LENGTH'],
    ['0x', '0x', 'LENGTH'],
    ['truncated by a byte to 64 bytes that are not compact either', `0x${'00'.repeat(64)}`, 'ZERO'],
    ['truncated by two bytes', signature.slice(0, -4), 'LENGTH'],
    ['a byte too many', `${signature}1b`, 'LENGTH'],
    ['no 0x', signature.slice(2), 'NOT_HEX'],
    ['0X', `0X${signature.slice(2)}`, 'NOT_HEX'],
    ['a letter that is no digit', `${signature.slice(0, 50)}g${signature.slice(51)}`, 'NOT_HEX'],
    ['a letter whose low byte is a digit', `${signature.slice(0, 50)}\u0130${signature.slice(51)}`, 'NOT_HEX'],
    ['a line feed at the end', `${signature.slice(0, -1)}\n`, 'NOT_HEX'],
    ['ten thousand digits', `0x${'ab'.repeat(5_000)}`, 'LENGTH'],
  ]
  const strangers: readonly (readonly [name: string, signature: string])[] = [
    ['r = 1', join(1n, s, 27)],
    ['s = 1', join(r, 1n, v)],
    ['s = n / 2, the highest there is', join(r, n / 2n, v)],
    ['r = n - 1', join(n - 1n, s, 27)],
    ['the other parity', join(r, s, 28 - parity)],
    ['the largest r that is an x of the curve', join(largestX(), s, 27)],
  ]
  /** Cases where viem accepts more, or less, than we do. */
  const stricter: readonly OddSignature[] = [
    ['a high s, the second signature that anyone can make of a first (EIP-2)', join(r, n - s, 28 - parity), 'HIGH_S'],
    ['the lowest high s', join(r, n / 2n + 1n, v), 'HIGH_S'],
    ['an odd number of digits', `0x${hex32(r)}${hex32(s)}${parity}`, 'LENGTH'],
    ['the compact form of EIP-2098', compact(r, s, parity), address],
    ['s = 0 with the parity bit', compact(r, 0n, 1), 'ZERO'],
    ['s = n / 2 + 1, still below the parity bit', compact(r, n / 2n + 1n, 0), 'HIGH_S'],
    ['s = 2^255 - 1', compact(r, 2n ** 255n - 1n, 1), 'HIGH_S'],
    ['r = n in the compact form', compact(n, s, parity), 'OUT_OF_RANGE'],
  ]
  return { signature, r, s, v, parity, agreed, strangers, stricter }
}

function largestX(): bigint {
  for (let x = n - 1n; ; x--) {
    try {
      noble.Point.fromHex(`02${hex32(x)}`)
      return x
    } catch {}
  }
}
