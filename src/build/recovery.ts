/**
 * Compiles libsecp256k1 of this machine for the executable, where a C compiler and the library are at hand. Nothing is
 * fetched. Where something is missing, the packages' older builds of the same library stay in use.
 *
 * The library is the folder of its source that LIBSECP256K1 names, else the archive that a package of the system has
 * put where the compiler finds it (Debian: libsecp256k1-dev).
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { BunPlugin } from 'bun'
import { readTarget } from '../release/target.ts'
import type { Built } from '../wallet/recovery/built.ts'

const glue = join(import.meta.dir, '../wallet/recovery/recover.c')

export interface CompiledRecovery {
  /** Files, where they could be made. */
  readonly addon?: string
  readonly wasm?: string
  readonly version?: string
  /** What the build made, and why it did not make more. */
  readonly note: string
}

/** `target`: the machine to build for, if it is another one. Throws where `sourceFolder` is named and holds no source. */
export function compileRecovery(
  folder: string,
  target: string = readTarget(),
  sourceFolder = process.env.LIBSECP256K1,
): CompiledRecovery {
  const source = sourceFolder ? readSource(sourceFolder) : undefined
  const addon = attempt(() => compileAddon(folder, target, source))
  const wasm = attempt(() => compileWasm(folder, source))
  const version = source?.version ?? addon.made?.version
  const notes = [
    addon.made ? `libsecp256k1 ${version}, native` : `no addon of its own: ${addon.why}`,
    wasm.made ? 'and in WebAssembly' : `no WebAssembly of its own: ${wasm.why}`,
  ]
  return {
    ...(addon.made ? { addon: addon.made.file } : {}),
    ...(wasm.made ? { wasm: wasm.made.file } : {}),
    ...(version === undefined ? {} : { version }),
    note: notes.join('; '),
  }
}

/** The module that takes the place of src/wallet/recovery/built.ts. */
export function embedRecovery({ addon, wasm, version }: CompiledRecovery): BunPlugin {
  const members: Record<keyof Built, string | undefined> = {
    library: JSON.stringify(`libsecp256k1 ${version}`),
    requireAddon: addon && `() => require(${JSON.stringify(addon)})`,
    readWasm: wasm && '() => Bun.file(wasm).arrayBuffer()',
  }
  const written = Object.entries(members).filter(([, value]) => value !== undefined)
  const contents = [
    wasm ? `import wasm from ${JSON.stringify(wasm)} with { type: 'file' }` : '',
    `export const built = ${addon || wasm ? `{ ${written.map(([name, value]) => `${name}: ${value}`).join(', ')} }` : 'undefined'}`,
  ].join('\n')
  return {
    name: 'recovery',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]wallet[\\/]recovery[\\/]built\.ts$/ }, () => ({ contents, loader: 'js' }))
    },
  }
}

interface Source {
  readonly folder: string
  readonly version: string
}

function readSource(folder: string): Source {
  if (!existsSync(join(folder, 'src/precomputed_ecmult.c')))
    throw new Error(`LIBSECP256K1: ${folder} holds no source of libsecp256k1 from 0.2.0`)
  const settings = readFileSync(join(folder, 'configure.ac'), 'utf8')
  const numbers = ['MAJOR', 'MINOR', 'PATCH'].map(
    (part) => new RegExp(`_PKG_VERSION_${part}, (\\d+)`).exec(settings)?.[1],
  )
  return { folder, version: numbers.join('.') }
}

interface Made {
  readonly file: string
  readonly version: string
}

function attempt(make: () => Made): { readonly made?: Made; readonly why?: string } {
  try {
    return { made: make() }
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

function compileAddon(folder: string, target: string, source: Source | undefined): Made {
  if (process.platform !== 'linux') throw new Error('one is made on Linux alone')
  if (target !== readTarget()) throw new Error('one is made for the machine alone on which it is built')
  const compiler = findProgram(process.env.CC || 'cc')
  const file = join(folder, 'recover.node')
  const flags = ['-O3', '-fPIC', '-shared', '-fvisibility=hidden', '-s', '-o', file, glue]
  if (source) {
    const assembly = process.arch === 'x64' ? ['-DUSE_ASM_X86_64=1'] : []
    run([compiler, ...flags, ...assembly, ...listSources(source)])
    return { file, version: source.version }
  }
  const archive = run([compiler, '-print-file-name=libsecp256k1.a']).trim()
  if (!isAbsolute(archive)) throw new Error('there is no libsecp256k1 (Debian: libsecp256k1-dev)')
  run([compiler, ...flags, '-DOF_ARCHIVE=1', archive, '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL'])
  const settings = readFileSync(join(dirname(archive), 'pkgconfig/libsecp256k1.pc'), 'utf8')
  return { file, version: /^Version: *(\S+)/m.exec(settings)?.[1] ?? 'unknown' }
}

function compileWasm(folder: string, source: Source | undefined): Made {
  if (!source) throw new Error('LIBSECP256K1 names no source')
  const compiler = findProgram('clang')
  const file = join(folder, 'recover.wasm')
  // Products of 64 bits: WebAssembly has none of 128, and calling a function for each takes three times as long.
  const flags = ['--target=wasm32-wasi', '-mexec-model=reactor', '-O3', '-fvisibility=hidden', '-Wl,--strip-all']
  const settings = ['-DUSE_FORCE_WIDEMUL_INT64=1', '-DUSE_EXTERNAL_DEFAULT_CALLBACKS=1']
  run([compiler, ...flags, ...settings, '-o', file, glue, ...listSources(source, 8)])
  return { file, version: source.version }
}

/** `window`: tables of 15 bits are 1 MB. Those of 8 are 40 kB, and recovery takes 5 % longer. */
const listSources = ({ folder }: Source, window = 15): readonly string[] => [
  `-I${join(folder, 'include')}`,
  `-I${folder}`,
  '-DENABLE_MODULE_RECOVERY=1',
  `-DECMULT_WINDOW_SIZE=${window}`,
  // Signing is not used. The first name is that of releases before 0.5.
  '-DECMULT_GEN_PREC_BITS=2',
  '-DECMULT_GEN_KB=2',
  ...['secp256k1', 'precomputed_ecmult', 'precomputed_ecmult_gen'].map((name) => join(folder, 'src', `${name}.c`)),
]

function findProgram(name: string): string {
  const found = Bun.which(name)
  if (found === null) throw new Error(`there is no ${name}`)
  return found
}

function run(command: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command])
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr.toString().trim().split('\n')[0]}`)
  return stdout.toString()
}
