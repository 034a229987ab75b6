/** /api/v1/proofs: reading, listing and revoking proofs, under the newest paths and their older names. */
import type { Static } from '@sinclair/typebox'
import { readCredentials, requireOffered } from '../auth/caller.ts'
import { showAction } from '../auth/owner-action.ts'
import { answerJson } from '../http/answer.ts'
import { isSet, isUnset, type OperationDescription } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { changeVisibility } from './change-visibility.ts'
import { proofExamples } from './examples.ts'
import { listRequested } from './list.ts'
import { readProof } from './read.ts'
import { revokeProof } from './revoke.ts'
import {
  AddressParams,
  actionAnswer,
  ListQuery,
  listAnswer,
  listRequest,
  OwnerBody,
  OwnerHeaders,
  QHashParams,
  ReadQuery,
  readAnswer,
  readScope,
  VisibilityBody,
  visibilityAnswer,
} from './wire.ts'

const tag = 'proofs'

export function proofRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()

  const read = async ({
    params,
    query,
    request,
  }: {
    params: { qHash: string }
    query: Static<typeof ReadQuery>
    request: Request
  }) => {
    const credentials = await readCredentials(parts, request, { action: 'access_private_proof', ...params })
    const data = await readProof(parts, {
      qHash: params.qHash,
      credentials: isUnset(query.includePrivate) ? undefined : credentials,
      latestScope: isSet(query.latestScope),
      includePortable: isSet(query.includePortable),
      refusesStrangers: isSet(query.includePrivate),
      scope: readScope(query),
    })
    return { success: true, data, status: data.status, qHash: data.qHash, cached: false }
  }

  const list = async ({
    params,
    query,
    request,
    set,
  }: {
    params: { address: string }
    query: Static<typeof ListQuery>
    request: Request
    set: { headers: Record<string, string | number>; status?: number | string }
  }) => {
    const credentials = await readCredentials(parts, request, { action: 'access_private_proofs_by_wallet' })
    const asked = listRequest(params.address, query, credentials)
    const { page, isOwner, rowTexts } = await listRequested(parts, asked)
    const { proofs: _, ...besides } = page
    const data = `{"proofs":[${rowTexts.join(',')}],${JSON.stringify(besides).slice(1)}`
    // Weak: the timestamp beside the data changes with every answer.
    const etag = `W/"${new Bun.SHA256().update(data).digest('base64').slice(0, 22)}"`
    set.headers.etag = etag
    // A browser would keep it on disk, and private proofs and signed envelopes are in what owners are answered.
    set.headers['cache-control'] = isOwner ? 'no-store' : 'private, no-cache'
    if (isSameTag(request.headers.get('if-none-match'), etag)) {
      set.status = 304
      return
    }
    return answerJson(set, `{"success":true,"data":${data},"timestamp":"${formatNow()}"}`)
  }

  const revoke = async ({
    params,
    body,
    request,
  }: {
    params: { qHash: string }
    body: Static<typeof OwnerBody>
    request: Request
  }) => {
    const credentials = await requireOffered(body, parts, request, { action: 'revoke_proof', ...params })
    const { alreadyRevoked } = await revokeProof(parts, params.qHash, credentials)
    return { success: true, alreadyRevoked, timestamp: formatNow() }
  }

  const setVisibility = async ({
    params,
    body,
    request,
  }: {
    params: { qHash: string }
    body: Static<typeof VisibilityBody>
    request: Request
  }) => {
    const { visibility, ...signed } = body
    const needed = { action: 'set_proof_visibility', ...params, visibility } as const
    const credentials = await requireOffered(signed, parts, request, needed)
    const data = await changeVisibility(parts, { ...params, visibility }, credentials)
    return { success: true, data, timestamp: formatNow() }
  }

  const readRoute = {
    params: QHashParams,
    query: ReadQuery,
    headers: OwnerHeaders,
    rate: 'reads' as const,
  }
  const listRoute = {
    params: AddressParams,
    query: ListQuery,
    headers: OwnerHeaders,
    rate: 'reads' as const,
  }
  const revokeRoute = { params: QHashParams, body: OwnerBody, rate: 'owner' as const }

  const describeRead = (operationId: string, summary: string, deprecated = false): OperationDescription => ({
    tag,
    operationId,
    summary,
    deprecated,
    description: `A public proof is shown to everybody. A private one shows its status; everything to its owner and to wallets it was shared with, signed over ${showAction('access_private_proof')}.`,
    answer: readAnswer,
    requestHeaders: { 'x-track-view': 'Accepted and ignored: views are not counted.' },
    refusals: [400, 401, 403, 404],
    example: proofExamples.getProof,
  })
  const describeList = (operationId: string, summary: string, deprecated = false): OperationDescription => ({
    tag,
    operationId,
    summary,
    deprecated,
    description: `Newest first. Everybody sees the listed public proofs; the owner sees all, signed over ${showAction('access_private_proofs_by_wallet')}.`,
    answer: listAnswer,
    headers: { ETag: 'Changes when the list does.' },
    refusals: [400, 401, 403],
    others: { 304: { description: 'Nothing changed since the ETag given in If-None-Match.' } },
    example: proofExamples.listProofs,
  })
  const describeRevocation = (operationId: string, summary: string, deprecated = false): OperationDescription => ({
    tag,
    operationId,
    summary,
    deprecated,
    description: `Signed by the wallet that made the proof, over ${showAction('revoke_proof')}. Revoking again is not an error.`,
    answer: actionAnswer,
    refusals: [400, 401, 403, 404, 413, 415, 503],
    example: proofExamples.revokeProof,
  })

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/proofs/:qHash',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'proofs',
        ...readRoute,
        operation: describeRead('getProof', 'A proof by its id'),
      },
      read,
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/verification/status/:qHash',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'proofs',
        ...readRoute,
        operation: describeRead('getStatus', 'A proof by its id (older path)', true),
      },
      read,
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/proofs/by-wallet/:address',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'proofs',
        ...listRoute,
        operation: describeList('listProofs', 'Proofs of a wallet'),
      },
      list,
    ),
    route(
      {
        method: 'GET',
        path: '/api/v1/proofs/byWallet/:address',
        callers: ['anyone', 'signature', 'session', 'access-key'],
        surface: 'proofs',
        ...listRoute,
        operation: describeList('listProofsOlder', 'Proofs of a wallet (older path)', true),
      },
      list,
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/proofs/revoke-self/:qHash',
        callers: ['signature', 'session', 'access-key'],
        surface: 'proofs',
        ...revokeRoute,
        operation: describeRevocation('revokeProof', 'Revoke a proof'),
      },
      revoke,
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/proofs/:qHash/revoke-self',
        callers: ['signature', 'session', 'access-key'],
        surface: 'proofs',
        ...revokeRoute,
        operation: describeRevocation('revokeProofOlder', 'Revoke a proof (older path)', true),
      },
      revoke,
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/proofs/:qHash/visibility',
        callers: ['signature'],
        surface: 'proofs',
        params: QHashParams,
        body: VisibilityBody,
        rate: 'owner',
        operation: {
          tag,
          operationId: 'setProofVisibility',
          summary: 'Change who sees a proof',
          description: `Signed by the wallet that made the proof, over ${showAction('set_proof_visibility')}; a session or an access key may not. Each signature acts once. Making a proof private stops this server from showing it; copies that others made stay.`,
          answer: visibilityAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          example: proofExamples.setProofVisibility,
        },
      },
      setVisibility,
    ),
  ]
}

/** RFC 9110 §13.1.2: weak comparison against a list, or any. */
const isSameTag = (ifNoneMatch: string | null, etag: string): boolean =>
  ifNoneMatch !== null && (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim() === etag))
