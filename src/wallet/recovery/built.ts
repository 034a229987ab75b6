/** What the build compiled of libsecp256k1. It puts a module of its own here (src/build/recovery.ts), so this one says "nothing". */

export interface Built {
  readonly library: string
  readonly requireAddon?: () => BuiltAddon
  readonly readWasm?: () => Promise<ArrayBuffer>
}

/** As recover.c exports it. */
export interface BuiltAddon {
  /** Whether a key was found and written. Throws where a length is wrong. */
  recover(publicKeyOut: Uint8Array, rs: Uint8Array, recovery: number, digest: Uint8Array): boolean
}

export const built = undefined as Built | undefined
