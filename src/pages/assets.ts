/**
 * The files of the pages, embedded in the executable. A name on the wire holds a digest of the content: a browser
 * caches the file and never mixes versions.
 */

import { computeDigest, immutable, makeServed, type Served } from '../http/served.ts'
import accountStyle from './browser/dashboard/account/account.css' with { type: 'file' }
import dashboardStyle from './browser/dashboard/dashboard.css' with { type: 'file' }
import gatesStyle from './browser/dashboard/gates/gates.css' with { type: 'file' }
import operatorStyle from './browser/dashboard/operator/operator.css' with { type: 'file' }
import paymentsStyle from './browser/dashboard/payments/payments.css' with { type: 'file' }
import vaultStyle from './browser/dashboard/vault/vault.css' with { type: 'file' }
import favicon from './browser/favicon.svg' with { type: 'file' }
import guidesStyle from './browser/guides.css' with { type: 'file' }
import pagesStyle from './browser/pages.css' with { type: 'file' }
import referenceStyle from './browser/reference.css' with { type: 'file' }
import { bundleScripts } from './scripts.ts'

const contentTypes = {
  css: 'text/css;charset=utf-8',
  js: 'text/javascript;charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** Source files by their name on the wire, without the digest. Several files are concatenated in this order. */
const files = {
  'dashboard.css': [dashboardStyle, accountStyle, vaultStyle, gatesStyle, paymentsStyle, operatorStyle],
  'favicon.svg': favicon,
  'guides.css': guidesStyle,
  'pages.css': pagesStyle,
  'reference.css': referenceStyle,
} as const

export type AssetName = keyof typeof files | `${keyof Awaited<ReturnType<typeof bundleScripts>>}.js`

export interface Assets {
  /** By the name on the wire. */
  readonly served: ReadonlyMap<string, Served>
  /** The path of each asset, relative to the root of the server. */
  readonly paths: Readonly<Record<AssetName, string>>
}

/** Reads the bytes and joins them: Bun makes an empty Blob from the embedded files themselves. */
const joinFiles = async (paths: readonly string[]): Promise<Blob> =>
  new Blob(await Promise.all(paths.map((path) => Bun.file(path).bytes())))

let loading: Promise<Assets> | undefined

/** Loads at the first request for a page, so that starting does not wait. A failure is not cached. */
export function loadAssets(): Promise<Assets> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<Assets> {
  const contents: [string, Blob][] = [
    ...(await Promise.all(
      Object.entries(files).map(
        async ([name, paths]): Promise<[string, Blob]> => [name, await joinFiles([paths].flat())],
      ),
    )),
    ...Object.entries(await bundleScripts()).map(([name, script]): [string, Blob] => [`${name}.js`, script]),
  ]
  const loaded = await Promise.all(
    contents.map(async ([name, content]) => {
      const bytes = new Uint8Array(await content.arrayBuffer())
      const [stem, extension] = name.split('.') as [string, keyof typeof contentTypes]
      const wireName = `${stem}-${computeDigest(bytes)}.${extension}`
      const asset = makeServed(bytes, { contentType: contentTypes[extension], cacheControl: immutable })
      return { name, wireName, asset }
    }),
  )
  return {
    served: new Map(loaded.map(({ wireName, asset }) => [wireName, asset])),
    paths: Object.fromEntries(loaded.map(({ name, wireName }) => [name, `assets/${wireName}`])) as Assets['paths'],
  }
}
