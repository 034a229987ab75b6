/** Erasing everything of a wallet, and how far that is. */
import { requireOffered } from '../auth/caller.ts'
import { type NeededAction, showAction } from '../auth/owner-action.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { OwnerBody } from '../proofs/wire.ts'
import { normalizeAddress } from '../wallet/account.ts'
import { eraseAll, mostWaitMs, readErasure } from './erase.ts'
import { erasureExamples } from './examples.ts'
import { ErasureParams, eraseAllAnswer, erasureAnswer } from './wire.ts'

export const erasureRoutes = (parts: Parts): readonly Route[] => [
  route(
    {
      method: 'POST',
      path: '/api/v1/proofs/erase-all',
      callers: ['signature', 'session'],
      surface: 'proofs',
      body: OwnerBody,
      rate: 'owner',
      operation: {
        tag: 'proofs',
        operationId: 'eraseAll',
        summary: 'Delete everything of a wallet',
        description: `Signed over ${showAction('erase_all_proofs')}, or sent by a browser that is signed in with the primary wallet, which must give walletAddress; an access key may not. From then on nobody finds anything of the wallet; it cannot be undone. Answers when the records are deleted, or after 20 seconds with how many are left: the deletion goes on, and erasure.status tells how far it is. The same request again tells it too. The header Prefer: wait=N (RFC 7240) asks for an answer after N seconds.`,
        answer: eraseAllAnswer,
        refusals: [400, 401, 403, 413, 415, 503],
        example: erasureExamples.eraseAll,
      },
    },
    async ({ body, request }) => {
      const wallet = body.walletAddress === undefined ? undefined : normalizeAddress(body.walletAddress)
      const needed: NeededAction = { action: 'erase_all_proofs', walletAddress: wallet }
      const erased = await eraseAll(parts, await requireOffered(body, parts, request, needed), {
        wallet,
        waitMs: readWaitMs(request.headers.get('prefer')),
      })
      return { success: true, ...erased, timestamp: new Date(parts.now()).toISOString() }
    },
  ),
  route(
    {
      method: 'GET',
      path: '/api/v1/proofs/erasures/:erasureId',
      callers: ['anyone'],
      surface: 'proofs',
      params: ErasureParams,
      rate: 'reads',
      operation: {
        tag: 'proofs',
        operationId: 'getErasure',
        summary: 'How far an erasure is',
        description: 'For whoever has its id. Names no wallet and no proof.',
        answer: erasureAnswer,
        refusals: [400, 404, 503],
        example: erasureExamples.getErasure,
      },
    },
    async ({ params }) => ({ success: true, ...(await readErasure(parts, params.erasureId)) }),
  ),
]

/** RFC 7240: the time the caller wants to wait, up to the server's limit. */
function readWaitMs(prefer: string | null): number {
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(prefer ?? '')?.[1]
  return seconds === undefined ? mostWaitMs : Math.min(mostWaitMs, Number(seconds) * 1000)
}
