/** A Kubo node, over its RPC. The node stores and pins; it is unknown here whether others can fetch from it. */
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { CID } from 'multiformats/cid'
import { OutsideError } from '../failure.ts'
import { type Endpoint, parseJson } from '../http/endpoint.ts'
import type { OutsideAnswer } from '../http/message.ts'
import type { Probe } from '../probe.ts'
import { largestSnapshotBytes } from './ipfs.ts'

/** Loads with the first snapshot. */
const loadContentIds = () => require('./content-id.ts') as typeof import('./content-id.ts')

/**
 * Sets every option that decides a file's CID, because a node's configuration can change each default. The file is one
 * chunk, and the chunk is a raw block.
 */
const addPath = `/api/v0/add?${new URLSearchParams({
  'cid-version': '1',
  'raw-leaves': 'true',
  hash: 'sha2-256',
  chunker: `size-${largestSnapshotBytes}`,
  'wrap-with-directory': 'false',
  pin: 'true',
  progress: 'false',
  quieter: 'false',
})}`

const Added = Type.Object({ Hash: Type.String() })
const Version = Type.Object({ Version: Type.String({ pattern: '^[0-9A-Za-z.+-]{1,40}$' }) })

/** Errors: OutsideError, `disagree` when the node returns another CID. */
export async function addToKubo(endpoint: Endpoint, cid: CID, bytes: Uint8Array, name: string): Promise<void> {
  const form = new FormData()
  // Kubo unescapes the file name.
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }), encodeURIComponent(name))
  const { headers, body } = await encodeForm(form)
  const answer = await endpoint.send({ method: 'POST', path: addPath, headers, body })
  const added = readJson(endpoint.setting, answer)
  if (!Value.Check(Added, added)) throw makeOtherServerError(endpoint.setting, answer)
  if (!loadContentIds().isSameContentId(cid, added.Hash))
    throw new OutsideError(
      'disagree',
      endpoint.setting,
      'stored the snapshot under another CID than its bytes have',
      'see whether the address is the RPC of a Kubo node',
    )
}

export const makeKuboProbe = (endpoint: Endpoint): Probe => ({
  setting: endpoint.setting,
  async run() {
    const answer = await endpoint.send({ method: 'POST', path: '/api/v0/version' })
    const found = readJson(endpoint.setting, answer)
    if (!Value.Check(Version, found)) throw makeOtherServerError(endpoint.setting, answer)
    return { level: 'ok', says: `is a Kubo node of version ${found.Version}` }
  },
})

/** The platform's own encoder of multipart/form-data. The address is not called. */
async function encodeForm(
  form: FormData,
): Promise<{ readonly headers: Record<string, string>; readonly body: Uint8Array }> {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return { headers: { 'content-type': request.headers.get('content-type') ?? '' }, body: await request.bytes() }
}

function readJson(setting: string, answer: OutsideAnswer): unknown {
  if (answer.status !== 200) throw makeOtherServerError(setting, answer)
  return parseJson(setting, answer)
}

const makeOtherServerError = (setting: string, { status }: OutsideAnswer): OutsideError =>
  new OutsideError(
    'malformed',
    setting,
    `answered ${status}, and not as a Kubo node does`,
    'give the address of the RPC (port 5001 in a standard installation), not of the gateway',
  )
