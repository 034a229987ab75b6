/** What is asked of a blockchain. The one real implementation of each half is in evm/ and solana/. */

export type Hex = `0x${string}`

/** The configured chains. A chain that is not configured is `undefined`: nobody may guess about it. */
export interface Chains {
  /** By CAIP-2 id: `eip155:8453`, `solana:mainnet`. Both spellings of a Solana cluster find it. */
  evm(chainId: number): EvmChain | undefined
  solana(chain: string): SolanaChain | undefined
  readonly all: readonly (EvmChain | SolanaChain)[]
}

interface Chain {
  /** The key of [chains.<name>]. */
  readonly name: string
  /** CAIP-2. */
  readonly chain: string
}

export interface EvmChain extends Chain {
  readonly kind: 'evm'
  readonly chainId: number
  /**
   * The chain at one block: the given one, else the newest that the asked endpoints share. Every read of the view is of
   * that block, and of no other block of the same number. A view can be asked for 20 seconds. Errors: OutsideError;
   * UnanswerableError BLOCK_NOT_REACHED for a block that is not there yet.
   */
  at(blockNumber?: number): Promise<BlockView>
  /**
   * As `at`, but without a number at the block that chains.<name>.read_at names: where proofs of assets are read. A chain
   * that is shorter than a depth is read at its first block.
   */
  atReadPoint(blockNumber?: number): Promise<BlockView>
  /** What is final now: see Finality. Errors: OutsideError. */
  finality(): Promise<Finality>
  readonly transactions: EvmTransactions
}

/**
 * Chain time after which a block counts as final where no endpoint says so. Ethereum finalizes after 13 to 19 minutes, and
 * the rollups on it when their batches are final there.
 */
export const settledAfterMs = 30 * 60_000

/**
 * Which blocks of a chain stay, as the endpoints say that must agree: those up to their `finalized` block. For an endpoint
 * that knows no such block, those on which the chain has gone on for half an hour.
 */
export interface Finality {
  /** What it is known by. `half-an-hour` where one of those that must agree calls no block final. */
  readonly rule: 'finalized-block' | 'half-an-hour'
  /** The newest one, as far as `covers` goes. Undefined for `half-an-hour`. */
  readonly finalNumber: number | undefined
  /** Up to when blocks are final by their time. Unix milliseconds. */
  readonly finalTime: number
  covers(block: Pick<BlockView, 'blockNumber' | 'blockTime'>): boolean
}

export interface BlockView {
  readonly blockNumber: number
  readonly blockHash: Hex
  /** Unix milliseconds. */
  readonly blockTime: number
  /** The endpoints called it final when it was chosen. False says nothing. */
  readonly isFinal: boolean
  /** Setting paths of the endpoints whose answers were taken so far, in their order: `chains.base.rpc[0]`. */
  readonly sources: readonly string[]
  /** Those of `sources` that take no block hash (EIP-1898): asked by number, and held to the hash after each read. */
  readonly readByNumber: readonly string[]
  /** Why answers of this view could not be proved, and rest on the endpoints. Empty where chains.<name>.proofs is not set. */
  readonly unproved: readonly NotRunReason[]
  /**
   * eth_call with a cap on gas. Where chains.<name>.proofs is set, the code is run here over the proved state, and the
   * endpoints must say the same; for what cannot be run see `unproved`. Errors: OutsideError.
   */
  call(call: Call): Promise<CallOutcome>
  /**
   * `call`, and where chains.<name>.proofs is set what is proved of the answer. `keys` are what it is looked up by, one
   * word each, such as the holder. Errors: OutsideError, also for endpoints that say otherwise than what is proved.
   */
  read(question: { readonly to: Hex; readonly data: Hex; readonly keys: readonly Hex[] }): Promise<Reading>
  /** `0x` where there is no contract. */
  codeOf(address: Hex): Promise<Hex>
  /** One word of the storage. Errors: OutsideError. */
  readSlot(address: Hex, slot: Hex): Promise<{ readonly value: Hex; readonly proof?: ReadingProof }>
  /** Wei. */
  balanceOf(address: Hex): Promise<bigint>
  /** How many transactions the account has sent. */
  nonceOf(address: Hex): Promise<number>
}

export interface Call {
  /** Without it the data is creation code (ERC-6492 validators). */
  readonly to?: Hex
  readonly data: Hex
  /**
   * Who asks chose the data, such as a signature, and may lead the contract to code that cannot be run here. An answer
   * that is not proved then needs two endpoints at least.
   */
  readonly isDataOfStranger?: boolean
  /** Who asks chose the code as well: an answer that is not proved then counts nowhere, however many endpoints say it. */
  readonly isCodeOfStranger?: boolean
}

/** Why the code of a contract could not be run over the proved state. */
export type NotRunReason = 'too-long' | 'writes' | 'outside-state'

/** What a contract did is an answer; that a node did not answer is an OutsideError. Hex is in lower case. */
export type CallOutcome =
  | { readonly returned: Hex }
  | {
      /** `reverted` stands for every failure of the code except for lack of gas, `too-large` for more than 64 KiB. */
      readonly failed: 'reverted' | 'out-of-gas' | 'too-large'
      /** What it reverted with: `0x` when the endpoints that must agree do not give the same, or it is too large. */
      readonly data: Hex
    }

/** Logs of one contract, by their topics; blocks are both included. */
export interface LogFilter {
  readonly address: Hex
  /** A list in the place of a topic: any of them. */
  readonly topics: readonly (Hex | readonly Hex[])[]
  readonly fromBlock: number
  readonly toBlock: number
}

export interface Reading {
  readonly outcome: CallOutcome
  /** Absent where chains.<name>.proofs is not set. */
  readonly proof?: ReadingProof
}

/**
 * What an answer rests on. Proved is what stands alone in one slot of the storage under the state root of the block. What
 * is not proved rests on the endpoints that agree; where the code of the contract could be run over the proved state,
 * which only the first three reasons rule out, it had to give the same.
 */
export type ReadingProof =
  | {
      readonly proved: true
      /** The contract, its code and its storage were proved under the state root. */
      readonly account: true
      readonly contract: Hex
      readonly storageSlot: Hex
      /** `mapping`: keccak(key, slot). `vyper-mapping`: keccak(slot, key). `seeded`: keccak(address, seed). */
      readonly layout: 'plain' | 'mapping' | 'vyper-mapping' | 'seeded'
      /** The slot or the seed that the storage slot is derived from. */
      readonly baseSlot: Hex
      readonly stateRoot: Hex
    }
  | {
      readonly proved: false
      readonly reason: NotRunReason | 'computed' | 'packed' | 'not-in-storage' | 'unknown-layout'
      readonly stateRoot: Hex
    }

/** Sending and following transactions. Not bound to a block. Errors: OutsideError, and what is said below. */
export interface EvmTransactions {
  /** The nonce of the account's next transaction, as one endpoint sees it: mined ones only, or with those that wait. */
  nextNonce(address: Hex, which: 'latest' | 'pending'): Promise<number>
  /** Wei per gas: the base fee of the newest block, and what the node suggests on top. */
  fees(): Promise<{ readonly baseFee: bigint; readonly priorityFee: bigint }>
  /** Errors: TransactionRefused `reverts` or `insufficient-funds`. */
  estimateGas(call: { readonly from: Hex; readonly to: Hex; readonly data: Hex }): Promise<bigint>
  /**
   * Sends to every endpoint; one that takes it, or knows it already, is enough. Returns the transaction hash, as
   * computed here. Errors: TransactionRefused when an endpoint refused and none took it; after an OutsideError it may
   * have been sent or not.
   */
  send(signed: Hex): Promise<Hex>
  /** Null while it is not mined, also after a reorganisation took it back. */
  receiptOf(hash: Hex): Promise<EvmReceipt | null>
  /**
   * Hashes of transactions that left such a log, the newest of each endpoint that was asked: hints, to be looked at with
   * receiptOf. None only where as many endpoints as must agree know of none. Errors: OutsideError.
   */
  findLogs(filter: LogFilter): Promise<readonly Hex[]>
  newestBlock(): Promise<{ readonly number: number; readonly hash: Hex; readonly timestampMs: number }>
}

/** A node understood a transaction and does not take it. Sending the same once more would not help. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused'

  constructor(
    /** `underpriced`: the fee is too low, alone or to replace the one with the same nonce. */
    readonly reason: 'nonce-used' | 'underpriced' | 'insufficient-funds' | 'reverts',
    /** Path of the setting of the endpoint. */
    readonly source: string,
    /** What the contract reverted with. */
    readonly data: Hex = '0x',
  ) {
    super(`${source} refused a transaction: ${reason}`)
  }
}

export interface EvmReceipt {
  readonly transactionHash: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly succeeded: boolean
  readonly from: Hex
  readonly to: Hex | null
  readonly gasUsed: bigint
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[]
}

export interface SolanaChain extends Chain {
  readonly kind: 'solana'
  /** Every CAIP-2 id of this cluster: by genesis hash, as `chain` has it, and by name where it has one. */
  readonly spellings: readonly string[]
  /**
   * What an account holds of a mint now, over all its token accounts (SPL Token and Token-2022). Past slots cannot be
   * asked: nodes keep no balances of them. Errors: OutsideError; UnanswerableError for an address that is none.
   */
  holdingOf(owner: string, mint: string): Promise<SolanaHolding>
}

export interface SolanaHolding {
  /** What stands at the mint address: a mint, nothing, or something else. */
  readonly mintKind: 'mint' | 'absent' | 'other'
  /**
   * Base units, frozen and delegated ones included: they are the owner's. Without what Token-2022 extensions add when
   * they show a balance (interest, scaling) or hide (confidential transfers). 0 unless `mintKind` is 'mint'.
   */
  readonly amount: bigint
  readonly decimals: number
  /** The mint has a supply of 1 and no decimals. */
  readonly isNonFungible: boolean
  /** The oldest slot that an answer is of. */
  readonly slot: number
  /** Setting paths of the endpoints that gave this answer: `chains.solana.rpc[0]`. */
  readonly sources: readonly string[]
}
