/** Fetches the executable of a release, and verifies it: size, SHA-256, and its own signature. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import type { Config } from '../config/schema.ts'
import { download } from '../outside/http/download.ts'
import { addSignatureEnd, type FetchedList, mostSignatureBytes, sources } from './fetch-list.ts'
import { verifySignature } from './minisign.ts'
import { type Release, ReleaseError, type ReleaseFile, writeFileComment } from './release-list.ts'

/** Errors: ReleaseError where the release has no file for this machine. */
export function requireFile({ version, files }: Release, target: string): ReleaseFile {
  const file = files[target]
  if (file) return file
  const others = Object.keys(files).sort().join(', ')
  throw new ReleaseError(
    `${version} has no file for this machine, ${target}${others ? `: its files are for ${others}` : ''}`,
  )
}

export interface Wanted {
  readonly version: string
  readonly target: string
  readonly file: ReleaseFile
}

/** Errors: ReleaseError for an address that is none. */
export function locateFile({ url }: Pick<FetchedList, 'url'>, { file: { url: place } }: Pick<Wanted, 'file'>): URL {
  const found = URL.parse(place, url)
  if (!found || !/^https?:$/.test(found.protocol) || (url.protocol === 'https:' && found.protocol !== 'https:'))
    throw new ReleaseError(`the list of releases names "${place}", which is no address that may be called`)
  // A key in the address of the list is for its own server.
  if (found.search === '' && found.origin === url.origin) found.search = url.search
  return found
}

/**
 * Writes the verified file to `to`, which it makes. Errors: ReleaseError, MinisignError, OutsideError, those of the file
 * system; `to` may then be left.
 */
export async function fetchFile(
  { outside }: Pick<Config, 'outside'>,
  fetched: Pick<FetchedList, 'url' | 'publicKey'>,
  wanted: Wanted,
  to: string,
): Promise<void> {
  const url = locateFile(fetched, wanted)
  const limits = { silenceMs: outside.timeoutSeconds * 1000, privateNetworks: outside.privateNetworks }
  // First, because it is small: without it the rest is of no use.
  const signature = await download(sources.fileSignature, addSignatureEnd(url), {
    ...limits,
    maxBytes: mostSignatureBytes,
  })
  await writeFile(url, wanted.file, { ...limits, to })
  const { trustedComment } = verifySignature(new TextDecoder().decode(signature), { file: to }, fetched.publicKey)
  const expected = writeFileComment(wanted.version, wanted.target)
  if (trustedComment !== expected)
    throw new ReleaseError(`the signature is of "${trustedComment}", and "${expected}" was wanted`)
}

interface Writing {
  readonly silenceMs: number
  readonly privateNetworks: readonly string[]
  readonly to: string
}

async function writeFile(url: URL, { size, sha256 }: ReleaseFile, { to, ...limits }: Writing): Promise<void> {
  const handle = openSync(to, 'wx', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  let unwritten: unknown
  const receive = (chunk: Uint8Array): void => {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(handle, chunk, at)
    } catch (error) {
      unwritten = error
      throw error
    }
    hash.update(chunk)
    bytes += chunk.length
  }
  try {
    await download(sources.file, url, { ...limits, maxBytes: size, receive })
  } catch (error) {
    // A full disk, which the connection is not to blame for.
    throw unwritten ?? error
  } finally {
    closeSync(handle)
  }
  if (bytes !== size) throw new ReleaseError(`the file has ${bytes} bytes, and the list of releases says ${size}`)
  if (hash.digest('hex') !== sha256)
    throw new ReleaseError('the file has another SHA-256 than the list of releases says: it was altered on the way')
}
