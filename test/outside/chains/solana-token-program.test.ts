/** Our reading of mints and token accounts agrees with the official library for all bytes. */
import { describe, expect, test } from 'bun:test'
import { TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, unpackAccount, unpackMint } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { parseMint, parseTokenAccount } from '../../../src/outside/chains/solana/token-program.ts'

const address = Keypair.generate().publicKey

/** The deciding bytes and the length of an account come close to both sides of every bound. */
const bytes = fc
  .record({
    length: fc.constantFrom(0, 45, 81, 82, 83, 164, 165, 166, 170, 300, 354, 355, 356, 400),
    filling: fc.uint8Array({ minLength: 400, maxLength: 400 }),
    isInitialized: fc.constantFrom(0, 1),
    state: fc.constantFrom(0, 1, 2),
    kind: fc.constantFrom(0, 1, 2, 3),
  })
  .map(({ length, filling, isInitialized, state, kind }) => {
    const data = Uint8Array.from(filling)
    data[45] = isInitialized
    data[108] = state
    data[165] = kind
    return data.slice(0, length)
  })

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const infoOf = (data: Uint8Array, owner: PublicKey) => ({
  data: Buffer.from(data),
  owner,
  executable: false,
  lamports: 1,
})

/** The library takes extensions from either program. The older program itself knows none (its accounts have one length). */
const lengthKnown = (program: PublicKey, data: Uint8Array, length: number): boolean =>
  program.equals(TOKEN_2022_PROGRAM_ID) || data.length === length

describe.each([
  ['SPL Token', TOKEN_PROGRAM_ID],
  ['Token-2022', TOKEN_2022_PROGRAM_ID],
])('accounts of %s', (_, program) => {
  test('are read as the same mints, with the same supply and decimals', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const known = orUndefined(() => unpackMint(address, infoOf(data, program), program))
        expect(parseMint({ program: program.toBase58(), data })).toEqual(
          known?.isInitialized && lengthKnown(program, data, 82)
            ? { supply: known.supply, decimals: known.decimals }
            : undefined,
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('are read as the same token accounts, with the same mint, owner and amount', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        const known = orUndefined(() => unpackAccount(address, infoOf(data, program), program))
        expect(parseTokenAccount({ program: program.toBase58(), data })).toEqual(
          known?.isInitialized && lengthKnown(program, data, 165)
            ? { mint: known.mint.toBase58(), owner: known.owner.toBase58(), amount: known.amount }
            : undefined,
        )
      }),
      { numRuns: 2000 },
    )
  })
})

test('accounts of any other program are neither', () => {
  fc.assert(
    fc.property(bytes, fc.uint8Array({ minLength: 32, maxLength: 32 }), (data, key) => {
      const account = { program: new PublicKey(key).toBase58(), data }
      expect([parseMint(account), parseTokenAccount(account)]).toEqual([undefined, undefined])
    }),
    { numRuns: 500 },
  )
})
