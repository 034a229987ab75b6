/** The options of a call, and its signer. */

export interface CallOptions {
  /** Ends the call; the promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

export interface RequestOptions extends CallOptions {
  /** Undefined members are omitted; lists are joined by commas. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  /** Sent as JSON. */
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined

export interface ReadOptions extends CallOptions {
  /**
   * The wallet that asks. It signs a text that names the action. The signature is reused for four minutes, so that
   * pages and polls do not prompt the person again. Not needed with a session or an access key.
   */
  readonly signer?: Signer | undefined
}

/** Signs for a wallet. A viem account: `{ address, sign: (message) => account.signMessage({ message }) }`. */
export interface Signer {
  readonly address: string
  /** Signs the text as it is: EIP-191 for EVM wallets (`0x…`), Ed25519 over its UTF-8 bytes for others (base58 or hex). */
  sign(text: string): string | Promise<string>
  /** CAIP-2. Needed for non-EVM wallets (`solana:mainnet`), and for contract wallets: the chain they are on. */
  readonly chain?: string | undefined
  /** `eip191`, `ed25519`, or `eip1271` for a contract wallet. Default by the chain. */
  readonly signatureMethod?: string | undefined
}

/** EIP-1193, as browser wallets provide it. */
export interface EthereumProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet of the Wallet Standard with `solana:signMessage`, connected; or one with `publicKey` and `signMessage`. */
export type SolanaWallet =
  | {
      readonly publicKey: { toString(): string } | null
      signMessage(message: Uint8Array): Promise<Uint8Array | { readonly signature: Uint8Array }>
    }
  | {
      readonly accounts: readonly { readonly address: string }[]
      readonly features: object
    }
