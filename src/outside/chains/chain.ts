/** The interface to a blockchain. The one implementation of each half is in evm/ and solana/. */

export type Hex = `0x${string}`

/** The configured chains. A chain that is not configured is `undefined`: callers must not guess about it. */
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
   * that block, and never of another block with the same number. A view can be asked for 20 seconds. Errors:
   * OutsideError; UnanswerableError BLOCK_NOT_REACHED for a block that is not there yet.
   */
  at(blockNumber?: number): Promise<BlockView>
  /**
   * Like `at`, but without a number it reads the block that chains.<name>.read_at names, as proofs of assets do. A
   * chain that is shorter than the depth is read at its first block.
   */
  atReadPoint(blockNumber?: number): Promise<BlockView>
  /** The blocks that are final now: see Finality. Errors: OutsideError. */
  finality(): Promise<Finality>
  readonly transactions: EvmTransactions
}

/**
 * The age in chain time at which a block counts as final where no endpoint says so. Ethereum finalizes after 13 to 19
 * minutes. A rollup is final when its batches are final there.
 */
export const settledAfterMs = 30 * 60_000

/**
 * The blocks that are final, as a quorum of endpoints says: those up to their `finalized` block. An endpoint without
 * such a block counts blocks that are half an hour old.
 */
export interface Finality {
  /** The rule that decided. `half-an-hour` when an endpoint of the quorum knows no `finalized` block. */
  readonly rule: 'finalized-block' | 'half-an-hour'
  /** The newest final block, as far as `covers` reaches. Undefined for `half-an-hour`. */
  readonly finalNumber: number | undefined
  /** Blocks up to this time are final by their age. Unix milliseconds. */
  readonly finalTime: number
  covers(block: Pick<BlockView, 'blockNumber' | 'blockTime'>): boolean
}

export interface BlockView {
  readonly blockNumber: number
  readonly blockHash: Hex
  /** Unix milliseconds. */
  readonly blockTime: number
  /** The endpoints called the block final when it was chosen. False says nothing. */
  readonly isFinal: boolean
  /** Setting paths of the endpoints whose answers were used so far, in their order: `chains.base.rpc[0]`. */
  readonly sources: readonly string[]
  /**
   * The `sources` that accept no block hash (EIP-1898). They are asked by number, and the hash is checked after each
   * read.
   */
  readonly readByNumber: readonly string[]
  /**
   * The reasons why answers of this view could not be proved and rely on the endpoints. Empty when chains.<name>.proofs
   * is not set.
   */
  readonly unproved: readonly NotRunReason[]
  /**
   * Makes an eth_call with a gas limit. With chains.<name>.proofs the code also runs here over the proved state, and
   * the endpoints must return the same. `unproved` lists code that cannot run here. Errors: OutsideError.
   */
  call(call: Call): Promise<CallOutcome>
  /**
   * Makes a `call`, and with chains.<name>.proofs returns the proof of the answer. `keys` are the words that the answer
   * is looked up by, such as the holder. Errors: OutsideError, also for endpoints that contradict the proof.
   */
  read(question: { readonly to: Hex; readonly data: Hex; readonly keys: readonly Hex[] }): Promise<Reading>
  /** `0x` where there is no contract. */
  readCode(address: Hex): Promise<Hex>
  /** One word of the storage. Errors: OutsideError. */
  readSlot(address: Hex, slot: Hex): Promise<{ readonly value: Hex; readonly proof?: ReadingProof }>
  /** Wei. */
  readNativeBalance(address: Hex): Promise<bigint>
  /** How many transactions the account has sent. */
  readNonce(address: Hex): Promise<number>
}

export interface Call {
  /** Without it the data is creation code (ERC-6492 validators). */
  readonly to?: Hex
  readonly data: Hex
  /**
   * The caller chose the data, such as a signature, and may lead the contract to code that cannot run here. An unproved
   * answer then needs at least two endpoints.
   */
  readonly isDataOfStranger?: boolean
  /** The caller also chose the code: an unproved answer then never counts, however many endpoints give it. */
  readonly isCodeOfStranger?: boolean
}

/** Why the code of a contract could not be run over the proved state. */
export type NotRunReason = 'too-long' | 'writes' | 'outside-state'

/** A contract's result is an answer; a node that does not answer is an OutsideError. Hex is in lower case. */
export type CallOutcome =
  | { readonly returned: Hex }
  | {
      /** `reverted` stands for every failure of the code except for lack of gas, `too-large` for more than 64 KiB. */
      readonly failed: 'reverted' | 'out-of-gas' | 'too-large'
      /** The revert data. It is `0x` when the quorum does not agree on it, or when it is too large. */
      readonly data: Hex
    }

/** Logs of one contract, by their topics. Both blocks are included. */
export interface LogFilter {
  readonly address: Hex
  /** A list in the place of a topic matches any of its entries. */
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
 * The basis of an answer. An answer is proved when it stands alone in one storage slot under the block's state root. An
 * unproved answer relies on the quorum of endpoints. When the contract's code could run over the proved state, it also
 * had to give the same. Only the first three reasons rule that out.
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

/** Sends and follows transactions. It is not bound to a block. Errors: OutsideError, and those named below. */
export interface EvmTransactions {
  /** The nonce of the account's next transaction, as one endpoint sees it: only mined ones, or pending ones as well. */
  nextNonce(address: Hex, which: 'latest' | 'pending'): Promise<number>
  /** Wei per gas: the base fee of the newest block, and the priority fee that the node suggests. */
  fees(): Promise<{ readonly baseFee: bigint; readonly priorityFee: bigint }>
  /** Errors: TransactionRefused `reverts` or `insufficient-funds`. */
  estimateGas(call: { readonly from: Hex; readonly to: Hex; readonly data: Hex }): Promise<bigint>
  /**
   * Sends to every endpoint. One that accepts it, or knows it already, is enough. Returns the transaction hash, as
   * computed here. Errors: TransactionRefused when an endpoint refused and none accepted. After an OutsideError the
   * transaction may or may not have been sent.
   */
  send(signed: Hex): Promise<Hex>
  /** Null while it is not mined, also after a reorganization removed it. */
  readReceipt(hash: Hex): Promise<EvmReceipt | null>
  /**
   * Hashes of transactions with such a log, the newest of each endpoint that was asked. They are hints: check them with
   * readReceipt. An empty list requires a quorum of endpoints without one. Errors: OutsideError.
   */
  findLogs(filter: LogFilter): Promise<readonly Hex[]>
  newestBlock(): Promise<{ readonly number: number; readonly hash: Hex; readonly timestampMs: number }>
}

/** A node understood a transaction and rejected it. Sending the same one again would not help. */
export class TransactionRefused extends Error {
  override readonly name = 'TransactionRefused'

  constructor(
    /** `underpriced`: the fee is too low, alone or to replace the one with the same nonce. */
    readonly reason: 'nonce-used' | 'underpriced' | 'insufficient-funds' | 'reverts',
    /** Path of the setting of the endpoint. */
    readonly source: string,
    /** The revert data of the contract. */
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
   * The balance of an account in a mint now, over all its token accounts (SPL Token and Token-2022). Nodes keep no
   * balances of past slots, so these cannot be asked. Errors: OutsideError; UnanswerableError for an invalid address.
   */
  readTokenHolding(owner: string, mint: string): Promise<SolanaHolding>
}

export interface SolanaHolding {
  /** The kind of account at the mint address. */
  readonly mintKind: 'mint' | 'absent' | 'other'
  /**
   * Base units, frozen and delegated ones included: they belong to the owner. Token-2022 extensions that change a shown
   * balance (interest, scaling) or hide it (confidential transfers) are not applied. It is 0 unless `mintKind` is
   * 'mint'.
   */
  readonly amount: bigint
  readonly decimals: number
  /** The mint has a supply of 1 and no decimals. */
  readonly isNonFungible: boolean
  /** The oldest slot that an answer belongs to. */
  readonly slot: number
  /** Setting paths of the endpoints that gave this answer: `chains.solana.rpc[0]`. */
  readonly sources: readonly string[]
}
