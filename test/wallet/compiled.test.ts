import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileRecovery, embedRecovery } from '../../src/build/recovery.ts'
import { type BackendChoice, listLibraries } from '../../src/wallet/secp256k1.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { oddSignatures } from './odd-evm.ts'

/**
 * An executable can lose a native addon in other ways than a run from source, and has what the build compiled of
 * libsecp256k1 besides. So this builds a small one with the release flags, and runs it without our sources and
 * node_modules.
 */

// Elsewhere there is no addon to lose, or it is unpacked and lost in other ways.
const here = describe.skipIf(
  isMissing(process.platform === 'linux' && process.arch === 'x64', 'the addon in an executable: run on Linux x64'),
)

const newFolder = temporaryFolders()

/** Where the build takes libsecp256k1 from. */
const source = process.env.LIBSECP256K1
const origins: readonly (readonly [name: string, source: string])[] = [
  ['the package of the system', ''],
  ...(source ? ([['its source', source]] as const) : []),
]

const wallet = (file: string) => JSON.stringify(join(import.meta.dir, '../../src/wallet', file))
const probe = `
import { verifyEd25519 } from ${wallet('ed25519.ts')}
import { recoverPersonalSign } from ${wallet('eip191.ts')}
import { hashKeccak256 } from ${wallet('keccak.ts')}
import { listLibraries, openLibrary, openSecp256k1 } from ${wallet('secp256k1.ts')}

const { choice, message, signature, ed25519, odd } = JSON.parse(process.argv[2])
if (odd) {
  for (const library of listLibraries('auto')) {
    const secp256k1 = await openLibrary(library)
    const verdicts = odd.map((one) => {
      const recovered = recoverPersonalSign(secp256k1, message, one)
      return recovered.address ?? recovered.malformed
    })
    console.log(JSON.stringify({ backend: secp256k1.backend, library: secp256k1.library, verdicts }))
  }
  process.exit()
}
try {
  const secp256k1 = await openSecp256k1(choice)
  console.log(JSON.stringify({
    backend: secp256k1.backend,
    library: secp256k1.library,
    fallbackReason: secp256k1.fallbackReason,
    recovered: recoverPersonalSign(secp256k1, message, signature).address,
    ed25519: verifyEd25519(...ed25519),
    keccak: hashKeccak256('abc'),
  }))
} catch (error) {
  console.log(JSON.stringify({ error: error.message }))
}
`

/** The vectors V1 and V2 (src/guides/wire.md, "Vectors"). */
const message = [
  'Portable Proof Verification Request',
  'Wallet: 0x2682f1afa9e879dcea444d8d93895c4bcbf55076',
  'Chain: 84532',
  'Verifiers: ownership-basic',
  'Data: {"content":"CAIP-380 interoperability fixture","nonce":"example-1"}',
  'Timestamp: 1784582400000',
].join('\n')
const signature =
  '0xc448d5edda53b46f673d26ebf2476d4955945364af25641d18bbef0428870d533d56a5a2524a046190bf44ad97058050a26a9c0a60d78cdad3a858c5974c0c9d1b'
const ed25519 = [
  '9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj',
  [
    'Portable Proof Verification Request',
    'Wallet: 9C6hybhQ6Aycep9jaUnP6uL9ZYvDjUp1aSkFWPUFJtpj',
    'Chain: solana:mainnet',
    'Verifiers: ownership-basic',
    'Data: {"content":"universal portable proof"}',
    'Timestamp: 1784582400000',
  ].join('\n'),
  'sBSrBXozvdKggN2wwk9GZLMJZcTxjoQuJRrzne1i4eLLxZmc7RzqZQR6AZhnCNRFAekAGN3V8pNDtUDEK11HbN5',
]
const rightAnswers = {
  recovered: '0x2682f1afa9e879dcea444d8d93895c4bcbf55076',
  ed25519: true,
  keccak: '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
}

here.each(origins)('the executable with libsecp256k1 from %s', (_, sourceFolder) => {
  const folder = newFolder()
  const executable = join(folder, 'probe')
  const empty = join(folder, 'empty')

  const compiled = compileRecovery(folder, undefined, sourceFolder)
  const own = `libsecp256k1 ${compiled.version}`
  const packaged = { native: listLibraries('native')[0]!.library, wasm: listLibraries('wasm')[0]!.library }
  const natives = [...(compiled.addon ? [own] : []), packaged.native]
  const wasms = [...(compiled.wasm ? [own] : []), packaged.wasm]
  const [native, wasm] = [
    { backend: 'native', library: natives[0]! },
    { backend: 'wasm', library: wasms[0]! },
  ]

  function run(choice: BackendChoice, temporaryFolder: string) {
    const { stdout } = Bun.spawnSync([executable, JSON.stringify({ choice, message, signature, ed25519 })], {
      cwd: empty,
      env: { TMPDIR: temporaryFolder },
    })
    return JSON.parse(stdout.toString())
  }

  function freshFolder(name: string): string {
    const path = join(folder, name)
    mkdirSync(path)
    return path
  }

  beforeAll(async () => {
    mkdirSync(empty)
    const entry = join(folder, 'probe.ts')
    writeFileSync(entry, probe)
    await Bun.build({
      entrypoints: [entry],
      target: 'bun',
      format: 'esm',
      bytecode: true,
      minify: { whitespace: true, syntax: true, identifiers: false },
      plugins: [embedRecovery(compiled)],
      compile: { outfile: executable },
    })
  })

  test('recovers natively in an empty folder, with the addon it carries', () => {
    const temporary = freshFolder('writable')
    expect(run('auto', temporary)).toEqual({ ...native, ...rightAnswers })
    expect(readdirSync(temporary).filter((name) => name.endsWith('.node'))).toHaveLength(1)
  })

  test('recovers the same in WASM when asked to, and then unpacks nothing', () => {
    const temporary = freshFolder('wasm')
    expect(run('wasm', temporary)).toEqual({ ...wasm, ...rightAnswers })
    expect(readdirSync(temporary)).toEqual([])
  })

  test('falls back to WASM and says why when the temporary folder cannot be written', () => {
    const { fallbackReason, ...rest } = run('auto', '/proc/no-such-folder')
    expect(rest).toEqual({ ...wasm, ...rightAnswers })
    expect(fallbackReason).toContain('temporary folder (/proc/no-such-folder)')
    expect(fallbackReason).toContain('noexec')
  })

  test('takes the next library when an unpacked addon cannot be mapped, as on a noexec mount or after a crash', () => {
    const temporary = freshFolder('damaged')
    for (const next of [...natives.slice(1).map((library) => ({ backend: 'native', library })), wasm]) {
      run('auto', temporary)
      const unpacked = readdirSync(temporary).map((name) => join(temporary, name))
      for (const file of unpacked) writeFileSync(file, new Uint8Array(statSync(file).size))

      const { fallbackReason, ...rest } = run('auto', temporary)
      expect(rest).toEqual({ ...next, ...rightAnswers })
      expect(fallbackReason).toContain('the temporary folder')
    }
  })

  test('stops and tells the operator what to do when native was required', () => {
    const { error } = run('native', '/proc/no-such-folder')
    expect(error).toStartWith('the native secp256k1 addon could not be loaded:')
    expect(error).toContain('point TMPDIR at a folder that is')
  })

  const compiles = test.skipIf(
    isMissing(
      compiled.addon || process.env.CI,
      'the addon of a current libsecp256k1: apt-get install gcc libc6-dev libsecp256k1-dev',
    ),
  )
  compiles('carries an addon of the libsecp256k1 that this machine has, and prefers it', () => {
    expect(compiled.note).toStartWith(`${own}, native`)
    expect(run('native', freshFolder('own'))).toMatchObject({ backend: 'native', library: own })
  })

  if (sourceFolder !== '')
    test.skipIf(
      isMissing(
        compiled.wasm || process.env.CI,
        'WebAssembly of a current libsecp256k1: apt-get install clang lld wasi-libc libclang-rt-dev-wasm32',
      ),
    )('carries WebAssembly of it as well, and prefers it to that of the package', () => {
      expect(compiled.note).toBe(`${own}, native; and in WebAssembly`)
      expect(run('wasm', freshFolder('own-wasm'))).toEqual({ backend: 'wasm', library: own, ...rightAnswers })
    })

  test(`judges odd signatures equally with each library: ${natives.join(', ')} natively, ${wasms.join(', ')} in WASM`, async () => {
    const text = 'I agree.'
    const { agreed, strangers, stricter } = await oddSignatures(text)
    const odd = [...agreed, ...stricter, ...strangers]
    const { stdout } = Bun.spawnSync(
      [executable, JSON.stringify({ message: text, odd: odd.map(([, signature]) => signature) })],
      { cwd: empty, env: { TMPDIR: freshFolder('odd') } },
    )
    const answers: { backend: string; library: string; verdicts: string[] }[] = Bun.JSONL.parse(
      stdout.toString(),
    ) as never
    expect(answers.map(({ backend, library }) => `${backend} ${library}`)).toEqual([
      ...natives.map((library) => `native ${library}`),
      ...wasms.map((library) => `wasm ${library}`),
    ])
    const expected = [...agreed, ...stricter].map(([, , verdict]) => verdict)
    for (const { verdicts } of answers) {
      expect(verdicts.slice(0, expected.length)).toEqual(expected)
      // Whoever it is, it is the same for all.
      expect(verdicts).toEqual(answers[0]!.verdicts)
    }
  })
})

test.skipIf(
  isMissing(
    source || process.env.CI,
    'libsecp256k1 compiled from source: LIBSECP256K1=/path/to/libsecp256k1 npm test -- test/wallet',
  ),
)('the source of libsecp256k1 is there to test with', () => expect(source).toBeString())
