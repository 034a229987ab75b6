/** What everybody sees of gates: /api/v1/profile/gates/{gateId} and the list of those on display. */
import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { bearingOn, offeredIn } from '../auth/caller.ts'
import { showAction } from '../auth/owner-action.ts'
import { described } from '../http/describe.ts'
import { counted } from '../http/limits.ts'
import type { Parts } from '../parts.ts'
import { OwnerHeaders } from '../proofs/wire.ts'
import { makeGateNotFound, visibleGate } from './access.ts'
import { discoverable, usuallyDiscovered } from './manage/discover.ts'
import { gateOwnerIn, readerOf } from './manage/own-gate.ts'
import { gateOwnerOf } from './owner.ts'
import { snapshotOf } from './snapshot.ts'
import { findGate } from './store.ts'
import { DiscoverQuery, discoverAnswer, GateParams, snapshotAnswer } from './wire.ts'

const tag = 'gates'

interface Answering {
  readonly request: Request
  readonly set: { headers: Record<string, string | number>; status?: number | string }
}

export function gateRoutes(parts: Parts) {
  const iso = (): string => new Date(parts.now()).toISOString()

  /** The answer, or 304 when the caller has it already. */
  const unlessSeen = <Data extends object>({ request, set }: Answering, data: Data, cacheControl: string) => {
    // Weak: the timestamp beside the data changes with every answer.
    const etag = `W/"${Bun.SHA256.hash(JSON.stringify(data), 'base64').slice(0, 22)}"`
    set.headers.etag = etag
    set.headers['cache-control'] = cacheControl
    // Owners see more at the same address.
    set.headers.vary = 'Origin, X-Signature, Authorization, Cookie'
    const seen = request.headers.get('if-none-match')
    if (seen?.split(',').some((one) => ['*', etag].includes(one.trim()))) {
      set.status = 304
      return
    }
    return { success: true, data, timestamp: iso() }
  }

  const snapshot = async ({ params, ...answering }: Answering & { params: { gateId: string } }) => {
    const credentials = bearingOn(
      offeredIn(parts, answering.request, { action: 'list_gates' }),
      gateOwnerIn(parts, params.gateId),
    )
    const caller = credentials && (await readerOf(parts, credentials, params.gateId))
    const gate = visibleGate(findGate(parts, params.gateId), caller && gateOwnerOf(caller))
    if (!gate) throw makeGateNotFound()
    return unlessSeen(answering, { gate: snapshotOf(gate, parts) }, caller ? 'private, no-cache' : 'public, no-cache')
  }

  const discover = ({ query, ...answering }: Answering & { query: Static<typeof DiscoverQuery> }) => {
    const limit = query.limit === undefined ? usuallyDiscovered : Number(query.limit)
    return unlessSeen(answering, { gates: discoverable(parts, limit) }, 'public, no-cache')
  }

  const reads = { beforeHandle: counted(parts, 'reads') }
  const notModified = { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } }
  const etag = { ETag: 'Changes when the answer does.' }

  const snapshotDescription = (operationId: string, deprecated = false) =>
    described({
      tag,
      operationId,
      deprecated,
      summary: deprecated ? 'A gate by its id (older path)' : 'A gate by its id',
      description: `What it asks, costs and gives, without the value of any reward. Active gates that are public or unlisted; the owner sees all of its own, signed over ${showAction('list_gates')}.`,
      answer: snapshotAnswer,
      headers: etag,
      refusals: [400, 401, 403, 404],
      others: notModified,
    })

  return new Elysia({ name: 'gates', prefix: '/api/v1' })
    .get('/profile/gates/discoverable', discover, {
      query: DiscoverQuery,
      ...reads,
      ...described({
        tag,
        operationId: 'discoverGates',
        summary: 'Gates on public display',
        description: 'Active public gates with a listing, the newest first.',
        answer: discoverAnswer,
        headers: etag,
        refusals: [400],
        others: notModified,
      }),
    })
    .get('/profile/gates/:gateId', snapshot, {
      params: GateParams,
      headers: OwnerHeaders,
      ...reads,
      ...snapshotDescription('getGate'),
    })
    .get('/gates/:gateId', snapshot, {
      params: GateParams,
      headers: OwnerHeaders,
      ...reads,
      ...snapshotDescription('getGateOlder', true),
    })
}
