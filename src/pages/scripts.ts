/**
 * The scripts of the pages, bundled for browsers from browser/*.ts, and the public files. This module serves a server
 * that runs from source. The executable replaces it (src/build/executable.ts) by one that knows the embedded files.
 */
import { join, parse } from 'node:path'

export const scriptNames = [
  'claim',
  'copy',
  'dashboard',
  'guides',
  'oauth-callback',
  'proof',
  'reference',
  'sign-in',
  'verify',
  'widget-example',
] as const
export type ScriptName = (typeof scriptNames)[number]

/** Throws the errors of the bundler. */
export const bundleScripts = (): Promise<Record<ScriptName, Blob>> =>
  bundle(Object.fromEntries(scriptNames.map((name) => [name, `browser/${name}.ts`])) as Record<ScriptName, string>)

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

/** `entries` are paths from here, by the names of the bundles. */
async function bundle<Name extends string>(entries: Readonly<Record<Name, string>>): Promise<Record<Name, Blob>> {
  const names = Object.keys(entries) as Name[]
  const { outputs } = await Bun.build({
    entrypoints: names.map((name) => join(import.meta.dir, entries[name])),
    target: 'browser',
    format: 'esm',
    minify: true,
    naming: '[name].js',
    // Bun assumes the development runtime, whatever tsconfig.json says.
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  })
  // By name: the outputs are not in the order of the entries.
  const bundles: Partial<Record<Name, Blob>> = {}
  for (const name of names) {
    const file = `${parse(entries[name]).name}.js`
    bundles[name] = outputs.find(({ path }) => parse(path).base === file)!
  }
  return bundles as Record<Name, Blob>
}
