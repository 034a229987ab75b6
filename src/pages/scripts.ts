/**
 * The scripts of the pages, bundled for browsers from browser/*.ts. This module is for a server that runs from source;
 * in the executable src/build/executable.ts puts one in its place that knows where the finished bundles lie inside.
 */
import { join } from 'node:path'

export const scriptNames = ['copy', 'dashboard', 'oauth-callback', 'proof', 'reference', 'sign-in', 'verify'] as const
export type ScriptName = (typeof scriptNames)[number]

/** Throws what the bundler says. */
export async function bundledScripts(): Promise<Record<ScriptName, Blob>> {
  const { outputs } = await Bun.build({
    entrypoints: scriptNames.map((name) => join(import.meta.dir, 'browser', `${name}.ts`)),
    target: 'browser',
    format: 'esm',
    minify: true,
    naming: '[name].js',
    // Bun takes the checks of who develops for granted, whatever tsconfig.json says.
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  })
  const bundles: Partial<Record<ScriptName, Blob>> = {}
  for (const [index, name] of scriptNames.entries()) bundles[name] = outputs[index]!
  return bundles as Record<ScriptName, Blob>
}
