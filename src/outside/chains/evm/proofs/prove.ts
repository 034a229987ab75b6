/**
 * The proofs of the state at one block, for a view of it. The module loads only for chains with proofs, because the
 * contract machine is large.
 */
import type { Hex, ReadingProof } from '../../chain.ts'
import { describeProof, describeSlotProof } from './layout.ts'
import type { Account } from './merkle.ts'
import { type NotRun, type Question, type Run, runProved } from './run.ts'
import { openState, type Reads } from './state.ts'

/** Errors of each: OutsideError. */
export interface Prover {
  account(address: Hex): Promise<Account>
  readCode(address: Hex): Promise<Hex>
  readSlot(address: Hex, slot: Hex): Promise<{ readonly value: Hex; readonly proof: ReadingProof }>
  run(question: Question): Promise<Run | NotRun>
  /** `keys` are what the answer is looked up by, one word each. */
  ask(question: {
    readonly to: Hex
    readonly data: Hex
    readonly keys: readonly Hex[]
  }): Promise<{ readonly run: Run | NotRun; readonly proof: ReadingProof }>
}

export function openProver(reads: Reads, chainId: number): Prover {
  const state = openState(reads)
  return {
    account: state.account,
    readCode: state.readCode,
    async readSlot(address, slot) {
      const value = await state.slot(address, slot)
      const { stateRoot } = await state.header()
      return { value, proof: describeSlotProof(address, slot, stateRoot) }
    },
    run: (question) => runProved(state, chainId, question),
    async ask({ to, data, keys }) {
      const run = await runProved(state, chainId, { to, data })
      const { stateRoot } = await state.header()
      return { run, proof: describeProof(run, { contract: to, keys }, stateRoot) }
    },
  }
}
