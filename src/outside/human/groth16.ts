/**
 * Verifies a Groth16 proof over BN254 against a verifying key and public inputs. See Groth 2016, section 3.2; EIP-196
 * and EIP-197 have the curve. It does not interpret the inputs.
 */
import { bn254 } from '@noble/curves/bn254.js'
import { scalarOrder } from './scalar-order.ts'

/** Affine coordinates: G1 as x, y; G2 as x.c0, x.c1, y.c0, y.c1. */
export interface Groth16Key {
  readonly alpha: readonly bigint[]
  readonly beta: readonly bigint[]
  readonly gamma: readonly bigint[]
  readonly delta: readonly bigint[]
  /** One point more than there are public inputs. */
  readonly inputs: readonly (readonly bigint[])[]
}

export interface Groth16Proof {
  readonly a: readonly bigint[]
  readonly b: readonly bigint[]
  readonly c: readonly bigint[]
}

const baseOrder = bn254.fields.Fp.ORDER

type G1 = InstanceType<typeof bn254.G1.Point>
type G2 = InstanceType<typeof bn254.G2.Point>

/** Takes 15 to 35 ms of the thread. False for every invalid proof: wrong points, too large numbers. */
export function isGroth16Proof(key: Groth16Key, proof: Groth16Proof, inputs: readonly bigint[]): boolean {
  if (inputs.length + 1 !== key.inputs.length || !inputs.every((input) => input >= 0n && input < scalarOrder))
    return false
  const [a, b, c] = [makeG1(proof.a), makeG2(proof.b), makeG1(proof.c)]
  if (!a || !b || !c) return false
  const [first, ...points] = key.inputs.map((point) => makeG1(point)!)
  const sum = points.reduce((total, point, at) => total.add(point.multiplyUnsafe(inputs[at]!)), first!)
  // e(a, b) = e(alpha, beta) · e(sum, gamma) · e(c, delta). The factors are pairs whose product is to be one.
  const product = bn254.pairingBatch([
    { g1: a.negate(), g2: b },
    { g1: makeG1(key.alpha)!, g2: makeG2(key.beta)! },
    // The pairing takes no point at infinity, whose factor is one.
    ...(sum.is0() ? [] : [{ g1: sum, g2: makeG2(key.gamma)! }]),
    { g1: c, g2: makeG2(key.delta)! },
  ])
  return bn254.fields.Fp12.eql(product, bn254.fields.Fp12.ONE)
}

/** Undefined unless it is a point of the group, other than the one at infinity, in its only spelling. */
function makeG1([x = 0n, y = 0n]: readonly bigint[]): G1 | undefined {
  return isInField([x, y]) ? makeValidPoint(() => bn254.G1.Point.fromAffine({ x, y })) : undefined
}

function makeG2([x0 = 0n, x1 = 0n, y0 = 0n, y1 = 0n]: readonly bigint[]): G2 | undefined {
  return isInField([x0, x1, y0, y1])
    ? makeValidPoint(() => bn254.G2.Point.fromAffine({ x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } }))
    : undefined
}

const isInField = (numbers: readonly bigint[]): boolean =>
  numbers.every((number) => number >= 0n && number < baseOrder) && numbers.some((number) => number !== 0n)

function makeValidPoint<Point extends { assertValidity(): void; is0(): boolean }>(
  make: () => Point,
): Point | undefined {
  try {
    const point = make()
    // On the curve and, in G2, in the subgroup.
    point.assertValidity()
    return point.is0() ? undefined : point
  } catch {
    return undefined
  }
}
