/** Recovery in native code: the addon that the build made of a current libsecp256k1, and the one of a package. */
import { readFileSync } from 'node:fs'
import { version } from 'secp256k1/package.json' with { type: 'json' }
import { type BuiltAddon, built } from './built.ts'
import type { Library, Recovery } from './recovery.ts'

/** The fastest first. */
export const nativeLibraries: readonly Library[] = [
  ...(built?.requireAddon ? [describeBuilt(built.library, built.requireAddon)] : []),
  { backend: 'native', library: `secp256k1 ${version}`, open: () => makePackagedRecovery(requirePackagedAddon()) },
]

function describeBuilt(library: string, requireAddon: () => BuiltAddon): Library {
  return { backend: 'native', library, open: () => makeBuiltRecovery(requireAddon()) }
}

function makeBuiltRecovery(addon: BuiltAddon): Recovery {
  const publicKey = new Uint8Array(65)
  return (digest, rs, recovery) => (addon.recover(publicKey, rs, recovery, digest) ? publicKey : undefined)
}

interface PackagedAddon {
  readonly Secp256k1: new () => {
    /** 0: recovered. 1: r or s not below the order. 2: no such point. 3: the key could not be written. */
    ecdsaRecover(publicKeyOut: Uint8Array, rs: Uint8Array, recovery: number, digest: Uint8Array): 0 | 1 | 2 | 3
  }
}

function makePackagedRecovery(addon: PackagedAddon): Recovery {
  // Computes its tables now, for 8 ms.
  const secp256k1 = new addon.Secp256k1()
  // The addon writes as many bytes as this buffer is long; 65 asks for the uncompressed form.
  const publicKey = new Uint8Array(65)
  return (digest, rs, recovery) =>
    secp256k1.ecdsaRecover(publicKey, rs, recovery, digest) === 0 ? publicKey : undefined
}

/**
 * We load the addon file ourselves. The package's own entry looks for it on disk and does not find it in a compiled
 * executable. It then silently recovers in plain JavaScript, 40 times slower.
 *
 * Every path is a literal, so that `bun build --compile` embeds the file. Bun decides every `if` at build time from the
 * target, so it embeds only files that the target can load. For linux-arm64 there are none.
 */
function requirePackagedAddon(): PackagedAddon {
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
