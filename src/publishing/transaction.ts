/** Fees and signatures of transactions. EIP-1559 only: a chain whose blocks have no base fee is not published on. */
import { keccak256, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Hex } from '../outside/chains/chain.ts'

/** Wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

export interface Unsigned {
  readonly chainId: number
  readonly nonce: number
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  readonly fees: Fees
}

export interface Signed {
  readonly signed: Hex
  readonly hash: Hex
}

const limitAbove = (one: bigint, cap: bigint): bigint => (one < cap ? one : cap)
const limitBelow = (one: bigint, floor: bigint): bigint => (one > floor ? one : floor)

/** Enough for the base fee to double before it is mined. Undefined while the chain asks for more than the cap. */
export function computeFees(
  cap: bigint,
  { baseFee, priorityFee }: { readonly baseFee: bigint; readonly priorityFee: bigint },
): Fees | undefined {
  if (baseFee > cap) return undefined
  const maxFeePerGas = limitAbove(2n * baseFee + priorityFee, cap)
  return { maxFeePerGas, maxPriorityFeePerGas: limitAbove(priorityFee, maxFeePerGas) }
}

/** The most that a signed transaction can cost, in wei. */
export function computeCost(signed: Hex | null): bigint {
  const { gas = 0n, maxFeePerGas = 0n } = signed === null ? {} : parseTransaction(signed)
  return gas * maxFeePerGas
}

/** Nodes replace a transaction only when both fees rise, by a tenth at least. */
const raiseFee = (wei: bigint): bigint => wei + wei / 8n + 1n

/** The fees of a transaction that takes the place of `signed`. Undefined where that would cost more than the cap. */
export function computeReplacementFees(signed: Hex, cap: bigint, market: Fees): Fees | undefined {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(signed)
  const priority = limitBelow(market.maxPriorityFeePerGas, raiseFee(maxPriorityFeePerGas))
  const fees = {
    maxFeePerGas: limitBelow(limitBelow(market.maxFeePerGas, raiseFee(maxFeePerGas)), priority),
    maxPriorityFeePerGas: priority,
  }
  return fees.maxFeePerGas > cap ? undefined : fees
}

export async function sign(account: PrivateKeyAccount, { fees, ...rest }: Unsigned): Promise<Signed> {
  const signed = await account.signTransaction({ type: 'eip1559', value: 0n, ...rest, ...fees })
  return { signed, hash: keccak256(signed) }
}

/** The same transaction, nonce and all, with other fees. */
export function signAgain(account: PrivateKeyAccount, signed: Hex, fees: Fees): Promise<Signed> {
  const { chainId, nonce = 0, to, data = '0x', gas = 0n } = parseTransaction(signed)
  if (chainId === undefined || !to) throw new Error('a stored transaction is not one of ours')
  return sign(account, { chainId, nonce, to, data, gas, fees })
}
