import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { computeCost, computeFees, computeReplacementFees, sign, signAgain } from '../../src/publishing/transaction.ts'

const account = privateKeyToAccount(generatePrivateKey())
const to = `0x${'ab'.repeat(20)}` as const
const wei = fc.bigInt({ min: 0n, max: 10n ** 13n })

const signedWith = async (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) =>
  sign(account, {
    chainId: 8453,
    nonce: 7,
    to,
    data: '0x1234',
    gas: 60_000n,
    fees: { maxFeePerGas, maxPriorityFeePerGas },
  })

describe('fees of a new transaction', () => {
  test('never pass the cap, and the priority never passes the whole', () => {
    fc.assert(
      fc.property(wei, wei, wei, (cap, baseFee, priorityFee) => {
        const fees = computeFees(cap, { baseFee, priorityFee })
        if (!fees) return baseFee > cap
        return (
          fees.maxFeePerGas <= cap && fees.maxFeePerGas >= baseFee && fees.maxPriorityFeePerGas <= fees.maxFeePerGas
        )
      }),
    )
  })

  test('let the base fee double', () => {
    expect(computeFees(100n, { baseFee: 30n, priorityFee: 2n })).toEqual({
      maxFeePerGas: 62n,
      maxPriorityFeePerGas: 2n,
    })
  })
})

describe('fees of a transaction that replaces another', () => {
  test('are both an eighth higher at least, as high as the market asks, and never above the cap', () =>
    fc.assert(
      fc.asyncProperty(wei, wei, wei, wei, async (max, priority, marketMax, cap) => {
        const old = { maxFeePerGas: max + priority, maxPriorityFeePerGas: priority }
        const market = { maxFeePerGas: marketMax, maxPriorityFeePerGas: marketMax / 2n }
        const { signed } = await signedWith(old.maxFeePerGas, old.maxPriorityFeePerGas)
        const fees = computeReplacementFees(signed, cap, market)
        if (!fees) {
          expect((old.maxFeePerGas * 9n) / 8n + 1n > cap || marketMax > cap).toBe(true)
          return
        }
        expect(fees.maxFeePerGas <= cap).toBe(true)
        expect(fees.maxFeePerGas >= marketMax).toBe(true)
        expect(fees.maxPriorityFeePerGas <= fees.maxFeePerGas).toBe(true)
        expect(fees.maxFeePerGas * 8n >= old.maxFeePerGas * 9n && fees.maxFeePerGas > old.maxFeePerGas).toBe(true)
        expect(fees.maxPriorityFeePerGas * 8n >= old.maxPriorityFeePerGas * 9n).toBe(true)
        expect(fees.maxPriorityFeePerGas > old.maxPriorityFeePerGas).toBe(true)
      }),
      { numRuns: 50 },
    ))
})

describe('a signed transaction', () => {
  test('is EIP-1559, from the account, without value, with the given gas and fee', async () => {
    const { signed, hash } = await signedWith(5n, 1n)
    expect(hash).toBe(keccak256(signed))
    expect(parseTransaction(signed)).toMatchObject({ type: 'eip1559', chainId: 8453, nonce: 7, to, data: '0x1234' })
    expect(parseTransaction(signed).value ?? 0n).toBe(0n)
    expect(await recoverTransactionAddress({ serializedTransaction: signed as never })).toBe(account.address)
    expect(computeCost(signed)).toBe(300_000n)
    expect(computeCost(null)).toBe(0n)
  })

  test('is the same whenever it is signed, so that a restart cannot make a second one of it', async () => {
    expect(await signedWith(5n, 1n)).toEqual(await signedWith(5n, 1n))
  })

  test('changes nothing but its fees when it is replaced', async () => {
    const { signed } = await signedWith(5n, 1n)
    const replaced = await signAgain(account, signed, { maxFeePerGas: 9n, maxPriorityFeePerGas: 3n })
    const { r: _, s: __, v: ___, yParity: ____, ...before } = parseTransaction(signed)
    const { r: _1, s: _2, v: _3, yParity: _4, ...after } = parseTransaction(replaced.signed)
    expect(after).toEqual({ ...before, maxFeePerGas: 9n, maxPriorityFeePerGas: 3n } as never)
  })

  test('with nonce 0 keeps it when it is replaced', async () => {
    const fees = { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n }
    const { signed } = await sign(account, { chainId: 1, nonce: 0, to, data: '0x', gas: 21_000n, fees })
    const replaced = await signAgain(account, signed, { maxFeePerGas: 9n, maxPriorityFeePerGas: 3n })
    expect(await recoverTransactionAddress({ serializedTransaction: replaced.signed as never })).toBe(account.address)
    expect(parseTransaction(replaced.signed).nonce ?? 0).toBe(0)
  })
})
