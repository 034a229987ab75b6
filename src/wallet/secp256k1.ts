import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { hashKeccak256, hashKeccak256Bytes } from './keccak.ts'

/**
 * Public-key recovery on secp256k1, the most expensive step of a verification, and the choice of its backend.
 *
 * Both backends are libsecp256k1. 'native' is the addon that the npm package `secp256k1` ships prebuilt (48 µs). 'wasm'
 * is the build inside `@bitauth/libauth` (180 µs on Bun). We load the addon file ourselves. The package's own entry
 * looks for it on disk and does not find it in a compiled executable. It then silently recovers in plain JavaScript, 40
 * times slower. Hence `backend` and `fallbackReason` always name the backend.
 *
 * This file does NOT refuse a high s, nor explain r and s out of range; eip191.ts does.
 */
export interface Secp256k1 {
  readonly backend: Backend
  /** Why 'native' was not loaded; absent when it was, or when 'wasm' was asked for. */
  readonly fallbackReason?: string
  /**
   * The lower-case address whose key made this signature, or undefined when no key can have made it.
   * Throws on a wrong length or recovery id: native code reads as many bytes as it expects.
   */
  recoverAddress(digest: Uint8Array, rs: Uint8Array, recovery: number): `0x${string}` | undefined
}

export type Backend = 'native' | 'wasm'
export type BackendChoice = 'auto' | Backend

/** Opens once for each thread and choice. libsecp256k1 computes its tables then, 8 ms in native code and 30 in WASM. */
export function openSecp256k1(choice: BackendChoice = 'auto'): Promise<Secp256k1> {
  const opening = opened.get(choice) ?? open(choice)
  opened.set(choice, opening)
  return opening
}

const opened = new Map<BackendChoice, Promise<Secp256k1>>()

async function open(choice: BackendChoice): Promise<Secp256k1> {
  if (choice === 'wasm') return makeCheckedBackend('wasm', await openWasmRecovery())
  try {
    return makeCheckedBackend('native', openNativeRecovery())
  } catch (error) {
    const fallbackReason = explainNotNative(error)
    if (choice === 'native') throw new Error(`the native secp256k1 addon could not be loaded: ${fallbackReason}`)
    return { ...makeCheckedBackend('wasm', await openWasmRecovery()), fallbackReason }
  }
}

/** Returns the key as 0x04, x, y in a buffer the next call overwrites. */
type Recovery = (digest: Uint8Array, rs: Uint8Array, recovery: number) => Uint8Array | undefined

function makeCheckedBackend(backend: Backend, recoverPublicKey: Recovery): Secp256k1 {
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
    throw new Error(`${backend} recovered a wrong address`)
  return { backend, recoverAddress }
}

const knownSignature = Uint8Array.fromHex(
  '6816d0e3603c770cf3c36f14e5a3b76e223ea10ec6391fd6a934f15d6ce42ce6' +
    '1e2bf990d059236e15e7e84a4046ad63704312c022d24a6eb145b2d49c7a2bd3',
)
const knownAddress = '0x2682f1afa9e879dcea444d8d93895c4bcbf55076'

interface Addon {
  readonly Secp256k1: new () => {
    /** 0: recovered. 1: r or s not below the order. 2: no such point. 3: the key could not be written. */
    ecdsaRecover(publicKeyOut: Uint8Array, rs: Uint8Array, recovery: number, digest: Uint8Array): 0 | 1 | 2 | 3
  }
}

function openNativeRecovery(): Recovery {
  const secp256k1 = new (requireAddon().Secp256k1)()
  // The addon writes as many bytes as this buffer is long; 65 asks for the uncompressed form.
  const publicKey = new Uint8Array(65)
  return (digest, rs, recovery) =>
    secp256k1.ecdsaRecover(publicKey, rs, recovery, digest) === 0 ? publicKey : undefined
}

/**
 * Every path is a literal, so that `bun build --compile` embeds the file. Bun decides every `if` at build time from the
 * target, so it embeds only files that the target can load. For linux-arm64 there are none.
 */
function requireAddon(): Addon {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return runsOnMusl()
      ? require('secp256k1/prebuilds/linux-x64/secp256k1.musl.node')
      : require('secp256k1/prebuilds/linux-x64/secp256k1.glibc.node')
  }
  if (process.platform === 'darwin' && process.arch === 'arm64') {
    return require('secp256k1/prebuilds/darwin-arm64/secp256k1.node')
  }
  if (process.platform === 'win32' && process.arch === 'x64') {
    return require('secp256k1/prebuilds/win32-x64/secp256k1.node')
  }
  throw new Error(`there is no prebuilt addon for ${process.platform}-${process.arch}`)
}

/** Asks which loader started this very process: a machine can have both (Debian's `musl`, Alpine's `gcompat`). */
function runsOnMusl(): boolean {
  try {
    return readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-')
  } catch {
    return false
  }
}

function explainNotNative(error: unknown): string {
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

async function openWasmRecovery(): Promise<Recovery> {
  // Imports the file, not the package: its index loads a whole Bitcoin Cash virtual machine, 87 ms instead of 5.
  const { instantiateSecp256k1 } = await import('@bitauth/libauth/build/lib/crypto/secp256k1.js')
  const secp256k1 = await instantiateSecp256k1()
  return (digest, rs, recovery) => {
    const publicKey = secp256k1.recoverPublicKeyUncompressed(rs, recovery as 0 | 1, digest)
    return typeof publicKey === 'string' ? undefined : publicKey
  }
}
