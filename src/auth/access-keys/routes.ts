/** Access keys: /api/v1/auth/profile-keys, and the one that calls. */
import { Elysia } from 'elysia'
import { AppError } from '../../errors.ts'
import { described } from '../../http/describe.ts'
import { counted } from '../../http/limits.ts'
import type { Parts } from '../../parts.ts'
import { accountText } from '../../wallet/account.ts'
import { endingWithKey } from '../ending-store.ts'
import { bearerIn, requireKey, requirePrimarySession, requireSession } from '../identify.ts'
import { KeyBody, KeyParams, keyMadeAnswer, keyRevokedAnswer, keysAnswer, keyView } from '../sessions/wire.ts'
import { createKey, endKey, requireScopes } from './access-keys.ts'
import { type ListedKey, listKeysOf } from './store.ts'

const tag = 'sessions'
const ownPage = 'For a signed-in browser. Needs the header X-CSRF-Token.'

export function accessKeyRoutes(parts: Parts) {
  const { brand } = parts.config
  const changes = { beforeHandle: counted(parts, 'sessions') }
  const ending = (keyId: string) => endingWithKey(parts.db, keyId, parts.now())
  const view = (key: ListedKey) => ({ ...keyView(key, brand), endsWith: ending(key.keyId) })

  return new Elysia({ name: 'access-keys', prefix: '/api/v1/auth' })
    .post(
      '/profile-keys',
      async ({ body, request }) => {
        const { profile } = requirePrimarySession(parts, request)
        const scopes = requireScopes(body.scopes, brand)
        const primary = accountText(profile.primary)
        const { key, listed } = await createKey(parts, { primary, name: body.name, scopes })
        return { success: true, data: { ...view(listed), key } }
      },
      {
        body: KeyBody,
        ...changes,
        ...described({
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
        return { success: true, data: { keys: listKeysOf(parts.db, profile.id).map(view) } }
      },
      {
        beforeHandle: counted(parts, 'reads'),
        ...described({
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
        const ended = ending(params.keyId)
        const revoked = await endKey(parts, params.keyId, profile)
        if (!revoked)
          throw new AppError('NOT_FOUND', 'there is no such key: GET /api/v1/auth/profile-keys lists those there are')
        return { success: true, data: { ...keyView(revoked, brand), ended } }
      },
      {
        params: KeyParams,
        ...changes,
        ...described({
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
        const { keyId } = requireKey(parts, bearerIn(request.headers) ?? '')
        const ended = ending(keyId)
        const revoked = await endKey(parts, keyId)
        if (!revoked) throw new AppError('NOT_FOUND', 'the key went away at the same time')
        return { success: true, data: { ...keyView(revoked, brand), ended } }
      },
      {
        ...changes,
        ...described({
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
