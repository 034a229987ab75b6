/**
 * The files of the pages, embedded in the executable. A name on the wire holds a digest of the content: a browser
 * caches the file and never mixes versions.
 */

import { parse } from 'node:path'
import { computeDigest, immutable, makeServed, type Served } from '../http/served.ts'
import { defaultLanguage, type Language, languages } from '../web/languages.ts'
import checkoutStyle from './browser/checkout.css' with { type: 'file' }
import accountStyle from './browser/dashboard/account/account.css' with { type: 'file' }
import dashboardStyle from './browser/dashboard/dashboard.css' with { type: 'file' }
import gatesStyle from './browser/dashboard/gates/gates.css' with { type: 'file' }
import operatorStyle from './browser/dashboard/operator/operator.css' with { type: 'file' }
import paymentsStyle from './browser/dashboard/payments/payments.css' with { type: 'file' }
import vaultStyle from './browser/dashboard/vault/vault.css' with { type: 'file' }
import favicon from './browser/favicon.svg' with { type: 'file' }
import guidesStyle from './browser/guides.css' with { type: 'file' }
import pagesStyle from './browser/pages.css' with { type: 'file' }
import proofStyle from './browser/proof.css' with { type: 'file' }
import receiptStyle from './browser/receipt.css' with { type: 'file' }
import referenceStyle from './browser/reference.css' with { type: 'file' }
import { unpackScripts } from './script-parts.ts'
import { bundleScripts, type ScriptName } from './scripts.ts'

const contentTypes = {
  css: 'text/css;charset=utf-8',
  js: 'text/javascript;charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** Source files by their name on the wire, without the digest. Several files are concatenated in this order. */
const files = {
  'checkout.css': checkoutStyle,
  'dashboard.css': [dashboardStyle, accountStyle, vaultStyle, gatesStyle, paymentsStyle, operatorStyle],
  'favicon.svg': favicon,
  'guides.css': guidesStyle,
  'pages.css': pagesStyle,
  'proof.css': proofStyle,
  'receipt.css': receiptStyle,
  'reference.css': referenceStyle,
} as const

export type AssetName = keyof typeof files

export interface Script {
  readonly path: string
  /** The paths of what the browser needs before it runs the script. */
  readonly needed: readonly string[]
}

/** All paths are relative to the root of the server. */
export interface Assets {
  /** By the name on the wire. */
  readonly served: ReadonlyMap<string, Served>
  readonly paths: Readonly<Record<AssetName, string>>
  readonly scripts: Readonly<Record<ScriptName, Script>>
}

/** Reads the bytes and joins them: Bun makes an empty Blob from the embedded files themselves. */
const joinFiles = async (paths: readonly string[]): Promise<Blob> =>
  new Blob(await Promise.all(paths.map((path) => Bun.file(path).bytes())))

const loading = new Map<Language, Promise<Assets>>()

/** Loads at the first request for a page in the language, so that starting does not wait. A failure is not cached. */
export function loadAssets(language = defaultLanguage): Promise<Assets> {
  const known = loading.get(language)
  if (known) return known
  const begun = load(language).catch((error: unknown) => {
    loading.delete(language)
    throw error
  })
  loading.set(language, begun)
  return begun
}

/** In whatever language: the address of a file does not say it. */
export async function findAsset(wireName: string): Promise<Served | undefined> {
  for (const language of languages) {
    const asset = (await loadAssets(language)).served.get(wireName)
    if (asset) return asset
  }
  return undefined
}

async function load(language: Language): Promise<Assets> {
  const { scripts, listNeeded } = await unpackScripts(await bundleScripts(language))
  const loaded = await Promise.all([
    ...Object.entries(files).map(async ([name, paths]) => prepare(name, await joinFiles([paths].flat()))),
    ...Object.entries(scripts).map(([name, script]) => prepare(name, script)),
  ])
  const paths = Object.fromEntries(loaded.map(({ name, wireName }) => [name, `assets/${wireName}`]))
  return {
    served: new Map(loaded.map(({ wireName, asset }) => [wireName, asset])),
    paths: paths as Assets['paths'],
    scripts: Object.fromEntries(
      Object.keys(scripts).map((file): [string, Script] => [
        parse(file).name,
        { path: paths[file]!, needed: listNeeded(file).map((one) => paths[one]!) },
      ]),
    ) as Assets['scripts'],
  }
}

async function prepare(name: string, content: Blob) {
  const bytes = new Uint8Array(await content.arrayBuffer())
  const { name: stem, ext } = parse(name)
  const contentType = contentTypes[ext.slice(1) as keyof typeof contentTypes]
  // The scripts name their parts in their text, so the names of parts hold a digest already.
  const wireName = stem.startsWith('part-') ? name : `${stem}-${computeDigest(bytes)}${ext}`
  return { name, wireName, asset: makeServed(bytes, { contentType, cacheControl: immutable }) }
}
