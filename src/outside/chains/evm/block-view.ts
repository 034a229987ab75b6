/**
 * The chain as it is at one block. Reads name the block by its hash and require it to be canonical (EIP-1898), not by
 * its number. After a reorganization a number means another block, and answers of two branches would be mixed.
 * Comparing hashes after each read would cost a second call. Geth, Erigon, Nethermind, Besu, Reth and Anvil support
 * this. An endpoint on another branch or another chain then cannot answer by mistake. An endpoint without it needs that
 * second call (ask-at-block.ts); doctor and the evidence name it.
 */
import { pad } from 'viem'
import { OutsideError } from '../../failure.ts'
import type { BlockView, Call, CallOutcome, Hex, NotRunReason } from '../chain.ts'
import type { Quorum } from '../quorum.ts'
import { waitForArrival } from './arrival.ts'
import { askAtBlock, type BlockAsker } from './ask-at-block.ts'
import type { ChosenBlock } from './block.ts'
import { callGas } from './call-gas.ts'
import { type AnswerTo, makeMalformedError, parseData, parseNumber, parseQuantity, writeQuantity } from './hex.ts'
import { findFailure, makeOutage } from './node-error.ts'
import type { Codes } from './proofs/codes.ts'
import type { openProver } from './proofs/prove.ts'
import type { NotRun, Run } from './proofs/run.ts'
import type { EvmSource } from './source.ts'

/** No verifier asks for a longer answer of a contract. */
const mostReturnedBytes = 64 * 1024

/**
 * The gas of a call pays for 2.8 MB of returned or reverted memory, which is twice as many digits. Some nodes repeat
 * the revert data in their message. So a larger answer is never the contract's fault.
 */
const callMaxBytes = 12 * 1024 * 1024

/** Given where chains.<name>.proofs is set. */
export interface Proving {
  readonly chainId: number
  readonly codes: Codes
  readonly openProver: typeof openProver
}

export function makeBlockView(
  quorum: Quorum<EvmSource>,
  { block, sources, isFinal = false }: ChosenBlock,
  proving: Proving | undefined,
): BlockView {
  const taken = new Set(sources)
  const unproved = new Set<NotRunReason>()
  const asker = askAtBlock(block)

  const prover = proving?.openProver(
    { quorum, block, asker, took: (source) => taken.add(source.setting), codes: proving.codes },
    proving.chainId,
  )

  async function read<Answer>(
    ask: (source: EvmSource) => Promise<Answer>,
    isSame?: (one: Answer, other: Answer) => boolean,
  ): Promise<readonly Answer[]> {
    const given = await quorum.agreed((source) => waitForArrival(() => ask(source)), isSame)
    for (const { source } of given) taken.add(source.setting)
    return given.map(({ answer }) => answer)
  }
  const readOne = async <Answer>(
    method: string,
    params: readonly unknown[],
    parsed: (result: unknown, from: AnswerTo) => Answer,
  ): Promise<Answer> => {
    const [given] = await read(async (source) => {
      const from = { setting: source.setting, method }
      const answer = await asker.ask(source, method, params)
      if ('error' in answer) throw makeOutage(from, answer.error)
      return parsed(answer.result, from)
    })
    return given!
  }

  const ask = async (call: Pick<Call, 'to' | 'data'>, run?: Run | NotRun): Promise<CallOutcome> => {
    const params = [{ ...call, gas: writeQuantity(callGas) }]
    return findCommonOutcome(
      await read(
        async (source) => requireAsProved(await askOutcome(asker, source, params), run, source),
        isSameOutcome,
      ),
    )
  }

  return {
    blockNumber: block.number,
    blockHash: block.hash,
    blockTime: block.timestampMs,
    isFinal,
    get sources() {
      return quorum.sources.map(({ setting }) => setting).filter((setting) => taken.has(setting))
    },
    get readByNumber() {
      return quorum.sources.map(({ setting }) => setting).filter((one) => taken.has(one) && asker.byNumber.has(one))
    },

    get unproved() {
      return [...unproved]
    },

    async call({ isDataOfStranger = false, isCodeOfStranger = false, ...call }) {
      const run = await prover?.run({ ...call, mayWrite: true })
      if (run && 'notRun' in run) {
        if (isCodeOfStranger) throw needsProof(quorum, run)
        if (isDataOfStranger && quorum.agree < 2) throw needsTwo(quorum, run)
        unproved.add(run.notRun)
      }
      return ask(call, run)
    },

    async read({ to, data, keys }) {
      if (!prover) return { outcome: await ask({ to, data }) }
      const { run, proof } = await prover.ask({ to, data, keys })
      if ('notRun' in run) unproved.add(run.notRun)
      return { outcome: await ask({ to, data }, run), proof }
    },

    readCode: (address) => prover?.readCode(address) ?? readOne('eth_getCode', [address], parseData),
    async readSlot(address, slot) {
      if (prover) return prover.readSlot(address, slot)
      const value = await readOne('eth_getStorageAt', [address, pad(slot)], (result, from) =>
        // Some nodes omit leading zeros.
        pad(writeQuantity(parseQuantity(result, from))),
      )
      return { value }
    },
    readNativeBalance: (address) =>
      prover?.account(address).then(({ balance }) => balance) ?? readOne('eth_getBalance', [address], parseQuantity),
    readNonce: (address) =>
      prover?.account(address).then(({ nonce }) => Number(nonce)) ??
      readOne('eth_getTransactionCount', [address], parseNumber),
  }
}

/** Compares the endpoint's result of a call with the run over the proved state. Errors: OutsideError. */
function requireAsProved(outcome: CallOutcome, run: Run | NotRun | undefined, { setting }: EvmSource): CallOutcome {
  if (!run || 'notRun' in run) return outcome
  const isSame =
    'returned' in run.outcome ? 'returned' in outcome && outcome.returned === run.outcome.returned : 'failed' in outcome
  if (isSame) return outcome
  throw makeMalformedError({ setting, method: 'eth_call' }, 'the contract does not give over the state that is proved')
}

const whyNotRun: Readonly<Record<NotRunReason, string>> = {
  'too-long': 'takes too many steps to be run here',
  writes: 'removes a contract on its way',
  'outside-state': 'asks for what is not in the state of the chain',
}

/** A single endpoint could return anything, and the caller could lead the call there. */
const needsTwo = ({ chainName, agree }: Quorum<EvmSource>, { notRun }: NotRun): OutsideError =>
  new OutsideError(
    'disagree',
    `chains.${chainName}.agree`,
    `is ${agree}, and the contract ${whyNotRun[notRun]}, so that its answer cannot be proved and would rest on a single endpoint`,
    `set chains.${chainName}.agree to 2 or more, with endpoints of as many hosts: such wallets then rest on those`,
    60,
  )

const needsProof = ({ chainName }: Quorum<EvmSource>, { notRun }: NotRun): OutsideError =>
  new OutsideError(
    'disagree',
    `chains.${chainName}.proofs`,
    `is on, and what deploys the wallet ${whyNotRun[notRun]}, so that its answer cannot be proved`,
    'deploy the wallet before you sign with it',
    60,
  )

async function askOutcome(asker: BlockAsker, source: EvmSource, params: readonly unknown[]): Promise<CallOutcome> {
  const from = { setting: source.setting, method: 'eth_call' }
  const answer = await asker.ask(source, from.method, params, { maxBytes: callMaxBytes })
  if ('error' in answer) {
    const failure = findFailure(answer.error)
    if (!failure) throw makeOutage(from, answer.error)
    return isTooLarge(failure.data) ? { failed: 'reverted', data: '0x' } : failure
  }
  const returned = parseData(answer.result, from)
  return isTooLarge(returned) ? { failed: 'too-large', data: '0x' } : { returned }
}

const isTooLarge = (data: Hex): boolean => data.length > 2 + 2 * mostReturnedBytes

/** Nodes agree on whether a contract failed, and why. Not all of them return its revert data. */
const isSameOutcome = (one: CallOutcome, other: CallOutcome): boolean =>
  'returned' in one
    ? 'returned' in other && one.returned === other.returned
    : 'failed' in other && one.failed === other.failed

function findCommonOutcome([first, ...others]: readonly CallOutcome[]): CallOutcome {
  const isShared = others.every((other) => 'failed' in first! && 'failed' in other && first.data === other.data)
  return 'returned' in first! || isShared ? first! : { ...first!, data: '0x' }
}
