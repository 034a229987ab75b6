/** How large scripts may be as they travel: what a page waits for, and what others take into theirs. */
import { gzipSync } from 'node:zlib'
import { type ScriptFiles, unpackScripts } from '../pages/script-parts.ts'

/** Bytes of gzip -9, over the files of a line together with all that they import at once. */
export const sizeLimits = [
  { what: 'signing in and verification', files: ['sign-in.js', 'verify.js'], bytes: 40_000 },
  { what: 'the dashboard', files: ['dashboard.js'], bytes: 120_000 },
  { what: 'the API reference', files: ['reference.js'], bytes: 40_000 },
  { what: 'the guides', files: ['guides.js'], bytes: 8_192 },
  { what: 'the widget', files: ['widget.js'], bytes: 10_240 },
  { what: 'the client module', files: ['client.js'], bytes: 9_216 },
] as const

export interface ScriptSize {
  readonly what: string
  readonly bytes: number
  readonly limit: number
}

/** `files` are the scripts of a language and the public files. Throws where one passes its limit. */
export async function measureScripts(files: ScriptFiles): Promise<readonly ScriptSize[]> {
  const { scripts, listNeeded } = await unpackScripts(files)
  const sizes = await Promise.all(
    sizeLimits.map(async ({ what, files: entries, bytes: limit }) => {
      const needed = new Set(entries.flatMap((entry) => [entry, ...listNeeded(entry)]))
      const traveling = await Promise.all([...needed].map((file) => measureGzipped(scripts[file]!)))
      return { what, limit, bytes: traveling.reduce((sum, size) => sum + size, 0) }
    }),
  )
  const tooLarge = sizes.filter(({ bytes, limit }) => bytes > limit)
  if (tooLarge.length === 0) return sizes
  throw new Error(
    `too large to travel: ${tooLarge.map(({ what, bytes, limit }) => `${what} with ${bytes} bytes of ${limit}`).join(', ')}`,
  )
}

const measureGzipped = async (script: Blob): Promise<number> =>
  gzipSync(await script.arrayBuffer(), { level: 9 }).byteLength
