/**
 * Semaphore v4: membership in a group, without naming the member. Proofs are verified here. The operator names the
 * group by roots of its Merkle tree, or by its contract, whose present root counts.
 *
 * The admission to the group makes its members different persons; nothing here checks that.
 */
import { Type } from '@sinclair/typebox'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { defer } from '../../defer.ts'
import { hashKeccak256 } from '../../wallet/keccak.ts'
import type { EvmChain, Hex } from '../chains/chain.ts'
import { OutsideError } from '../failure.ts'
import { type HumanProvider, type HumanQuestion, makeRefused, writeBoundText } from './human.ts'
import { makeTurns } from './in-turn.ts'
import { makeOneProofCheck } from './proof-shape.ts'
import { readSemaphoreKey, semaphoreMaxDepth } from './semaphore-keys.ts'
import { computeShiftedKeccak } from './shifted-keccak.ts'

export interface SemaphoreSettings {
  readonly roots: readonly string[]
  readonly group: SemaphoreGroup | undefined
}

export interface SemaphoreGroup {
  readonly chain: EvmChain
  readonly contract: Hex
  readonly id: bigint
}

const setting = 'human.semaphore'

/** Its cost: a second of work. */
const oneByOne = makeTurns(setting, 50)

const Decimal = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' })

const proofIn = makeOneProofCheck(
  Type.Object({
    merkleTreeDepth: Type.Integer({ minimum: 1, maximum: semaphoreMaxDepth }),
    merkleTreeRoot: Decimal,
    nullifier: Decimal,
    message: Decimal,
    scope: Decimal,
    points: Type.Array(Decimal, { minItems: 8, maxItems: 8 }),
  }),
  'a proof of @semaphore-protocol/proof 4',
)

export const openSemaphore = ({ roots, group }: SemaphoreSettings): HumanProvider => ({
  name: 'semaphore',
  label: 'Semaphore',

  async find(question) {
    const proof = proofIn(question.proofs)
    if (proof.message !== makeMessage(question))
      return makeRefused('WRONG_WALLET', `the proof is not made for ${writeBoundText(question)} on ${question.domain}`)
    if (proof.scope !== makeScope(question))
      return makeRefused('WRONG_SCOPE', `the proof is not made for the scope "${question.scope}" of ${question.domain}`)

    const [root, nullifier] = [BigInt(proof.merkleTreeRoot), BigInt(proof.nullifier)]
    const numbers = proof.points.map(BigInt)
    const [b0, b1, b2, b3] = numbers.slice(2, 6)
    // Cheaper than asking for the root, and an invalid proof causes no call.
    const isRight = await oneByOne(async () => {
      // Loaded on first use: otherwise every start would pay for the curve.
      const { isGroth16Proof } = await import('./groth16.ts')
      return isGroth16Proof(
        readSemaphoreKey(proof.merkleTreeDepth)!,
        // The second coordinate of G2 comes first, as in Solidity.
        { a: numbers.slice(0, 2), b: [b1!, b0!, b3!, b2!], c: numbers.slice(6) },
        [root, nullifier, hashNumber(proof.message), hashNumber(proof.scope)],
      )
    })
    if (!isRight) return makeRefused('INVALID_PROOF', 'the proof does not verify')

    const isConfigured = roots.some((one) => BigInt(one) === root)
    const isCurrent = !isConfigured && group !== undefined && (await readRoot(group)) === root
    if (!isConfigured && !isCurrent)
      return makeRefused(
        'UNKNOWN_GROUP',
        'the proof is of another group, or of a state of the group that no longer counts: make a new one',
      )
    return {
      person: {
        uniqueId: nullifier.toString(),
        assuranceLevel: 'low',
        claims: { personhood_verified: true },
        traits: {},
        sources: [isConfigured ? `${setting}.roots` : `${setting}.group`],
      },
    }
  },

  onPage: async ({ domain, scope, wallet }) => ({
    semaphoreScope: makeScope({ domain, scope }),
    ...(wallet ? { semaphoreMessage: makeMessage({ ...wallet, domain }) } : {}),
    maxDepth: semaphoreMaxDepth,
    roots,
    ...(group ? { chain: group.chain.chain, contract: group.contract, groupId: group.id.toString() } : {}),
  }),
})

/** Both as decimal numbers, which the library keeps: it shortens texts to 31 bytes. */
const makeMessage = (of: Pick<HumanQuestion, 'wallet' | 'contractOn' | 'domain'>): string =>
  BigInt(hashKeccak256(`${of.domain}\n${writeBoundText(of)}`)).toString()

const makeScope = ({ domain, scope }: Pick<HumanQuestion, 'domain' | 'scope'>): string =>
  BigInt(hashKeccak256(`${domain}\n${scope}`)).toString()

/** As the circuit has it. The number is one of ours, so it has at most 32 bytes. */
const hashNumber = (decimal: string): bigint =>
  BigInt(computeShiftedKeccak(Buffer.from(BigInt(decimal).toString(16).padStart(64, '0'), 'hex')))

const readAbi = defer(() => parseAbi(['function getMerkleTreeRoot(uint256 groupId) view returns (uint256)']))

/** Errors: OutsideError. */
export async function readRoot({ chain, contract, id }: SemaphoreGroup): Promise<bigint> {
  const view = await chain.at()
  const call = { abi: readAbi(), functionName: 'getMerkleTreeRoot', args: [id] } as const
  const outcome = await view.call({ to: contract, data: encodeFunctionData(call) })
  if ('failed' in outcome)
    throw makeUselessError(
      `names the group ${id}, which ${contract} does not have (${outcome.failed})`,
      `${setting}.group`,
    )
  try {
    return decodeFunctionResult({ ...call, data: outcome.returned })
  } catch {
    throw makeUselessError(`names ${contract}, which is no Semaphore contract on ${chain.chain}`, `${setting}.contract`)
  }
}

const makeUselessError = (happened: string, path: string): OutsideError =>
  new OutsideError(
    'malformed',
    path,
    happened,
    'give the contract of Semaphore v4 on this chain, and a group that it has',
  )
