/** What owners do with their gates: /api/v1/profile/gates. Fulfilment has routes of its own. */

import { Elysia } from 'elysia'
import { requireOffered } from '../../auth/caller.ts'
import { type NeededAction, showAction } from '../../auth/owner-action.ts'
import { describeOperation, isSet } from '../../http/describe.ts'
import { limitRate } from '../../http/limits.ts'
import type { Parts } from '../../parts.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { showDefinition } from '../definition/price-names.ts'
import { nameGateOwner } from '../owner.ts'
import { findDefinition, listVersions } from '../store.ts'
import {
  ApplyBody,
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
import { countOwnGates, listOwnGates } from './outline-store.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from './own-gate.ts'
import { listOwnRows } from './own-list.ts'
import {
  applyGate,
  deleteGate,
  makeApplyAction,
  makeUnknownVersionError,
  rollbackGate,
  setGateStatus,
} from './owner-actions.ts'

const tag = 'gates'
const changeRefusals = [400, 401, 403, 404, 409, 413, 415, 503]
const ownerReads = `For the owner, signed over ${showAction('list_gates')}.`

export function gateOwnerRoutes(parts: Parts) {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const readReader = (request: Request, gateId?: string) =>
    requireReader(parts, requireOwnerOffer(parts, request), gateId)
  const reads = { headers: OwnerHeaders, beforeHandle: limitRate(parts, 'reads') }
  const owner = { beforeHandle: limitRate(parts, 'owner') }

  return new Elysia({ name: 'gate-owner', prefix: '/api/v1' })
    .get(
      '/profile/gates',
      async ({ query, request }) => {
        const owner = nameGateOwner(await readReader(request))
        const { limit = mostOwnGates, offset = 0 } = query
        const outlines = listOwnGates(parts, owner, { limit: Number(limit), offset: Number(offset) })
        const gates = listOwnRows(parts, outlines).map((row) => buildOwnRowView(row, parts))
        return { success: true, data: { gates, totalCount: countOwnGates(parts, owner) }, timestamp: formatNow() }
      },
      {
        query: OwnGatesQuery,
        ...reads,
        ...describeOperation({
          tag,
          operationId: 'listGates',
          summary: 'Gates of a wallet',
          description: `All that are not deleted, with what this server lacks for each. Where their definitions are more than 1 MB together, long ones are shortened and flagged with truncated. ${ownerReads}`,
          answer: ownGatesAnswer,
          refusals: [400, 401, 403],
        }),
      },
    )
    .post(
      '/profile/gates',
      async ({ body, query, request }) => {
        const { definition, expectedVersion } = body
        const applied = await applyGate(parts, requireOffered(body, parts, request, makeApplyAction(definition)), {
          definition,
          expectedVersion,
          isPlan: isSet(query.plan),
        })
        return { success: true, data: buildAppliedView(applied), timestamp: formatNow() }
      },
      {
        body: ApplyBody,
        query: PlanQuery,
        ...owner,
        ...describeOperation({
          tag,
          operationId: 'applyGate',
          summary: 'Create a gate, or give it a new version',
          description: `Signed over ${showAction('apply_gate')}: digest is 0x and the SHA-256 of the canonical JSON of definition. The same definition again changes nothing.`,
          answer: appliedAnswer,
          refusals: changeRefusals,
        }),
      },
    )
    .get(
      '/profile/gates/:gateId/versions',
      async ({ params, request }) => {
        const gate = requireOwnGate(parts, params.gateId, await readReader(request, params.gateId))
        const versions = listVersions(parts, gate.id)
        const kept = buildKeptView(gate, versions, parts.config.gates.versionsKb * 1024)
        const data = { gateId: gate.gateId, versions: versions.map(buildVersionView), ...kept }
        return { success: true, data, timestamp: formatNow() }
      },
      {
        params: GateParams,
        ...reads,
        ...describeOperation({
          tag,
          operationId: 'listGateVersions',
          summary: 'Versions of a gate',
          description: `Those that are kept: where they take too much, the oldest that were never fulfilled are removed. ${ownerReads}`,
          answer: versionsAnswer,
          refusals: [400, 401, 403, 404],
        }),
      },
    )
    .get(
      '/profile/gates/:gateId/versions/:version',
      async ({ params, request }) => {
        const gate = requireOwnGate(parts, params.gateId, await readReader(request, params.gateId))
        const version = Number(params.version)
        const entry = listVersions(parts, gate.id).find((one) => one.version === version)
        const definition = findDefinition(parts, gate.id, version)
        if (!entry || !definition) throw makeUnknownVersionError(version, gate)
        return {
          success: true,
          data: { gateId: gate.gateId, ...buildVersionView(entry), definition: showDefinition(definition) },
          timestamp: formatNow(),
        }
      },
      {
        params: VersionParams,
        ...reads,
        ...describeOperation({
          tag,
          operationId: 'getGateVersion',
          summary: 'One version of a gate',
          description: `Without the values of rewards. ${ownerReads}`,
          answer: versionAnswer,
          refusals: [400, 401, 403, 404],
        }),
      },
    )
    .post(
      '/profile/gates/:gateId/rollback',
      async ({ params, body, query, request }) => {
        const { version, expectedVersion } = body
        const needed: NeededAction = { action: 'rollback_gate', ...params, version }
        const applied = await rollbackGate(parts, params.gateId, requireOffered(body, parts, request, needed), {
          version,
          expectedVersion,
          isPlan: isSet(query.plan),
        })
        return { success: true, data: buildAppliedView(applied), timestamp: formatNow() }
      },
      {
        params: GateParams,
        body: RollbackBody,
        query: PlanQuery,
        ...owner,
        ...describeOperation({
          tag,
          operationId: 'rollbackGate',
          summary: 'Make an old version of a gate apply again',
          description: `As a new version with the text and the rewards of the old one. Signed over ${showAction('rollback_gate')}.`,
          answer: appliedAnswer,
          refusals: changeRefusals,
        }),
      },
    )
    .post(
      '/profile/gates/:gateId/status',
      async ({ params, body, request }) => {
        const { status } = body
        const credentials = requireOffered(body, parts, request, { action: 'set_gate_status', ...params, status })
        const gate = await setGateStatus(parts, params.gateId, credentials, status)
        return { success: true, data: { gate: buildOwnGateView(gate, parts) }, timestamp: formatNow() }
      },
      {
        params: GateParams,
        body: StatusBody,
        ...owner,
        ...describeOperation({
          tag,
          operationId: 'setGateStatus',
          summary: 'Publish, pause or withdraw a gate',
          description: `Signed over ${showAction('set_gate_status')}.`,
          answer: ownGateAnswer,
          refusals: changeRefusals,
        }),
      },
    )
    .delete(
      '/profile/gates/:gateId',
      async ({ params, request }) => {
        await deleteGate(parts, params.gateId, requireOwnerOffer(parts, request, { action: 'delete_gate', ...params }))
        return { success: true, data: { gateId: params.gateId, status: 'deleted' }, timestamp: formatNow() }
      },
      {
        params: GateParams,
        headers: OwnerHeaders,
        ...owner,
        ...describeOperation({
          tag,
          operationId: 'deleteGate',
          summary: 'Delete a gate',
          description: `Nobody sees it any more; its id, its versions and what was paid at it are kept, and applying a definition brings it back. The owner headers are signed over ${showAction('delete_gate')}.`,
          answer: deletedAnswer,
          refusals: [400, 401, 403, 404, 409, 503],
        }),
      },
    )
}
