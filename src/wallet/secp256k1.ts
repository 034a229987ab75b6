import { tmpdir } from 'node:os'
import { hashKeccak256, hashKeccak256Bytes } from './keccak.ts'
import { nativeLibraries } from './recovery/native.ts'
import type { Backend, Library, Recovery } from './recovery/recovery.ts'
import { wasmLibraries } from './recovery/wasm.ts'

/**
 * Public-key recovery on secp256k1, the most expensive step of a verification, and the choice of its library.
 *
 * All are libsecp256k1. Of today, as the build compiled it (recovery/built.ts), it takes 30 µs natively and 85 in WASM;
 * as packages hold it, 45 and 170. `library` and `fallbackReason` always name which one runs.
 *
 * This file does NOT refuse a high s, nor explain r and s out of range; eip191.ts does.
 */
export interface Secp256k1 {
  readonly backend: Backend
  /** Its name and version. */
  readonly library: string
  /** Why a better one was not loaded; absent when the best of those that were asked for was. */
  readonly fallbackReason?: string
  /**
   * The lower-case address whose key made this signature, or undefined when no key can have made it.
   * Throws on a wrong length or recovery id: native code reads as many bytes as it expects.
   */
  recoverAddress(digest: Uint8Array, rs: Uint8Array, recovery: number): `0x${string}` | undefined
}

export type BackendChoice = 'auto' | Backend

/** Opens once for each thread and choice. */
export function openSecp256k1(choice: BackendChoice = 'auto'): Promise<Secp256k1> {
  const opening = opened.get(choice) ?? open(choice)
  opened.set(choice, opening)
  return opening
}

const opened = new Map<BackendChoice, Promise<Secp256k1>>()

async function open(choice: BackendChoice): Promise<Secp256k1> {
  let fallbackReason: string | undefined
  for (const library of listLibraries(choice))
    try {
      const secp256k1 = await openLibrary(library)
      return fallbackReason === undefined ? secp256k1 : { ...secp256k1, fallbackReason }
    } catch (error) {
      fallbackReason ??= explainNotLoaded(error)
    }
  throw new Error(
    choice === 'native'
      ? `the native secp256k1 addon could not be loaded: ${fallbackReason}`
      : `no code for secp256k1 could be loaded: ${fallbackReason}`,
  )
}

/** Those of this executable, the best first. */
export const listLibraries = (choice: BackendChoice): readonly Library[] => [
  ...(choice === 'wasm' ? [] : nativeLibraries),
  ...(choice === 'native' ? [] : wasmLibraries),
]

/** Throws where it does not load, or loads and computes something else. */
export const openLibrary = async ({ backend, library, open: openRecovery }: Library): Promise<Secp256k1> => ({
  backend,
  library,
  recoverAddress: checkRecovery(library, await openRecovery()),
})

function checkRecovery(library: string, recoverPublicKey: Recovery): Secp256k1['recoverAddress'] {
  const recoverAddress = (digest: Uint8Array, rs: Uint8Array, recovery: number): `0x${string}` | undefined => {
    if (digest.length !== 32) throw new RangeError(`digest must be 32 bytes, not ${digest.length}`)
    if (rs.length !== 64) throw new RangeError(`signature must be 64 bytes, not ${rs.length}`)
    if (recovery !== 0 && recovery !== 1) throw new RangeError(`recovery id must be 0 or 1, not ${recovery}`)

    const publicKey = recoverPublicKey(digest, rs, recovery)
    return publicKey && `0x${hashKeccak256(publicKey.subarray(1)).slice(26)}`
  }

  // Known answer, before the first real one: an addon that loads is not yet an addon that computes.
  const digest = hashKeccak256Bytes('proofgate')
  if (recoverAddress(digest, knownSignature, 1) !== knownAddress)
    throw new Error(`${library} recovered a wrong address`)
  return recoverAddress
}

const knownSignature = Uint8Array.fromHex(
  '6816d0e3603c770cf3c36f14e5a3b76e223ea10ec6391fd6a934f15d6ce42ce6' +
    '1e2bf990d059236e15e7e84a4046ad63704312c022d24a6eb145b2d49c7a2bd3',
)
const knownAddress = '0x2682f1afa9e879dcea444d8d93895c4bcbf55076'

function explainNotLoaded(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_DLOPEN_FAILED')) return reason
  // A slim container image has the addon, but not a library that it needs.
  const library = /(lib[\w+.-]+\.so[.\d]*): cannot open shared object file/.exec(reason)?.[1]
  if (library) return `${reason}. Install ${library}, which the addon needs (on Debian libstdc++6 and libgcc-s1)`
  // Bun unpacks the embedded addon into the temporary folder. It reuses an earlier file there by its size alone.
  return (
    `${reason}. The executable unpacks the addon into the temporary folder (${tmpdir()}), which must be writable and ` +
    'not mounted noexec: point TMPDIR at a folder that is, and delete a damaged .bun-*.node file there'
  )
}
