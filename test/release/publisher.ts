/** A publisher of releases: a key, a signed list, and a server for both. */
import { signContent } from '../../src/release/minisign.ts'
import { writePublicKeyLine } from '../../src/release/minisign-text.ts'
import {
  type Release,
  type ReleaseList,
  writeFileComment,
  writeListComment,
  writeReleaseList,
} from '../../src/release/release-list.ts'
import { derivePublicKey, generateSecretKey } from '../../src/release/secret-key.ts'

type Served = string | Uint8Array | ((request: Request) => Response | Promise<Response>)

export interface Publisher extends AsyncDisposable {
  readonly url: string
  readonly publicKey: string
  /** What is served, by path. */
  readonly served: Map<string, Served>
  /** The paths that were asked for. */
  readonly asked: readonly string[]
  /** The environment of a command that trusts this publisher. */
  readonly env: Readonly<Record<string, string>>
  sign(content: string | Uint8Array, trusted: string): string
  /** Serves a list under its signature. */
  publish(releases: readonly Release[], more?: Partial<ReleaseList>): ReleaseList
  /** Serves a file under its signature, and gives its entry of a list. */
  publishFile(version: string, target: string, content: Uint8Array): Release['files'][string]
}

export const describeRelease = (version: string, more: Partial<Release> = {}): Release => ({
  version,
  date: '2026-11-27',
  severity: 'normal',
  files: {},
  ...more,
})

export function startPublisher(key = generateSecretKey()): Publisher {
  const publicKey = writePublicKeyLine(derivePublicKey(key))
  const served: Publisher['served'] = new Map()
  const asked: string[] = []
  let serial = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      const found = served.get(pathname)
      if (typeof found === 'function') return found(request)
      return found === undefined
        ? new Response('no such file', { status: 404 })
        : new Response(typeof found === 'string' ? found : new Uint8Array(found))
    },
  })
  const url = `http://127.0.0.1:${server.port}/releases.json`
  const sign: Publisher['sign'] = (content, trusted) => signContent(content, key, { trusted })
  return {
    url,
    publicKey,
    served,
    asked,
    env: { PROOFGATE_UPDATES_URL: url, PROOFGATE_UPDATES_PUBLIC_KEY: publicKey },
    sign,
    publish(releases, more = {}) {
      const list: ReleaseList = {
        format: 'proofgate-releases-1',
        serial: ++serial,
        date: '2026-11-27T12:00:00Z',
        releases: [...releases],
        ...more,
      }
      const text = writeReleaseList(list)
      served.set('/releases.json', text)
      served.set('/releases.json.minisig', sign(text, writeListComment(list)))
      return list
    },
    publishFile(version, target, content) {
      const name = `proofgate-${version}-${target}`
      served.set(`/${name}`, content)
      served.set(`/${name}.minisig`, sign(content, writeFileComment(version, target)))
      return { url: name, sha256: Bun.SHA256.hash(content, 'hex'), size: content.length }
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  }
}
