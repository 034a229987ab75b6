/**
 * This file tests the bytes that ZKPassport proofs commit to. The vectors in test/vectors/zkpassport.json come from
 * @zkpassport/sdk 0.16.2 (SolidityVerifier.getParameters), for the inputs of each circuit. The commitments are those of
 * @zkpassport/utils 0.37.5, which takes no inputs for sanctions list and face match. Their hash is the one that the SDK
 * compares.
 */
import { describe, expect, test } from 'bun:test'
import { listCommittedPieces } from '../../../src/outside/human/zkpassport-inputs.ts'
import vectors from '../../vectors/zkpassport.json'

const named = Object.entries(vectors)
const inputsOf = (names: readonly string[]) =>
  Object.fromEntries(named.filter(([name]) => names.includes(name)).map(([name, { inputs }]) => [name, inputs]))

describe('the bytes of', () => {
  test.each(named)('%s', (name, { inputs, commitment, bytes }) => {
    const pieces = listCommittedPieces({ [name]: inputs }, [commitment])
    expect(pieces?.map((piece) => `0x${Buffer.from(piece.bytes).toString('hex')}`)).toEqual([bytes])
  })

  test('all circuits together are in the order of the commitments', () => {
    const reversed = named.toReversed()
    const pieces = listCommittedPieces(
      inputsOf(named.map(([name]) => name)),
      reversed.map(([, { commitment }]) => commitment),
    )
    expect(pieces?.map(({ circuit }) => circuit)).toEqual(reversed.map(([name]) => name))
  })
})

const age = vectors.compare_age_evm
const bound = vectors.bind_evm

describe('an unproved claim is ignored', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['with another value', { compare_age_evm: { minAge: 21, maxAge: 0 } }, [age.commitment]],
    ['with another commitment', { compare_age_evm: age.inputs }, [bound.commitment]],
    ['with a commitment more', { compare_age_evm: age.inputs }, [age.commitment, bound.commitment]],
    [
      'with inputs more',
      { compare_age_evm: age.inputs, bind_evm: { data: { user_address: '0x00' } } },
      [age.commitment],
    ],
    ['with the same commitment twice', inputsOf(['compare_age_evm', 'bind_evm']), [age.commitment, age.commitment]],
    ['of a circuit that nobody knows', { compare_height_evm: age.inputs }, [age.commitment]],
    ['of a member of Object.prototype', { constructor: age.inputs }, [age.commitment]],
    ['with a byte that is none', { compare_age_evm: { minAge: 274, maxAge: 0 } }, [age.commitment]],
    ['with a text for a number', { compare_age_evm: { minAge: '18', maxAge: 0 } }, [age.commitment]],
    ['with nothing', { compare_age_evm: null }, [age.commitment]],
    ['bound to a chain that nobody knows', { bind_evm: { data: { chain: 'moonbeam' } } }, [bound.commitment]],
    ['bound to a chain of Object.prototype', { bind_evm: { data: { chain: 'toString' } } }, [bound.commitment]],
    ['bound to too much', { bind_evm: { data: { custom_data: 'é'.repeat(400) } } }, [bound.commitment]],
  ])('%s', (_, inputs, commitments) => {
    expect(listCommittedPieces(inputs, commitments)).toBeUndefined()
  })
})
