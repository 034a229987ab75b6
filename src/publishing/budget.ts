/** The budget for the transactions of one look at a chain. Each value is read once: its answer serves all of them. */
import type { Hex } from '../outside/chains/chain.ts'
import type { PublicationAction } from './publication.ts'
import { Obstacle, type Run } from './run.ts'
import { computeFees, type Fees } from './transaction.ts'

const weiPerGwei = 1_000_000_000n

export interface Call {
  readonly to: Hex
  readonly data: Hex
}

export interface Budget {
  /** Wei per gas that nothing may pass. */
  readonly cap: bigint
  /** Errors: Obstacle while the chain asks for more than the cap. */
  fees(): Promise<Fees>
  /**
   * Gas for a call; calls of one kind differ by a few bytes and take about the same. Errors: TransactionRefused when it
   * would revert.
   */
  gas(kind: PublicationAction | 'filler', call: Call): Promise<bigint>
  /** Sets so much aside. Errors: Obstacle when the account has less. */
  reserve(wei: bigint): Promise<void>
}

/** `reserved` is what the transactions on their way may cost. */
export function openBudget(run: Run, reserved: bigint): Budget {
  const { chain, account, settings } = run
  const cap = BigInt(settings.maxFeeGwei) * weiPerGwei
  const gasOf = new Map<string, bigint>()
  let spent = reserved
  let known: { readonly fees?: Fees; readonly balance?: bigint } = {}

  return {
    cap,

    async fees() {
      const fees = known.fees ?? computeFees(cap, await chain.transactions.fees())
      if (!fees)
        throw new Obstacle(
          `the chain asks for more than ${settings.maxFeeGwei} gwei for a unit of gas`,
          'wait, or raise publishing.max_fee_gwei',
        )
      known = { ...known, fees }
      return fees
    },

    async gas(kind, call) {
      // A fifth more than the node expects, for what may change until then.
      const gas = gasOf.get(kind) ?? ((await chain.transactions.estimateGas({ from: account, ...call })) * 6n) / 5n
      gasOf.set(kind, gas)
      return gas
    },

    async reserve(wei) {
      const balance = known.balance ?? (await (await chain.at()).readNativeBalance(account))
      known = { ...known, balance }
      if (balance < spent + wei)
        throw makeFundsObstacle(account, `it holds ${balance} wei, and its transactions may cost ${spent + wei} wei`)
      spent += wei
    },
  }
}

export const makeFundsObstacle = (account: Hex, why: string): Obstacle =>
  new Obstacle(`the account ${account} lacks funds: ${why}`, `send funds to ${account}`)
