/** Representations that many callers fetch and that seldom change: with an ETag, compressed once. */
export interface Served {
  readonly contentType: string
  readonly cacheControl: string
  /** Weak, because it stands for the compressed form as well. */
  readonly etag: string
  readonly bytes: Uint8Array<ArrayBuffer>
  gzipped(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ServedContext {
  readonly request: Request
  readonly set: { readonly headers: Record<string, string | number>; status?: number | string }
}

/** For addresses whose content may change: ask each time, and be told that nothing changed. */
export const revalidated = 'public, no-cache'
/** For addresses that hold a hash of their content. */
export const immutable = 'public, max-age=31536000, immutable'

export function makeServed(
  content: string | Uint8Array<ArrayBuffer>,
  { contentType, cacheControl }: Pick<Served, 'contentType' | 'cacheControl'>,
): Served {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined
  return {
    contentType,
    cacheControl,
    etag: `W/"${computeDigest(bytes)}"`,
    bytes,
    gzipped: () => (compressed ??= compress(bytes)),
  }
}

/**
 * Compresses on another thread, because the largest asset takes 50 ms. Its module is loaded at the first request, not
 * at start.
 */
async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { gzip } = await import('node:zlib')
  const packed = await new Promise<Uint8Array>((resolve, reject) =>
    gzip(bytes, (error, result) => (error ? reject(error) : resolve(result))),
  )
  return new Uint8Array(packed)
}

export const computeDigest = (bytes: Uint8Array): string => Bun.SHA256.hash(bytes, 'hex').slice(0, 16)

/** The representation, or 304 for a caller that has it. */
export async function serve(what: Served, { request, set }: ServedContext): Promise<Response | undefined> {
  set.headers.etag = what.etag
  set.headers['cache-control'] = what.cacheControl
  set.headers.vary = [set.headers.vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  if (hasIt(request.headers.get('if-none-match'), what.etag)) {
    set.status = 304
    return
  }
  set.headers['content-type'] = what.contentType
  const isPacked = what.contentType === 'image/png'
  if (isPacked || !takesGzip(request.headers.get('accept-encoding'))) return new Response(what.bytes)
  set.headers['content-encoding'] = 'gzip'
  return new Response(await what.gzipped())
}

/** RFC 9110 §13.1.2: weak comparison against a list, or any. */
const hasIt = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag.slice('W/'.length)))

/** RFC 9110 §12.5.3: named, and not with a weight of zero. */
const takesGzip = (acceptEncoding: string | null): boolean =>
  (acceptEncoding ?? '').split(',').some((coding) => /^\s*(gzip|x-gzip)\s*(;\s*q=(?!0(\.0*)?\s*$)|$)/i.test(coding))

/** Made at the first call; a failure is not kept. */
export function makeOnce(make: () => Promise<Served>): () => Promise<Served> {
  let made: Promise<Served> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
