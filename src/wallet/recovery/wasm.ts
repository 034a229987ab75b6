/** Recovery in WebAssembly: what the build made of a current libsecp256k1, and what a package holds. */
import { version } from '@bitauth/libauth/package.json' with { type: 'json' }
import { built } from './built.ts'
import type { Library, Recovery } from './recovery.ts'

/** The fastest first. */
export const wasmLibraries: readonly Library[] = [
  ...(built?.readWasm ? [describeBuilt(built.library, built.readWasm)] : []),
  { backend: 'wasm', library: `libauth ${version}`, open: openPackagedWasm },
]

function describeBuilt(library: string, readWasm: () => Promise<ArrayBuffer>): Library {
  return { backend: 'wasm', library, open: async () => openBuiltWasm(await readWasm()) }
}

/** As recover.c exports it. */
interface Exports {
  readonly memory: WebAssembly.Memory
  /** Where the key, r and s, and the digest lie, one after the other. */
  findBuffer(): number
  recover(recovery: number): 0 | 1
}

async function openBuiltWasm(code: ArrayBuffer): Promise<Recovery> {
  const { instance } = await WebAssembly.instantiate(code)
  const { memory, findBuffer, recover } = instance.exports as unknown as Exports
  // Its memory does not grow, so these stay where they are.
  const start = findBuffer()
  const publicKey = new Uint8Array(memory.buffer, start, 65)
  const inputs = new Uint8Array(memory.buffer, start + 65, 96)
  return (digest, rs, recovery) => {
    inputs.set(rs)
    inputs.set(digest, 64)
    return recover(recovery) === 1 ? publicKey : undefined
  }
}

async function openPackagedWasm(): Promise<Recovery> {
  // Imports the file, not the package: its index loads a whole Bitcoin Cash virtual machine, 87 ms instead of 5.
  const { instantiateSecp256k1 } = await import('@bitauth/libauth/build/lib/crypto/secp256k1.js')
  const secp256k1 = await instantiateSecp256k1()
  return (digest, rs, recovery) => {
    const publicKey = secp256k1.recoverPublicKeyUncompressed(rs, recovery as 0 | 1, digest)
    return typeof publicKey === 'string' ? undefined : publicKey
  }
}
