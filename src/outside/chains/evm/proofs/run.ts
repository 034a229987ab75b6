/**
 * Runs a contract call here: its proved code over its proved storage. So no endpoint has to be believed about the slot
 * of an answer, or that it has none.
 *
 * It is small by intention: a question about an asset takes some thousand steps. Longer calls, and calls that read
 * outside the state, are left to the endpoints. Writes are left to them too, unless the caller allowed them.
 */
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, type EVM, EVMError, type EVMResult } from '@ethereumjs/evm'
import { type Address, createAddressFromString, Account as EvmAccount } from '@ethereumjs/util'
import { hexToBytes, keccak256, pad, toHex } from 'viem'
import type { CallOutcome, Hex, NotRunReason } from '../../chain.ts'
import { callGas } from '../call-gas.ts'
import { openDraftState, type StateReader } from './draft-state.ts'
import type { ProvedState } from './state.ts'

export interface SlotRead {
  readonly contract: Hex
  readonly slot: Hex
  readonly value: Hex
}

export interface Run {
  readonly outcome: CallOutcome
  /** Each slot once, in the order in which they were first read. */
  readonly reads: readonly SlotRead[]
  /** The accounts whose code ran. */
  readonly codes: ReadonlySet<Hex>
  /** The hashed data, by its hash. */
  readonly preimages: ReadonlyMap<Hex, Hex>
}

/**
 * The reason why a call did not run here. It follows from proved code and storage, so no endpoint can cause it by a
 * lie. A caller who chose the data can, by leading the call to code of their own.
 */
export interface NotRun {
  readonly notRun: NotRunReason
}

const mostSteps = 20_000
/** Words of memory. It is copied at each step. */
const mostMemory = 1024
/** Each costs one call to an endpoint, one after the other. */
const mostSlots = 16
const mostAccounts = 12
/** The run yields to other requests after this number of steps. */
const stepsInARow = 1000
/** Longer texts are not hashed to find a slot. */
const longestPreimage = 128

const writes = new Set([
  'SSTORE',
  'TSTORE',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
  'LOG0',
  'LOG1',
  'LOG2',
  'LOG3',
  'LOG4',
])
/** It takes effect after the call, and differs between forks. */
const removals = new Set(['SELFDESTRUCT'])
/** Opcodes that read the block, the transaction or the node: their results differ between chains and nodes. */
const surroundings = new Set([
  'BLOCKHASH',
  'COINBASE',
  'NUMBER',
  'PREVRANDAO',
  'DIFFICULTY',
  'GASLIMIT',
  'BASEFEE',
  'BLOBHASH',
  'BLOBBASEFEE',
  'GASPRICE',
  'BALANCE',
])
const calls = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])
const standIns = new Set<Hex>(['0x', '0xfe', '0x60006000fd'])
/** Precompiles that chains have in common: signer recovery, hashes, copying, and passkey signatures. */
const everywhere = new Set(['0x1', '0x2', '0x3', '0x4', '0x100'].map((address) => pad(address as Hex, { size: 20 })))
const nobody = pad('0x', { size: 20 })

class Halted extends Error {
  constructor(readonly notRun: NotRunReason) {
    super(notRun)
  }
}

export interface Question {
  /** Without it the data is creation code, and the answer is the code that it deploys. */
  readonly to?: Hex
  readonly data: Hex
  /** Whether it may write on its way. Writes are dropped with the answer. */
  readonly mayWrite?: boolean
}

/** Errors: OutsideError. */
export async function runProved(
  state: ProvedState,
  chainId: number,
  { to, data, mayWrite = false }: Question,
): Promise<Run | NotRun> {
  const reads = new Map<string, SlotRead>()
  const codes = new Set<Hex>()
  const accounts = new Set<Hex>()
  const preimages = new Map<Hex, Hex>()
  let steps = 0
  /** The first reason to stop, or outage: the running code cannot catch it. */
  let stopped: unknown

  function halt(error: unknown): never {
    stopped ??= error
    throw stopped
  }
  const stopOnError = <Answer>(asking: Promise<Answer>): Promise<Answer> => asking.catch(halt)
  function meet(address: Hex): Hex {
    accounts.add(address)
    return accounts.size > mostAccounts ? halt(new Halted('too-long')) : address
  }

  const reader = {
    async getAccount({ bytes }: Address) {
      const address = toHex(bytes)
      // The machine reads the caller's account before the first step. No code asks for its balance: see `surroundings`.
      if (address === nobody && steps === 0) return new EvmAccount()
      const { nonce, balance, storageRoot, codeHash } = await stopOnError(state.account(meet(address)))
      return new EvmAccount(nonce, balance, hexToBytes(storageRoot), hexToBytes(codeHash))
    },
    async getCode({ bytes }: Address) {
      // The machine knows the precompiles, and has only looked for a delegation.
      if (everywhere.has(toHex(bytes))) return new Uint8Array()
      const address = meet(toHex(bytes))
      const code = await stopOnError(state.readCode(address))
      // A chain may have precompiles of its own at addresses without code, or with code that does nothing.
      if (standIns.has(code) && address !== to) halt(new Halted('outside-state'))
      codes.add(address)
      return hexToBytes(code)
    },
    getCodeSize: async ({ bytes }: Address) => hexToBytes(await stopOnError(state.readCode(meet(toHex(bytes))))).length,
    async getStorage({ bytes }: Address, key: Uint8Array) {
      const contract = toHex(bytes)
      const slot = pad(toHex(key))
      const id = `${contract} ${slot}`
      if (!reads.has(id) && reads.size >= mostSlots) halt(new Halted('too-long'))
      const value = await stopOnError(state.slot(contract, slot))
      reads.set(id, { contract, slot, value })
      return hexToBytes(value)
    },
  }

  const header = await state.header()
  const evm = await openMachine(chainId, reader)
  const forbidden = mayWrite ? removals : writes
  evm.events.on('step', ({ opcode, stack, memory, memoryWordCount }, next) => {
    steps += 1
    if (steps > mostSteps || memoryWordCount > mostMemory) halt(new Halted('too-long'))
    if (forbidden.has(opcode.name)) halt(new Halted('writes'))
    if (surroundings.has(opcode.name)) halt(new Halted('outside-state'))
    if (calls.has(opcode.name)) steps += countPrecompile(stack.at(-2) ?? 0n)
    if (opcode.name === 'KECCAK256') rememberPreimage(preimages, stack, memory)
    if (steps % stepsInARow === 0) setImmediate(next!)
    else next!()
  })
  try {
    const { execResult } = await evm.runCall({
      ...(to === undefined ? {} : { to: createAddressFromString(to) }),
      data: hexToBytes(data),
      gasLimit: callGas,
      isStatic: !mayWrite,
      block: { header: { number: header.number, timestamp: header.timestamp, gasLimit: header.gasLimit } } as never,
    })
    if (stopped === undefined) {
      const outcome = readOutcome(execResult)
      return outcome ? { outcome, reads: [...reads.values()], codes, preimages } : { notRun: 'too-long' }
    }
  } catch (error) {
    stopped ??= error
  }
  if (stopped instanceof Halted) return { notRun: stopped.notRun }
  throw stopped
}

/**
 * The cost of a precompile in steps. Signer recovery, two hashes and copying cost some; a passkey signature costs more.
 * The others cost too many: no question about ownership needs them.
 */
function countPrecompile(address: bigint): number {
  if (address === 0x100n) return 5000
  if (address > 0x11n) return 0
  return address <= 4n ? 200 : mostSteps
}

function rememberPreimage(preimages: Map<Hex, Hex>, stack: readonly bigint[], memory: Uint8Array): void {
  const [offset = 0n, length = 0n] = [stack.at(-1), stack.at(-2)]
  if (length > longestPreimage || offset > memory.length) return
  // Unwritten memory is zero.
  const text = new Uint8Array(Number(length))
  text.set(memory.subarray(Number(offset), Number(offset + length)))
  preimages.set(keccak256(text), toHex(text))
}

/** Undefined when it ran out of gas: a node may give more. */
function readOutcome({ returnValue, exceptionError }: EVMResult['execResult']): CallOutcome | undefined {
  if (exceptionError === undefined) return { returned: toHex(returnValue) }
  if (exceptionError.error === EVMError.errorMessages.OUT_OF_GAS) return undefined
  const hasReason = exceptionError.error === EVMError.errorMessages.REVERT
  return { failed: 'reverted', data: hasReason ? toHex(returnValue) : '0x' }
}

/** Uses the rules of the newest fork, also for earlier blocks: for reads the forks differ only in gas prices. */
function openMachine(chainId: number, reader: StateReader): Promise<EVM> {
  const common = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Osaka })
  return createEVM({ common, stateManager: openDraftState(reader) })
}
