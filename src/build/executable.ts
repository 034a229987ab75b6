/**
 * Builds one executable from the sources. It contains the runtime, the migrations, the pages and the native addon, and
 * needs no file of its build folder.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { packNewDatabase } from '../db/new-database.ts'
import type { ScriptFiles } from '../pages/script-parts.ts'
import { bundleScripts, listPublicFiles } from '../pages/scripts.ts'
import { type Language, languages } from '../web/languages.ts'
import { compileRecovery, embedRecovery } from './recovery.ts'
import { measureScripts, type ScriptSize } from './script-sizes.ts'
import { nameFile, type Target } from './targets.ts'

const root = join(import.meta.dir, '../..')

export interface Built {
  readonly file: string
  readonly bytes: number
  readonly ms: number
  readonly scripts: readonly ScriptSize[]
  /** How signers are recovered: a line for people, and the version of what the build compiled for it. */
  readonly recovery: { readonly note: string; readonly version?: string }
}

export interface BuildOptions {
  readonly folder?: string
  /** The line of the minisign public key that signs releases: release/release-key.ts. */
  readonly releaseKey?: string | undefined
}

/**
 * Builds for this machine unless a target is named. Throws the errors of the bundler, and an error for a script above
 * its size limit.
 */
export async function buildExecutable(
  target?: Target,
  { folder = join(root, 'dist'), releaseKey }: BuildOptions = {},
): Promise<Built> {
  const startedAt = performance.now()
  const name = nameFile(target)
  mkdirSync(folder, { recursive: true })
  // Built aside and then moved: a running server's file is never overwritten in place. A failed build keeps the last
  // one.
  const aside = mkdtempSync(join(folder, '.build-'))
  try {
    const published = await listPublicFiles()
    const bundled = await Promise.all(
      languages.map(async (language) => ({ language, files: await bundleScripts(language) })),
    )
    const scripts = findLargest(
      await Promise.all(bundled.map(({ files }) => measureScripts({ ...files, ...published }))),
    )
    const recovery = compileRecovery(aside, target)
    const plugins = [await embedScripts(aside, bundled, published), embedRecovery(recovery)]
    await compile({ target, outfile: join(aside, name), plugins, releaseKey })
    const file = join(folder, name)
    renameSync(join(aside, name), file)
    return { file, bytes: statSync(file).size, ms: performance.now() - startedAt, scripts, recovery }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

/** Each script in the language in which it is largest. */
const findLargest = ([first = [], ...others]: readonly (readonly ScriptSize[])[]): readonly ScriptSize[] =>
  first.map((size, index) =>
    [size, ...others.map((sizes) => sizes[index]!)].reduce((a, b) => (b.bytes > a.bytes ? b : a)),
  )

interface Bundled {
  readonly language: Language
  readonly files: ScriptFiles
}

/** A module in place of src/pages/scripts.ts, which needs sources that the executable lacks. */
async function embedScripts(folder: string, bundled: readonly Bundled[], published: ScriptFiles): Promise<BunPlugin> {
  const groups = [
    ...bundled.map(({ language, files }) => ({ group: language, files })),
    { group: 'public', files: published },
  ]
  const embedded = groups
    .flatMap(({ group, files }) => Object.entries(files).map(([name, content]) => ({ group, name, content })))
    .map((file, index) => ({ ...file, variable: `file${index}`, path: join(folder, file.group, file.name) }))
  await Promise.all(embedded.map(({ path, content }) => Bun.write(path, content)))
  const writeGroup = (group: string): string => {
    const members = embedded.filter((file) => file.group === group)
    return `{ ${members.map(({ name, variable }) => `${JSON.stringify(name)}: Bun.file(${variable})`).join(', ')} }`
  }
  const contents = [
    ...embedded.map(({ variable, path }) => `import ${variable} from ${JSON.stringify(path)} with { type: 'file' }`),
    `const scripts = { ${bundled.map(({ language }) => `${language}: ${writeGroup(language)}`).join(', ')} }`,
    `export const ${bundleScripts.name} = async (language) => scripts[language]`,
    `export const ${listPublicFiles.name} = async () => (${writeGroup('public')})`,
  ].join('\n')
  return {
    name: 'bundled scripts',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]pages[\\/]scripts\.ts$/ }, () => ({ contents, loader: 'js' }))
    },
  }
}

interface Compiled {
  readonly target: Target | undefined
  readonly outfile: string
  readonly plugins: BunPlugin[]
  readonly releaseKey: string | undefined
}

const compile = ({ target, outfile, plugins, releaseKey }: Compiled) =>
  Bun.build({
    // A thread is an entry of its own. src/ is the common root of all, which src/db/threaded-writer.ts relies on.
    entrypoints: [
      join(root, 'src/main.ts'),
      join(root, 'src/db/writer-thread.ts'),
      join(root, 'src/db/check-thread.ts'),
      join(root, 'src/backup/continuous/ship-thread.ts'),
      join(root, 'src/commands/watchdog-thread.ts'),
      join(root, 'src/pages/preview/draw-thread.ts'),
    ],
    root: join(root, 'src'),
    target: 'bun',
    plugins,
    // Bytecode halves the start. Without esm it would freeze import.meta.url to a path of the building machine, where
    // alone the thread would be found.
    format: 'esm',
    bytecode: true,
    // What is imported when it is asked for becomes a file of its own, which others do not load.
    splitting: true,
    // Short names save 0.3 %, and have broken frameworks before.
    minify: { whitespace: true, syntax: true, identifiers: false },
    // Adds 1.4 MB, read only when something throws: a stack trace then names src/ and a line.
    sourcemap: 'linked',
    define: {
      'process.env.NODE_ENV': '"production"',
      NEW_DATABASE: JSON.stringify(packNewDatabase()),
      ...(releaseKey === undefined ? {} : { BUILT_IN_RELEASE_KEY: JSON.stringify(releaseKey) }),
    },
    compile: {
      ...(target === undefined ? {} : { target: `bun-${target}` }),
      outfile,
      // Write access to the working directory must not allow running code or changing settings.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  })
