/**
 * The scripts of the pages, bundled for browsers from browser/*.ts, and the public files. This module serves a server
 * that runs from source. The executable replaces it (src/build/executable.ts) by one that knows the embedded files.
 */
import { dirname, join, parse } from 'node:path'
import type { BunPlugin } from 'bun'
import { computeDigest } from '../http/served.ts'
import { defaultLanguage, type Language } from '../web/languages.ts'
import { packImports, type ScriptFiles } from './script-parts.ts'

export const scriptNames = [
  'claim',
  'copy',
  'dashboard',
  'guides',
  'oauth-callback',
  'pair',
  'personal',
  'proof',
  'proof-check',
  'receipt',
  'reference',
  'sign-in',
  'verify',
  'widget-example',
] as const
export type ScriptName = (typeof scriptNames)[number]

/**
 * The scripts of a language, the parts that several scripts share or that one loads on demand, and their imports. The
 * sources import the words in English, from a folder `words`. For another language, the bundler takes the file of
 * that language from the same folder, so that a browser loads one language only. Throws the errors of the bundler.
 */
export async function bundleScripts(language: Language): Promise<ScriptFiles> {
  const { outputs, metafile } = await Bun.build({
    ...options,
    entrypoints: scriptNames.map((name) => join(import.meta.dir, `browser/${name}.ts`)),
    splitting: true,
    // The page names the parts of a script (shell.ts). The bundler's way puts its own names of parts into the scripts.
    modulePreload: false,
    naming: { entry: '[name].js', chunk: 'part-[hash].js' },
    metafile: true,
    plugins: language === defaultLanguage ? [] : [takeWords(language)],
  })
  const imports = new Map(
    Object.entries(metafile!.outputs).map(([file, output]) => [
      parse(file).base,
      output.imports.map(({ path, kind }) => ({ file: parse(path).base, isAtOnce: kind === 'import-statement' })),
    ]),
  )
  const texts = await Promise.all(
    outputs.map(async (output) => [parse(output.path).base, await output.text()] as const),
  )
  return nameByContent(new Map(texts), imports)
}

interface Import {
  readonly file: string
  readonly isAtOnce: boolean
}

/**
 * Parts are served under their own names for good, so a name holds a digest of the content. The bundler's own hash
 * depends on the folder that it runs in. Throws for parts that import each other.
 */
function nameByContent(
  texts: ReadonlyMap<string, string>,
  imports: ReadonlyMap<string, readonly Import[]>,
): ScriptFiles {
  const files: Record<string, Blob> = {}
  const atOnce: Record<string, string[]> = {}
  const named = new Map<string, string | undefined>()
  const add = (file: string): string => {
    if (named.has(file)) return named.get(file) ?? raise(`the parts of the scripts import each other: ${file}`)
    named.set(file, undefined)
    const imported = (imports.get(file) ?? []).map((one) => ({ ...one, name: add(one.file) }))
    const text = imported.reduce((changed, { file: from, name: to }) => changed.replaceAll(from, to), texts.get(file)!)
    const name = file.startsWith('part-') ? `part-${computeDigest(new TextEncoder().encode(text))}.js` : file
    named.set(file, name)
    files[name] = new Blob([text])
    atOnce[name] = imported.filter(({ isAtOnce }) => isAtOnce).map(({ name: next }) => next)
    return name
  }
  for (const file of texts.keys()) add(file)
  return { ...files, ...packImports(atOnce) }
}

function raise(message: string): never {
  throw new Error(message)
}

const takeWords = (language: Language): BunPlugin => ({
  name: `words in ${language}`,
  setup(build) {
    build.onResolve({ filter: /\/words\/en(?:\/[\w-]+)?\.ts$/ }, ({ path, importer }) => ({
      path: join(dirname(importer), path.replace(/\/words\/en(?=[./])/, `/words/${language}`)),
    }))
  },
})

/** Files that foreign programs and pages load, by their stable addresses. Throws the errors of the bundler. */
export async function listPublicFiles() {
  const { client, widget } = await bundle({ client: '../client/client.ts', widget: 'browser/widget/elements.ts' })
  return {
    'client.js': client,
    'client.d.ts': await readClientTypes(),
    'widget.js': widget,
    'widget.d.ts': Bun.file(join(import.meta.dir, 'browser/widget/widget.d.ts')) as Blob,
  }
}
export type PublicFileName = keyof Awaited<ReturnType<typeof listPublicFiles>>

/** One file, because users put it beside their copy of the module. The first source describes the whole. */
async function readClientTypes(): Promise<Blob> {
  const files = ['module', 'calls', 'proofs', 'gates'].map((name) => join(import.meta.dir, `../client/${name}.d.ts`))
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
  // Imports between the sources are removed, because one file holds them all.
  const betweenFiles = /(?:^(?:import|export) type (?:\{[^}]*\}|\*) from '\.\/[^']+'\n+)+/gm
  return new Blob([texts.map((text) => text.replace(betweenFiles, '\n')).join('\n')])
}

const options = {
  target: 'browser',
  format: 'esm',
  minify: true,
  // Bun assumes the development runtime, whatever tsconfig.json says.
  jsx: { runtime: 'automatic', importSource: 'preact', development: false },
} as const

/** One file each, without parts. `entries` are paths from here, by the names of the bundles. */
async function bundle<Name extends string>(entries: Readonly<Record<Name, string>>): Promise<Record<Name, Blob>> {
  const names = Object.keys(entries) as Name[]
  const { outputs } = await Bun.build({
    ...options,
    entrypoints: names.map((name) => join(import.meta.dir, entries[name])),
    naming: '[name].js',
  })
  // By name: the outputs are not in the order of the entries.
  const bundles: Partial<Record<Name, Blob>> = {}
  for (const name of names) {
    const file = `${parse(entries[name]).name}.js`
    bundles[name] = outputs.find(({ path }) => parse(path).base === file)!
  }
  return bundles as Record<Name, Blob>
}
