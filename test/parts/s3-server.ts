/**
 * A bucket of an S3-compatible service, as strict as the original where clients get things wrong: signatures (AWS
 * Signature Version 4), hashes of bodies, the time of a request, sizes of parts, order of lists.
 */
import { createHash, createHmac } from 'node:crypto'

interface Refusal {
  readonly status: number
  readonly code: string
  readonly onlyWrites?: true
}

export interface S3Server {
  readonly url: string
  readonly bucket: string
  readonly keyId: string
  readonly secret: string
  readonly objects: Map<string, Uint8Array>
  /** Uploads in parts that were begun and neither completed nor aborted. */
  openUploads(): number
  /** Answers every request so from now on, or those that write. `undefined`: as it should. */
  refuse(refusal: Refusal | undefined): void
  /** Stores what is put from now on, or not any more, and answers as if it had failed. */
  loseAnswers(isLost: boolean): void
  /** Breaks the connection of the n-th body that comes from now on. */
  breakBody(after: number): void
  requests(): readonly string[]
  stop(): Promise<void>
}

const region = 'eu-central-1'
const leastPartBytes = 5 * 1_048_576
const toleratedMs = 15 * 60_000

const hash = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
const mac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** RFC 3986, as the signature counts it. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

export function startS3Server(): S3Server {
  const [bucket, keyId, secret] = ['backups', 'AKIATESTTESTTESTTEST', 'a-secret-access-key']
  const objects = new Map<string, Uint8Array>()
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Uint8Array> }>()
  const seen: string[] = []
  let refusal: Refusal | undefined
  let brokenAfter: number | undefined
  let areAnswersLost = false

  const fail = (status: number, code: string): Response =>
    new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
      status,
      headers: { 'content-type': 'application/xml' },
    })
  const answerXml = (body: string): Response =>
    new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, { headers: { 'content-type': 'application/xml' } })

  /** The code of the refusal; undefined where the request is signed as it must be. */
  function findSignatureFault(request: Request, url: URL, body: Uint8Array): string | undefined {
    const form =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
    const [, id, day, named = '', headers = '', signature] = form.exec(request.headers.get('authorization') ?? '') ?? []
    if (id === undefined) return 'AccessDenied'
    if (id !== keyId) return 'InvalidAccessKeyId'
    const stamp = request.headers.get('x-amz-date') ?? ''
    const at = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (!(Math.abs(Date.now() - at) < toleratedMs) || !stamp.startsWith(day!)) return 'RequestTimeTooSkewed'
    const bodyHash = request.headers.get('x-amz-content-sha256') ?? ''
    if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== hash(body)) return 'XAmzContentSHA256Mismatch'
    if (named !== region) return 'AuthorizationHeaderMalformed'
    const mustBeSigned = ['host', ...[...request.headers.keys()].filter((name) => name.startsWith('x-amz-'))]
    if (mustBeSigned.some((name) => !headers.split(';').includes(name))) return 'AccessDenied'
    if (headers !== headers.split(';').sort().join(';')) return 'SignatureDoesNotMatch'
    const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
    const canonical = [
      request.method,
      url.pathname
        .split('/')
        .map((part) => encode(decodeURIComponent(part)))
        .join('/'),
      query.join('&'),
      ...headers.split(';').map((name) => `${name}:${(request.headers.get(name) ?? '').trim()}`),
      '',
      headers,
      bodyHash,
    ].join('\n')
    const scope = `${day}/${named}/s3/aws4_request`
    const key = ['s3', 'aws4_request'].reduce<Buffer>(mac, mac(mac(`AWS4${secret}`, day!), named))
    const wanted = mac(key, ['AWS4-HMAC-SHA256', stamp, scope, hash(canonical)].join('\n')).toString('hex')
    return wanted === signature ? undefined : 'SignatureDoesNotMatch'
  }

  function list(url: URL): Response {
    const prefix = url.searchParams.get('prefix') ?? ''
    const most = Math.min(Number(url.searchParams.get('max-keys') ?? 1000), 1000)
    const after = url.searchParams.get('continuation-token') ?? url.searchParams.get('start-after') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, most)
    const isCut = keys.length > page.length
    const contents = page.map(
      (key) =>
        `<Contents><Key>${escapeXml(key)}</Key><Size>${objects.get(key)!.length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`,
    )
    return answerXml(
      `<ListBucketResult><Name>${bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isCut}</IsTruncated>${isCut ? `<NextContinuationToken>${escapeXml(page.at(-1)!)}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`,
    )
  }

  function complete(id: string, body: string): Response {
    const upload = uploads.get(id)
    if (!upload) return fail(404, 'NoSuchUpload')
    const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part!)?.[1]),
      etag: /<ETag>(?:"|&quot;)?([0-9a-f]+)/.exec(part!)?.[1],
    }))
    if (named.length === 0 || named.length > 10_000) return fail(400, 'MalformedXML')
    if (named.some(({ number }, at) => at > 0 && number <= named[at - 1]!.number)) return fail(400, 'InvalidPartOrder')
    const parts = named.map(({ number }) => upload.parts.get(number))
    if (parts.some((part, at) => !part || createHash('md5').update(part).digest('hex') !== named[at]!.etag))
      return fail(400, 'InvalidPart')
    if (parts.slice(0, -1).some((part) => part!.length < leastPartBytes)) return fail(400, 'EntityTooSmall')
    objects.set(upload.key, Buffer.concat(parts as Uint8Array[]))
    uploads.delete(id)
    return answerXml(
      `<CompleteMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${escapeXml(upload.key)}</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`,
    )
  }

  /** RFC 9110, section 14: `to` is the last byte, and counts. */
  function sendRange(object: Uint8Array, from: number, to: number): Response {
    if (from >= object.length || to < from) return fail(416, 'InvalidRange')
    const part = object.slice(from, to + 1)
    return new Response(part, {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${from + part.length - 1}/${object.length}`, etag: '"x"' },
    })
  }

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url)
    seen.push(`${request.method} ${url.pathname}${url.search}`)
    if (refusal && !(refusal.onlyWrites && request.method === 'GET')) return fail(refusal.status, refusal.code)
    const body = new Uint8Array(await request.arrayBuffer())
    if (request.method === 'PUT' && brokenAfter !== undefined && brokenAfter-- <= 0) {
      server.stop(true)
      return new Response(null, { status: 500 })
    }
    const fault = findSignatureFault(request, url, body)
    if (fault) return fail(403, fault)
    const [, named, ...rest] = url.pathname.split('/')
    if (named !== bucket) return fail(404, 'NoSuchBucket')
    const key = rest.map(decodeURIComponent).join('/')
    const id = url.searchParams.get('uploadId') ?? ''
    if (request.method === 'GET' && key === '') return list(url)
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      const made = `upload-${crypto.randomUUID()}`
      uploads.set(made, { key, parts: new Map() })
      return answerXml(
        `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${escapeXml(key)}</Key><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (request.method === 'POST') return complete(id, Buffer.from(body).toString())
    if (request.method === 'PUT' && id) {
      const upload = uploads.get(id)
      if (!upload) return fail(404, 'NoSuchUpload')
      const number = Number(url.searchParams.get('partNumber'))
      if (!Number.isInteger(number) || number < 1 || number > 10_000) return fail(400, 'InvalidArgument')
      upload.parts.set(number, body)
      return new Response(null, { headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } })
    }
    if (request.method === 'PUT') {
      objects.set(key, body)
      if (areAnswersLost) return fail(500, 'InternalError')
      return new Response(null, { headers: { etag: `"${createHash('md5').update(body).digest('hex')}"` } })
    }
    if (request.method === 'DELETE') {
      if (id) uploads.delete(id)
      else objects.delete(key)
      return new Response(null, { status: 204 })
    }
    const object = objects.get(key)
    if (!object) return request.method === 'HEAD' ? new Response(null, { status: 404 }) : fail(404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '')
    if (range) return sendRange(object, Number(range[1]), Number(range[2]))
    const headers = { 'content-length': String(object.length), etag: '"x"', 'content-type': 'application/octet-stream' }
    return request.method === 'HEAD' ? new Response(null, { headers }) : new Response(Buffer.from(object), { headers })
  }

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle, maxRequestBodySize: 256 * 1_048_576 })
  return {
    url: `http://127.0.0.1:${server.port}`,
    bucket,
    keyId,
    secret,
    objects,
    openUploads: () => uploads.size,
    refuse: (given) => {
      refusal = given
    },
    loseAnswers: (isLost) => {
      areAnswersLost = isLost
    },
    breakBody: (after) => {
      brokenAfter = after
    },
    requests: () => seen,
    stop: () => server.stop(true),
  }
}

export const s3Region = region
