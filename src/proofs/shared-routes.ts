/** The proofs that others share with the wallets of a person: /api/v1/profile/shared-proofs. */
import { Type } from '@sinclair/typebox'
import { requireSession } from '../auth/identify.ts'
import { cursorMaxLength, openCursor, sealCursor } from '../http/cursor.ts'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { type ExampleSource, story } from '../http/example.ts'
import { type Route, route } from '../http/route.ts'
import { mapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { open } from '../shape.ts'
import { type AccountText, writeAccount } from '../wallet/account.ts'
import { makeProofExample } from './examples.ts'
import { readPage } from './page-store.ts'
import { readFirst52Bits } from './proof.ts'
import { makeViewTools } from './read.ts'
import { leaveShared, listShared } from './shared-store.ts'
import { buildProofView, chooseAudience, ProofView, unread } from './view.ts'
import { QHashParams } from './wire.ts'

const PageQuery = open({
  limit: Type.Optional(Type.String({ pattern: '^([1-9]|[1-9][0-9]|100)$', description: '1 to 100. Default 50.' })),
  cursor: Type.Optional(Type.String({ maxLength: cursorMaxLength, description: 'nextCursor of the page before.' })),
})
const SharedView = Type.Object({
  viewerWallet: Type.String({ description: 'The wallet of yours that may read it.' }),
  since: Type.Integer({ description: 'Unix milliseconds.' }),
  until: Type.Union([Type.Integer(), Type.Null()], { description: 'null: until its owner stops sharing.' }),
  proof: ProofView,
})

const { qHash, time, timestamp, address } = story
/** By operationId. */
const examples = {
  listSharedProofs: (baseUrl) => ({
    response: {
      success: true,
      data: {
        shared: [{ viewerWallet: address, since: time, until: null, proof: makeProofExample(baseUrl) }],
        nextCursor: null,
      },
      timestamp,
    },
  }),
  leaveSharedProof: { params: { qHash }, response: { success: true, data: { qHash, wasShared: true }, timestamp } },
} as const satisfies Readonly<Record<string, ExampleSource>>

const signedInNote = 'For a signed-in browser.'

export function sharedRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const listViewers = async (request: Request): Promise<AccountText[]> => {
    await requireSession(parts, request)
    return [...new Set((await (await parts.identify(request))!.listAccounts()).map(writeAccount))].sort()
  }
  const shared = { callers: ['session'], readers: 'own pages', surface: 'proofs' } as const

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/shared-proofs',
        ...shared,
        query: PageQuery,
        rate: 'reads',
        cacheControl: 'private, no-store',
        operation: {
          tag: 'proofs',
          operationId: 'listSharedProofs',
          summary: 'Proofs that others share with you',
          description: `By access grants to your wallets, the newest proofs first, without their content. ${signedInNote}`,
          answer: describeAnswer({
            data: Type.Object({
              shared: Type.Array(SharedView),
              nextCursor: Type.Union([Type.String(), Type.Null()]),
            }),
            timestamp: IsoTimestamp,
          }),
          refusals: [400, 401, 403],
          example: examples.listSharedProofs,
        },
      },
      async ({ query, request }) => {
        const viewers = await listViewers(request)
        const limit = Number(query.limit ?? 50)
        const now = parts.now()
        const list = ['shared-proofs', viewers] as const
        const before =
          query.cursor === undefined ? Number.MAX_SAFE_INTEGER : openCursor(parts.sealer, list, query.cursor)
        const found = await listShared(parts.db, viewers, { before, now, limit: limit + 1 })
        // A proof that several wallets of the person may read has a row for each: they stay on one page.
        const last = found.length > limit ? found[limit - 1]!.proofId : undefined
        const rows = last === undefined ? found : found.filter(({ proofId }) => proofId >= last)
        const proofs = await readPage(parts.db, [...new Set(rows.map(({ proofId }) => proofId))])
        const tools = await makeViewTools(parts, now, proofs)
        const views = new Map(
          await mapInOrder(proofs, async (proof) => {
            const { sponsorWallet: _, ...view } = buildProofView(proof, chooseAudience(proof, true), tools, unread)
            return [proof.id, view] as const
          }),
        )
        const data = {
          shared: rows.flatMap(({ proofId, viewer, since, until }) => {
            const proof = views.get(proofId)
            return proof ? [{ viewerWallet: viewer, since, until, proof }] : []
          }),
          nextCursor: last === undefined ? null : sealCursor(parts.sealer, list, last),
        }
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/profile/shared-proofs/:qHash',
        ...shared,
        params: QHashParams,
        rate: 'owner',
        operation: {
          tag: 'proofs',
          operationId: 'leaveSharedProof',
          summary: 'Give up what you may read of a proof of others',
          description: `Ends the access grants to your wallets. Its owner can share it again. Again is not an error. ${signedInNote} Needs the header X-CSRF-Token.`,
          answer: describeAnswer({
            data: Type.Object({ qHash: Type.String(), wasShared: Type.Boolean() }),
            timestamp: IsoTimestamp,
          }),
          refusals: [400, 401, 403, 503],
          example: examples.leaveSharedProof,
        },
      },
      async ({ params, request }) => {
        const id = params.qHash.toLowerCase()
        const wasShared = await leaveShared(parts.db, id, readFirst52Bits(id), await listViewers(request))
        return { success: true, data: { qHash: id, wasShared }, timestamp: formatNow() }
      },
    ),
  ]
}
