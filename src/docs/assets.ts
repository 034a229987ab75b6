/**
 * The files of the pages. They travel inside the executable; a name on the wire holds a digest of the content, so that a
 * browser keeps what it has and never mixes two versions.
 */

import swaggerStyle from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import swaggerScript from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import favicon from './browser/favicon.svg' with { type: 'file' }
import pagesStyle from './browser/pages.css' with { type: 'file' }
import referenceScript from './browser/reference.js' with { type: 'file' }
import { digestOf, immutable, type Served, served } from './served.ts'

const script = 'text/javascript;charset=utf-8'
const style = 'text/css;charset=utf-8'

const files = {
  favicon: { path: favicon, name: 'favicon', extension: 'svg', contentType: 'image/svg+xml' },
  pagesStyle: { path: pagesStyle, name: 'pages', extension: 'css', contentType: style },
  referenceScript: { path: referenceScript, name: 'reference', extension: 'js', contentType: script },
  // The bundle for browsers: the "es" one is CommonJS and would need a bundler of ours.
  swaggerScript: { path: swaggerScript, name: 'swagger-ui', extension: 'js', contentType: script },
  swaggerStyle: { path: swaggerStyle, name: 'swagger-ui', extension: 'css', contentType: style },
} as const

export type AssetId = keyof typeof files

export interface Assets {
  /** By the name on the wire. */
  readonly served: ReadonlyMap<string, Served>
  /** Where a page finds an asset, relative to the root of the server. */
  readonly paths: Readonly<Record<AssetId, string>>
}

let loading: Promise<Assets> | undefined

/** Read at the first request for a page: no start waits for them. */
export const loadAssets = (): Promise<Assets> => (loading ??= load())

async function load(): Promise<Assets> {
  const loaded = await Promise.all(
    Object.entries(files).map(async ([id, { path, name, extension, contentType }]) => {
      const bytes = new Uint8Array(await Bun.file(path).arrayBuffer())
      const wireName = `${name}-${digestOf(bytes)}.${extension}`
      return { id, wireName, served: served(bytes, { contentType, cacheControl: immutable }) }
    }),
  )
  return {
    served: new Map(loaded.map((asset) => [asset.wireName, asset.served])),
    paths: Object.fromEntries(loaded.map(({ id, wireName }) => [id, `assets/${wireName}`])) as Record<AssetId, string>,
  }
}
