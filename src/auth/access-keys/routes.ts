/** Access keys: /api/v1/auth/profile-keys, and the one that calls. */
import { Elysia } from 'elysia'
import { AppError } from '../../errors.ts'
import { describeOperation } from '../../http/describe.ts'
import { limitRate } from '../../http/limits.ts'
import type { Parts } from '../../parts.ts'
import { writeAccount } from '../../wallet/account.ts'
import { countEndingWithKey } from '../ending-store.ts'
import { readBearer, requireKey, requirePrimarySession, requireSession } from '../identify.ts'
import { buildKeyView, KeyBody, KeyParams, keyMadeAnswer, keyRevokedAnswer, keysAnswer } from '../sessions/wire.ts'
import { createKey, endKey, requireScopes } from './access-keys.ts'
import { type ListedKey, listKeys } from './store.ts'

const tag = 'sessions'
const ownPage = 'For a signed-in browser. Needs the header X-CSRF-Token.'

export function accessKeyRoutes(parts: Parts) {
  const { brand } = parts.config
  const changes = { beforeHandle: limitRate(parts, 'sessions') }
  const countEnding = (keyId: string) => countEndingWithKey(parts.db, keyId, parts.now())
  const buildView = (key: ListedKey) => ({ ...buildKeyView(key, brand), endsWith: countEnding(key.keyId) })

  return new Elysia({ name: 'access-keys', prefix: '/api/v1/auth' })
    .post(
      '/profile-keys',
      async ({ body, request }) => {
        const { profile } = requirePrimarySession(parts, request)
        const scopes = requireScopes(body.scopes, brand)
        const primary = writeAccount(profile.primary)
        const { key, listed } = await createKey(parts, { primary, name: body.name, scopes })
        return { success: true, data: { ...buildView(listed), key } }
      },
      {
        body: KeyBody,
        ...changes,
        ...describeOperation({
          tag,
          operationId: 'createAccessKey',
          summary: 'Create an access key',
          description: `${ownPage} The key is shown this once. Neither an access key nor a linked wallet may make one.`,
          answer: keyMadeAnswer,
          refusals: [400, 401, 403, 409, 413, 415, 503],
        }),
      },
    )
    .get(
      '/profile-keys',
      ({ request }) => {
        const { profile } = requireSession(parts, request)
        return { success: true, data: { keys: listKeys(parts.db, profile.id).map(buildView) } }
      },
      {
        beforeHandle: limitRate(parts, 'reads'),
        ...describeOperation({
          tag,
          operationId: 'listAccessKeys',
          summary: 'Access keys of who is signed in',
          description:
            'For a signed-in browser. Revoked ones stay in the list for a while. endsWith says what would end with each.',
          answer: keysAnswer,
          refusals: [401, 403],
        }),
      },
    )
    .delete(
      '/profile-keys/:keyId',
      async ({ params, request }) => {
        const { profile } = requireSession(parts, request)
        const ended = countEnding(params.keyId)
        const revoked = await endKey(parts, params.keyId, profile)
        if (!revoked)
          throw new AppError('NOT_FOUND', 'there is no such key: GET /api/v1/auth/profile-keys lists those there are')
        return { success: true, data: { ...buildKeyView(revoked, brand), ended } }
      },
      {
        params: KeyParams,
        ...changes,
        ...describeOperation({
          tag,
          operationId: 'revokeAccessKey',
          summary: 'Revoke an access key',
          description: `${ownPage} What it made ends with it: "ended" says how much.`,
          answer: keyRevokedAnswer,
          refusals: [400, 401, 403, 404, 503],
        }),
      },
    )
    .delete(
      '/profile-key',
      async ({ request }) => {
        const { keyId } = requireKey(parts, readBearer(request.headers) ?? '')
        const ended = countEnding(keyId)
        const revoked = await endKey(parts, keyId)
        if (!revoked) throw new AppError('NOT_FOUND', 'the key went away at the same time')
        return { success: true, data: { ...buildKeyView(revoked, brand), ended } }
      },
      {
        ...changes,
        ...describeOperation({
          tag,
          operationId: 'revokeThisAccessKey',
          summary: 'Revoke the access key that calls',
          description: 'For Authorization: Bearer npk_… What it made ends with it.',
          answer: keyRevokedAnswer,
          refusals: [401, 404, 503],
        }),
      },
    )
}
