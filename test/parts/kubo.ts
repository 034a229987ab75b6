/**
 * An IPFS node behind the two RPC calls of Kubo that are used (docs.ipfs.tech/reference/kubo/rpc). It is helia's file
 * system over blocks in memory, with Kubo's defaults for options that a caller leaves out. Stored content is read back
 * through the same file system, block by block.
 */
import { unixfs } from '@helia/unixfs'
import { MemoryBlockstore } from 'blockstore-core'
import { fixedSize } from 'ipfs-unixfs-importer/chunker'
import { CID } from 'multiformats/cid'

export interface Kubo {
  readonly url: string
  /** CIDs that were added with `pin=true`, which is the default. */
  readonly pinned: ReadonlySet<string>
  /** File names as Kubo sees them. */
  readonly names: readonly string[]
  /** Sets its answer from now on. Undefined: as it should. */
  answerWith(answer: (() => Response | Promise<Response>) | undefined): void
  /** The content of a CID, or undefined when this node does not hold it. */
  read(cid: string): Promise<Uint8Array | undefined>
  stop(): Promise<void>
}

const kuboDefaults = {
  'cid-version': '0',
  chunker: 'size-262144',
  hash: 'sha2-256',
  pin: 'true',
  progress: 'false',
  'wrap-with-directory': 'false',
}

const rpcError = (message: string, status = 500): Response =>
  Response.json({ Message: message, Code: 0, Type: 'error' }, { status })

export function startKubo(): Kubo {
  const blockstore = new MemoryBlockstore()
  const files = unixfs({ blockstore } as unknown as Parameters<typeof unixfs>[0])
  const pinned = new Set<string>()
  const names: string[] = []
  let instead: (() => Response | Promise<Response>) | undefined

  async function add(request: Request, query: URLSearchParams): Promise<Response> {
    if (!request.headers.get('content-type')?.startsWith('multipart/form-data'))
      return rpcError("file argument 'path' is required", 400)
    const parts = [...(await request.formData())]
    const lines: object[] = []
    for (const [, part] of parts) {
      if (typeof part === 'string') return rpcError('expected a file', 400)
      const options = { ...kuboDefaults, ...Object.fromEntries(query) }
      const size = /^size-(\d+)$/.exec(options.chunker)
      // Kubo refuses chunks above 1 MiB, and this server knows no other hash.
      if (!size || Number(size[1]) > 1_048_576) return rpcError(`unrecognized chunker option: ${options.chunker}`)
      if (options.hash !== 'sha2-256' || options.progress !== 'false' || options['wrap-with-directory'] !== 'false')
        return rpcError('an option that this node does not have')
      const cidVersion = options['cid-version'] === '1' ? 1 : 0
      const cid = await files.addBytes(await part.bytes(), {
        cidVersion,
        // Kubo: raw leaves are the default of CIDv1 alone.
        rawLeaves: query.has('raw-leaves') ? query.get('raw-leaves') === 'true' : cidVersion === 1,
        chunker: fixedSize({ chunkSize: Number(size[1]) }),
      })
      const name = decodeURIComponent(part.name)
      names.push(name)
      if (options.pin === 'true') pinned.add(cid.toString())
      lines.push({ Name: name, Hash: cid.toString(), Size: String(part.size) })
    }
    return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      headers: { 'content-type': 'application/json' },
    })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (instead) return instead()
      const { pathname, searchParams } = new URL(request.url)
      if (request.method !== 'POST') return new Response('405 - Method Not Allowed', { status: 405 })
      if (pathname === '/api/v0/version')
        return Response.json({ Version: '0.39.0', Commit: '', Repo: '18', System: 'amd64/linux', Golang: 'go1.25.4' })
      if (pathname === '/api/v0/add') return add(request, searchParams)
      return new Response('404 page not found', { status: 404 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    pinned,
    names,
    answerWith: (answer) => {
      instead = answer
    },
    async read(cid) {
      if (!(await blockstore.has(CID.parse(cid)))) return undefined
      return Buffer.concat(await Array.fromAsync(files.cat(CID.parse(cid))))
    },
    stop: () => server.stop(true),
  }
}
