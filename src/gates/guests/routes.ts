/** The guest list of a gate: /api/v1/profile/gates/{gateId}/guests for its owner, …/pass for a listed wallet. */
import { Type } from '@sinclair/typebox'
import { requireOffered } from '../../auth/caller.ts'
import { showAction } from '../../auth/owner-action.ts'
import { signedMembers } from '../../auth/signed-body.ts'
import { AppError } from '../../errors.ts'
import { describeAnswer, IsoTimestamp } from '../../http/describe.ts'
import { type Route, route } from '../../http/route.ts'
import type { Parts } from '../../parts.ts'
import { OwnerHeaders } from '../../proofs/wire.ts'
import { open } from '../../shape.ts'
import { readNamedAccount } from '../../wallet/account.ts'
import { requireOwnerOffer, requireOwnGate, requireReader } from '../manage/own-gate.ts'
import { GateParams } from '../wire.ts'
import { changeGuests, makeGuestsAction, passAction, takePass } from './change-guests.ts'
import { guestExamples } from './examples.ts'
import { mostGuests } from './guest-list.ts'
import { writeGuest } from './read-lines.ts'
import { countGuests, listGuests } from './store.ts'

const tag = 'gates'
const mostOfPage = 1_000
const cacheControl = 'private, no-store'

const GuestsQuery = open({
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]{0,2}|1000)$', description: `1 to ${mostOfPage}, which is the default.` }),
  ),
  search: Type.Optional(
    Type.String({ maxLength: 128, description: 'Only wallets that hold this text, in capitals or not.' }),
  ),
  after: Type.Optional(Type.String({ maxLength: 200, description: 'The `next` of the page before.' })),
})

const text = (description: string) => Type.Optional(Type.String({ maxLength: 1_000_000, description }))

const GuestsBody = open({
  replace: text('The whole list, in place of the one before. Empty: no wallet.'),
  add: text('Wallets to add. Those that are there stay.'),
  remove: text('Wallets to remove, before others are added. An address alone leaves the list on every chain.'),
  ...signedMembers,
})

const guestsAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    guests: Type.Array(
      Type.Object({
        wallet: Type.String({ description: 'An address, or CAIP-10 where a chain was named.' }),
        addedAt: Type.Integer({ description: 'Unix milliseconds.' }),
      }),
    ),
    totalCount: Type.Integer({ description: 'Over all pages.' }),
    next: Type.Union([Type.String(), Type.Null()], { description: 'For `after`. null: this is the last page.' }),
  }),
  timestamp: IsoTimestamp,
})

const changedAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    added: Type.Integer(),
    removed: Type.Integer(),
    duplicates: Type.Integer({ description: 'Lines that named a wallet again. Each wallet is listed once.' }),
    stillListed: Type.Integer({
      description: 'Addresses of remove that are on the list all the same: alone, or with another chain.',
    }),
    totalCount: Type.Integer(),
  }),
  timestamp: IsoTimestamp,
})

const passAnswer = describeAnswer({
  data: Type.Object({
    gateId: Type.String(),
    qHash: Type.String({ description: 'The id of the pass, for the qHash of a purchase.' }),
    status: Type.Union([Type.Literal('valid'), Type.Literal('withdrawn')], {
      description:
        'withdrawn: the wallet left the list. The pass gives nothing new, and shows again what was given for it.',
    }),
    walletAddress: Type.String(),
    contractOn: Type.Optional(Type.String()),
  }),
  timestamp: IsoTimestamp,
})

export function guestRoutes(parts: Parts): readonly Route[] {
  const formatNow = (): string => new Date(parts.now()).toISOString()
  const { hubChainId } = parts.config.signing

  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/gates/:gateId/guests',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        query: GuestsQuery,
        headers: OwnerHeaders,
        rate: 'reads',
        needs: 'profile',
        cacheControl,
        operation: {
          tag,
          operationId: 'listGuests',
          summary: 'The guest list of a gate',
          description: `Nobody but the owner reads it. A gate asks for it by a requirement with the verifierId guest-list. For the owner, signed over ${showAction('list_gates')}.`,
          answer: guestsAnswer,
          refusals: [400, 401, 403, 404],
          example: guestExamples.listGuests,
        },
      },
      async ({ params, query, request }) => {
        const reader = await requireReader(parts, await requireOwnerOffer(parts, request), params.gateId)
        const gate = await requireOwnGate(parts, params.gateId, reader)
        const limit = Number(query.limit ?? mostOfPage)
        const rows = await listGuests(parts.db, gate.id, readAfter(query.after, hubChainId), limit + 1, query.search)
        const page = rows.slice(0, limit)
        const last = page.at(-1)
        const data = {
          gateId: gate.gateId,
          guests: page.map((row) => ({ wallet: writeGuest(row), addedAt: row.addedAt })),
          totalCount: await countGuests(parts.db, gate.id),
          next: rows.length > limit && last ? writeGuest(last) : null,
        }
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/guests',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        body: GuestsBody,
        bodyRemedy: 'send the list in parts: the first one with replace, and each other one with add',
        rate: 'owner',
        cacheControl,
        operation: {
          tag,
          operationId: 'changeGuests',
          summary: 'Replace, add to or shorten the guest list of a gate',
          description: `One wallet on each line: an address, a did:pkh or a CAIP-10 account. Lines may be those of a CSV file: the wallet stands in the column wallet or address, else in the first. At most ${mostGuests} wallets. A list is changed as a whole or not at all; details.faults names each faulty line. Signed over ${showAction('set_gate_guests')}: digest is 0x and the SHA-256 of the canonical JSON of replace, add and remove, as far as they are sent.`,
          answer: changedAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          example: guestExamples.changeGuests,
        },
      },
      async ({ params, body, request }) => {
        const { replace, add, remove } = body
        const texts = { replace, add, remove }
        const credentials = await requireOffered(body, parts, request, makeGuestsAction(params.gateId, texts))
        const data = await changeGuests(parts, params.gateId, credentials, texts)
        return { success: true, data, timestamp: formatNow() }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/gates/:gateId/pass',
        callers: ['signature', 'session', 'access-key'],
        surface: 'gates',
        params: GateParams,
        body: open(signedMembers),
        rate: 'owner',
        cacheControl,
        operation: {
          tag,
          operationId: 'takeGatePass',
          summary: 'The pass of a wallet on a guest list',
          description: `Its id stands where a purchase names a proof (qHash), so that nobody makes a proof for a list. The same call again gives the same pass. A wallet that left the list gets its pass again where something was given or paid for it, and else GATE_REQUIREMENTS_NOT_MET. Signed by the wallet over ${showAction('take_gate_pass')}.`,
          answer: passAnswer,
          refusals: [400, 401, 403, 404, 409, 413, 415, 503],
          codes: ['GATE_REQUIREMENTS_NOT_MET'],
          example: guestExamples.takeGatePass,
        },
      },
      async ({ params, body, request }) => {
        const credentials = await requireOffered(body, parts, request, passAction(params.gateId))
        const data = await takePass(parts, credentials, { ...params, walletAddress: body.walletAddress })
        return { success: true, data, timestamp: formatNow() }
      },
    ),
  ]
}

/** Errors: VALIDATION_ERROR. */
function readAfter(after: string | undefined, hubChainId: number) {
  if (after === undefined) return { wallet: '', chain: '' }
  const named = readNamedAccount(after, hubChainId)
  if (!named) throw new AppError('VALIDATION_ERROR', 'after is no next of a page: take it from the page before')
  return { wallet: named.wallet, chain: named.isChainGiven ? (named.chain ?? '') : '' }
}
