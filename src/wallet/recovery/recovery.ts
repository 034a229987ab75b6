/** What a library for recovery on secp256k1 does. */

export type Backend = 'native' | 'wasm'

/** Returns the key as 0x04, x, y in a buffer that the next call overwrites, or undefined when there is none. */
export type Recovery = (digest: Uint8Array, rs: Uint8Array, recovery: number) => Uint8Array | undefined

export interface Library {
  readonly backend: Backend
  /** Its name and version. */
  readonly library: string
  /** Throws where it does not load. */
  readonly open: () => Recovery | Promise<Recovery>
}
