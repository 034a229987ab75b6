/** The owner's operations on gates: /api/v1/profile/gates. Fulfillment has its own routes. */

import { requireOffered } from '../../auth/caller.ts'
import { type NeededAction, showAction } from '../../auth/owner-action.ts'
import { isSet } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { showDefinition } from '../definition/price-names.ts'
import { nameGateOwner } from '../owner.ts'
import { findDefinition, listVersions } from '../store.ts'
import {
  ApplyBody,
  ArchiveBody,
  appliedAnswer,
  buildAppliedView,
  buildKeptView,
  buildOwnGateView,
  buildOwnRowView,
  buildVersionView,
  deletedAnswer,
  GateParams,
  mostOwnGates,
  OwnGatesQuery,
  ownGateAnswer,
  ownGatesAnswer,
  PlanQuery,
  RollbackBody,
  StatusBody,
  VersionParams,
  versionAnswer,
  versionsAnswer,
} from '../wire.ts'
import { manageExamples } from './examples.ts'
import { countOwnGates, listOwnGates } from './outline-store.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from './own-gate.ts'
import { listOwnRows } from './own-list.ts'
import {
  applyGate,
  archiveGate,
  deleteGate,
  makeApplyAction,
  makeUnknownVersionError,
  rollbackGate,
  setGateStatus,
} from './owner-actions.ts'

const tag = 'gates'
const changeRefusals = [400, 401, 403, 404, 409, 413, 415, 503]
const ownerReads = `For the owner, signed over ${showAction('list_gates')}.`

export function gateOwnerRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const readReader = async (request: Request, gateId?: string) =>
    requireReader(parts, await requireOwnerOffer(parts, request), gateId)
  const reads = { headers: OwnerHeaders, rate: 'reads', needs: 'profile' } as const
  const owner = { rate: 'owner' as const }

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        query: OwnGatesQuery,
        ...reads,
        operation: {
          tag,
          operationId: 'listGates',
          summary: 'Gates of a wallet',
          description: `All that are not deleted, with what this server lacks for each. Where their definitions are more than 1 MB together, long ones are shortened and flagged with truncated. ${ownerReads}`,
          answer: ownGatesAnswer,
          refusals: [400, 401, 403],
          example: manageExamples.listGates,
        },
      },
      async ({ query, request }) => {
        const owner = nameGateOwner(await readReader(request))
        const { limit = mostOwnGates, offset = 0 } = query
        const outlines = await listOwnGates(parts, owner, { limit: Number(limit), offset: Number(offset) })
        const gates = (await listOwnRows(parts, outlines)).map((row) => buildOwnRowView(row, parts))
        return { success: true, data: { gates, totalCount: await countOwnGates(parts, owner) }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        body: ApplyBody,
        query: PlanQuery,
        ...owner,
        operation: {
          tag,
          operationId: 'applyGate',
          summary: 'Create a gate, or give it a new version',
          description: `Signed over ${showAction('apply_gate')}: digest is 0x and the SHA-256 of the canonical JSON of definition. The same definition again changes nothing.`,
          answer: appliedAnswer,
          refusals: changeRefusals,
          example: manageExamples.applyGate,
        },
      },
      async ({ body, query, request }) => {
        const { definition, expectedVersion } = body
        const applied = await applyGate(
          parts,
          await requireOffered(body, parts, request, makeApplyAction(definition)),
          {
            definition,
            expectedVersion,
            isPlan: isSet(query.plan),
          },
        )
        return { success: true, data: buildAppliedView(applied), timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId/versions',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        ...reads,
        operation: {
          tag,
          operationId: 'listGateVersions',
          summary: 'Versions of a gate',
          description: `Those that are kept: where they take too much, the oldest that were never fulfilled are removed. ${ownerReads}`,
          answer: versionsAnswer,
          refusals: [400, 401, 403, 404],
          example: manageExamples.listGateVersions,
        },
      },
      async ({ params, request }) => {
        const gate = await requireOwnGate(parts, params.gateId, await readReader(request, params.gateId))
        const versions = await listVersions(parts, gate.id)
        const kept = buildKeptView(gate, versions, parts.config.gates.versionsKb * 1024)
        const data = { gateId: gate.gateId, versions: versions.map(buildVersionView), ...kept }
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId/versions/:version',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: VersionParams,
        ...reads,
        operation: {
          tag,
          operationId: 'getGateVersion',
          summary: 'One version of a gate',
          description: `Without the values of rewards. ${ownerReads}`,
          answer: versionAnswer,
          refusals: [400, 401, 403, 404],
          example: manageExamples.getGateVersion,
        },
      },
      async ({ params, request }) => {
        const gate = await requireOwnGate(parts, params.gateId, await readReader(request, params.gateId))
        const version = Number(params.version)
        const entry = (await listVersions(parts, gate.id)).find((one) => one.version === version)
        const definition = await findDefinition(parts, gate.id, version)
        if (!entry || !definition) throw makeUnknownVersionError(version, gate)
        return {
          success: true,
          data: { gateId: gate.gateId, ...buildVersionView(entry), definition: showDefinition(definition) },
          timestamp: formatNow(),
        }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/rollback',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        body: RollbackBody,
        query: PlanQuery,
        ...owner,
        operation: {
          tag,
          operationId: 'rollbackGate',
          summary: 'Make an old version of a gate apply again',
          description: `As a new version with the text and the rewards of the old one. Signed over ${showAction('rollback_gate')}.`,
          answer: appliedAnswer,
          refusals: changeRefusals,
          codes: ['GATE_MISCONFIGURED'],
          example: manageExamples.rollbackGate,
        },
      },
      async ({ params, body, query, request }) => {
        const { version, expectedVersion } = body
        const needed: NeededAction = { action: 'rollback_gate', ...params, version }
        const applied = await rollbackGate(parts, params.gateId, await requireOffered(body, parts, request, needed), {
          version,
          expectedVersion,
          isPlan: isSet(query.plan),
        })
        return { success: true, data: buildAppliedView(applied), timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/status',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        body: StatusBody,
        ...owner,
        operation: {
          tag,
          operationId: 'setGateStatus',
          summary: 'Publish, pause or withdraw a gate',
          description: `Signed over ${showAction('set_gate_status')}.`,
          answer: ownGateAnswer,
          refusals: changeRefusals,
          codes: ['GATE_MISCONFIGURED'],
          example: manageExamples.setGateStatus,
        },
      },
      async ({ params, body, request }) => {
        const { status } = body
        const credentials = await requireOffered(body, parts, request, { action: 'set_gate_status', ...params, status })
        const gate = await setGateStatus(parts, params.gateId, credentials, status)
        return { success: true, data: { gate: buildOwnGateView(gate, parts) }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/archive',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        body: ArchiveBody,
        ...owner,
        operation: {
          tag,
          operationId: 'archiveGate',
          summary: 'Archive a gate, or bring it back',
          description: `An archived gate is out of the default list of the dashboard. Its status stays: an active gate goes on letting people in. Signed over ${showAction('archive_gate')}.`,
          answer: ownGateAnswer,
          refusals: changeRefusals,
          example: manageExamples.archiveGate,
        },
      },
      async ({ params, body, request }) => {
        const { archived } = body
        const needed: NeededAction = { action: 'archive_gate', ...params, archived }
        const credentials = await requireOffered(body, parts, request, needed)
        const gate = await archiveGate(parts, params.gateId, credentials, archived)
        return { success: true, data: { gate: buildOwnGateView(gate, parts) }, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/profile/gates/:gateId',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        headers: OwnerHeaders,
        needs: 'profile',
        ...owner,
        operation: {
          tag,
          operationId: 'deleteGate',
          summary: 'Delete a gate',
          description: `Nobody sees it any more; its id, its versions and what was paid at it are kept, and applying a definition brings it back. The owner headers are signed over ${showAction('delete_gate')}.`,
          answer: deletedAnswer,
          refusals: [400, 401, 403, 404, 409, 503],
          example: manageExamples.deleteGate,
        },
      },
      async ({ params, request }) => {
        await deleteGate(
          parts,
          params.gateId,
          await requireOwnerOffer(parts, request, { action: 'delete_gate', ...params }),
        )
        return { success: true, data: { gateId: params.gateId, status: 'deleted' }, timestamp: formatNow() }
      },
    ),
  ]
}
