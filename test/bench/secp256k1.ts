import { readFileSync } from 'node:fs'

/** The part of libsecp256k1 that the bench calls, as the addon exports it: 0 is success, results go into `out`. */
export interface Secp256k1 {
  ecdsaSign(out: { signature: Uint8Array; recid: number }, hash: Uint8Array, privateKey: Uint8Array): number
  ecdsaRecover(publicKey: Uint8Array, signature: Uint8Array, recid: number, hash: Uint8Array): number
  publicKeyCreate(publicKey: Uint8Array, privateKey: Uint8Array): number
}

/**
 * Loads the prebuilt addon by its path. The package's own entry silently falls back to plain JavaScript, 40 times
 * slower, which would spoil the ceiling.
 */
export function loadSecp256k1(): Secp256k1 {
  const libc = process.platform !== 'linux' ? '' : runsOnMusl() ? '.musl' : '.glibc'
  const folder = `${import.meta.dir}/../../node_modules/secp256k1/prebuilds/${process.platform}-${process.arch}`
  const addon = require(`${folder}/secp256k1${libc}.node`) as { Secp256k1: new () => Secp256k1 & AddonShape }
  const secp256k1 = new addon.Secp256k1()
  return {
    // The addon insists on the two arguments for extra entropy and a nonce function, even when there is neither.
    ecdsaSign: (out, hash, privateKey) => secp256k1.ecdsaSign(out, hash, privateKey, undefined, undefined),
    ecdsaRecover: (publicKey, signature, recid, hash) => secp256k1.ecdsaRecover(publicKey, signature, recid, hash),
    publicKeyCreate: (publicKey, privateKey) => secp256k1.publicKeyCreate(publicKey, privateKey),
  }
}

/** Asks which loader started this very process: a machine can have both. */
const runsOnMusl = () => readFileSync('/proc/self/maps', 'latin1').includes('/ld-musl-')

interface AddonShape {
  ecdsaSign(out: object, hash: Uint8Array, privateKey: Uint8Array, entropy: undefined, nonce: undefined): number
}
