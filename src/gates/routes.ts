/** The public view of gates: /api/v1/profile/gates/{gateId} and the list of displayed ones. */
import type { Static } from '@sinclair/typebox'
import { readCredentials, selectRelevant } from '../auth/caller.ts'
import { showAction } from '../auth/owner-action.ts'
import type { OperationDescription } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { OwnerHeaders } from '../proofs/wire.ts'
import { findVisibleGate, makeGateNotFound } from './access.ts'
import { gateExamples } from './examples.ts'
import { listDiscoverableGates, usuallyDiscovered } from './manage/discover.ts'
import { requireGateOwnerTest, requireReader } from './manage/own-gate.ts'
import { nameGateOwner } from './owner.ts'
import { makeSnapshot } from './snapshot.ts'
import { findGate } from './store.ts'
import { DiscoverQuery, discoverAnswer, GateParams, snapshotAnswer } from './wire.ts'

const tag = 'gates'

interface Answering {
  readonly request: Request
  readonly set: { headers: Record<string, string | number>; status?: number | string }
}

export function gateRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()

  /** The answer, or 304 when the caller has it already. */
  const answerUnlessSeen = <Data extends object>({ request, set }: Answering, data: Data, cacheControl: string) => {
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
    return { success: true, data, timestamp: formatNow() }
  }

  const answerSnapshot = async ({ params, ...answering }: Answering & { params: { gateId: string } }) => {
    const credentials = await selectRelevant(
      await readCredentials(parts, answering.request, { action: 'list_gates' }),
      await requireGateOwnerTest(parts, params.gateId),
    )
    const caller = credentials && (await requireReader(parts, credentials, params.gateId))
    const gate = findVisibleGate(await findGate(parts, params.gateId), caller && nameGateOwner(caller))
    if (!gate) throw makeGateNotFound()
    return answerUnlessSeen(
      answering,
      { gate: await makeSnapshot(gate, parts) },
      caller ? 'private, no-cache' : 'public, no-cache',
    )
  }

  const discover = async ({ query, ...answering }: Answering & { query: Static<typeof DiscoverQuery> }) => {
    const limit = query.limit === undefined ? usuallyDiscovered : Number(query.limit)
    return answerUnlessSeen(answering, { gates: await listDiscoverableGates(parts, limit) }, 'public, no-cache')
  }

  const reads = { rate: 'reads' as const }
  const notModified = { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } }
  const etag = { ETag: 'Changes when the answer does.' }

  const describeSnapshot = (operationId: string, deprecated = false): OperationDescription => ({
    tag,
    operationId,
    deprecated,
    summary: deprecated ? 'A gate by its id (older path)' : 'A gate by its id',
    description: `What it asks, costs and gives, without the value of any reward. Active and paused gates that are public or unlisted; the owner sees all of its own, signed over ${showAction('list_gates')}.`,
    answer: snapshotAnswer,
    headers: etag,
    refusals: [400, 401, 403, 404],
    others: notModified,
    example: gateExamples.getGate,
  })

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/discoverable',
        callers: ['anyone'],
        surface: 'gates',
        query: DiscoverQuery,
        ...reads,
        operation: {
          tag,
          operationId: 'discoverGates',
          summary: 'Gates on public display',
          description: 'Active public gates with a listing, the newest first.',
          answer: discoverAnswer,
          headers: etag,
          refusals: [400],
          others: notModified,
          example: gateExamples.discoverGates,
        },
      },
      discover,
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        headers: OwnerHeaders,
        ...reads,
        operation: describeSnapshot('getGate'),
      },
      answerSnapshot,
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/gates/:gateId',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        headers: OwnerHeaders,
        ...reads,
        operation: describeSnapshot('getGateOlder', true),
      },
      answerSnapshot,
    ),
  ]
}
