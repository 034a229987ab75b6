/** What the build compiles of libsecp256k1, and what it says where it cannot. */
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { compileRecovery } from '../../src/build/recovery.ts'
import type { BuiltAddon } from '../../src/wallet/recovery/built.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'

const newFolder = temporaryFolders()
const compiled = compileRecovery(newFolder())

const before = { CC: process.env.CC, LIBSECP256K1: process.env.LIBSECP256K1 }
afterEach(() => {
  for (const [name, value] of Object.entries(before))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
})

describe('without what it takes, nothing is compiled and the build says why', () => {
  test.skipIf(process.platform !== 'linux')('no C compiler', () => {
    process.env.CC = 'no-such-compiler'
    const { addon, note } = compileRecovery(newFolder())
    expect(addon).toBeUndefined()
    expect(note).toContain('no addon of its own: there is no no-such-compiler')
  })

  test.skipIf(process.platform !== 'linux')('no libsecp256k1', () => {
    delete process.env.LIBSECP256K1
    process.env.CC = join(newFolder(), 'cc')
    // A compiler repeats a name that it does not find.
    writeFileSync(process.env.CC, '#!/bin/sh\necho libsecp256k1.a\n', { mode: 0o755 })
    const { addon, note } = compileRecovery(newFolder())
    expect(addon).toBeUndefined()
    expect(note).toContain('there is no libsecp256k1 (Debian: libsecp256k1-dev)')
  })

  test('another machine than this one', () => {
    const { addon, note } = compileRecovery(newFolder(), 'windows-x64')
    expect(addon).toBeUndefined()
    expect(note).toStartWith('no addon of its own: one is made ')
  })

  test('a folder that LIBSECP256K1 names and that holds no source stops the build', () => {
    process.env.LIBSECP256K1 = newFolder()
    mkdirSync(join(process.env.LIBSECP256K1, 'src'))
    expect(() => compileRecovery(newFolder())).toThrow('holds no source of libsecp256k1 from 0.2.0')
  })
})

const skips = isMissing(
  compiled.addon || process.env.CI,
  'the addon of a current libsecp256k1: apt-get install gcc libc6-dev libsecp256k1-dev',
)
describe.skipIf(skips)('the addon', () => {
  const file = compiled.addon!
  const digest = new Uint8Array(32).fill(7)
  const secret = new Uint8Array(32).fill(1)
  const signed = noble.sign(digest, secret, { prehash: false, format: 'recovered' })
  const rs = Uint8Array.from(signed.subarray(1))
  const load = (): BuiltAddon => require(file)

  test('writes the uncompressed key of the signer', () => {
    const key = new Uint8Array(65)
    expect(load().recover(key, rs, signed[0]!, digest)).toBe(true)
    expect(key.toHex()).toBe(noble.getPublicKey(secret, false).toHex())
  })

  test.each<[string, readonly unknown[]]>([
    ['a key of 33 bytes', [new Uint8Array(33), rs, 0, digest]],
    ['a signature of 63 bytes', [new Uint8Array(65), rs.subarray(1), 0, digest]],
    ['a digest of 31 bytes', [new Uint8Array(65), rs, 0, digest.subarray(1)]],
    ['words in place of bytes', [new Uint8Array(65), new Uint32Array(64), 0, digest]],
    ['a text in place of bytes', [new Uint8Array(65), rs, 0, 'x'.repeat(32)]],
    ['recovery id 4', [new Uint8Array(65), rs, 4, digest]],
    ['recovery id -1', [new Uint8Array(65), rs, -1, digest]],
    ['a text in place of a recovery id', [new Uint8Array(65), rs, '1', digest]],
    ['no digest', [new Uint8Array(65), rs, 0]],
    ['nothing', []],
  ])('reads and writes no byte for %s', (_, given) => {
    const recover = load().recover as (...given: readonly unknown[]) => boolean
    expect(() => recover(...given)).toThrow(RangeError)
    if (given[0]) expect(given[0]).toEqual(new Uint8Array((given[0] as Uint8Array).length))
  })

  test('keeps no state, which threads would share', () => {
    const object = join(newFolder(), 'recover.o')
    const source = join(import.meta.dir, '../../src/wallet/recovery/recover.c')
    const headers = process.env.LIBSECP256K1 ? [`-I${process.env.LIBSECP256K1}/include`] : []
    expect(Bun.spawnSync(['cc', '-c', '-O3', '-fPIC', ...headers, '-o', object, source])).toMatchObject({ exitCode: 0 })
    const symbols = Bun.spawnSync(['nm', object]).stdout.toString()
    expect(symbols).toContain('napi_register_module_v1')
    // b and d: data that can be written.
    expect(symbols.match(/^.* [bcd] .*$/gim)).toBeNull()
  })
})
