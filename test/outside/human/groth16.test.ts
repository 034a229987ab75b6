/** Groth16 over BN254, against proofs of Semaphore as its own prover made them (test/parts/semaphore). */
import { describe, expect, test } from 'bun:test'
import { bn254 } from '@noble/curves/bn254.js'
import { type Groth16Proof, isGroth16Proof } from '../../../src/outside/human/groth16.ts'
import { scalarOrder } from '../../../src/outside/human/scalar-order.ts'
import { readSemaphoreKey, semaphoreMaxDepth } from '../../../src/outside/human/semaphore-keys.ts'
import { hashKeccak256 } from '../../../src/wallet/keccak.ts'
import type { SemaphoreProof } from '../../parts/semaphore/cases.ts'
import proofs from '../../vectors/semaphore.json'

const baseOrder = bn254.fields.Fp.ORDER

/** Hashes as the circuit does. */
const hashed = (decimal: string): bigint =>
  BigInt(hashKeccak256(Buffer.from(BigInt(decimal).toString(16).padStart(64, '0'), 'hex'))) >> 8n

interface Question {
  readonly depth: number
  readonly proof: Groth16Proof
  readonly inputs: readonly bigint[]
}

function questionOf({ merkleTreeDepth, merkleTreeRoot, nullifier, message, scope, points }: SemaphoreProof): Question {
  const [a0, a1, b01, b00, b11, b10, c0, c1] = points.map(BigInt) as [
    ...[bigint, bigint, bigint, bigint],
    ...[bigint, bigint, bigint, bigint],
  ]
  return {
    depth: merkleTreeDepth,
    proof: { a: [a0, a1], b: [b00, b01, b10, b11], c: [c0, c1] },
    inputs: [BigInt(merkleTreeRoot), BigInt(nullifier), hashed(message), hashed(scope)],
  }
}

const asked = ({ depth, proof, inputs }: Question): boolean => isGroth16Proof(readSemaphoreKey(depth)!, proof, inputs)
const genuine = questionOf(proofs.adaForAlice)

describe('a proof of the real prover verifies', () => {
  test.each(Object.entries(proofs))('%s', (_, proof) => {
    expect(asked(questionOf(proof))).toBe(true)
  })
})

const { a, b, c } = genuine.proof
const [a0, a1] = a as [bigint, bigint]
const [b0, b1, b2, b3] = b as [bigint, bigint, bigint, bigint]
const [c0, c1] = c as [bigint, bigint]
const withProof = (change: Partial<Groth16Proof>): Question => ({ ...genuine, proof: { ...genuine.proof, ...change } })
const withInput = (at: number, input: bigint): Question => ({ ...genuine, inputs: genuine.inputs.with(at, input) })
const input = (at: number): bigint => genuine.inputs[at]!

/** A point on the twist's curve but outside the subgroup: the pairing would still give it a result. */
function outsideSubgroup(): bigint[] {
  const { Fp2 } = bn254.fields
  for (let x = 1n; ; x++) {
    const at = Fp2.create({ c0: x, c1: 0n })
    const square = Fp2.add(Fp2.mul(Fp2.sqr(at), at), bn254.G2.Point.CURVE().b)
    try {
      const y = Fp2.sqrt(square)
      const point = bn254.G2.Point.fromAffine({ x: at, y })
      if (!point.isTorsionFree()) return [at.c0, at.c1, y.c0, y.c1]
    } catch {
      // No point has that x.
    }
  }
}

describe('it is refused with', () => {
  test.each<[string, Question]>([
    ['another root', withInput(0, input(0) + 1n)],
    ['another nullifier', withInput(1, input(1) + 1n)],
    ['another message', withInput(2, input(2) ^ 1n)],
    ['another scope', withInput(3, input(3) ^ 1n)],
    ['message and scope exchanged', { ...genuine, inputs: [0, 1, 3, 2].map(input) }],
    ['the nullifier in another spelling (plus the order)', withInput(1, input(1) + scalarOrder)],
    ['the root in another spelling (plus the order)', withInput(0, input(0) + scalarOrder)],
    ['a negative input', withInput(1, input(1) - scalarOrder)],
    ['an input too few', { ...genuine, inputs: genuine.inputs.slice(0, 3) }],
    ['an input too many', { ...genuine, inputs: [...genuine.inputs, 0n] }],
    ['a and c exchanged', withProof({ a: c, c: a })],
    ['the coordinates of b exchanged', withProof({ b: [b1, b0, b3, b2] })],
    ['x and y of a exchanged', withProof({ a: [a1, a0] })],
    ['a negated', withProof({ a: [a0, baseOrder - a1] })],
    ['c negated', withProof({ c: [c0, baseOrder - c1] })],
    ['a and b negated and c of another proof', withProof({ c: questionOf(proofs.adaForBob).proof.c })],
    ['b of another proof', withProof({ b: questionOf(proofs.adaForBob).proof.b })],
    ['a off the curve', withProof({ a: [a0 + 1n, a1] })],
    ['b off the curve', withProof({ b: [b0, b1, b2 + 1n, b3] })],
    ['c off the curve', withProof({ c: [c0, c1 + 1n] })],
    ['b on the curve and outside the subgroup', withProof({ b: outsideSubgroup() })],
    ['a in another spelling (plus the order of the field)', withProof({ a: [a0 + baseOrder, a1] })],
    ['c in another spelling (plus the order of the field)', withProof({ c: [c0, c1 + baseOrder] })],
    ['a at infinity', withProof({ a: [0n, 0n] })],
    ['b at infinity', withProof({ b: [0n, 0n, 0n, 0n] })],
    ['everything at infinity', withProof({ a: [0n, 0n], b: [0n, 0n, 0n, 0n], c: [0n, 0n] })],
    ['nothing', withProof({ a: [], b: [], c: [] })],
    ['the key of another depth', { ...genuine, depth: genuine.depth + 1 }],
  ])('%s', (_, question) => {
    expect(asked(question)).toBe(false)
  })

  // Groth16 proofs can be changed into others of the same statement, so only the nullifier prevents reuse.
  test('a and b both negated it is another proof of the same statement', () => {
    const negated = withProof({ a: [a0, baseOrder - a1], b: [b0, b1, baseOrder - b2, baseOrder - b3] })
    expect(asked(negated)).toBe(true)
  })
})

test('the order of the groups is that of the curve', () => {
  expect(scalarOrder).toBe(bn254.fields.Fr.ORDER)
})

describe('the keys', () => {
  test('are there for depths 1 to 32', () => {
    const deltas = Array.from({ length: 32 }, (_, at) => String(readSemaphoreKey(at + 1)!.delta))
    expect(new Set(deltas).size).toBe(32)
    expect(semaphoreMaxDepth).toBe(32)
    expect([0, 33, 1.5, -1, Number.NaN].map(readSemaphoreKey)).toEqual(Array(5).fill(undefined))
  })

  test('are points of the groups', () => {
    for (let depth = 1; depth <= 32; depth++) {
      const { alpha, beta, gamma, delta, inputs } = readSemaphoreKey(depth)!
      for (const [x = 0n, y = 0n] of [alpha, ...inputs]) bn254.G1.Point.fromAffine({ x, y }).assertValidity()
      for (const [x0 = 0n, x1 = 0n, y0 = 0n, y1 = 0n] of [beta, gamma, delta])
        bn254.G2.Point.fromAffine({ x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } }).assertValidity()
    }
  })
})
