/** /api/v1/profile/labels: the names that a person gives to wallets. */
import { Type } from '@sinclair/typebox'
import { requirePrimarySession, requireSession } from '../auth/identify.ts'
import { describeAnswer } from '../http/describe.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { mostLabels } from '../profiles/label-store.ts'
import { open } from '../shape.ts'
import { addressMaxLength } from '../wallet/account.ts'
import { peopleExamples } from './examples.ts'
import { labelMaxLength, readLabels, removeLabel, setLabel } from './label.ts'

const accountMaxLength = addressMaxLength + 80

const LabelView = Type.Object({
  account: Type.String({ description: 'The address of a key, or CAIP-10 of a contract wallet.' }),
  label: Type.String(),
  createdAt: Type.Integer({ description: 'Of the newest change, in Unix milliseconds.' }),
})
const LabelBody = open({
  account: Type.String({
    minLength: 1,
    maxLength: accountMaxLength,
    description: 'Address, or CAIP-10 account of a contract wallet. Any wallet, not only the own ones.',
  }),
  label: Type.String({
    minLength: 1,
    maxLength: labelMaxLength,
    description: `At most ${labelMaxLength} characters, on one line and all of them visible.`,
  }),
})
const LabelParams = Type.Object({
  account: Type.String({ minLength: 1, maxLength: accountMaxLength, description: 'As in the list, percent-encoded.' }),
})

const tag = 'profile'
const changeNote =
  'For a browser that is signed in with the primary wallet. Needs the header X-CSRF-Token. Labels are shown to the person alone: no proof and no gate reads them.'

export function labelRoutes(parts: Parts): readonly Route[] {
  const shared = {
    callers: ['session'],
    readers: 'own pages',
    surface: 'sessions',
    cacheControl: 'private, no-store',
  } as const
  return [
    route(
      {
        method: 'GET',
        path: '/api/v1/profile/labels',
        ...shared,
        rate: 'reads',
        operation: {
          tag,
          operationId: 'listLabels',
          summary: 'The labels that a person gave to wallets',
          description: 'All of them, ordered by account. For a signed-in browser.',
          answer: describeAnswer({ data: Type.Object({ labels: Type.Array(LabelView) }) }),
          refusals: [401, 403],
          example: peopleExamples.listLabels,
        },
      },
      async ({ request }) => {
        const { profile } = await requireSession(parts, request)
        return { success: true, data: { labels: await readLabels(parts, profile.id) } }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/v1/profile/labels',
        ...shared,
        body: LabelBody,
        rate: 'sessions',
        operation: {
          tag,
          operationId: 'setLabel',
          summary: 'Label a wallet',
          description: `A new label takes the place of the former one. At most ${mostLabels} labels. ${changeNote}`,
          answer: describeAnswer({ data: LabelView }),
          refusals: [400, 401, 403, 409, 413, 415, 503],
          codes: ['INVALID_WALLET_ADDRESS'],
          example: peopleExamples.setLabel,
        },
      },
      async ({ body, request }) => ({
        success: true,
        data: await setLabel(parts, await requirePrimarySession(parts, request), body),
      }),
    ),
    route(
      {
        method: 'DELETE',
        path: '/api/v1/profile/labels/:account',
        ...shared,
        params: LabelParams,
        rate: 'sessions',
        operation: {
          tag,
          operationId: 'removeLabel',
          summary: 'Remove the label of a wallet',
          description: `Again is no error. ${changeNote}`,
          answer: describeAnswer({ data: Type.Object({ account: Type.String(), wasLabeled: Type.Boolean() }) }),
          refusals: [400, 401, 403, 503],
          example: peopleExamples.removeLabel,
        },
      },
      async ({ params, request }) => ({
        success: true,
        data: await removeLabel(parts, await requirePrimarySession(parts, request), params.account),
      }),
    ),
  ]
}
